package fsck

import (
	"errors"
	"path/filepath"

	"kraftctl/decode/corrupt"
	"kraftctl/decode/index"
	"kraftctl/internal/vfs"
)

// orphan reports an index without a log, and what can be said of it alone.
func (c *checker) orphan(s *sink, path string, base int64) {
	s.add(Finding{Rule: indexOrphan, File: path, Position: -1, Offset: base, Message: "there is no segment of this name"})
	f, err := vfs.OpenRegular(c.fs, path)
	if err != nil {
		return // the log is what matters
	}
	defer f.Close()
	size, err := vfs.Size(f)
	if err != nil {
		return
	}
	c.looked(1, size)
	order, err := verifyIndex(f, size, path, base)
	var damaged *corrupt.Error
	switch {
	case err == nil:
	case !errors.As(err, &damaged):
		s.add(unreadable(path, err))
	case order == txnOrder && !errors.Is(err, index.ErrOrder) && !errors.Is(err, index.ErrBelowBase):
		s.add(damage(txnBad, path, err))
	case errors.Is(err, index.ErrPartialEntry):
		s.add(damage(indexLength, path, err))
	default:
		s.add(damage(order, path, err))
	}
}

// verifyIndex gives the first thing that is wrong with an index, and the rule
// for entries out of order.
func verifyIndex(f vfs.File, size int64, path string, base int64) (order ID, err error) {
	n, err := index.ParseFileName(filepath.Base(path))
	if err != nil {
		return indexOrder, err
	}
	switch n.Kind {
	case index.KindTxnIndex:
		return txnOrder, index.VerifyTxnIndex(f, base, path)
	case index.KindTimeIndex:
		view, err := index.OpenTimeIndex(f, size, base, path)
		if err != nil {
			return timeOrder, err
		}
		return timeOrder, view.Verify()
	}
	view, err := index.OpenOffsetIndex(f, size, base, path)
	if err != nil {
		return indexOrder, err
	}
	return indexOrder, view.Verify()
}
