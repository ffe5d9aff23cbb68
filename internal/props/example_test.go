package props_test

import (
	"fmt"
	"time"

	"kraftctl/internal/props"
)

func Example() {
	text := "# a comment\nnode.id = 1\nlog.dirs=/var/a,\\\n         /var/b\n"
	list, err := props.Read([]byte(text), props.Latin1)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range list {
		fmt.Printf("%q %q\n", p.Key, p.Value)
	}
	stamp := time.Date(2026, 11, 29, 12, 53, 42, 0, time.UTC)
	fmt.Printf("%s", props.Append(nil, props.UTF8, props.Header{Date: stamp}, list))
	// Output:
	// "node.id" "1"
	// "log.dirs" "/var/a,/var/b"
	// #
	// #Sun Nov 29 12:53:42 UTC 2026
	// node.id=1
	// log.dirs=/var/a,/var/b
}
