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
// not used. Tried in a terminal, they wake up six hundred times a second with
// nothing to do, drop all but the last of pasted lines, take "al" and Tab that
// arrive together for text, have no search, leave the terminal without echo, end
// the process by themselves, and panic where a terminal has no size. The Buffer
// counts a line in bytes once it has more than one, so a pasted newline is kept
// in it as U+2028.
//
// reeflective/readline does far better in the same terminal and was the
// alternative. It asks the terminal where the cursor is and waits for ever where
// none answers, stays in raw mode when a signal ends the process, reads
// standard input and ~/.inputrc by itself, prints candidates raw, and has no
// way to the screens of Kafka's shell, whose line reader is jline.
//
// So the loop here waits in poll(2) and costs nothing while nobody types, and
// what is on the screen is drawn relative to the cursor, without questions.
package prompt
