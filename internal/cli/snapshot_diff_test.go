package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"kraftctl/decode/kbin"
	"kraftctl/decode/metadata"
	"kraftctl/internal/image"
	"kraftctl/internal/timeline"
	"kraftctl/internal/vfs"
)

// emptyDocument is what patches begin with for an image without anything in it.
const emptyDocument = `{"image":{"features":{"zkMigrationState":0},"cluster":{"brokers":{},"controllers":{}},"topics":{"byName":{}},"configs":{},
	"clientQuotas":{},"producerIds":{"nextProducerId":-1},"acls":{"byId":{}},"scram":{"SCRAM-SHA-256":{},"SCRAM-SHA-512":{}},"delegationToken":{}}}`

// apply applies a JSON patch as RFC 6902 wants it: what is replaced or removed must
// be there, and so must be what something is added to.
func apply(document any, patch []byte) error {
	var operations []struct {
		Op, Path string
		Value    any
	}
	if err := json.Unmarshal(patch, &operations); err != nil {
		return err
	}
	for _, o := range operations {
		parts := strings.Split(o.Path, "/")[1:]
		at, _ := document.(map[string]any)
		for i, p := range parts {
			p = strings.NewReplacer("~1", "/", "~0", "~").Replace(p)
			if i < len(parts)-1 {
				if at, _ = at[p].(map[string]any); at == nil {
					return fmt.Errorf("%s %s: there is nothing above it", o.Op, o.Path)
				}
				continue
			}
			if _, there := at[p]; !there && o.Op != "add" {
				return fmt.Errorf("%s %s: it is not there", o.Op, o.Path)
			}
			if o.Op == "remove" {
				delete(at, p)
			} else {
				at[p] = o.Value
			}
		}
	}
	return nil
}

func patch(t *testing.T, a, b *image.Image) []byte {
	t.Helper()
	var out bytes.Buffer
	w := bufio.NewWriter(&out)
	differs, err := (&snapshotDiffOptions{output: "json", showSecrets: true}).print(w, a, b)
	if err == nil {
		err = w.Flush()
	}
	if err != nil || differs != (a.Hash() != b.Hash()) {
		t.Fatal(differs, err)
	}
	return out.Bytes()
}

func document(t *testing.T, img *image.Image) (d any) {
	t.Helper()
	if err := json.Unmarshal([]byte(emptyDocument), &d); err != nil {
		t.Fatal(err)
	}
	if err := apply(d, patch(t, image.Empty(), img)); err != nil {
		t.Fatal(err)
	}
	return d
}

// TestPatch applies the patches between states of real metadata, forwards and
// backwards.
func TestPatch(t *testing.T) {
	line, err := timeline.Open(vfs.OS, "../../testdata/fixtures/meta-4.4.0-rich/c1")
	if err != nil {
		t.Fatal(err)
	}
	odd := image.NewDelta(image.Empty())
	for _, m := range []kbin.Message{
		&metadata.FeatureLevelRecord{Name: "metadata.version", FeatureLevel: 33},
		&metadata.ConfigRecord{ResourceType: 32, ResourceName: "a/b~c", Name: "x/y", Value: new(string)},
		&metadata.DelegationTokenRecord{TokenID: "~1/"},
		&metadata.ZkMigrationStateRecord{ZkMigrationState: 1},
	} {
		if err := odd.Replay(m); err != nil {
			t.Fatal(err)
		}
	}
	images := []*image.Image{image.Empty(), odd.Image(image.Provenance{})}
	for _, offset := range []int64{10, 60, 140, 290, 400, 520, timeline.Latest} {
		s, err := line.At(context.Background(), offset)
		if err != nil {
			t.Fatal(err)
		}
		images = append(images, s.Image)
	}
	for i, a := range images {
		for j, b := range images {
			d := document(t, a)
			if err := apply(d, patch(t, a, b)); err != nil {
				t.Fatalf("from %d to %d: %v", i, j, err)
			}
			if want := document(t, b); !reflect.DeepEqual(d, want) {
				t.Errorf("from %d to %d: another document", i, j)
			}
		}
	}
}

// TestHarmless keeps what is in names from a terminal.
func TestHarmless(t *testing.T) {
	d := image.NewDelta(image.Empty())
	evil := "\x1b[2J\u009b1m\u202e\x7f\r"
	for _, m := range []kbin.Message{
		&metadata.FeatureLevelRecord{Name: "metadata.version", FeatureLevel: 33},
		&metadata.TopicRecord{Name: "a" + evil, TopicID: kbin.UUID{1}},
		&metadata.ConfigRecord{ResourceType: 2, ResourceName: evil, Name: "retention.ms", Value: &evil},
	} {
		if err := d.Replay(m); err != nil {
			t.Fatal(err)
		}
	}
	img := d.Image(image.Provenance{})
	for _, output := range []string{"text", "json", "records"} {
		var out bytes.Buffer
		w := bufio.NewWriter(&out)
		if _, err := (&snapshotDiffOptions{output: output}).print(w, image.Empty(), img); err != nil || w.Flush() != nil {
			t.Fatal(err)
		}
		if strings.ContainsAny(out.String(), "\x1b\u009b\u202e\x7f\r") {
			t.Errorf("%s: %q", output, out.String())
		}
		if output == "json" && !json.Valid(out.Bytes()) {
			t.Errorf("%q", out.String())
		}
	}
	if err := apply(document(t, image.Empty()), patch(t, image.Empty(), img)); err != nil {
		t.Error(err)
	}
}
