package kafkaconfig

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"kraftctl/internal/javahash"
)

// Endpoint is an entry of listeners or advertised.listeners.
type Endpoint struct {
	Name string // in upper case
	Host string // without brackets
	// HasHost is false for a listener on all interfaces, as in PLAINTEXT://:9092.
	HasHost          bool
	Port             int // of any size, Kafka does not mind at this point
	SecurityProtocol string
}

// String is the endpoint as it stands in a file.
func (e Endpoint) String() string { return e.Name + "://" + JoinHostPort(e.Host, e.Port) }

const keyListeners = "listeners"

// parseEndpoints reads a list of NAME://HOST:PORT. Whatever is wrong comes in
// one kind of exception.
func parseEndpoints(key string, list []string, protocols map[string]string, distinctPorts bool) ([]Endpoint, *Error) {
	out := make([]Endpoint, 0, len(list))
	wrap := func(message string) *Error {
		return illegal(key, "Error creating broker listeners from '"+listText(list)+"': "+message)
	}
	for _, entry := range list {
		e, message := parseEndpoint(entry, protocols)
		if message != "" {
			err := wrap(message)
			err.Value = entry
			return nil, err
		}
		out = append(out, e)
	}
	if message := checkDistinct(out, list, distinctPorts); message != "" {
		return nil, wrap(message)
	}
	return out, nil
}

const noListenerName = "The provided listener name is null or empty string"

// parseEndpoint reads one entry, or gives the message of what is wrong.
func parseEndpoint(entry string, protocols map[string]string) (e Endpoint, message string) {
	name, host, port, ok := splitEndpoint(entry)
	if !ok {
		return e, "Unable to parse " + entry + " to a broker endpoint"
	}
	if name == "" {
		return e, noListenerName
	}
	n, ok := parseInteger(port, Int)
	if !ok {
		return e, `For input string: "` + port + `"`
	}
	e = Endpoint{Name: upper(name), Host: host, HasHost: host != "", Port: int(n)}
	if e.SecurityProtocol, ok = protocols[e.Name]; !ok {
		return e, "No security protocol defined for listener " + e.Name
	}
	return e, ""
}

// splitEndpoint cuts an entry; the name is everything up to the last "://".
func splitEndpoint(entry string) (name, host, port string, ok bool) {
	i := strings.LastIndex(entry, "://")
	if i < 0 {
		return "", "", "", false
	}
	name, rest := entry[:i], entry[i+3:]
	if strings.ContainsAny(name, "\n\r\u0085\u2028\u2029") {
		return "", "", "", false // the dot of a pattern matches no line end
	}
	colon := strings.LastIndexByte(rest, ':')
	if colon < 0 {
		return "", "", "", false
	}
	host, port = rest[:colon], rest[colon+1:]
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	return name, host, port, hostChars(host, true) && allDigits(strings.TrimPrefix(port, "-"))
}

// checkDistinct checks that no name and, if wanted, no port comes twice. A port
// may come twice for one IPv4 and one IPv6 address.
func checkDistinct(list []Endpoint, texts []string, ports bool) (message string) {
	names := map[string]bool{}
	for _, e := range list {
		names[e.Name] = true
	}
	all := ", listeners: " + listText(texts)
	if len(names) != len(list) {
		return "Each listener must have a different name" + all
	}
	var distinct []int
	byPort := map[int][]Endpoint{}
	for _, e := range list {
		if e.Port == 0 { // Kafka's tests let the system choose
			continue
		}
		if byPort[e.Port] == nil {
			distinct = append(distinct, e.Port)
		}
		byPort[e.Port] = append(byPort[e.Port], e)
	}
	if !ports {
		return ""
	}
	for _, port := range javahash.Grown(distinct, func(port int) uint32 { return javahash.Int(int32(port)) }) {
		if same := byPort[port]; len(same) > 1 {
			if message := checkSamePort(same, all); message != "" {
				return message
			}
		}
	}
	return ""
}

// checkSamePort judges listeners that share a port.
func checkSamePort(list []Endpoint, all string) (message string) {
	var v4, v6 int
	for _, e := range list {
		switch {
		case isIPv4(e.Host):
			v4++
		case isIPv6(e.Host):
			v6++
		}
	}
	names := len(list) - v4 - v6
	port := ", port: " + strconv.Itoa(list[0].Port)
	switch {
	case names > 1:
		return "Each listener must have a different port" + all
	case v4+v6 != 2:
		return "Each listener must have a different port unless exactly one listener has an IPv4 address and the other IPv6 address" + all + port
	case v4 != 1 || names > 0:
		return "If you have two listeners on the same port then one needs to be IPv4 and the other IPv6" + all + port
	}
	return ""
}

// isIPv4 reports whether s is an address in Apache Commons' eyes: no leading
// zeros.
func isIPv4(s string) bool {
	parts := strings.Split(s, ".")
	if len(parts) != 4 {
		return false
	}
	for _, p := range parts {
		if len(p) > 3 || !allDigits(p) || len(p) > 1 && p[0] == '0' {
			return false
		}
		if n, _ := strconv.Atoi(p); n > math.MaxUint8 {
			return false
		}
	}
	return true
}

// isIPv6 is its sister; a zone after % may be anything that is not empty.
func isIPv6(s string) bool {
	s, zone, zoned := strings.Cut(s, "%")
	if zoned && (zone == "" || strings.Contains(zone, "%")) {
		return false
	}
	compressed := strings.Contains(s, "::")
	switch {
	case compressed && strings.Index(s, "::") != strings.LastIndex(s, "::"):
		return false
	case strings.HasPrefix(s, ":") && !strings.HasPrefix(s, "::"):
		return false
	case strings.HasSuffix(s, ":") && !strings.HasSuffix(s, "::"):
		return false
	}
	parts := strings.Split(s, ":")
	if compressed {
		parts = slices.DeleteFunc(parts, func(p string) bool { return p == "" })
	}
	groups := 0
	for i, p := range parts {
		if i == len(parts)-1 && strings.Contains(p, ".") {
			if !isIPv4(p) {
				return false
			}
			groups += 2
			continue
		}
		if len(p) > 4 || !allHex(p) {
			return false
		}
		groups++
	}
	return groups == 8 || groups < 8 && compressed
}

func allHex(s string) bool {
	_, err := strconv.ParseUint(s, 16, 64)
	return err == nil && s[0] != '+'
}
