package shell

import (
	"context"
	"errors"
	"testing"
	"time"

	"kraftctl/internal/timeline"
)

func TestParseTime(t *testing.T) {
	end := time.Date(2026, 11, 29, 12, 58, 11, 636e6, time.UTC)
	for text, want := range map[string]string{
		"2026-11-29T12:30:00Z": "2026-11-29T12:30:00Z", "2026-11-29T12:30:00.5+01:00": "2026-11-29T11:30:00.5Z", "2026-11-28T01:02:03": "2026-11-28T01:02:03Z",
		"2026-11-28 01:02:03.004": "2026-11-28T01:02:03.004Z", "2026-11-28T01:02": "2026-11-28T01:02:00Z", "2026-11-28 01:02": "2026-11-28T01:02:00Z", "2026-11-28": "2026-11-28T00:00:00Z",
		"03:04": "2026-11-29T03:04:00Z", "03:04:05": "2026-11-29T03:04:05Z", "23:59:59.999": "2026-11-29T23:59:59.999Z", "00:00": "2026-11-29T00:00:00Z",
		"-90m": "2026-11-29T11:28:11.636Z", "-1h30m": "2026-11-29T11:28:11.636Z", "-0s": "2026-11-29T12:58:11.636Z", "-24h": "2026-11-28T12:58:11.636Z",
	} {
		ms, ok := parseTime(text, end.UnixMilli())
		if got := time.UnixMilli(ms).UTC().Format(time.RFC3339Nano); !ok || got != want {
			t.Errorf("%s: %s, %v, want %s", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "-", "-5", "--5m", "-x", "5m", "25:00", "12", "2026-13-01", "2026-02-30", "noon", "Latest", "2026-11-29T12:30:00Zx"} {
		if ms, ok := parseTime(text, end.UnixMilli()); ok {
			t.Errorf("%q is %d", text, ms)
		}
	}
}

func TestResolveAt(t *testing.T) {
	s := openShell(t, nil, oddRecords("a")...)
	for text, want := range map[string]int64{"latest": timeline.Latest, "0": 0, "17": 17, "9223372036854775807": 1<<63 - 1} {
		if got, err := s.resolve(context.Background(), text); err != nil || got != want {
			t.Errorf("%s: %d, %v, want %d", text, got, err, want)
		}
	}
	var usage *UsageError
	for _, text := range []string{"", "-1", "nonsense", "9223372036854775808", "1e3", "Latest"} {
		if got, err := s.resolve(context.Background(), text); !errors.As(err, &usage) {
			t.Errorf("%q: %d, %v", text, got, err)
		}
	}
}
