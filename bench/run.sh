#!/usr/bin/env bash
# run.sh [FLAGS]: our tools and Apache Kafka's side by side; prints a markdown table. See main.go for the flags.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
libs=$("$here/../conformance/fetch.sh" 4.4.0)
shell=4.3.1
shell_libs=$("$here/../conformance/fetch.sh" "$shell")
shell_path=$("$here/../conformance/tool.sh" "$shell" shellpath)
bin=$(mktemp -d)
trap 'rm -rf "$bin"' EXIT
cd "$here"
go build -o "$bin/kraftctl" ../cmd/kraftctl
go build -o "$bin/bench" .
"$bin/bench" -libs "$libs" -shell-libs "$shell_libs" -shell-path "$shell_path" -ours "$bin/kraftctl" "$@"
