#!/usr/bin/env bash
# build.sh [TARGET...]: the Python package's wheels into build/wheels, for each target of the file targets or those named, and SHA256SUMS.
# What they hold comes from build/dist, and is built there first where it is missing (capi/dist/build.sh); DIST is another folder for it.
# The extension is compiled for all by zig cc, with the headers of $PYTHON and a pyconfig.h of our own: the stable ABI is the same
# on every Linux of 64 bits. Two builds give the same bytes.
set -euo pipefail
cd "$(dirname "$0")/../../.."
OUT=${OUT:-build}
PYTHON=${PYTHON:-python3}
dist=${DIST:-$OUT/dist}
# shellcheck source=targets.sh
. bindings/python/wheels/targets.sh

# The date of everything in a wheel.
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-1577836800}
umask 022
# shellcheck source=../../../capi/dist/zig.sh
. capi/dist/zig.sh

# headers: those of $PYTHON with a pyconfig.h that knows no machine
headers() {
  local from
  # shellcheck disable=SC2086
  from=$($PYTHON -c 'import sysconfig; print(sysconfig.get_path("include"))')
  [ -e "$from/Python.h" ] || { echo "wheels: $PYTHON has no headers (Debian and Ubuntu: apt install python3-dev)" >&2 && exit 1; }
  rm -rf "$work/include"
  mkdir -p "$work/include"
  cp -R "$from/." "$work/include"
  rm -f "$work/include/pyconfig.h" # it may be a link
  cp bindings/python/ext/pyconfig.h "$work/include/pyconfig.h"
}

# libc TARGET: what the extension is linked with. Alpine calls its C library after the machine, and auditwheel goes by that name; zig's is
# plain libc.so. All that is needed of it is its name: a shared library may leave names to whoever loads it.
libc() {
  case $1 in
  *-musl)
    : >"$work/$1/empty.c"
    # shellcheck disable=SC2086
    $ZIG cc -target "$(field "$1" zig)" -shared -nostdlib -fno-sanitize=all -Wl,-soname,libc.musl-${1%%-*}.so.1 -o "$work/$1/libc.so" "$work/$1/empty.c"
    echo "-nostdlib -Wl,--no-as-needed $(realpath "$work/$1/libc.so")"
    ;;
  *) echo "-pthread -lm" ;;
  esac
}

# engine TARGET: the path of what its wheel holds
engine() {
  case $(field "$1" system) in
  windows) echo "$dist/$1/bin/readpref_portable.dll" ;;
  macos) echo "$dist/$1/lib/libreadpref_portable.dylib" ;;
  elf)
    OUT=$work/$1 PORTABLE=$dist/$1/lib/libreadpref_portable.a PYTHON_INCLUDE=$PWD/$work/include CC="$ZIG cc -target $(field "$1" zig)" \
      EXTENSION_CFLAGS="-fno-sanitize=all" EXTENSION_LIBS=$(libc "$1") ./build.sh python-extension >&2
    echo "$work/$1/_engine.abi3.so"
    ;;
  esac
}

wheel() { # wheel TARGET
  local from to tag
  from=$(realpath "$(engine "$1")")
  to=$(realpath "$wheels")
  tag=$(wheel_field "$1" tag)
  # shellcheck disable=SC2086
  (cd bindings/python && READPREF_LIB=$from READPREF_PLATFORM=$tag $PYTHON -m hatchling build -t wheel -d "$to" >&2)
  [ -e "$(wheel_of "$1")" ] || { echo "wheels: $(wheel_of "$1") was not made" >&2 && exit 1; }
}

targets=$(wheel_targets_of "$@")
missing=()
for target in $targets; do
  [ -d "$dist/$target" ] || missing+=("$target")
done
[ ${#missing[@]} = 0 ] || capi/dist/build.sh "${missing[@]}"
mkdir -p "$wheels" "$work"
headers
for target in $targets; do
  mkdir -p "$work/$target"
  rm -f "$(wheel_of "$target")"
  wheel "$target"
  echo "wheels: $(wheel_of "$target")"
done
(cd "$wheels" && sha256sum ./*.whl | sed 's|\./||' >SHA256SUMS.new && mv SHA256SUMS.new SHA256SUMS)
