#!/usr/bin/env bash
# translate.sh IN.wasm DIRECTORY: readpref.wasm → wasm-opt → wasm2c → readpref_module.h and its C in several files.
# $WASM2C and $WASM_OPT are the programs, the latter "none" for none; $NODE runs it, $PYTHON the scripts.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
wasm=$1 to=$2
optimized=$to/optimized.wasm merged=$to/merged.wasm header=$to/readpref_module-impl.h

if [ "$WASM_OPT" = none ]; then
  cp "$wasm" "$optimized"
else
  # shellcheck disable=SC2086 # NODE may be several words
  ${NODE:-node} "$WASM_OPT" -O2 --enable-bulk-memory --enable-sign-ext --enable-nontrapping-float-to-int --enable-mutable-globals "$wasm" -o "$optimized"
fi
# shellcheck disable=SC2086
${PYTHON:-python3} "$here/merge_data.py" "$optimized" "$merged"
"$WASM2C" --module-name=readpref --num-outputs=16 "$merged" -o "$to/readpref_module.c"
rm "$optimized" "$merged"
# shellcheck disable=SC2086
${PYTHON:-python3} "$here/direct_jumps.py" "$to"/readpref_module_*.c

# patch FROM TO: one line of the generated header, FROM being a basic regular expression. wasm2c is pinned; should its text be
# another one day, the build stops here.
patch() {
  if [ "$(grep -c "^$1\$" "$header")" != 1 ]; then
    echo "portable: wasm2c wrote another header than 1.0.42 does: no line $1" >&2
    exit 1
  fi
  sed "s/^$1\$/$2/" "$header" >"$header.new"
  mv "$header.new" "$header"
}
# An indirect call passes the calling instance, so that one table serves all (runtime/wasm-rt.h).
patch '#define DO_CALL_INDIRECT(table, t, x, ...) ((t)table.data\[x\].func)(__VA_ARGS__)' \
  '#define DO_CALL_INDIRECT(table, t, x, of_entry, ...) ((t)table.data[x].func)((void *)instance, ##__VA_ARGS__)'
# A trap is a function of its own, without an argument: there are some 80,000 places that call one.
patch '#define TRAP(x) (wasm_rt_trap(WASM_RT_TRAP_##x), 0)' '#define TRAP(x) (readpref_trap_##x(), 0)'
