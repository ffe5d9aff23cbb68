package fsck

import (
	"fmt"
	"path/filepath"

	"kraftctl/decode/quorumstate"
)

// readQuorumState reads the quorum-state of a metadata log, nil if there is none.
func (p *partition) readQuorumState(s *sink) *quorumstate.State {
	path := filepath.Join(p.dir, quorumstate.FileName)
	data, ok := p.c.readSmall(s, path)
	if !ok {
		return nil
	}
	return checkQuorumFile(s, data, path)
}

// checkQuorumFile checks the file by itself.
func checkQuorumFile(s *sink, data []byte, path string) *quorumstate.State {
	q, err := quorumstate.Parse(data, path)
	if err != nil {
		s.add(damage(quorumBad, path, err))
		return nil
	}
	if q.LeaderEpoch < 0 || q.LeaderID < quorumstate.None || q.VotedID < quorumstate.None {
		s.add(Finding{Rule: quorumBad, File: path, Position: -1, Offset: -1,
			Message: fmt.Sprintf("leader %d, epoch %d and vote %d cannot be", q.LeaderID, q.LeaderEpoch, q.VotedID)})
		return nil
	}
	return q
}

// checkQuorumState holds quorum-state against the log. An election between the
// reading of both is no finding.
func (p *partition) checkQuorumState(s *sink, h *epochHistory) {
	if len(h.runs) == 0 {
		return
	}
	path := filepath.Join(p.dir, quorumstate.FileName)
	last := h.runs[len(h.runs)-1].epoch
	switch {
	case !p.has(quorumstate.FileName):
		if p.named && !p.c.exists(path) {
			s.add(Finding{Rule: quorumMissing, File: p.dir, Position: -1, Offset: -1, Message: "there is a log and no quorum-state"})
		}
	case p.quorum == nil || p.quorum.LeaderEpoch >= last:
	default:
		again := p.readQuorumState(p.c.newSink())
		if again != nil && again.LeaderEpoch < last {
			f := Finding{Rule: quorumBehind, File: path, Position: -1, Offset: -1,
				Message: fmt.Sprintf("the epoch is %d, the log has records of epoch %d", again.LeaderEpoch, last)}
			f.Want, f.Got = "at least "+itoa(last), itoa(again.LeaderEpoch)
			s.add(f)
		}
	}
}
