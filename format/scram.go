package format

import (
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"hash"
	"io"
	"math/big"
	"slices"
	"strings"

	"kraftctl/decode/metadata"
	"kraftctl/internal/javaerr"
	"kraftctl/internal/javatext"
)

// Mechanism is a SCRAM mechanism (RFC 5802, KIP-84), with its number in records.
type Mechanism int8

// The mechanisms that Kafka has.
const (
	SHA256 Mechanism = 1
	SHA512 Mechanism = 2
)

// mechanisms are their names in arguments, their names in messages and hashes.
var mechanisms = map[Mechanism]struct {
	name, enum string
	hash       func() hash.Hash
}{
	SHA256: {"SCRAM-SHA-256", "SCRAM_SHA_256", sha256.New},
	SHA512: {"SCRAM-SHA-512", "SCRAM_SHA_512", sha512.New},
}

// String is the mechanism's name, "SCRAM-SHA-256".
func (m Mechanism) String() string { return mechanisms[m].name }

// Bounds of the iterations.
const (
	minIterations = 4096
	maxIterations = 16384
)

// saltBits is how random the salt is that a credential gets.
const saltBits = 130

// scramConfig is one --add-scram argument, taken apart.
type scramConfig struct {
	mechanism Mechanism
	values    map[string]string
}

// ParseSCRAM turns an argument of --add-scram into the record of a credential:
//
//	SCRAM-SHA-256=[name=alice,password=secret]
//	SCRAM-SHA-512=[name=alice,iterations=8192,salt="N3E=",saltedpassword="YCE="]
//
// Values may stand in double quotes. Without a salt one is drawn from random.
// Errors are *RefusedError; what may be part of a password is in its Detail only.
func ParseSCRAM(argument string, random io.Reader) (*metadata.UserScramCredentialRecord, error) {
	c, err := splitSCRAM(argument)
	if err != nil {
		return nil, err
	}
	r := metadata.NewUserScramCredentialRecord()
	r.Mechanism = int8(c.mechanism)
	name, ok := c.take("name")
	if !ok {
		return nil, refuse("You must supply 'name' to add-scram")
	}
	r.Name = name
	salt, hasSalt := c.take("salt")
	if hasSalt {
		if r.Salt, ok = decodeBase64(salt); !ok {
			return nil, refuse("Failed to decode given salt: %s", salt)
		}
	} else if r.Salt, err = randomSalt(random); err != nil {
		return nil, err
	}
	if r.Iterations, err = c.iterations(); err != nil {
		return nil, err
	}
	salted, err := c.saltedPassword(r, hasSalt)
	if err != nil {
		return nil, err
	}
	if len(c.values) > 0 {
		keys := make([]string, 0, len(c.values))
		for k := range c.values {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		return nil, refuseSecret("Unknown SCRAM configurations", ": "+strings.Join(keys, ", "))
	}
	if len(salted) == 0 {
		return nil, javaerr.New(javaerr.IllegalArgument, "Empty key")
	}
	newHash := mechanisms[c.mechanism].hash
	sum := func(key []byte, text string) []byte {
		h := hmac.New(newHash, key)
		h.Write([]byte(text))
		return h.Sum(nil)
	}
	stored := newHash()
	stored.Write(sum(salted, "Client Key"))
	r.StoredKey, r.ServerKey = stored.Sum(nil), sum(salted, "Server Key")
	return r, nil
}

func splitSCRAM(argument string) (*scramConfig, error) {
	name, list, ok := strings.Cut(argument, "=")
	if !ok {
		return nil, refuseSecret("Failed to find equals sign in SCRAM argument", " '"+argument+"'")
	}
	c := &scramConfig{values: map[string]string{}}
	for m, row := range mechanisms {
		if row.name == name {
			c.mechanism = m
		}
	}
	if c.mechanism == 0 {
		return nil, refuse("The add-scram mechanism %s is not supported.", name)
	}
	if list, ok = strings.CutPrefix(list, "["); !ok {
		return nil, refuse("Expected configuration string to start with [")
	}
	if list, ok = strings.CutSuffix(list, "]"); !ok {
		return nil, refuse("Expected configuration string to end with ]")
	}
	components := strings.Split(list, ",")
	for len(components) > 1 && components[len(components)-1] == "" {
		components = components[:len(components)-1]
	}
	for _, component := range components {
		key, value, ok := strings.Cut(component, "=")
		if !ok {
			return nil, refuseSecret("No equals sign found in SCRAM component", ": "+component)
		}
		if len(value) >= 2 && strings.HasPrefix(value, `"`) && strings.HasSuffix(value, `"`) {
			value = value[1 : len(value)-1]
		}
		c.values[key] = value
	}
	return c, nil
}

// take gives a value and forgets it.
func (c *scramConfig) take(key string) (string, bool) {
	v, ok := c.values[key]
	delete(c.values, key)
	return v, ok
}

func (c *scramConfig) iterations() (int32, error) {
	text, ok := c.take("iterations")
	if !ok {
		return minIterations, nil
	}
	n, ok := javatext.ParseInt(text, 32)
	enum := mechanisms[c.mechanism].enum
	switch {
	case !ok:
		return 0, refuse("Failed to parse iterations count: %s", text)
	case n < minIterations:
		return 0, refuse("The 'iterations' value must be >= %d for add-scram using %s", minIterations, enum)
	case n > maxIterations:
		return 0, refuse("The 'iterations' value must be <= %d for add-scram using %s", maxIterations, enum)
	}
	return int32(n), nil
}

// saltedPassword is the salted password as given, or that of the password. With
// both the password counts.
func (c *scramConfig) saltedPassword(r *metadata.UserScramCredentialRecord, hasSalt bool) ([]byte, error) {
	salted, hasSalted := c.take("saltedpassword")
	password, hasPassword := c.take("password")
	switch {
	case hasPassword:
		if password == "" {
			return nil, nil
		}
		newHash := mechanisms[c.mechanism].hash
		return pbkdf2.Key(newHash, password, r.Salt, int(r.Iterations), newHash().Size())
	case !hasSalted:
		return nil, refuse("You must supply one of 'password' or 'saltedpassword' to add-scram")
	case !hasSalt:
		return nil, refuse("You must supply 'salt' with 'saltedpassword' to add-scram")
	}
	key, ok := decodeBase64(salted)
	if !ok {
		return nil, refuse("Failed to decode given saltedPassword")
	}
	return key, nil
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
