#!/usr/bin/env bash
# fuzz.sh [TIME] [REGEX]: run every fuzz target of the module for TIME (default 10m), one after the other.
# REGEX chooses targets by "package name", for example 'decode/index FuzzNames'. FUZZ_WORKERS sets how many processes fuzz.
# Minimizing is kept short: pooled buffers make coverage vary, and the engine would spend all its time on it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
time=${1:-10m}
regex=${2:-.}
status=0
while IFS=: read -r file _ line; do
  package=./$(dirname "${file#./}")
  target=$(sed -E 's/^func (Fuzz[A-Za-z0-9_]*).*/\1/' <<<"$line")
  [[ "$package $target" =~ $regex ]] || continue
  echo "== $package $target"
  go test "$package" -run '^$' -fuzz "^$target\$" -fuzztime "$time" -fuzzminimizetime 10x -parallel "${FUZZ_WORKERS:-1}" | tail -n 3 || status=1
done < <(grep -rn '^func Fuzz' --include='*_test.go' . | sort)
exit $status
