package format

import (
	"encoding/hex"
	"strings"
	"testing"

	"kraftctl/decode/metadata"
)

// What kafka-storage 4.4.0 says to these arguments of --add-scram; "" is fine.
func TestParseSCRAMLikeKafka(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"SCRAM-SHA-256=[name=a,password=b]", ""},
		{"SCRAM-SHA-256=[name=a,password=b,]", ""},
		{"SCRAM-SHA-256=[name=,password=b]", ""},
		{"SCRAM-SHA-256=[name=a,password=b,salt=YQ]", ""},
		{"SCRAM-SHA-256=[name=a,salt=,password=b]", ""},
		{"SCRAM-SHA-256=[name=a,saltedpassword=YQ==,salt=YQ==]", ""},
		{`SCRAM-SHA-256=[name="a",password="b]`, ""},
		{`SCRAM-SHA-256=[name=",password=b]`, ""},
		{"SCRAM-SHA-512=[name=alice,iterations=+8192,password=x]", ""},
		{"bad", "Failed to find equals sign in SCRAM argument 'bad'"},
		{"", "Failed to find equals sign in SCRAM argument ''"},
		{" x ", "Failed to find equals sign in SCRAM argument 'x'"},
		{"SCRAM-SHA-1=[", "The add-scram mechanism SCRAM-SHA-1 is not supported."},
		{"scram-sha-256=[name=a,password=b]", "The add-scram mechanism scram-sha-256 is not supported."},
		{" SCRAM-SHA-256 = [name=a,password=b] ", "The add-scram mechanism SCRAM-SHA-256  is not supported."},
		{" SCRAM-SHA-256=[name=a,password=b]\t", ""},
		{"SCRAM-SHA-256=[,]", "You must supply 'name' to add-scram"},
		{"=[name=a,password=b]", "The add-scram mechanism  is not supported."},
		{"SCRAM-SHA-256=", "Expected configuration string to start with ["},
		{"SCRAM-SHA-256=[name=a,password=b]x", "Expected configuration string to end with ]"},
		{"SCRAM-SHA-256=[]", "No equals sign found in SCRAM component: "},
		{"SCRAM-SHA-256=[name=a,password=b,,salt=]", "No equals sign found in SCRAM component: "},
		{"SCRAM-SHA-256=[name=a,password=b,x]", "No equals sign found in SCRAM component: x"},
		{"SCRAM-SHA-256=[ name = a , password = b ]", "You must supply 'name' to add-scram"},
		{"SCRAM-SHA-256=[[name=a,password=b]]", "You must supply 'name' to add-scram"},
		{"SCRAM-SHA-256=[name=a,password=b,salt=Y]", "Failed to decode given salt: Y"},
		{`SCRAM-SHA-256=[name=alice,salt="!!",password=x]`, "Failed to decode given salt: !!"},
		{"SCRAM-SHA-256=[name=a,password=b,iterations=x]", "Failed to parse iterations count: x"},
		{"SCRAM-SHA-256=[name=a,password=b,iterations= 5000]", "Failed to parse iterations count:  5000"},
		{"SCRAM-SHA-256=[name=a,iterations=99999999999,password=b]", "Failed to parse iterations count: 99999999999"},
		{"SCRAM-SHA-256=[name=a,password=b,iterations=-1]", "The 'iterations' value must be >= 4096 for add-scram using SCRAM_SHA_256"},
		{"SCRAM-SHA-512=[name=a,password=b,iterations=4095]", "The 'iterations' value must be >= 4096 for add-scram using SCRAM_SHA_512"},
		{"SCRAM-SHA-256=[name=alice,iterations=99999,password=x]", "The 'iterations' value must be <= 16384 for add-scram using SCRAM_SHA_256"},
		{"SCRAM-SHA-256=[name=]", "You must supply one of 'password' or 'saltedpassword' to add-scram"},
		{"SCRAM-SHA-256=[name=a,saltedpassword=YQ==]", "You must supply 'salt' with 'saltedpassword' to add-scram"},
		{"SCRAM-SHA-512=[password=b,name=a,zz=1,aa=2,mm=3]", "Unknown SCRAM configurations: aa, mm, zz"},
		{"SCRAM-SHA-256=[name=a,password=b,=x]", "Unknown SCRAM configurations: "},
		{"SCRAM-SHA-256=[name=a,password=]", "Empty key"},
		{"SCRAM-SHA-256=[name=a,saltedpassword=,salt=YQ==]", "Empty key"},
		// Kafka shows the salted password, which is worth as much as the password.
		{"SCRAM-SHA-256=[name=a,saltedpassword=Y,salt=YQ==]", "Failed to decode given saltedPassword"},
	} {
		r, err := ParseSCRAM(c.text, seededReader(1))
		got := ""
		switch e := err.(type) {
		case nil:
			if len(r.StoredKey) == 0 || len(r.ServerKey) != len(r.StoredKey) {
				t.Errorf("%q: %+v", c.text, r)
			}
		case *RefusedError:
			got = e.Kafka()
		default:
			_, got, _ = strings.Cut(err.Error(), ": ")
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// Check values: the first from the facts about the tools, the other from Kafka
// 4.4.0 (SHA-512, golden format-scram-salt-iter).
func TestSCRAMKeys(t *testing.T) {
	for _, c := range []struct{ text, stored, server string }{
		{"SCRAM-SHA-256=[name=alice,salt=MTIzNDU2Nzg5MGFiY2RlZg==,iterations=8192,password=secret]",
			"b2993ab5fde19b1bd50befd7f104e98fa3d39007cc428d9e933b98928c6edfce",
			"bb3a69256888564d454e1496bf26d2607884707cfeaedcc14465a00e914fca3c"},
		{`SCRAM-SHA-512=[name=alice,iterations=8192,salt="MWx2NHBkbnc0ZndxN25vdGN4bTB5eTFrN3E=",password=alice-secret]`,
			"df7ed4c784e16515913f390b3753e63e" + "99590e7a0e849d050cf0a049feae6c47" + "b96928d80cc04a620442101c69944f4d" + "9a1ff04eccc600dd273b30ba6587de30", ""},
	} {
		r, err := ParseSCRAM(c.text, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := hex.EncodeToString(r.StoredKey); got != c.stored {
			t.Errorf("stored key %s, want %s", got, c.stored)
		}
		if got := hex.EncodeToString(r.ServerKey); c.server != "" && got != c.server {
			t.Errorf("server key %s, want %s", got, c.server)
		}
	}
}

// No error gives away what may be part of a password.
func TestSCRAMErrorsHideSecrets(t *testing.T) {
	const secret = "hunter2!"
	for _, text := range []string{
		secret, "SCRAM-SHA-256=[name=a,password=x," + secret + "]", "SCRAM-SHA-256=[name=a,password=x," + secret + "=1]",
		"SCRAM-SHA-256=[name=a,salt=YQ==,saltedpassword=" + secret + "]", "SCRAM-SHA-256=[name=a,password=" + secret + ",iterations=1]",
		"SCRAM-SHA-256=[password=" + secret + "]", "SCRAM-SHA-256=[name=a,password=" + secret, "alice:" + secret + "=[x]",
		"SCRAM-SHA-256=[name=a,iterations=4096;password=" + secret + ",password=x]", "SCRAM-SHA-256=[name=a,salt=abc!" + secret + ",password=x]",
	} {
		_, err := ParseSCRAM(text, seededReader(1))
		if err == nil || strings.Contains(err.Error(), secret) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// A salt that was made up is a number in base 36, as Kafka's are.
func TestRandomSalt(t *testing.T) {
	random := seededReader(3)
	seen := map[string]bool{}
	for range 1000 {
		salt, err := randomSalt(random)
		if err != nil {
			t.Fatal(err)
		}
		if len(salt) < 20 || len(salt) > 26 || strings.Trim(string(salt), "0123456789abcdefghijklmnopqrstuvwxyz") != "" || seen[string(salt)] {
			t.Fatalf("salt %q", salt)
		}
		seen[string(salt)] = true
	}
}

func FuzzParseSCRAM(f *testing.F) {
	f.Add(`SCRAM-SHA-256=[name=alice,iterations=4096,salt="YQ==",saltedpassword="YQ=="]`)
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ParseSCRAM(text, seededReader(1))
		if err == nil && (r.Iterations < minIterations || r.Iterations > maxIterations || mechanisms[metadata.ScramMechanism(r.Mechanism)].hash == nil) {
			t.Errorf("%+v", r)
		}
	})
}
