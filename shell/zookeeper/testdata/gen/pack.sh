#!/usr/bin/env bash
# pack.sh WORKDIR OUT: packs what run.sh left in WORKDIR, without index files, and what check.py makes of it.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
from=$(cd "$1" && pwd); out=$(realpath "$2"); tmp=$(mktemp -d); trap 'rm -rf "$tmp"' EXIT
for k in kraft kraft2 kraft3; do
  mkdir -p "$tmp/$k/__cluster_metadata-0"
  cp "$from/$k/meta.properties" "$tmp/$k/"
  (cd "$from/$k/__cluster_metadata-0" && cp -- *.log *.checkpoint quorum-state leader-epoch-checkpoint "$tmp/$k/__cluster_metadata-0/")
  python3 "$here/check.py" model "$from/$k/records.txt" -o "$tmp/model-$k.json"
done
cp "$from"/tree-zk.json "$from"/tree-migrated*.json "$tmp"
cp -r "$from"/zkcli "$from"/zkcli-migrated2 "$tmp"    # written by hand: zkCli COMMAND, its output, errors and exit status
chmod -R u+rw "$tmp"
tar -C "$tmp" --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -c . | gzip -9n > "$out"
