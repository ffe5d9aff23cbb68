#!/usr/bin/env bash
# regolden.sh [REGEX]: run the real tools again for the cases of testdata/golden whose suite/id matches, and write down what they
# say. What changed is listed. It takes about a second for each of them; look at git diff --stat afterwards.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
"$here/fetch.sh" 4.4.0 >/dev/null
cd "$here"
KRAFTCTL_REGOLDEN=${1:-.} exec go test -tags conformance -count=1 -timeout 60m -v -run '^TestRegolden$' .
