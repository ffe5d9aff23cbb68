package cli

import "kraftctl/internal/term"

func runKraftctl(e *Env, args []string) term.Code { return term.Usage }
