package format

import (
	"net/netip"
	"strconv"
	"strings"
)

// resolvedHost is the text of a host after it went through an InetSocketAddress:
// names stay, addresses are written Java's way, and nothing means this machine.
// Names are not looked up.
func resolvedHost(host string) string {
	if host == "" {
		return "localhost"
	}
	if text, ok := javaIPv4(host); ok {
		return text
	}
	addr, err := netip.ParseAddr(host)
	if err != nil || addr.Is4() || addr.Zone() != "" {
		return host
	}
	if addr.Is4In6() {
		return addr.Unmap().String()
	}
	b := addr.As16()
	groups := make([]string, 8)
	for i := range groups {
		groups[i] = strconv.FormatUint(uint64(b[2*i])<<8|uint64(b[2*i+1]), 16)
	}
	return strings.Join(groups, ":")
}

// javaIPv4 reads an address of one to four decimal numbers, of which the last
// one fills the bytes that are left: 127.1 is 127.0.0.1.
func javaIPv4(host string) (string, bool) {
	if len(host) > 15 {
		return "", false
	}
	parts := strings.Split(host, ".")
	if len(parts) > 4 {
		return "", false
	}
	var addr uint32
	for i, p := range parts {
		n, err := strconv.ParseUint(p, 10, 32)
		last := i == len(parts)-1
		left := 4 - i // bytes, if this is the last part
		switch {
		case err != nil || p[0] == '+':
			return "", false
		case !last && n > 255, last && left < 4 && n >= 1<<(8*left):
			return "", false
		case last:
			addr |= uint32(n)
		default:
			addr |= uint32(n) << (8 * (3 - i))
		}
	}
	return netip.AddrFrom4([4]byte{byte(addr >> 24), byte(addr >> 16), byte(addr >> 8), byte(addr)}).String(), true
}
