package kafkaconfig

import (
	"slices"
	"strings"
)

const (
	keyLogDir      = "log.dir"
	keyLogDirs     = "log.dirs"
	keyCordoned    = "cordoned.log.dirs"
	keyMetadataDir = "metadata.log.dir"

	minuteMs = 60_000
	hourMs   = 60 * minuteMs
)

// setDirs fills LogDirs and MetadataLogDir. Repeated directories are gone
// already, and there is at least one.
func (c *Config) setDirs() {
	dirs := c.get(keyLogDirs)
	if dirs.null {
		dirs = c.get(keyLogDir)
	}
	c.LogDirs = slices.Clone(dirs.list)
	c.MetadataLogDir = c.LogDirs[0]
	if m := c.get(keyMetadataDir); !m.null {
		c.MetadataLogDir = m.text
	}
}

// millis is the first of a time's settings that is given, in milliseconds; the
// last one always has a value.
func (c *Config) millis(ms, minutes, hours string) int64 {
	if v := c.get(ms); !v.null {
		return v.num
	}
	if minutes != "" {
		if v := c.get(minutes); !v.null {
			return v.num * minuteMs
		}
	}
	return c.get(hours).num * hourMs
}

// checkLogs checks times and sizes of logs.
func (c *Config) checkLogs() *Error {
	if c.millis("log.roll.ms", "", "log.roll.hours") < 1 {
		return unmet("log.roll.ms", "log.roll.ms must be greater than or equal to 1")
	}
	if c.millis("log.roll.jitter.ms", "", "log.roll.jitter.hours") < 0 {
		return unmet("log.roll.jitter.ms", "log.roll.jitter.ms must be greater than or equal to 0")
	}
	// Anything below zero is taken for -1.
	if c.millis("log.retention.ms", "log.retention.minutes", "log.retention.hours") == 0 {
		return unmet("log.retention.ms", "log.retention.ms must be unlimited (-1) or, greater than or equal to 1")
	}
	const threads, buffer = "log.cleaner.threads", "log.cleaner.dedupe.buffer.size"
	n := c.get(threads).num
	if n == 0 {
		return failure("java.lang.ArithmeticException", "/ by zero", threads)
	}
	size := c.get(buffer).num
	if each := size / n; each <= 1<<20 {
		return unmet(buffer, buffer+" must be at least 1MB per cleaner thread.")
	}
	return nil
}

// checkCordoned checks the log directories that are to get nothing new. A
// controller alone has no use for them.
func (c *Config) checkCordoned() *Error {
	if !c.Roles.Broker {
		return nil
	}
	list := c.get(keyCordoned).list
	if slices.Contains(list, "*") {
		if len(list) > 1 {
			return unmet(keyCordoned, "When cordoned.log.dirs is set to *, it must not contain other values")
		}
		return nil
	}
	dirs := make(map[string]bool, len(c.LogDirs))
	for _, d := range c.LogDirs {
		dirs[d] = true
	}
	var missing []string
	for _, d := range list {
		if !dirs[d] {
			missing = append(missing, d)
		}
	}
	if missing != nil {
		return unmet(keyCordoned, "All entries in cordoned.log.dirs must be present in log.dirs or log.dir. Missing entries : "+strings.Join(missing, ", "))
	}
	return nil
}

// checkReplication checks the times of followers.
func (c *Config) checkReplication() *Error {
	wait := c.get("replica.fetch.wait.max.ms").num
	if wait > c.get("replica.socket.timeout.ms").num {
		return unmet("", "replica.socket.timeout.ms should always be at least replica.fetch.wait.max.ms to prevent unnecessary socket timeouts")
	}
	if wait > c.get("replica.lag.time.max.ms").num {
		return unmet("", "replica.fetch.wait.max.ms should always be less than or equal to replica.lag.time.max.ms to prevent frequent changes in ISR")
	}
	return nil
}
