package rafttest

import (
	"flag"
	"fmt"
	"testing"
)

var (
	seedFlag  = flag.Uint64("seed", 0, "run this schedule alone, with its trace")
	seedsFlag = flag.Uint64("seeds", 500, "how many schedules to run")
)

func TestSchedules(t *testing.T) {
	if *seedFlag != 0 {
		s := NewSchedule(*seedFlag)
		fmt.Print(s)
		r := Run(s, Options{Trace: func(line string) { fmt.Println(line) }})
		t.Logf("%+v", r)
		if r.Violation != nil {
			t.Fatal(r.Violation)
		}
		return
	}
	stats, failure := Seeds(t.Context(), 1, *seedsFlag, 0, nil)
	t.Logf("%+v", stats)
	if failure != nil {
		t.Fatalf("seed %d: %v", failure.Seed, failure.Violation)
	}
}
