package raft

import "slices"

// DescribeQuorum (55), versions 0 to 2: what the leader knows of all replicas.

func (r *Raft) describeQuorum(in *Received, q *DescribeQuorumRequest) {
	l, leads := r.role.(*leader)
	switch {
	case q.OtherTopic:
		r.reply(in.ID, &DescribeQuorumResponse{Error: ErrUnknownTopicOrPartition})
		return
	case !leads:
		r.reply(in.ID, &DescribeQuorumResponse{Error: ErrNotLeaderOrFollower, LeaderHint: r.hint(in.Listener)})
		return
	}
	l.forgetObservers(r)
	resp := &DescribeQuorumResponse{LeaderHint: r.hint(in.Listener), HighWatermark: l.highWatermark, Nodes: r.voters.current().All()}
	for _, v := range resp.Nodes {
		s := l.voters[v.Key.ID].status()
		if v.Key.ID == r.cfg.Self.ID {
			s = ReplicaStatus{Key: v.Key, EndOffset: r.log.end, LastFetch: r.now, LastCaughtUp: r.now}
		}
		resp.Voters = append(resp.Voters, s)
	}
	for _, p := range l.observers {
		resp.Observers = append(resp.Observers, p.status())
	}
	slices.SortFunc(resp.Observers, func(a, b ReplicaStatus) int {
		if a.Key.less(b.Key) {
			return -1
		}
		return 1
	})
	r.reply(in.ID, resp)
}

func (p *progress) status() ReplicaStatus {
	s := ReplicaStatus{Key: p.key, EndOffset: p.end, LastFetch: -1, LastCaughtUp: -1}
	if p.fetches > 0 {
		s.LastFetch = p.lastFetch
	}
	if p.caughtUp {
		s.LastCaughtUp = p.lastCaughtUp
	}
	return s
}
