package cli

import (
	"kraftctl/internal/prompt"
	"kraftctl/shell"
)

// lineReader reads the lines of a session: with editing if both sides are a
// terminal, else as they come.
func lineReader(e *Env, o prompt.Options) (shell.LineReader, error) {
	o.In, o.Out = prompt.Files(e.Streams.In, e.Streams.Out)
	if !prompt.Interactive(o.In, o.Out) {
		return prompt.NewPlain(e.Streams.In, e.Streams.Out, prompt.PlainOptions{Prompt: o.Kafka, Kafka: o.Kafka}), nil
	}
	if e.LookupEnv != nil {
		o.Term, _ = e.LookupEnv("TERM")
	}
	o.FS = e.FS
	return prompt.New(o)
}
