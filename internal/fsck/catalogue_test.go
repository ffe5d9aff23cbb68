package fsck

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Every constant of type ID is in the catalogue, and every rule is used.
func TestCatalogueIsComplete(t *testing.T) {
	constants := make(map[string]ID) // by the constant's name
	uses := make(map[string]int)
	names, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		if !strings.HasSuffix(n.Name(), ".go") || strings.HasSuffix(n.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), n.Name(), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(node ast.Node) bool {
			switch x := node.(type) {
			case *ast.ValueSpec:
				if kind, ok := x.Type.(*ast.Ident); ok && kind.Name == "ID" && len(x.Values) == 1 {
					text, _ := strconv.Unquote(x.Values[0].(*ast.BasicLit).Value)
					constants[x.Names[0].Name] = ID(text)
				}
			case *ast.Ident:
				uses[x.Name]++
			}
			return true
		})
	}
	if len(constants) != len(Catalogue()) {
		t.Errorf("%d constants, %d rules", len(constants), len(Catalogue()))
	}
	for name, id := range constants {
		if _, ok := Lookup(id); !ok {
			t.Errorf("%s = %q is not in the catalogue", name, id)
		}
		if uses[name] < 3 { // its declaration, the catalogue, and at least one place
			t.Errorf("%s = %q is never reported", name, id)
		}
	}
}

func TestCatalogueText(t *testing.T) {
	seen := make(map[ID]bool)
	for _, r := range Catalogue() {
		if seen[r.ID] {
			t.Errorf("%s is there twice", r.ID)
		}
		seen[r.ID] = true
		if !regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`).MatchString(string(r.ID)) {
			t.Errorf("id %q", r.ID)
		}
		if r.Title == "" || strings.HasSuffix(r.Title, ".") {
			t.Errorf("%s: title %q", r.ID, r.Title)
		}
		for _, text := range []string{r.Meaning, r.Action} {
			if !strings.HasSuffix(text, ".") && !strings.HasSuffix(text, "?") && !strings.HasSuffix(text, ".)") {
				t.Errorf("%s: %q is no sentence", r.ID, text)
			}
		}
	}
}

func TestSeverityNames(t *testing.T) {
	for _, s := range []Severity{Info, Warning, Error} {
		if got, ok := ParseSeverity(s.String()); !ok || got != s {
			t.Errorf("%v: %v, %v", s, got, ok)
		}
	}
	if _, ok := ParseSeverity("fatal"); ok {
		t.Error("fatal is no severity")
	}
}
