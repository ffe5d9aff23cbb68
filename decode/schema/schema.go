// Package schema holds the field tables of every record kind that a Kafka
// node leaves on disk, as of Kafka 4.4.0: metadata records, control records,
// the keys and values of the coordinators' logs, the tiered-storage records,
// the producer snapshot and the quorum state. The tables are JSON in the form
// of Kafka's own message definitions; a folder stands for the owner.
//
// cmd/genrecords turns them into Go types. They are embedded so that the
// binary can also show them:
//
//	m, err := schema.Load("metadata/PartitionRecord.json")
//	for _, f := range m.Fields {
//		fmt.Println(f.Name, f.Type, f.Versions)
//	}
package schema

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"sort"
	"strings"
)

// FS holds the tables, one folder per owner.
//
//go:embed control group metadata raft share storage transaction
var FS embed.FS

// Message is the table of one record kind.
type Message struct {
	Path     string // in FS
	Name     string // differs from the file name for ZkMigrationStateRecord
	Kind     string // metadata, coordinator-key, coordinator-value or data
	APIKey   int16  // -1 if it has none
	Valid    Versions
	Flexible Versions // versions with the compact, tagged encoding
	Fields   []Field
	Structs  []Struct // structs used by name from several fields
}

// Struct is a struct that fields refer to by name.
type Struct struct {
	Name     string
	Versions Versions
	Fields   []Field
}

// Field is one field of a message or struct.
type Field struct {
	Name      string
	Type      string // int32, string, uuid, Name of a struct; [] in front of it for an array
	Versions  Versions
	Nullable  Versions
	Tagged    Versions
	Tag       int // -1 if not tagged
	Default   string
	NullDflt  bool    // the default is null; Default is then empty
	Ignorable bool    // may be dropped when a version does not have it
	MapKey    bool    // part of the key in Kafka's collection of these structs
	Fields    []Field // of a struct defined in place
}

// Array reports whether the type is an array, and the type of its elements or
// of the field itself.
func (f *Field) Array() (elem string, array bool) {
	return strings.CutPrefix(f.Type, "[]")
}

// Primitive reports whether typ is not the name of a struct.
func Primitive(typ string) bool {
	switch typ {
	case "bool", "int8", "int16", "uint16", "int32", "uint32", "int64", "float64", "uuid", "string", "bytes", "records":
		return true
	}
	return false
}

// Paths lists the tables in FS, sorted.
func Paths() []string {
	names, err := fs.Glob(FS, "*/*.json")
	if err != nil {
		panic(err) // the pattern is a constant and embed.FS cannot fail
	}
	sort.Strings(names)
	return names
}

// All loads every table, in the order of Paths.
func All() ([]*Message, error) {
	var all []*Message
	for _, p := range Paths() {
		m, err := Load(p)
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

// Load reads one table of FS.
func Load(path string) (*Message, error) {
	text, err := FS.ReadFile(path)
	if err != nil {
		return nil, err
	}
	m, err := Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	m.Path = path
	return m, nil
}

// Parse reads a table.
func Parse(text []byte) (*Message, error) {
	var raw struct {
		APIKey   *int16 `json:"apiKey"`
		Kind     string `json:"type"`
		Name     string `json:"name"`
		Valid    string `json:"validVersions"`
		Flexible string `json:"flexibleVersions"`
		Fields   []rawField
		Structs  []struct {
			Name     string
			Versions string
			Fields   []rawField
		} `json:"commonStructs"`
	}
	if err := json.Unmarshal(text, &raw); err != nil {
		return nil, err
	}
	m := &Message{Name: raw.Name, Kind: raw.Kind, APIKey: -1}
	if raw.APIKey != nil {
		m.APIKey = *raw.APIKey
	}
	var err error
	if m.Valid, err = ParseVersions(raw.Valid); err != nil {
		return nil, err
	}
	if m.Flexible, err = ParseVersions(raw.Flexible); err != nil {
		return nil, err
	}
	if m.Fields, err = parseFields(raw.Fields); err != nil {
		return nil, err
	}
	for _, s := range raw.Structs {
		st := Struct{Name: s.Name}
		if st.Versions, err = ParseVersions(s.Versions); err != nil {
			return nil, err
		}
		if st.Fields, err = parseFields(s.Fields); err != nil {
			return nil, err
		}
		m.Structs = append(m.Structs, st)
	}
	return m, nil
}

type rawField struct {
	Name      string
	Type      string
	Versions  string
	Nullable  string `json:"nullableVersions"`
	Tagged    string `json:"taggedVersions"`
	Tag       *int
	Default   json.RawMessage
	Ignorable bool
	MapKey    bool
	Fields    []rawField
}

func parseFields(raw []rawField) ([]Field, error) {
	var out []Field
	for _, r := range raw {
		f := Field{Name: r.Name, Type: r.Type, Tag: -1, Ignorable: r.Ignorable, MapKey: r.MapKey}
		versions := r.Versions
		if versions == "" {
			versions = r.Tagged // Kafka's rule
		}
		var err error
		if f.Versions, err = ParseVersions(versions); err != nil {
			return nil, fmt.Errorf("field %s: %w", r.Name, err)
		}
		if f.Nullable, err = ParseVersions(r.Nullable); err != nil {
			return nil, fmt.Errorf("field %s: %w", r.Name, err)
		}
		if f.Tagged, err = ParseVersions(r.Tagged); err != nil {
			return nil, fmt.Errorf("field %s: %w", r.Name, err)
		}
		if r.Tag != nil {
			f.Tag = *r.Tag
		}
		// The text "null" makes null the default. A JSON null is the same as
		// no default at all: Kafka then takes the empty array or struct.
		switch text := strings.Trim(string(r.Default), `"`); {
		case string(r.Default) == "null":
		case text == "null":
			f.NullDflt = true
		default:
			f.Default = text
		}
		if f.Fields, err = parseFields(r.Fields); err != nil {
			return nil, fmt.Errorf("field %s: %w", r.Name, err)
		}
		out = append(out, f)
	}
	return out, nil
}
