#!/usr/bin/env bash
# build.sh: readpref.wasm → wasm-opt → wasm2c → C → libreadpref_portable, shared and static, in $OUT (build).
# It is called by the build.sh of the repository, which has made $OUT/readpref.wasm. $CC, $AR, $NODE, $NPM, $PYTHON and
# $WASM2C choose the tools. What is expensive is kept in .cache/portable, by the hash of all that it is made from: the C of each
# module, and the objects of each C, compiler and flags.
# A compiler for another system comes with $SYSTEM (elf, macos, windows), $TARGET, a name for its objects, and for elf $LD
# and $OBJCOPY, which make one object of all (capi/dist/build.sh).
set -euo pipefail
cd "$(dirname "$0")/../.."
OUT=${OUT:-build}
CC=${CC:-cc}
AR=${AR:-ar}
PYTHON=${PYTHON:-python3}
NODE=${NODE:-node}
here=capi/portable
case ${SYSTEM:-$(uname -s)} in
Darwin | macos) SYSTEM=macos ;;
MINGW* | MSYS* | CYGWIN* | windows) SYSTEM=windows ;;
*) SYSTEM=elf ;;
esac
cache=.cache/portable
kept=4 # of the newest results in the cache

# The generated code is 40 MB of C, so its level is chosen by measurement: RATIONALE.md. No floating-point contraction: an
# answer is the same on every machine.
level=${PORTABLE_LEVEL:--O1}
generated_flags=(-std=c11 "$level" -w -fPIC -fvisibility=hidden -fno-strict-aliasing -ffp-contract=off -DNDEBUG)
runtime_flags=(-std=gnu11 -O2 -Wall -Wextra -Werror -pedantic -fPIC -fvisibility=hidden)
# shellcheck disable=SC2206 # more flags, as words
extra=(${PORTABLE_CFLAGS:-})
abi_major=$(sed -n 's/^#define RP_ABI_MAJOR //p' capi/readpref.h)
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)

hash() { sha256sum 2>/dev/null || shasum -a 256; }
key() { hash | cut -c1-24; }

# A result is made in a folder of this process and gets its name when it is done, so that what was interrupted is never
# taken for done, and builds that share the cache do not meet. Where another was faster, its result is as good.
private=
trap '[ -z "$private" ] || rm -rf "$private"' EXIT
fresh() { private=$(mktemp -d "$cache/half.XXXXXXXX") && chmod 755 "$private"; }
# shellcheck disable=SC2086 # PYTHON may be several words
finish() { # finish DIRECTORY: rename(2), which mv is not where the directory is there
  $PYTHON -c 'import os, sys
try:
    os.rename(sys.argv[1], sys.argv[2])
except OSError:
    if not os.path.isdir(sys.argv[2]):
        raise' "$private" "$1"
  rm -rf "$private"
  private=
}

# prune: all but the newest results of a kind go, and what an interrupted build left
prune() { # prune PREFIX
  # shellcheck disable=SC2012 # the names are ours: a key, so that o leaves o-TARGET alone
  ls -dt "$cache/$1"-???????????????????????? 2>/dev/null | tail -n +$((kept + 1)) | while IFS= read -r old; do rm -rf "$old"; done
  find "$cache" -maxdepth 1 -name '*half*' -mmin +1440 -exec rm -rf {} +
}

