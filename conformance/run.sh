#!/usr/bin/env bash
# run.sh [GO TEST ARGS...]: compare our kafka-dump-log with Apache Kafka's on random and damaged files. See doc.go.
# KRAFTCTL_CONFORMANCE_SEED=N|random, KRAFTCTL_CONFORMANCE_CASES=N, KRAFTCTL_CONFORMANCE_BIN=our binary (else it is built).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
version=4.4.0
libs=$("$here/fetch.sh" "$version")
sum=$(cat "$here"/java/*.java | cksum | cut -d' ' -f1)
classes=$libs/../conformance-$version-$sum
if [[ ! -f $classes/Oracle.class ]]; then
  tmp=$(mktemp -d "$libs/../classes.XXXXXX")
  javac -nowarn -Xlint:none -cp "$libs/*" -d "$tmp" "$here"/java/*.java
  rm -rf "$classes"
  mv "$tmp" "$classes"
fi
cd "$here"
export KRAFTCTL_CONFORMANCE_CP="$classes:$libs/*"
exec go test -tags conformance -count=1 -timeout 20m -v "$@" .
