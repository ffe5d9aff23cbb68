package format

import "fmt"

// RefusedError is why nothing was formatted, in the words of Kafka's tool, which
// prints them alone.
type RefusedError struct {
	Text string
	// secret is Kafka's whole message, where it may give away part of a password.
	secret string
}

// Error is the message; where Kafka's may give away a secret, without that.
func (e *RefusedError) Error() string { return e.Text }

// Kafka is Kafka's message.
func (e *RefusedError) Kafka() string {
	if e.secret != "" {
		return e.secret
	}
	return e.Text
}

func refuse(format string, args ...any) error {
	return &RefusedError{Text: fmt.Sprintf(format, args...)}
}

// refuseSecret is a refusal whose message in Kafka's words may hold a secret.
func refuseSecret(text, kafka string) error { return &RefusedError{Text: text, secret: kafka} }
