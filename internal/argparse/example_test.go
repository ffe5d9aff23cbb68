package argparse_test

import (
	"errors"
	"fmt"

	"kraftctl/internal/argparse"
)

func Example() {
	p := &argparse.Parser{
		Prog: "kafka-storage",
		Commands: []argparse.Command{{
			Name:    "info",
			Help:    "Get information about the log directories.",
			Options: []argparse.Option{{Names: []string{"--config", "-c"}, Required: true, Help: "The file."}},
		}},
	}
	r, err := p.Parse([]string{"inf", "--conf=server.properties"}, nil, argparse.DefaultColumns)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Command, r.String("config"))

	_, err = p.Parse([]string{"info"}, nil, argparse.DefaultColumns)
	var usage *argparse.UsageError
	if errors.As(err, &usage) {
		fmt.Print(usage.Text)
	}
	// Output:
	// info server.properties
	// usage: kafka-storage info [-h] --config CONFIG
	// kafka-storage: error: argument --config/-c is required
}
