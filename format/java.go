package format

import (
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
)

// javaTrim is String.trim: all up to the space goes, at both ends.
func javaTrim(s string) string { return strings.TrimFunc(s, func(r rune) bool { return r <= ' ' }) }

// parseJavaInt is Integer.parseInt and Short.parseShort: a sign and digits, those
// of any script, in a signed number of so many bits.
func parseJavaInt(s string, bits int) (int64, bool) {
	digits := make([]byte, 0, len(s))
	for i, r := range s {
		switch {
		case i == 0 && (r == '+' || r == '-'):
			digits = append(digits, byte(r))
		case r < unicode.MaxASCII:
			digits = append(digits, byte(r))
		default:
			d, ok := digitValue(r)
			if !ok {
				return 0, false
			}
			digits = append(digits, '0'+d)
		}
	}
	if strings.Contains(string(digits), "_") {
		return 0, false
	}
	n, err := strconv.ParseInt(string(digits), 10, bits)
	return n, err == nil
}

// digitValue is the value of a decimal digit of any script. Unicode has them in
// runs of ten that begin with the zero.
func digitValue(r rune) (byte, bool) {
	for _, t := range unicode.Nd.R16 {
		if r >= rune(t.Lo) && r <= rune(t.Hi) {
			return byte((r - rune(t.Lo)) % 10), true
		}
	}
	for _, t := range unicode.Nd.R32 {
		if r >= rune(t.Lo) && r <= rune(t.Hi) {
			return byte((r - rune(t.Lo)) % 10), true
		}
	}
	return 0, false
}

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

// compareUTF16 is String.compareTo: by UTF-16 code units, which is not the order
// of bytes for characters beyond U+FFFF.
func compareUTF16(a, b string) int {
	return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
}
