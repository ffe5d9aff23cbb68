package metalog

// Retention bounds what of a log is kept. A negative limit is none.
type Retention struct {
	Bytes  int64 // of the log and all snapshots together (metadata.max.retention.bytes)
	Millis int64 // age of what a snapshot stands for (metadata.max.retention.ms)
}

// Usage is what a decision about the oldest snapshot goes by.
type Usage struct {
	Snapshots     int   // how many there are
	LogBytes      int64 // of all segments
	SnapshotBytes int64 // of all snapshots
	Oldest        int64 // milliseconds since 1970: the latest record in the oldest snapshot
}

// Exceeded reports whether the oldest snapshot has to go. The latest one never
// does.
func (r Retention) Exceeded(u Usage, now int64) bool {
	if u.Snapshots < 2 {
		return false
	}
	return r.Bytes >= 0 && u.LogBytes+u.SnapshotBytes > r.Bytes || r.Millis >= 0 && now-u.Oldest > r.Millis
}

// Clean drops the oldest snapshots, and moves the start of the log to the end of
// the next one, as long as the log is too large or its oldest snapshot too old at
// the time now, in milliseconds since 1970. It reports whether anything went.
func (l *Log) Clean(r Retention, now int64) (cleaned bool, err error) {
	for {
		snapshots, u := l.Snapshots(), Usage{}
		if u.Snapshots = len(snapshots); u.Snapshots < 2 {
			return cleaned, nil
		}
		for _, s := range snapshots {
			u.SnapshotBytes += s.Bytes
		}
		for _, s := range l.Segments() {
			u.LogBytes += s.Bytes
		}
		if r.Millis >= 0 {
			if u.Oldest, err = snapshotTime(l.fs, snapshots[0].Path); err != nil {
				return cleaned, err
			}
		}
		if !r.Exceeded(u, now) {
			return cleaned, nil
		}
		moved, err := l.DeleteBefore(snapshots[1].ID())
		if err != nil || !moved {
			return cleaned, err
		}
		cleaned = true
	}
}
