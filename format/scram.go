package format

import (
	"bytes"
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"hash"
	"io"
	"maps"
	"math/big"
	"slices"
	"strings"

	"kraftctl/decode/metadata"
	"kraftctl/internal/javaerr"
	"kraftctl/internal/javatext"
)

// mechanisms are the names of SCRAM mechanisms in messages, and their hashes.
var mechanisms = map[metadata.ScramMechanism]struct {
	enum string
	hash func() hash.Hash
}{
	metadata.ScramSHA256: {"SCRAM_SHA_256", sha256.New},
	metadata.ScramSHA512: {"SCRAM_SHA_512", sha512.New},
}

// Bounds of the iterations.
const (
	minIterations = 4096
	maxIterations = 16384
)

// saltBits is how random the salt is that a credential gets.
const saltBits = 130

// scramUser is an --add-scram argument, taken apart: all but the derivation of
// the keys, which takes its time.
type scramUser struct {
	mechanism  metadata.ScramMechanism
	name       string
	salt       []byte // nil if one is to be drawn
	iterations int32
	// One of the two.
	password string
	salted   []byte
}

// ParseSCRAM turns an argument of --add-scram into the record of a credential:
//
//	SCRAM-SHA-256=[name=alice,password=secret]
//	SCRAM-SHA-512=[name=alice,iterations=8192,salt="N3E=",saltedpassword="YCE="]
//
// Values may stand in double quotes. Without a salt one is drawn from random.
// Errors are *RefusedError, whose text never holds what may be part of a password.
func ParseSCRAM(argument string, random io.Reader) (*metadata.UserScramCredentialRecord, error) {
	u, err := parseSCRAM(argument)
	if err != nil {
		return nil, err
	}
	salt := u.salt
	if salt == nil {
		if salt, err = randomSalt(random); err != nil {
			return nil, err
		}
	}
	return u.record(salt)
}

// CheckSCRAM reports what is wrong with an argument of --add-scram, without
// deriving its keys.
func CheckSCRAM(argument string) error {
	_, err := parseSCRAM(argument)
	return err
}

// parseSCRAM makes the checks in the order of Kafka's tool.
func parseSCRAM(argument string) (*scramUser, error) {
	mechanism, values, err := splitSCRAM(argument)
	if err != nil {
		return nil, err
	}
	// take gives a value and forgets it.
	take := func(key string) (string, bool) {
		v, ok := values[key]
		delete(values, key)
		return v, ok
	}
	u := &scramUser{mechanism: mechanism}
	var ok bool
	if u.name, ok = take("name"); !ok {
		return nil, refuse("You must supply 'name' to add-scram")
	}
	salt, hasSalt := take("salt")
	if hasSalt {
		if u.salt, ok = decodeBase64(salt); !ok {
			return nil, refuseSecret("Failed to decode given salt", "Failed to decode given salt: "+salt)
		}
		if u.salt == nil {
			u.salt = []byte{}
		}
	}
	iterations, hasIterations := take("iterations")
	if u.iterations, err = parseIterations(mechanism, iterations, hasIterations); err != nil {
		return nil, err
	}
	salted, hasSalted := take("saltedpassword")
	password, hasPassword := take("password")
	switch {
	case hasPassword: // counts if both are given
		u.password = password
	case !hasSalted:
		return nil, refuse("You must supply one of 'password' or 'saltedpassword' to add-scram")
	case !hasSalt:
		return nil, refuse("You must supply 'salt' with 'saltedpassword' to add-scram")
	default:
		if u.salted, ok = decodeBase64(salted); !ok {
			return nil, refuse("Failed to decode given saltedPassword")
		}
	}
	if len(values) > 0 {
		return nil, refuseSecret("Unknown SCRAM configurations", "Unknown SCRAM configurations: "+strings.Join(slices.Sorted(maps.Keys(values)), ", "))
	}
	if u.password == "" && len(u.salted) == 0 {
		return nil, javaerr.New(javaerr.IllegalArgument, "Empty key")
	}
	return u, nil
}

