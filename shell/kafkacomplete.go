package shell

import (
	"strings"

	"kraftctl/shell/node"
)

// Complete is the session's Completer: commands, and paths where a command takes
// them.
func (k *Kafka) Complete(line string, cursor int) (start int, list []Candidate) {
	w := WordAt(line, cursor)
	add := func(word string, partial bool) {
		list = append(list, Candidate{Text: Escape(word, w.Quote, !partial), Display: word, Partial: partial})
	}
	if len(w.Before) == 0 || w.Before[0] == "man" && len(w.Before) == 1 {
		for _, c := range kafkaCommands() {
			if strings.HasPrefix(c.name, w.Text) {
				add(c.name, false)
			}
		}
		return w.Start, list
	}
	switch w.Before[0] {
	case "cat", "find", "ls", "tree":
	case "cd":
		if len(w.Before) > 1 {
			return w.Start, nil
		}
	default:
		return w.Start, nil
	}
	slash := strings.LastIndexByte(w.Text, '/') + 1
	typed, name := w.Text[:slash], w.Text[slash:]
	path := Split(k.Dir(), typed)
	if w.Text == "" && len(path) > 0 { // of an empty word Kafka completes the directory's own name
		path, name = path[:len(path)-1], path[len(path)-1]
	}
	dir, ok := lookup(k.Root, path)
	if !ok || dir.Children() == nil {
		return w.Start, nil
	}
	for child := range dir.Children() {
		if !strings.HasPrefix(child, name) {
			continue
		}
		switch isDir, ok := node.IsDirectory(dir, child); {
		case !ok:
		case isDir:
			add(typed+child+"/", true)
		default:
			add(typed+child, false)
		}
	}
	return w.Start, list
}
