package format

import (
	"slices"
	"strconv"
	"strings"

	"kraftctl/decode/control"
	"kraftctl/decode/kbin"
	"kraftctl/internal/javaerr"
	"kraftctl/internal/javahash"
	"kraftctl/internal/javatext"
	"kraftctl/internal/kafkaconfig"
)

// Voter is a controller of the first voter set of a dynamic quorum (KIP-853).
type Voter struct {
	ID          int32
	DirectoryID kbin.UUID
	Host        string
	Port        int
}

// String is the form in which --initial-controllers takes it.
func (v Voter) String() string {
	return strconv.Itoa(int(v.ID)) + "@" + kafkaconfig.JoinHostPort(v.Host, v.Port) + ":" + v.DirectoryID.String()
}

// ParseVoters reads the argument of --initial-controllers: voters separated by
// commas, each ID@HOST:PORT:DIRECTORY, an IPv6 address in brackets. Empty ones
// are skipped. The result is sorted by id. Errors are Kafka's exceptions.
func ParseVoters(text string) ([]Voter, error) {
	var voters []Voter
	for _, item := range strings.Split(text, ",") {
		if item = javatext.Trim(item); item == "" {
			continue
		}
		v, err := parseVoter(item)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(voters, func(o Voter) bool { return o.ID == v.ID }) {
			return nil, voterError("Node id " + strconv.Itoa(int(v.ID)) + " was specified more than once.")
		}
		voters = append(voters, v)
	}
	if len(voters) == 0 {
		return nil, voterError("No voters given.")
	}
	slices.SortFunc(voters, func(a, b Voter) int { return int(int64(a.ID) - int64(b.ID)) })
	return voters, nil
}

func voterError(text string) error { return javaerr.New(javaerr.IllegalArgument, text) }

// because is an exception with another one behind it.
func because(text string, cause *javaerr.Exception) error {
	return &javaerr.Exception{Class: javaerr.IllegalArgument, Message: text, Err: cause}
}

func badNumber(text, number string) error {
	return because(text, javaerr.New(javaerr.NumberFormat, `For input string: "`+number+`"`))
}

// inVoter is the end of the messages about one voter.
const inVoter = " in dynamic voter string."

func parseVoter(item string) (v Voter, err error) {
	id, rest, ok := strings.Cut(item, "@")
	switch {
	case !ok:
		return v, voterError("No @ found" + inVoter)
	case id == "":
		return v, voterError("Invalid @ at beginning of dynamic voter string.")
	}
	n, ok := javatext.ParseInt(id, 32)
	switch {
	case !ok:
		return v, badNumber("Failed to parse node id"+inVoter, id)
	case n < 0:
		return v, voterError("Invalid negative node id " + strconv.FormatInt(n, 10) + inVoter)
	case rest == "":
		return v, voterError("No hostname found after node id.")
	}
	v.ID = int32(n)
	var host, port string
	if strings.HasPrefix(rest, "[") {
		end := strings.IndexByte(rest, ']')
		if end < 0 {
			return v, voterError("Hostname began with left bracket, but no right bracket was found.")
		}
		host, rest = rest[1:end], rest[end+1:]
		if rest, ok = strings.CutPrefix(rest, ":"); !ok {
			return v, voterError("Port section must start with a colon.")
		}
	} else if host, rest, ok = strings.Cut(rest, ":"); !ok {
		return v, voterError("No colon following hostname could be found.")
	}
	if port, rest, ok = strings.Cut(rest, ":"); !ok {
		return v, voterError("No colon following port could be found.")
	}
	p, ok := javatext.ParseInt(port, 32)
	switch {
	case !ok:
		return v, badNumber("Failed to parse port"+inVoter, port)
	case p < 0 || p > 65535:
		return v, voterError("Invalid port " + strconv.FormatInt(p, 10) + inVoter)
	}
	v.Host, v.Port = resolvedHost(host), int(p)
	if v.DirectoryID, err = kbin.ParseUUID(rest); err != nil {
		return v, because("Failed to parse directory ID"+inVoter, javaerr.New(javaerr.IllegalArgument, err.Error()))
	}
	return v, nil
}

// votersRecord is the voter set as a control record. The order of the voters is
// that of the map that Kafka keeps them in, which is a copy of another one.
func votersRecord(voters []Voter, listener string) *control.VotersRecord {
	r := control.NewVotersRecord()
	id := func(v Voter) uint32 { return javahash.Int(v.ID) }
	for _, v := range javahash.Copied(javahash.Grown(voters, id), id) {
		r.Voters = append(r.Voters, control.Voter{
			VoterID:             v.ID,
			VoterDirectoryID:    v.DirectoryID,
			Endpoints:           []control.Endpoint{{Name: strings.ToUpper(listener), Host: v.Host, Port: uint16(v.Port)}},
			KRaftVersionFeature: control.KRaftVersionFeature{MinSupportedVersion: 0, MaxSupportedVersion: 1},
		})
	}
	return r
}

// find gives the voter of an id.
func findVoter(voters []Voter, id int32) (Voter, bool) {
	for _, v := range voters {
		if v.ID == id {
			return v, true
		}
	}
	return Voter{}, false
}