// splitSCRAM gives the mechanism and the values of an argument.
func splitSCRAM(argument string) (metadata.ScramMechanism, map[string]string, error) {
	argument = javatext.Trim(argument)
	name, list, ok := strings.Cut(argument, "=")
	if !ok {
		return 0, nil, refuseSecret("Failed to find equals sign in SCRAM argument", "Failed to find equals sign in SCRAM argument '"+argument+"'")
	}
	mechanism := metadata.ScramMechanism(0)
	for m := range mechanisms {
		if m.String() == name {
			mechanism = m
		}
	}
	if mechanism == 0 {
		return 0, nil, refuseSecret("The add-scram mechanism is not supported: it is SCRAM-SHA-256 or SCRAM-SHA-512", "The add-scram mechanism "+name+" is not supported.")
	}
	if list, ok = strings.CutPrefix(list, "["); !ok {
		return 0, nil, refuse("Expected configuration string to start with [")
	}
	if list, ok = strings.CutSuffix(list, "]"); !ok {
		return 0, nil, refuse("Expected configuration string to end with ]")
	}
	values := map[string]string{}
	if list != "" && strings.Trim(list, ",") == "" {
		return mechanism, values, nil // Java's split gives nothing for commas alone
	}
	components := strings.Split(list, ",")
	for len(components) > 1 && components[len(components)-1] == "" {
		components = components[:len(components)-1]
	}
	for _, component := range components {
		key, value, ok := strings.Cut(component, "=")
		if !ok {
			return 0, nil, refuseSecret("No equals sign found in SCRAM component", "No equals sign found in SCRAM component: "+component)
		}
		if len(value) >= 2 && strings.HasPrefix(value, `"`) && strings.HasSuffix(value, `"`) {
			value = value[1 : len(value)-1]
		}
		values[key] = value
	}
	return mechanism, values, nil
}

func parseIterations(m metadata.ScramMechanism, text string, given bool) (int32, error) {
	if !given {
		return minIterations, nil
	}
	n, ok := javatext.ParseInt(text, 32)
	enum := mechanisms[m].enum
	switch {
	case !ok:
		return 0, refuseSecret("Failed to parse iterations count", "Failed to parse iterations count: "+text)
	case n < minIterations:
		return 0, refuse("The 'iterations' value must be >= %d for add-scram using %s", minIterations, enum)
	case n > maxIterations:
		return 0, refuse("The 'iterations' value must be <= %d for add-scram using %s", maxIterations, enum)
	}
	return int32(n), nil
}

// record derives the keys (RFC 5802): the password and the salted password are
// not in it.
func (u *scramUser) record(salt []byte) (*metadata.UserScramCredentialRecord, error) {
	newHash := mechanisms[u.mechanism].hash
	salted := u.salted
	if u.password != "" {
		var err error
		if salted, err = pbkdf2.Key(newHash, u.password, salt, int(u.iterations), newHash().Size()); err != nil {
			return nil, err
		}
	}
	sum := func(key []byte, text string) []byte {
		h := hmac.New(newHash, key)
		h.Write([]byte(text))
		return h.Sum(nil)
	}
	stored := newHash()
	stored.Write(sum(salted, "Client Key"))
	return &metadata.UserScramCredentialRecord{Name: u.name, Mechanism: int8(u.mechanism), Salt: salt, Iterations: u.iterations,
		StoredKey: stored.Sum(nil), ServerKey: sum(salted, "Server Key")}, nil
}

// is reports whether a credential is that of the user: with the same password,
// whatever its salt, as far as the argument leaves that open.
func (u *scramUser) is(r *metadata.UserScramCredentialRecord) bool {
	if u.name != r.Name || int8(u.mechanism) != r.Mechanism || u.iterations != r.Iterations || u.salt != nil && !bytes.Equal(u.salt, r.Salt) {
		return false
	}
	same, err := u.record(r.Salt)
	return err == nil && hmac.Equal(same.StoredKey, r.StoredKey) && hmac.Equal(same.ServerKey, r.ServerKey)
}

// decodeBase64 is Java's basic decoder: the padding may be left out.
func decodeBase64(s string) ([]byte, bool) {
	if len(s)%4 == 0 {
		b, err := base64.StdEncoding.DecodeString(s)
		return b, err == nil && !strings.ContainsAny(s, "\r\n")
	}
	b, err := base64.RawStdEncoding.DecodeString(s)
	return b, err == nil && !strings.ContainsAny(s, "\r\n")
}

// randomSalt is the salt that Kafka makes up: the digits of a random number in
// base 36.
func randomSalt(random io.Reader) ([]byte, error) {
	b := make([]byte, (saltBits+7)/8)
	if _, err := io.ReadFull(random, b); err != nil {
		return nil, errors.Join(errors.New("no random numbers for a salt"), err)
	}
	b[0] &= 1<<(saltBits%8) - 1
	return []byte(new(big.Int).SetBytes(b).Text(36)), nil
}
