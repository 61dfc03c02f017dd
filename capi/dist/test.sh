#!/usr/bin/env bash
# test.sh [TARGET...]: tests what build.sh made, on this machine, with an emulator where another one is needed: the C tests of capi/ctest,
# and every conformance case, whose answers have to be the Go engine's, byte for byte. What is tested are the shipped files.
# Each result is a line of build/dist-work/results.tsv; from these and the files platforms.py writes docs/platforms.md, when all targets are
# tested.
# Emulators, on Debian and Ubuntu:
#   apt install qemu-user libc6-arm64-cross musl wine pkgconf cmake
#   dpkg --add-architecture arm64 && apt update && apt install musl:arm64
# What has none is compiled and linked, and counts as "built, not run".
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 2
OUT=${OUT:-build} GO=${GO:-go} PYTHON=${PYTHON:-python3}
dist=$OUT/dist work=$OUT/dist-work
# shellcheck source=targets.sh
. capi/dist/targets.sh
# shellcheck source=zig.sh
. capi/dist/zig.sh || exit 2
export WINEDEBUG=${WINEDEBUG:--all} WINEPREFIX=${WINEPREFIX:-$PWD/$work/wine}
export NM=llvm-nm OBJDUMP=llvm-objdump
machine=$(uname -sm)
failed=0

has() { command -v "$1" >/dev/null; }

# complete_wine: Go asks Windows' bcryptprimitives.dll for random bytes, which wine has since version 9 only
complete_wine() {
  local dll=$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll
  if [ -e "$dll" ] && [ ! -e "$dll.ours" ]; then return; fi
  how="$how with a bcryptprimitives.dll of ours"
  [ -e "$dll" ] || "$ZIG" cc -target x86_64-windows-gnu -O2 -shared -s -o "$dll" capi/dist/wine/bcryptprimitives.c -ladvapi32
  touch "$dll.ours"
}

# way TARGET: how its programs run here. $run are the words before a program, "none" where it cannot; $how says it to a reader.
way() {
  foreign=1 run=none how=
  case "$machine $1" in
  "Linux x86_64 x86_64-linux-gnu") foreign=0 run='' how='on this machine' ;;
  "Linux x86_64 x86_64-linux-musl")
    how='needs the loader of musl'
    [ ! -e /lib/ld-musl-x86_64.so.1 ] || run='' how="on this machine, by musl's loader"
    ;;
  "Linux "*" aarch64-linux-gnu")
    how='needs qemu-user and libc6-arm64-cross'
    if has qemu-aarch64 && [ -e /usr/aarch64-linux-gnu/lib/ld-linux-aarch64.so.1 ]; then run='qemu-aarch64 -L /usr/aarch64-linux-gnu' how='under qemu-user'; fi
    ;;
  "Linux "*" aarch64-linux-musl")
    how='needs qemu-user and musl:arm64'
    if has qemu-aarch64 && [ -e /lib/ld-musl-aarch64.so.1 ]; then run='qemu-aarch64' how='under qemu-user'; fi
    ;;
  "Linux x86_64 x86_64-windows")
    how='needs wine'
    if has wine && wine wineboot >/dev/null 2>&1; then
      run='wine' how="under $(wine --version | cut -d' ' -f1)"
      complete_wine
    fi
    ;;
  *-macos) how='there is no macOS here' ;;
  *) how='there is no such machine here' ;;
  esac
}

# verdict TARGET LIBRARY WHAT STATUS DETAIL
verdict() {
  record "$@"
  [ "$4" != failed ] || failed=1
}

# same_files TARGET: what is tested is what is shipped
same_files() {
  local file
  for file in "$dist/$1"/lib/*.a "$dist/$1"/lib/*.so "$dist/$1"/lib/*.dylib "$dist/$1"/bin/*.dll; do
    [ ! -e "$file" ] || cmp "$file" "$work/$1/$(basename "$file")" || return 1
  done
}

# compiler TARGET: zig links a program for musl statically, unless it is told that it will load libraries
compiler() {
  case $1 in *-musl) echo "$ZIG cc -target $(field "$1" zig) -dynamic" ;; *) echo "$ZIG cc -target $(field "$1" zig)" ;; esac
}

test_library() { # test_library TARGET readpref|readpref_portable
  local target=$1 name=$2 log=$work/$1/$2.log folder=ctest counts program
  [ "$name" = readpref ] || folder=ctest-portable
  if OUT=$work/$target SYSTEM=$(field "$target" system) PREBUILT=1 RUN=$run FOREIGN=$foreign CC=$(compiler "$target") CXX="$ZIG c++ -target $(field "$target" zig)" \
    capi/ctest/run.sh "$name" >"$log" 2>&1; then
    counts=$(tail -1 "$log")
    if [ "$run" = none ]; then
      verdict "$target" "$name" "C tests" "not run" "their programs are linked"
      return
    fi
    verdict "$target" "$name" "C tests" passed "${counts%%,*}"
  else
    grep -A20 '^FAIL' "$log" | head -60
    verdict "$target" "$name" "C tests" failed "$(tail -1 "$log")"
    [ "$run" != none ] || return
  fi
  program=$work/$target/$folder/testee
  [ "$(field "$target" system)" != windows ] || program=$program.exe
  if "$work/runner" -testee "go=$work/testee-go" -testee "$target=$run $program" >"$log.conformance" 2>&1; then
    verdict "$target" "$name" conformance passed "$(awk -v t="$target" '$2 == t { sub(/.*cases [0-9]+: /, ""); n += $1 } END { print n + 0 " passed" }' "$log.conformance")"
  else
    tail -40 "$log.conformance"
    verdict "$target" "$name" conformance failed "$(tail -1 "$log.conformance")"
  fi
}

# use_tree TARGET: as it is shipped, found by pkg-config and by CMake
use_tree() {
  local log=$work/$1/use.log
  # shellcheck disable=SC2086 # words
  if capi/dist/use.sh "$1" $run >"$log" 2>&1; then
    verdict "$1" - use passed "$([ "$run" = none ] && echo linked || echo "$(grep -c ': runs$' "$log") programs")"
  else
    grep -A20 '^FAIL' "$log" | head -60
    verdict "$1" - use failed "$(tail -1 "$log")"
  fi
}

mkdir -p "$work"
"$GO" build -o "$work/testee-go" ./conformance/testee-go && "$GO" build -o "$work/runner" ./conformance/runner || exit 2
for target in $(chosen "$@"); do
  [ -d "$dist/$target" ] || { echo "dist-test: $target is not built: make dist" >&2 && exit 2; }
  same_files "$target" || exit 1
  way "$target"
  verdict "$target" - how "$([ "$run" = none ] && echo "not run" || echo run)" "$how"
  if capi/dist/check.sh "$dist/$target" "$target"; then verdict "$target" - symbols passed "only rp_*"; else verdict "$target" - symbols failed "see above"; fi
  use_tree "$target"
  test_library "$target" readpref_portable
  [ "$(field "$target" go)" = - ] || test_library "$target" readpref
done
[ $# -gt 0 ] || $PYTHON capi/dist/platforms.py || failed=1
exit "$failed"
