package format

import "fmt"

// RefusedError is why nothing was formatted, in the words of Kafka's tool, which
// prints them alone.
type RefusedError struct {
	Text string
	// Detail is the rest of Kafka's message where it may give away a secret: part
	// of a password that has a comma in it, say.
	Detail string
}

// Error is the message without the detail.
func (e *RefusedError) Error() string { return e.Text }

// Kafka is the whole message.
func (e *RefusedError) Kafka() string { return e.Text + e.Detail }

func refuse(format string, args ...any) error {
	return &RefusedError{Text: fmt.Sprintf(format, args...)}
}

func refuseSecret(text, detail string) error { return &RefusedError{Text: text, Detail: detail} }
