// Package ptytest runs programs in pseudo terminals for tests: it types, waits
// for what is to be seen, and checks that the terminal is left as it was found.
// Nothing in it waits for a fixed time, but for what is to come, with a deadline.
package ptytest
