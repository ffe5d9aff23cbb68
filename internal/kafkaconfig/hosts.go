package kafkaconfig

import (
	"strconv"
	"strings"
)

// HostPort cuts HOST:PORT, where the host may stand in brackets and a scheme
// before it is passed over. The port is one or more ASCII digits, of any size.
func HostPort(s string) (host, port string, ok bool) {
	colon := strings.LastIndexByte(s, ':')
	if colon < 0 || !allDigits(s[colon+1:]) {
		return "", "", false
	}
	host, port = s[:colon], s[colon+1:]
	if scheme, rest, found := strings.Cut(host, "://"); found && hostChars(scheme, false) {
		host = rest
	}
	host = strings.TrimPrefix(host, "[")
	host = strings.TrimSuffix(host, "]")
	return host, port, hostChars(host, true)
}

// JoinHostPort is the other way: an IPv6 address gets its brackets, unless it has
// them.
func JoinHostPort(host string, port int) string {
	if strings.Contains(host, ":") && !strings.HasPrefix(host, "[") {
		host = "[" + host + "]"
	}
	return host + ":" + strconv.Itoa(port)
}

func allDigits(s string) bool {
	for i := 0; i < len(s); i++ {
		if !digitLike(s[i]) {
			return false
		}
	}
	return s != ""
}

// hostChars reports whether s consists of what Kafka lets a host have, which
// may be nothing.
func hostChars(s string, colons bool) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case digitLike(c), 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
		case c == '-', c == '%', c == '.', c == '_':
		case c == ':' && colons:
		default:
			return false
		}
	}
	return true
}

// socketPort is the port of an InetSocketAddress.
func socketPort(key, port string) (int, *Error) {
	n, ok := parseInteger(port, Int)
	if !ok {
		return 0, numberFormat(key, port)
	}
	if n > 65535 {
		return 0, illegal(key, "port out of range:"+strconv.FormatInt(n, 10))
	}
	return int(n), nil
}
