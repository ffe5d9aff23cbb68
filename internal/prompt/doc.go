// Package prompt reads the lines of an interactive session from a terminal, with
// editing, completion, history and search, and shows long output in a pager. It
// is the implementation of shell.LineReader:
//
//	r, err := prompt.New(prompt.Options{In: os.Stdin, Out: os.Stdout, Completer: complete, HistoryFile: path})
//	if err != nil { ... }
//	defer r.Close()
//	for {
//		line, err := r.ReadLine("/image> ")
//		...
//	}
//
// # The library
//
// Keys and the edited line are those of c-bata/go-prompt: its table of key
// sequences and its Buffer. Its loop, its renderer and its signal handling are
// not used. In a terminal they wake up six hundred times a second with nothing
// to do, lose all but the last of several pasted lines, take "al" and Tab that
// arrive together for text, have no search, leave the terminal without echo when
// a signal ends them, call os.Exit, and panic where a terminal has no size. The
// Buffer counts in bytes once a line has a newline in it, so a pasted newline is
// kept in it as U+2028.
//
// reeflective/readline does far better in the same terminal: it idles, searches,
// and takes what is pasted. But it asks the terminal where the cursor is before
// it shows a line, and hangs where none answers; a signal that ends the process
// leaves raw mode on; it holds on to os.Stdin, os.Stdout and ~/.inputrc; and it
// cannot be brought to the screens of Kafka's shell, whose line reader is jline.
//
// So the loop here waits in poll(2) and costs nothing while nobody types, and
// what is on the screen is drawn relative to the cursor, without questions.
//
// # What is not done
//
// A terminal that does not wrap its lines anew when it is made narrower (xterm)
// keeps rows of the old width above the line until Ctrl-L. Bytes that are no
// UTF-8 are typed as U+FFFD. Of jline: vi mode, undo, macros and the question
// before a list of more than a hundred candidates, which scrolls instead.
package prompt
