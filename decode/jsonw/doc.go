// Package jsonw appends JSON to byte slices exactly as Jackson prints a
// JsonNode, which is what Kafka's tools show: compact, no HTML escaping,
// control characters as \b \t \n \f \r or \u001F with upper-case digits,
// doubles as Double.toString, bytes in base64 and UUIDs in Kafka's base64url.
//
// Strings are raw bytes from a log and need not be valid UTF-8. They are
// printed as Java would print them after decoding, see [AppendJavaUTF8].
//
//	dst = append(dst, `{"name":`...)
//	dst = jsonw.AppendString(dst, topic)
//	dst = append(dst, '}')
//
// Nothing here allocates beyond growing dst.
package jsonw
