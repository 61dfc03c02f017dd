#!/usr/bin/env bash
# audit.sh: asks the vulnerability databases about what is pinned. A database that cannot be reached is named; with CI=true that fails.
set -uo pipefail
cd "$(dirname "$0")/.."
found=0 missing=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# ask NAME UNREACHABLE COMMAND...: UNREACHABLE matches what the tool says when its database did not answer
ask() {
  local name=$1 unreachable=$2
  shift 2
  local rc=0
  "$@" >"$log" 2>&1 || rc=$?
  if grep -qE "$unreachable" "$log"; then
    echo "NOT RUN $name: $(grep -E -m1 "$unreachable" "$log" | cut -c1-160)"
    missing=$((missing + 1))
  elif [ "$rc" = 0 ]; then
    echo "ok   $name"
  else
    tail -30 "$log"
    echo "FAIL $name"
    found=$((found + 1))
  fi
}

no_answer='no such host|dial tcp|fetching vulnerabilities|audit endpoint returned|Method Not Allowed|ConnectionError|NameResolution|Max retries|HTTPError|ServiceError|could not be audited|command not found|No module named'
ask "govulncheck" "$no_answer" "${GO:-go}" run golang.org/x/vuln/cmd/govulncheck@v1.4.0 ./...
ask "pip-audit" "$no_answer" "${PYTHON:-python3}" -m pip_audit --no-deps --disable-pip -r tools/requirements.txt
for lock in bindings/node examples/replicaset/tests/node; do
  # shellcheck disable=SC2086 # NPM may be several words
  ask "npm audit in $lock" "$no_answer" ${NPM:-npm} audit --package-lock-only --prefix "$lock"
done
echo "$found found something, $missing not run"
[ "$found" = 0 ] && { [ "$missing" = 0 ] || [ "${CI:-}" != true ]; }