compile_generated() { # compile_generated FROM TO: the objects of a folder of C, the largest first
  # shellcheck disable=SC2012,SC2016 # the names are ours; the inner shell expands
  ls -S "$1"/*.c | CC=$CC from=$1 to=$2 flags="${generated_flags[*]} ${extra[*]}" here=$here \
    xargs -P "$jobs" -I{} sh -c '$CC $flags -I"$here/runtime" -I"$from" -c "{}" -o "$to/$(basename "{}" .c).o"'
}

# shellcheck disable=SC2086 # PYTHON and CC may be several words
{
  WASM2C=${WASM2C:-$($PYTHON $here/tools.py wasm2c)}
  WASM_OPT=none
  [ "${PORTABLE_WASM_OPT:-0}" = 0 ] || WASM_OPT=$($PYTHON $here/tools.py wasm-opt)
  compiler=$($CC --version)
}
export WASM2C WASM_OPT

mkdir -p "$cache"
c_key=$( (cat "$OUT/readpref.wasm" $here/translate.sh $here/merge_data.py $here/direct_jumps.py $here/tools.py && echo "$WASM_OPT") | key)
c=$cache/c-$c_key
if [ ! -d "$c" ]; then
  fresh
  $here/translate.sh "$OUT/readpref.wasm" "$private"
  finish "$c"
fi
touch "$c"
prune c

o_key=$(echo "$c_key $compiler ${generated_flags[*]} ${extra[*]} $(cat $here/runtime/wasm-rt.h)" | key)
kind=o${TARGET:+-$TARGET} # the objects of a target are pruned by themselves
objects=$cache/$kind-$o_key
if [ ! -d "$objects" ]; then
  fresh
  compile_generated "$c" "$private"
  finish "$objects"
fi
touch "$objects"
prune "$kind"

# Our own part is compiled each time: it takes a second. With the generated objects it is also an archive in which all
# names are left, for the tests that look inside.
mine=$OUT/portable
rm -rf "$mine"
mkdir -p "$mine"
cp "$c/readpref_module.h" "$mine"
# shellcheck disable=SC2086 # CC may be several words
compile() { $CC "${runtime_flags[@]}" "${extra[@]}" "${@:2}" -Icapi -I$here/runtime -I"$mine" -c "$1" -o "$mine/$(basename "$1" .c).o"; }
for f in $here/runtime/*.c; do compile "$f"; done
# shellcheck disable=SC2086 # AR may be several words, like CC
$AR rc "$mine/inside.a" "$mine"/*.o "$objects"/*.o

case $SYSTEM in
macos)
  sed 's/^/_/' capi/symbols.txt >"$mine/exported"
  library=(libreadpref_portable.dylib -dynamiclib -s -Wl,-install_name,@rpath/libreadpref_portable.dylib "-Wl,-exported_symbols_list,$mine/exported")
  ;;
windows) library=(readpref_portable.dll -shared -s "-Wl,--out-implib,$OUT/libreadpref_portable.dll.a") ;;
elf)
  library=(libreadpref_portable.so -shared -s -Wl,--build-id=none "-Wl,-soname,libreadpref_portable.so.$abi_major")
  library+=(-Wl,--version-script=capi/readpref.map -Wl,-z,defs -Wl,-z,relro -Wl,-z,now)
  ;;
esac
# shellcheck disable=SC2086
$CC "${extra[@]}" -o "$OUT/${library[0]}" "${library[@]:1}" "$mine"/*.o "$objects"/*.o -pthread -lm

# The static library holds one object, in which only rp_* is left to link against, where there is binutils to make it. Elsewhere
# it holds all, and every name in it is one of ours; on Windows without the marks of what a DLL exports.
rm -f "$OUT/libreadpref_portable.a"
objcopy=${OBJCOPY:-objcopy}
if [ $SYSTEM = elf ] && command -v "$objcopy" >/dev/null; then
  # shellcheck disable=SC2086
  ${LD:-$CC "${extra[@]}" -nostdlib} -r -o "$mine/whole.o" "$mine"/*.o "$objects"/*.o
  "$objcopy" --wildcard --keep-global-symbol='rp_*' --strip-unneeded "$mine/whole.o" "$mine/readpref_portable.o"
  # shellcheck disable=SC2086
  $AR rc "$OUT/libreadpref_portable.a" "$mine/readpref_portable.o"
  rm "$mine/whole.o" "$mine/readpref_portable.o"
else
  # shellcheck disable=SC2086
  [ $SYSTEM != windows ] || compile $here/runtime/library.c -DRP_STATIC
  # shellcheck disable=SC2086
  $AR rc "$OUT/libreadpref_portable.a" "$mine"/*.o "$objects"/*.o
fi
