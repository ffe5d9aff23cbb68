package raft

// AddRaftVoter (80), versions 0 and 1 (section 9, KIP-853). The new voter is asked what
// it supports, must be a replica that keeps up, and is added by a KRaftVoters record.

func (r *Raft) addVoter(in *Received, q *AddVoterRequest) {
	l, e, message := r.voterRequest(q.ClusterID)
	_, reachable := endpointFor(q.Endpoints, r.cfg.Listener)
	_, known := r.voters.current().byID(q.Voter.ID)
	switch {
	case e != ErrNone:
	case q.Voter.ID < 0 || q.Voter.Directory.IsZero():
		e, message = ErrInvalidRequest, "Add voter request didn't include a valid voter"
	case !reachable:
		e, message = ErrInvalidRequest, "Add voter request didn't include the endpoint for the default listener "+r.cfg.Listener
	default:
		if e, message = l.mayChange(r); e != ErrNone {
			break
		}
		switch {
		case r.voters.level() == 0:
			e, message = ErrUnsupportedVersion, "Cluster doesn't support adding voter because the kraft.version feature is 0"
		case known:
			e, message = ErrDuplicateVoter, "The voter id for "+q.Voter.String()+" is already part of the set of voters "+r.voters.current().String()+"."
		case !r.ready(q.Voter.ID):
			e, message = ErrRequestTimedOut, "New voter "+q.Voter.String()+" is not ready to receive requests"
		}
	}
	if e != ErrNone {
		r.refuseVoter(in, e, message)
		return
	}
	l.change = &voterChange{
		id: in.ID, until: r.changeTimeout(q.Timeout), ack: q.AckWhenAppended,
		adding: &Voter{Key: q.Voter, Endpoints: q.Endpoints},
	}
}

// voterRequest is the part of section 9 that additions and removals begin with.
func (r *Raft) voterRequest(cluster *string) (*leader, ErrorCode, string) {
	l, leads := r.role.(*leader)
	switch {
	case cluster != nil && *cluster != r.cfg.ClusterID:
		return nil, ErrInconsistentClusterID, "The cluster id of the request is not that of this cluster"
	case !leads || l.resigning:
		return nil, ErrNotLeaderOrFollower, ""
	}
	return l, ErrNone, ""
}

// askVersions asks the new voter which levels of kraft.version it supports.
func (l *leader) askVersions(r *Raft, c *voterChange) {
	e, ok := endpointFor(c.adding.Endpoints, r.cfg.Listener)
	if !ok || !r.ready(c.adding.Key.ID) {
		return
	}
	r.send(Node{c.adding.Key.ID, e.Host, e.Port}, &VersionsRequest{})
}

// versionsResponse goes on with an addition.
func (r *Raft) versionsResponse(from int32, resp *VersionsResponse) {
	l, leads := r.role.(*leader)
	if !leads || l.change == nil || l.change.adding == nil || l.change.adding.Key.ID != from {
		return
	}
	c, v := l.change, *l.change.adding
	v.MinVersion, v.MaxVersion = resp.MinVersion, resp.MaxVersion
	p := l.observers[v.Key]
	const hour = Time(3600e9)
	switch {
	case resp.Error != ErrNone:
		l.endChange(r, ErrRequestTimedOut, "Aborted add voter operation for since API_VERSIONS returned an error "+resp.Error.String())
	case !v.supports(r.voters.level()):
		l.endChange(r, ErrInvalidRequest, "Aborted add voter operation for "+v.Key.String()+" since kraft.version is not one that it supports")
	case p == nil || !p.caughtUp || r.now-p.lastFetch >= hour:
		l.endChange(r, ErrRequestTimedOut, "Aborted add voter operation for "+v.Key.String()+" since it is lagging behind")
	default:
		c.adding = nil
		c.end = l.changeVoters(r, r.voters.current().with(v))
		if c.ack && !c.answered {
			c.answered = true
			r.reply(c.id, &VoterResponse{LeaderHint: r.hint(r.cfg.Listener)})
		}
		l.pollChange(r) // the only voter has committed it, if its log is durable
	}
}
