package kafkaconfig

import (
	"slices"
	"strconv"
	"strings"

	"kraftctl/internal/javaerr"
)

// Voter is an entry of controller.quorum.voters.
type Voter struct {
	ID   int32
	Host string
	Port int
}

const (
	keyVoters    = "controller.quorum.voters"
	keyBootstrap = "controller.quorum.bootstrap.servers"

	voterForm = "Each entry should be in the form `{id}@{host}:{port}`."
)

// uniqueVoters merges entries of one id: it keeps its first place and has its
// last address.
func uniqueVoters(entries []Voter) []Voter {
	var out []Voter
	at := map[int32]int{}
	for _, v := range entries {
		if i, ok := at[v.ID]; ok {
			out[i] = v
			continue
		}
		at[v.ID] = len(out)
		out = append(out, v)
	}
	return out
}

// parseVoters reads the entries of controller.quorum.voters.
func parseVoters(list []string) ([]Voter, *Error) {
	var out []Voter
	for _, entry := range list {
		idText, address, ok := strings.Cut(entry, "@")
		if !ok || strings.Contains(address, "@") {
			return nil, configError(keyVoters, "Invalid configuration value for "+keyVoters+". "+voterForm)
		}
		id, ok := parseInteger(idText, Int)
		if !ok {
			return nil, configError(keyVoters, "Failed to parse voter ID as an integer from "+idText)
		}
		host, portText, ok := HostPort(address)
		if !ok {
			return nil, configError(keyVoters, "Failed to parse host name from entry "+entry+" for the configuration "+keyVoters+". "+voterForm)
		}
		port, err := socketPort(keyVoters, portText)
		if err != nil {
			return nil, err
		}
		out = append(out, Voter{int32(id), host, port})
	}
	return out, nil
}

// checkBootstrapServers checks controller.quorum.bootstrap.servers.
func checkBootstrapServers(list []string) *Error {
	for _, entry := range list {
		_, port, ok := HostPort(entry)
		if !ok {
			return configError(keyBootstrap, "Failed to parse host name from "+entry+" for the configuration "+keyBootstrap+
				`. Each entry should be in the form "{host}:{port}"`)
		}
		if _, err := socketPort(keyBootstrap, port); err != nil {
			return err
		}
	}
	return nil
}

// checkQuorum checks that the node knows of a quorum.
func (c *Config) checkQuorum() *Error {
	if len(c.Voters) == 0 && len(c.BootstrapServers) == 0 {
		return failure(javaerr.Config, "If using process.roles, either "+keyBootstrap+" must contain the set of bootstrap controllers or "+
			keyVoters+" must contain a parseable set of controllers.", "")
	}
	return nil
}

// checkVoter checks that the voters, if they are listed, have this node among
// them if and only if it is a controller.
func (c *Config) checkVoter() *Error {
	if len(c.Voters) == 0 {
		return nil
	}
	is := slices.ContainsFunc(c.Voters, func(v Voter) bool { return v.ID == c.NodeID })
	node, set := strconv.Itoa(int(c.NodeID)), voterSetText(c.Voters, len(c.voterEntries))
	switch {
	case c.Roles.Controller && !is:
		return unmet("", "If process.roles contains the 'controller' role, the node id "+node+" must be included in the set of voters "+keyVoters+"="+set)
	case !c.Roles.Controller && is:
		return unmet("", "If process.roles contains just the 'broker' role, the node id "+node+" must not be included in the set of voters "+keyVoters+"="+set)
	}
	return nil
}
