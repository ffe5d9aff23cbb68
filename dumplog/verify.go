package dumplog

// verifyIndex checks an index against the segment that it belongs to.
func (d *dump) verifyIndex(f *opened) {}
