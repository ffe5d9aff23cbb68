package fsck

import (
	"path/filepath"

	"kraftctl/decode/index"
)

var leftoverMessages = map[index.State]string{
	index.StateDeleted: "is about to be deleted",
	index.StateCleaned: "is an unfinished result of compaction",
	index.StateSwap:    "is a finished result of compaction that was not put in place",
	index.StatePart:    "is an unfinished snapshot",
	index.StateTemp:    "is an unfinished write",
}

var leftoverDirs = map[index.DirState]string{
	index.DirDelete: "is about to be deleted",
	index.DirFuture: "will replace the replica in another log directory",
	index.DirStray:  "was not assigned to this broker",
}

// leftover reports a file by the state in its name.
func leftover(s *sink, path string, state index.State) {
	s.add(Finding{Rule: leftoverFile, File: path, Position: -1, Offset: -1,
		Message: filepath.Base(path) + " " + leftoverMessages[state]})
}

// checkDirState reports a partition directory that is no live replica.
func checkDirState(s *sink, path string, name index.DirName) {
	if name.State != index.DirLive {
		s.add(Finding{Rule: leftoverDir, File: path, Position: -1, Offset: -1,
			Message: filepath.Base(path) + " " + leftoverDirs[name.State]})
	}
	if !index.ValidTopic(name.Topic) && name.State == index.DirLive {
		s.add(Finding{Rule: topicName, File: path, Position: -1, Offset: -1, Message: "no topic can have the name " + name.Topic})
	}
}
