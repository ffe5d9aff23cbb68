package kafkaconfig

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// No way of printing a Config or a password shows a password.
func TestPasswordsAreHidden(t *testing.T) {
	c := load(t, controller+"ssl.key.password=hunter2\n")
	secret, _ := c.Password("ssl.key.password")
	j, err := json.Marshal(map[string]any{"c": c, "d": *c, "s": secret, "p": &secret})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []any{c, *c, secret, &secret, []Secret{secret}, struct{ S Secret }{secret}} {
		for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x"} {
			if s := fmt.Sprintf(format, v); strings.Contains(s, "hunter2") || strings.Contains(s, fmt.Sprintf("%x", "hunter2")) {
				t.Errorf("%s of %T shows the password", format, v)
			}
		}
	}
	if strings.Contains(string(j), "hunter2") || c.Show("ssl.key.password") != hidden {
		t.Errorf("the password is shown: %s", j)
	}
}
