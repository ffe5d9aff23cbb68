// Package javaerr is how Kafka's tools die: an exception that nobody caught.
// Commands under Kafka's names report what stopped them in its words, as
// scripts look for them; stack traces are left out.
package javaerr

// Exception is a Java exception: its class and its message.
type Exception struct {
	Class   string
	Message string
	// NoMessage: the exception was made without one.
	NoMessage bool
	// Err is the error behind it, if there is one of ours.
	Err error
}

// Classes of exceptions that more than one package throws.
const (
	IllegalArgument = "java.lang.IllegalArgumentException"
	NumberFormat    = "java.lang.NumberFormatException"
	Runtime         = "java.lang.RuntimeException"
	IO              = "java.io.IOException"
	NoSuchFile      = "java.nio.file.NoSuchFileException"
	AccessDenied    = "java.nio.file.AccessDeniedException"
	Config          = "org.apache.kafka.common.config.ConfigException"
	NullPointer     = "java.lang.NullPointerException"
)

// New makes an exception with a message.
func New(class, message string) *Exception { return &Exception{Class: class, Message: message} }

// Error is the line that the Java runtime prints, without "Exception in thread".
func (e *Exception) Error() string {
	if e.NoMessage {
		return e.Class
	}
	return e.Class + ": " + e.Message
}

// Unwrap gives the error behind the exception.
func (e *Exception) Unwrap() error { return e.Err }
