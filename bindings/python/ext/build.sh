#!/usr/bin/env bash
# build.sh LIBRARY OUT: readpref/_engine.abi3.so from this folder and the static libreadpref_portable.a. The repository's build.sh calls it.
# $CC is the compiler. $PYTHON says where the headers of the running Python are, or $PYTHON_INCLUDE does: one set is good for every version
# from 3.9 on, and one with the pyconfig.h of this folder for every Linux of 64 bits (include.sh). $HEADER_INCLUDE has readpref.h.
set -euo pipefail
cd "$(dirname "$0")"
library=$1 out=$2
CC=${CC:-cc}
# shellcheck disable=SC2086 # PYTHON may be several words
PYTHON_INCLUDE=${PYTHON_INCLUDE:-$(${PYTHON:-python3} -c 'import sysconfig; print(sysconfig.get_path("include"))')}
[ -e "$PYTHON_INCLUDE/Python.h" ] || { echo "readpref: Python's headers are not in $PYTHON_INCLUDE" >&2 && exit 1; }
flags=(-std=c11 -O2 -g0 -Wall -Wextra -Werror -pedantic -fPIC -fvisibility=hidden -DPy_LIMITED_API=0x03090000)
link=(-shared -s -Wl,--version-script=exported.map -Wl,--build-id=none -Wl,-z,relro -Wl,-z,now)
# shellcheck disable=SC2206 # more flags, as words
extra=(${EXTENSION_CFLAGS:-})
# shellcheck disable=SC2206
libs=(${EXTENSION_LIBS:--pthread -lm})

objects=$(mktemp -d)
trap 'rm -rf "$objects"' EXIT
# shellcheck disable=SC2086 # CC may be several words
{
  for f in *.c; do
    $CC "${flags[@]}" "${extra[@]}" -I. -I"${HEADER_INCLUDE:-../../../capi}" -isystem "$PYTHON_INCLUDE" -c "$f" -o "$objects/${f%.c}.o"
  done
  $CC "${link[@]}" "${extra[@]}" -o "$objects/_engine.abi3.so" "$objects"/*.o "$library" "${libs[@]}"
}
# By a rename: a running process may have the old one mapped.
mkdir -p "$out"
cp "$objects/_engine.abi3.so" "$out/.engine.new"
chmod 755 "$out/.engine.new"
mv "$out/.engine.new" "$out/_engine.abi3.so"
