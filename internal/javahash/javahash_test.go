package javahash

import (
	"fmt"
	"testing"
)

// What java.util.HashMap of Java 17 gives: the first column of a Formatter's
// directories and of Kafka's voters, which were formatted with these ids.
func TestOrder(t *testing.T) {
	ids := func(ids ...int32) []int32 { return ids }
	for _, c := range []struct{ in, want []int32 }{
		{ids(0, 1, 16, 17, 32, 33), ids(0, 16, 32, 1, 17, 33)},
		{ids(5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16), ids(5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)},
		{ids(10, 14, 15, 16, 20, 30, 40, 50, 60, 70, 80, 90, 100), ids(100, 70, 40, 10, 14, 15, 16, 80, 50, 20, 90, 60, 30)},
		{ids(0, 1, 5, 16, 32, 48, 64, 80, 96, 112, 128, 144), ids(0, 32, 64, 96, 128, 1, 5, 16, 48, 80, 112, 144)},
	} {
		if got := Copied(c.in, Int); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%v: %v, want %v", c.in, got, c.want)
		}
	}
	if got := Grown([]string{"Aa", "BB", "C#", "z"}, String); fmt.Sprint(got) != "[Aa BB C# z]" {
		t.Errorf("%v", got)
	}
	if String("Aa") != String("BB") || String("hello") != 99162322 {
		t.Error("not String.hashCode")
	}
}
