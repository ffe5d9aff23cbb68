package kafkaconfig

import "kraftctl/internal/javaerr"

// Error is the first thing that Kafka has against a configuration.
type Error struct {
	*javaerr.Exception
	// Key is the key concerned, and Value its value as given; both are empty if
	// several keys contradict each other. The value of a password is left out.
	Key, Value string
}

// Error is Kafka's message, without the class.
func (e *Error) Error() string { return e.Message }

// Unwrap gives the exception.
func (e *Error) Unwrap() error { return e.Exception }

// failure is an Error of any class.
func failure(class, message, key string) *Error {
	return &Error{Exception: javaerr.New(class, message), Key: key}
}

// configError is a ConfigException with a message of its own.
func configError(key, message string) *Error { return failure(javaerr.Config, message, key) }

// badValue is a ConfigException about one value of one key.
func badValue(key, value, why string) *Error {
	text := "Invalid value " + value + " for configuration " + key
	if why != "" {
		text += ": " + why
	}
	e := configError(key, text)
	e.Value = value
	return e
}

// illegal is an IllegalArgumentException.
func illegal(key, message string) *Error { return failure(javaerr.IllegalArgument, message, key) }

// unmet is what Scala's require throws.
func unmet(key, message string) *Error { return illegal(key, "requirement failed: "+message) }
