#!/usr/bin/env bash
# run.sh: asks the official drivers. `run.sh quick` asks PyMongo and Node.js 2,000 cases of each sort, as make test does; without an
# argument it asks every driver whose language is here 20,000 (CASES=, SEED=), and writes docs/differences.md.
set -euo pipefail
cd "$(dirname "$0")/.."
OUT=$PWD/build/differential
GO=${GO:-go}
mkdir -p "$OUT"
"$GO" build -o "$OUT/differential" ./differential

peers=(-peer "pymongo=${PYTHON:-python3} differential/peers/pymongo/peer.py"
  -peer "node=${NODE:-node} differential/peers/node/peer.mjs $PWD/examples/replicaset/tests/node/node_modules/mongodb")
if [ "${1:-}" = quick ]; then
  exec "$OUT/differential" "${peers[@]}" -n "${CASES:-2000}" -sdam "${CASES:-2000}" -seed "${SEED:-1}"
fi
exec "$OUT/differential" "${peers[@]}" -n "${CASES:-20000}" -sdam "${CASES:-20000}" -seed "${SEED:-1}" -docs docs/differences.md
