#!/usr/bin/env bash
# corpus.sh [N]: copy the N smallest inputs (default 25) that the fuzzers found interesting into testdata/fuzz of their packages,
# so that every test run goes through them again. Inputs that failed once are there already and stay.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
n=${1:-25}
cache=$(go env GOCACHE)/fuzz/$(go list -m)
find "$cache" -type d -name 'Fuzz*' | sort | while read -r dir; do
  target=${dir##*/}
  package=${dir#"$cache"/}
  package=${package%/*}
  grep -rqs "^func $target(" "$package" --include='*_test.go' || continue
  mkdir -p "$package/testdata/fuzz/$target"
  find "$dir" -type f -size -4k -printf '%s %p\n' | sort -n | awk -v n="$n" 'NR <= n { print $2 }' | while read -r file; do
    cp "$file" "$package/testdata/fuzz/$target/"
  done
done
