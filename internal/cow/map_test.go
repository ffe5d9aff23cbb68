package cow

import (
	"cmp"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// contents checks a map's inner order and gives its entries.
func contents(t *rapid.T, m Map[int, int]) map[int]int {
	out := map[int]int{}
	last, first := 0, true
	for k, v := range m.All() {
		if !first && k <= last {
			t.Fatalf("%d comes after %d", k, last)
		}
		out[k], last, first = v, k, false
	}
	if len(out) != m.Len() {
		t.Fatalf("%d entries, Len says %d", len(out), m.Len())
	}
	return out
}

// TestLikeMap writes to copies of copies and compares all of them with plain maps.
func TestLikeMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type version struct {
			m    Map[int, int]
			want map[int]int
		}
		versions := []version{{New[int, int](cmp.Compare[int]), map[int]int{}}}
		wide := rapid.SampledFrom([]int{10, 300, 5000}).Draw(t, "wide")
		for range rapid.IntRange(1, 8).Draw(t, "copies") {
			from := versions[rapid.IntRange(0, len(versions)-1).Draw(t, "from")]
			v := version{from.m, maps.Clone(from.want)}
			owner := new(Owner)
			for range rapid.IntRange(0, 400).Draw(t, "writes") {
				k := rapid.IntRange(0, wide).Draw(t, "key")
				if rapid.IntRange(0, 2).Draw(t, "what") == 0 {
					_, there := v.want[k]
					if v.m.Delete(owner, k) != there {
						t.Fatalf("Delete(%d) is not %v", k, there)
					}
					delete(v.want, k)
					continue
				}
				x := rapid.Int().Draw(t, "value")
				v.m.Set(owner, k, x)
				v.want[k] = x
			}
			versions = append(versions, v)
		}
		for _, v := range versions {
			if got := contents(t, v.m); !maps.Equal(got, v.want) {
				t.Fatalf("a version has %v, not %v", got, v.want)
			}
			k := rapid.IntRange(-1, wide+1).Draw(t, "look")
			got, ok := v.m.Get(k)
			if want, there := v.want[k]; got != want || ok != there {
				t.Fatalf("Get(%d) is %d %v, not %d %v", k, got, ok, want, there)
			}
			var from []int
			for x := range v.m.From(k) {
				from = append(from, x)
			}
			want := slices.DeleteFunc(slices.Sorted(maps.Keys(v.want)), func(x int) bool { return x < k })
			if !slices.Equal(from, want) {
				t.Fatalf("From(%d) gives %v, not %v", k, from, want)
			}
		}
		a := versions[rapid.IntRange(0, len(versions)-1).Draw(t, "before")]
		b := versions[rapid.IntRange(0, len(versions)-1).Draw(t, "after")]
		checkDiff(t, a.m, b.m, a.want, b.want)
	})
}

func checkDiff(t *rapid.T, before, after Map[int, int], a, b map[int]int) {
	patched := maps.Clone(a)
	last, first := 0, true
	for c := range Diff(before, after, func(x, y int) bool { return x == y }) {
		if !first && c.Key <= last {
			t.Fatalf("change of %d after that of %d", c.Key, last)
		}
		last, first = c.Key, false
		if v, ok := a[c.Key]; ok != c.WasThere || v != c.Old {
			t.Fatalf("change of %d from %d %v, not %d %v", c.Key, c.Old, c.WasThere, v, ok)
		}
		if !c.IsThere {
			delete(patched, c.Key)
			continue
		}
		if c.WasThere && c.Old == c.New {
			t.Fatalf("%d has not changed", c.Key)
		}
		patched[c.Key] = c.New
	}
	if !maps.Equal(patched, b) {
		t.Fatalf("the changes lead to %v, not %v", patched, b)
	}
}

// TestDiffSkipsShared compares values only where something was changed.
func TestDiffSkipsShared(t *testing.T) {
	m := New[int, int](cmp.Compare[int])
	w := new(Owner)
	for i := range 100_000 {
		m.Set(w, i, i)
	}
	other := m
	w = new(Owner)
	other.Set(w, 50_000, -1)
	other.Delete(w, 7)
	looked, changes := 0, 0
	for range Diff(m, other, func(a, b int) bool { looked++; return a == b }) {
		changes++
	}
	if changes != 2 || looked > 3*fanout {
		t.Errorf("%d changes found by looking at %d values", changes, looked)
	}
}

// TestInOrderFillsNodes keeps what comes in order from leaving half of each node
// empty.
func TestInOrderFillsNodes(t *testing.T) {
	m := New[int, int](cmp.Compare[int])
	w := new(Owner)
	for i := range 64 * 64 {
		m.Set(w, i, i)
	}
	for i, kid := range m.root.kids {
		if len(kid.keys) != fanout {
			t.Fatalf("node %d has %d entries", i, len(kid.keys))
		}
	}
}
