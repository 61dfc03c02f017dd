#!/usr/bin/env bash
# test_drivers.sh [go|c|python|pymongo|ferretdb...]: builds the example drivers, or those named, and runs each against its own replica set on
# loopback; what it prints must be what the rules say (replicaset/failover.txt, ferretdb/standalone.txt). What cannot run for
# want of a tool says NOT RUN, which with CI=true is a failure. libreadpref and the Python package must be built.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 2
OUT=${OUT:-build} PYTHON=${PYTHON:-python3}
passed=0 failed=0 not_run=0

# drive NAME EXPECTED COMMAND...: one driver, told how to start the set or the server
drive() {
  local name=$1 expected=$2
  shift 2
  echo "-- $name"
  if "$PYTHON" examples/check_output.py "examples/$expected" "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}
# built PART: whether build.sh could build it
built() { ./build.sh "$1" || { failed=$((failed + 1)) && false; }; }
missing() {
  echo "NOT RUN $1: needs $2"
  not_run=$((not_run + 1))
}

replica_set=("$PYTHON" examples/replicaset)
[ $# -gt 0 ] || set -- go c python pymongo ferretdb
for name; do
  case $name in
  go) built driver-go && drive go replicaset/failover.txt "$OUT/driver-go" "${replica_set[@]}" ;;
  c)
    if ! pkg-config --exists libbson-1.0 2>/dev/null; then
      missing "the driver in C" "libbson with its headers, and pkg-config (Debian and Ubuntu: libbson-dev pkg-config)"
    elif built driver-c; then
      drive c replicaset/failover.txt "$OUT/driver-c" "${replica_set[@]}"
    fi
    ;;
  python) drive python replicaset/failover.txt "$PYTHON" examples/python/failover.py "${replica_set[@]}" ;;
  pymongo) drive pymongo python/pymongo_agrees.txt "$PYTHON" examples/python/pymongo_agrees.py "${replica_set[@]}" ;;
  ferretdb) built ferretdb && drive ferretdb ferretdb/standalone.txt "$PYTHON" examples/python/standalone.py "$OUT/ferretdb" ;;
  *) echo "no driver is named $name" && exit 2 ;;
  esac
done
echo "drivers: $passed passed, $failed failed, $not_run not run"
[ $failed -eq 0 ] && { [ $not_run -eq 0 ] || [ "${CI:-}" != true ]; }
