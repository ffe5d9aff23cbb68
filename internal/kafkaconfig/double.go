package kafkaconfig

import (
	"math"
	"strconv"
	"strings"
)

// parseDouble is Double.parseDouble: decimal and hexadecimal floating point,
// NaN and Infinity by exactly these names, and an optional f or d at the end.
func parseDouble(s string) (float64, bool) {
	body := strings.TrimLeft(s, "+-")
	if len(s)-len(body) > 1 {
		return 0, false
	}
	negative := strings.HasPrefix(s, "-")
	switch body {
	case "NaN":
		return math.NaN(), true
	case "Infinity":
		if negative {
			return math.Inf(-1), true
		}
		return math.Inf(1), true
	}
	hex := strings.HasPrefix(body, "0x") || strings.HasPrefix(body, "0X")
	digits := body
	if hex {
		digits = body[2:]
		if !strings.ContainsAny(digits, "pP") {
			return 0, false // Java wants the exponent
		}
	}
	if n := len(digits); n > 0 && strings.IndexByte("fFdD", digits[n-1]) >= 0 {
		if !hex || strings.ContainsAny(digits[:n-1], "pP") {
			digits = digits[:n-1]
		}
	}
	if digits == "" || !digitLike(digits[0]) && digits[0] != '.' && !hex {
		return 0, false // keeps "inf" and "nan" out, which Go reads
	}
	if strings.ContainsAny(digits, "_") {
		return 0, false
	}
	if hex {
		digits = "0x" + digits
	}
	f, err := strconv.ParseFloat(digits, 64)
	// Beyond the range Java gives infinity, and Go gives it with an error.
	if err != nil && !math.IsInf(f, 0) {
		return 0, false
	}
	if negative {
		f = -f
	}
	return f, true
}

func digitLike(c byte) bool { return '0' <= c && c <= '9' }

// javaDouble is Double.toString for the values that settings have.
func javaDouble(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	}
	if a := math.Abs(f); a != 0 && (a < 1e-3 || a >= 1e7) {
		s := strconv.FormatFloat(f, 'E', -1, 64)
		mantissa, exponent, _ := strings.Cut(s, "E")
		if !strings.Contains(mantissa, ".") {
			mantissa += ".0"
		}
		n, _ := strconv.Atoi(exponent)
		return mantissa + "E" + strconv.Itoa(n)
	}
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}
