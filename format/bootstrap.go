package format

import (
	"strconv"
	"strings"

	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/internal/feature"
)

// Bootstrap is the metadata that a cluster begins with: features, then users.
type Bootstrap struct {
	MetadataVersion feature.MetadataVersion
	Features        []*metadata.FeatureLevelRecord
	Users           []*metadata.UserScramCredentialRecord
}

// newBootstrap makes the records of a request.
func newBootstrap(r *Request, l *levels, env Env) (*Bootstrap, error) {
	b := &Bootstrap{MetadataVersion: l.metadata}
	add := func(name string, level int16) {
		b.Features = append(b.Features, &metadata.FeatureLevelRecord{Name: name, FeatureLevel: level})
	}
	add(feature.MetadataName, int16(l.metadata))
	for _, f := range l.others {
		add(f.name, f.level)
	}
	if len(r.SCRAM) > 0 && l.metadata < feature.SCRAMSince {
		return nil, refuse("SCRAM is only supported in metadata.version %s or later.", feature.SCRAMSince)
	}
	for _, argument := range r.SCRAM {
		user, err := ParseSCRAM(argument, env.Random)
		if err != nil {
			return nil, err
		}
		b.Users = append(b.Users, user)
	}
	return b, nil
}

// each calls f for every record in order.
func (b *Bootstrap) each(f func(apiKey int16, m kbin.Message) error) error {
	for _, r := range b.Features {
		if err := f(r.APIKey(), r); err != nil {
			return err
		}
	}
	for _, r := range b.Users {
		if err := f(r.APIKey(), r); err != nil {
			return err
		}
	}
	return nil
}

// Kafka is the line that kafka-storage shows it as, credentials included.
func (b *Bootstrap) Kafka() string {
	var s strings.Builder
	s.WriteString("BootstrapMetadata(records=[")
	between := ""
	record := func(name string, fields ...string) {
		s.WriteString(between + "ApiMessageAndVersion(" + name + "(" + strings.Join(fields, ", ") + ") at version 0)")
		between = ", "
	}
	for _, r := range b.Features {
		record("FeatureLevelRecord", "name='"+r.Name+"'", "featureLevel="+strconv.Itoa(int(r.FeatureLevel)))
	}
	for _, r := range b.Users {
		record("UserScramCredentialRecord", "name='"+r.Name+"'", "mechanism="+strconv.Itoa(int(r.Mechanism)), "salt="+javaBytes(r.Salt),
			"storedKey="+javaBytes(r.StoredKey), "serverKey="+javaBytes(r.ServerKey), "iterations="+strconv.Itoa(int(r.Iterations)))
	}
	s.WriteString("], metadataVersionLevel=" + strconv.Itoa(int(b.MetadataVersion)) + ", source=format command)")
	return s.String()
}

// javaBytes is Arrays.toString: signed numbers.
func javaBytes(b []byte) string {
	out := []byte{'['}
	for i, c := range b {
		if i > 0 {
			out = append(out, ',', ' ')
		}
		out = strconv.AppendInt(out, int64(int8(c)), 10)
	}
	return string(append(out, ']'))
}
