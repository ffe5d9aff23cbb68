package shell

import (
	"context"
	"errors"

	"kraftctl/internal/timeline"
)

// errSingleFile is for what needs a log that grows.
var errSingleFile = errors.New("a single file cannot be followed: name the directory of the node")

// Follow lets the tree move on with the log, whenever Poll is called.
func (s *Shell) Follow(ctx context.Context) error {
	if !s.source.IsDir() {
		return errSingleFile
	}
	f, err := timeline.NewFollower(ctx, s.source, s.changed)
	if err != nil {
		return err
	}
	s.follower, s.at = f, timeline.Latest
	s.show(f.State())
	return nil
}

// changed tells the watchers of a change.
func (s *Shell) changed(r *timeline.Recorded) error {
	for _, w := range s.watchers {
		if err := w(r); err != nil {
			return err
		}
	}
	return nil
}

// Poll looks whether the log has grown, and reports whether the tree has moved. It
// stays where it is while it shows an earlier offset.
func (s *Shell) Poll(ctx context.Context) (moved bool, err error) {
	if s.follower == nil {
		return false, nil
	}
	moved, err = s.follower.Poll(ctx)
	if err != nil || !moved || s.at != timeline.Latest {
		return false, err
	}
	s.show(s.follower.State())
	return true, nil
}

// Following reports whether Poll can move the tree.
func (s *Shell) Following() bool { return s.follower != nil }
