package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os/exec"
	"syscall"
	"time"
)

// sample is what one run cost.
type sample struct {
	wall, cpu time.Duration
	rss       int64 // bytes, at its peak
}

// best runs a command n times, its output to /dev/null, and returns the run
// with the shortest wall time. Each run is in a directory that newDir makes, in
// the present one if newDir is nil.
func best(argv []string, n int, newDir func() (string, error)) (sample, error) {
	var b sample
	for i := range max(1, n) {
		cmd := exec.Command(argv[0], argv[1:]...)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		if newDir != nil {
			var err error
			if cmd.Dir, err = newDir(); err != nil {
				return b, err
			}
		}
		start := time.Now()
		err := cmd.Run()
		s := sample{wall: time.Since(start)}
		if err != nil {
			return s, fmt.Errorf("%s: %w: %.300s", argv[0], err, stderr.String())
		}
		s.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
			s.rss = int64(u.Maxrss) << 10 // Linux counts KiB
		}
		if i == 0 || s.wall < b.wall {
			b = s
		}
	}
	return b, nil
}

// digest runs a command in a directory and returns a hash of its standard output.
func digest(argv []string, dir string) (string, error) {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = dir
	return digestOf(cmd)
}

func digestOf(cmd *exec.Cmd) (string, error) {
	h := sha256.New()
	cmd.Stdout = h
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s: %w", cmd.Path, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
