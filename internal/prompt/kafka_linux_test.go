package prompt

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kraftctl/internal/ptytest"
	"kraftctl/shell"
)

// TestKafkaScreens types what was typed into Kafka's shell and compares every
// screen, and where the cursor is, with what was seen there. The commands behind
// it are made up; the line reader is not.
func TestKafkaScreens(t *testing.T) {
	t.Parallel()
	steps := ptytest.ReadSteps(t, "testdata/kafka-screens.txtar")
	if len(steps) != 44 {
		t.Errorf("%d screens, want 44", len(steps))
	}
	s := start(t, 100, 40, "kafka")
	s.Play(steps)
	s.End(ptytest.Fine)
}

// TestKafkaEvents: a line that refers to others is shown as it is run.
func TestKafkaEvents(t *testing.T) {
	t.Parallel()
	s := start(t, 60, 20, "kafka")
	s.Typed("pwd\r", "/\n>>")
	s.Typed("!!\r", ">> pwd\n/\n>>")
	s.Typed("echo '!!'\r", "echo: '!!'\n>>")
	s.Typed("!nope\r", "echo: nope!\n>>")
	s.Typed(ctrlD, "EXIT=0")
	s.End(ptytest.Fine)
}

var kafkaCommands = []string{"cat", "cd", "exit", "find", "help", "history", "ls", "man", "pwd", "tree"}

// kafkaPaths are the nodes that are completed in the screens.
var kafkaPaths = []string{"/image/acls/", "/image/clientQuotas/", "/image/cluster/", "/image/configs/", "/image/features/",
	"/image/topics/", "/image/topics/byId/", "/image/topics/byName/", "/local/commitId", "/local/version", "/image/", "/local/"}

func kafkaComplete(cwd *string) shell.Completer {
	return func(line string, cursor int) (int, []shell.Candidate) {
		w := shell.WordAt(line, cursor)
		var out []shell.Candidate
		add := func(word string, partial bool) {
			out = append(out, shell.Candidate{Text: shell.Escape(word, w.Quote, !partial), Display: word, Partial: partial})
		}
		if len(w.Before) == 0 || w.Before[0] == "man" {
			for _, c := range kafkaCommands {
				if strings.HasPrefix(c, w.Text) {
					add(c, false)
				}
			}
			return w.Start, out
		}
		if w.Text == "" { // as it was seen
			add("image/", true)
			return w.Start, out
		}
		typed, name := "", w.Text
		if i := strings.LastIndexByte(w.Text, '/'); i >= 0 {
			typed, name = w.Text[:i+1], w.Text[i+1:]
		}
		dir := typed
		if !strings.HasPrefix(typed, "/") {
			dir = strings.TrimSuffix(*cwd, "/") + "/" + typed
		}
		slices.Sort(kafkaPaths)
		for _, p := range kafkaPaths {
			rest, ok := strings.CutPrefix(p, dir)
			if ok && rest != "" && strings.HasPrefix(rest, name) && !strings.Contains(strings.TrimSuffix(rest, "/"), "/") {
				add(typed+rest, strings.HasSuffix(rest, "/"))
			}
		}
		return w.Start, out
	}
}

// kafkaProgram answers the commands of the screens.
func kafkaProgram() int {
	cwd := "/"
	r, err := New(Options{In: os.Stdin, Out: os.Stdout, Completer: kafkaComplete(&cwd), Term: "screen", Kafka: true})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	fmt.Print("Loading...\nStarting...\n[ Kafka Metadata Shell ]\n")
	for {
		line, err := r.ReadLine(">> ")
		switch {
		case errors.Is(err, io.EOF):
			if err := r.Close(); err != nil {
				fmt.Println(err)
				return 1
			}
			if len(os.Args) == 1 { // what drove the real shell in tmux prints it itself
				fmt.Println("EXIT=0")
			}
			return 0
		case errors.Is(err, shell.ErrInterrupt):
			continue
		case err != nil:
			fmt.Println(err)
			return 1
		}
		kafkaRun(&cwd, r.(shell.Historian), line)
	}
}

func kafkaRun(cwd *string, h shell.Historian, line string) {
	words := shell.Words(line)
	answers := map[string]string{
		"ls": "image  local\n", "ls /": "image  local\n",
		"cat /local/version": "4.3.1\n", "cat /image": "cat: /image: Is a directory\n",
		"cd nowhere": "cd: nowhere: no such directory.\n", "cd /local/version": "cd: /local/version: not a directory.\n",
		"man ls":   "ls: List metadata nodes.\n\nusage: ls [targets [targets ...]]\n\npositional arguments:\n  targets                The metadata node paths to list.\n",
		"man tree": "tree: Show the contents of metadata nodes in a tree structure.\n\nusage: tree targets [targets ...]\n\npositional arguments:\n  targets                The metadata nodes to display.\n",
		"ls zzz":   "ls: zzz: no such file or directory.\n",
		"nope arg": "invalid choice: 'nope' (choose from 'cat', 'cd', 'exit', 'find', 'help', 'history', 'ls', 'man', 'pwd', 'tree')\n",
		"ls /image/c*": "clientQuotas:\n    clientId(app-1)_user(alice)  ip(127.0.0.9)   user(alice)\n    clientId(app/2 %x)           user(CN=w,O=z)\n\n" +
			"cluster:\nbrokers  controllers\n\nconfigs:\n" +
			"BROKER     CLIENT_METRICS:s-METRICS-SUB  GROUP:s-streams-a          TOPIC:s-orders\n" +
			"BROKER:11  GROUP:s-group-a               TOPIC:__transaction_state  TOPIC:s-payments\n" +
			"BROKER:12  GROUP:s-share-a               TOPIC:s-elr\n",
	}
	if answer, ok := answers[strings.TrimSpace(line)]; ok { // a completed word has a blank behind it
		fmt.Print(answer)
		return
	}
	switch {
	case len(words) == 0:
	case words[0] == "pwd":
		fmt.Println(*cwd)
	case words[0] == "cd":
		*cwd = "/"
		if len(words) > 1 {
			*cwd += words[1]
		}
	case words[0] == "echo":
		fmt.Println("echo:", strings.TrimPrefix(line, "echo "))
	case line == "!nope":
		fmt.Println("echo: nope!")
	case words[0] == "history":
		n, _ := strconv.Atoi(words[1])
		first, lines := h.History()
		for i := max(0, len(lines)-n); i < len(lines); i++ {
			fmt.Printf("% 5d  %s\n", first+i, lines[i])
		}
	}
}
