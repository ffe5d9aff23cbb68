//go:build !unix

package prompt

import (
	"os/exec"
	"strings"
)

func shellCommand(command string) *exec.Cmd {
	f := strings.Fields(command)
	return exec.Command(f[0], f[1:]...)
}
