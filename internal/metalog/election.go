package metalog

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"kraftctl/decode/quorumstate"
	"kraftctl/internal/vfs"
)

// ReadElection reads what a replica remembers of elections, from the directory of
// its metadata log. Without the file it is epoch 0, no leader and no vote.
func ReadElection(fsys vfs.FS, dir string) (*quorumstate.State, error) {
	path := filepath.Join(dir, quorumstate.FileName)
	data, err := vfs.ReadFile(fsys, path, maxSmallFile)
	if errors.Is(err, fs.ErrNotExist) {
		return &quorumstate.State{LeaderID: quorumstate.None, VotedID: quorumstate.None}, nil
	}
	if err != nil {
		return nil, err
	}
	return quorumstate.Parse(data, path)
}

// WriteElection replaces the file durably: after a power failure it is the old one
// or the new one. Only when it has returned may a replica act on the state. An
// error leaves unknown which of the two it is: the replica must read it again, or
// end. State.Version says in which of the two formats it is written.
func WriteElection(fsys vfs.FS, dir string, state *quorumstate.State) error {
	path := filepath.Join(dir, quorumstate.FileName)
	if state.Version != 0 && state.Version != 1 {
		return fmt.Errorf("%s: %w: %d", path, quorumstate.ErrUnknownFormat, state.Version)
	}
	return vfs.WriteFileAtomic(fsys, path, state.Append(nil), filePerm)
}
