#!/usr/bin/env bash
# optimize.sh IN.wasm OUT.wasm: wasm-opt, pinned (capi/portable/tools.py). $PYTHON and $NODE are the programs. It takes half a
# minute, so results are kept in .cache/wasm, by the hash of all that they are made from.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cache=$here/../.cache/wasm
kept=4 # of the newest results

# Go uses no address below 4096 (cmd/link/internal/wasm), which is what --low-memory-unused asks for.
flags=(-Oz --low-memory-unused --enable-bulk-memory --enable-sign-ext --enable-nontrapping-float-to-int --enable-mutable-globals)

hash() { sha256sum 2>/dev/null || shasum -a 256; }
key=$( (cat "$1" "$here/../capi/portable/tools.py" && echo "${flags[*]}") | hash | cut -c1-24)
result=$cache/$key.wasm
if [ ! -e "$result" ]; then
  mkdir -p "$cache"
  # shellcheck disable=SC2086 # PYTHON and NODE may be several words
  {
    wasm_opt=$(${PYTHON:-python3} "$here/../capi/portable/tools.py" wasm-opt)
    ${NODE:-node} "$wasm_opt" "${flags[@]}" "$1" -o "$result.$$"
  }
  mv "$result.$$" "$result"
fi
touch "$result"
cp "$result" "$2"
# shellcheck disable=SC2012 # the names are ours
ls -t "$cache"/*.wasm | tail -n +$((kept + 1)) | while IFS= read -r old; do rm -f "$old"; done
