#!/usr/bin/env bash
# run.sh: measures everything and writes docs/performance.md and its plots. The libraries must be in build/ (make bench) or $LIBS.
#   QUICK=1       one round of three cases, in under two minutes: to see that it works; writes no page
#   ROUNDS=n      how often every contestant runs on every case (21)
#   CALLS=n       calls over which memory is to stay flat (5,000,000)
#   BUDGET=time   processor time for these calls, for each runtime and kind of call (1m); 1h makes them all
#   MEMORY=file   the report of an earlier run: memory is taken from there (build/bench/bench -from any.json -memory -report file)
#   REPORT=file   the figures as a JSON document
set -euo pipefail
cd "$(dirname "$0")/.."
./bench/setup.sh
arguments=(-root . -report "${REPORT:-}" -memory-of "${MEMORY:-}" -revision "$(git describe --always --dirty 2>/dev/null || echo unknown)")
if [ -n "${QUICK:-}" ]; then
  arguments+=(-quick -rounds "${ROUNDS:-1}" -slice 5ms)
else
  arguments+=(-rounds "${ROUNDS:-21}" -calls "${CALLS:-5000000}" -budget "${BUDGET:-1m}" -docs docs)
fi
exec build/bench/bench "${arguments[@]}"
