package prompt

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	"kraftctl/shell"
)

// TestMain runs the programs that the tests start in a terminal.
func TestMain(m *testing.M) {
	switch program := os.Getenv("PROMPT_TEST_PROGRAM"); program {
	case "":
		os.Exit(m.Run())
	case "pager":
		os.Exit(pagerProgram())
	case "kafka":
		os.Exit(kafkaProgram())
	default:
		os.Exit(echoProgram(program))
	}
}

// names are what echoProgram completes.
var names = []shell.Candidate{
	{Text: "alpha", Description: "the first"},
	{Text: "alps", Description: "mountains"},
	{Text: "beta", Description: "the second\x1b[31m"},
	{Text: "brokers/", Partial: true},
	{Text: "evil\x1b]0;x\a", Display: "evil\x1b]0;x\a"},
	{Text: "größe"},
	{Text: "grüße"},
}

func completeNames(line string, cursor int) (int, []shell.Candidate) {
	w := shell.WordAt(line, cursor)
	if w.Text == "panic" {
		panic("the completer panics")
	}
	var out []shell.Candidate
	for _, c := range names {
		if strings.HasPrefix(c.Text, w.Text) {
			out = append(out, c)
		}
	}
	if w.Text == "many" {
		for i := range 1000 {
			out = append(out, shell.Candidate{Text: fmt.Sprintf("many-%03d", i)})
		}
	}
	return w.Start, out
}

// echoProgram prints every line that it reads.
func echoProgram(program string) int {
	guard, err := NewGuard(os.Stdin, os.Stdout, nil)
	if program == "interrupts" {
		_ = guard.Close()
		guard, err = NewGuard(os.Stdin, os.Stdout, func() { fmt.Println("INTERRUPTED") })
	}
	if err != nil {
		fmt.Println(err)
		return 1
	}
	defer guard.Close()
	r, err := New(Options{In: os.Stdin, Out: os.Stdout, Completer: completeNames, Term: os.Getenv("TERM"), Guard: guard,
		HistoryFile: os.Getenv("PROMPT_TEST_HISTORY"), HistoryLines: 5, Warn: func(err error) { fmt.Println("WARNING", err) }})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	defer r.Close()
	if f, ok := r.(shell.Follower); ok {
		usr1 := make(chan os.Signal, 1)
		signal.Notify(usr1, syscall.SIGUSR1)
		go func() {
			for i := 1; ; i++ {
				<-usr1
				f.SetPrompt(fmt.Sprintf("%d> ", i))
				f.PrintAbove(fmt.Sprintf("change %d\n", i))
			}
		}()
	}
	for {
		line, err := r.ReadLine("\x1b[1m> \x1b[0m")
		switch {
		case errors.Is(err, io.EOF):
			fmt.Println("BYE")
			return 0
		case errors.Is(err, shell.ErrInterrupt):
			fmt.Println("CANCELLED")
		case err != nil:
			fmt.Println("ERROR", err)
			return 1
		case line == "wait":
			c := make(chan os.Signal, 1)
			signal.Notify(c, syscall.SIGUSR2)
			fmt.Println("WAITING")
			<-c
		case line == "hup":
			_ = r.Close()
			return 0
		default:
			fmt.Printf("GOT %q\n", line)
		}
	}
}

// pagerProgram pages numbered lines.
func pagerProgram() int {
	command := os.Getenv("PROMPT_TEST_PAGER")
	p := Pager{In: os.Stdin, Out: os.Stdout, Command: command}
	var lines int
	fmt.Sscan(os.Getenv("PROMPT_TEST_LINES"), &lines)
	w := p.Open()
	wrote := 0
	for i := range lines {
		if _, err := fmt.Fprintf(w, "line %d\n", i+1); err != nil {
			if !errors.Is(err, ErrPagerQuit) {
				fmt.Println("ERROR", err)
				return 1
			}
			break
		}
		wrote++
	}
	if err := w.Close(); err != nil {
		fmt.Println("ERROR", err)
		return 1
	}
	fmt.Printf("DONE %v\n", wrote == lines)
	return 0
}
