#!/usr/bin/env bash
# use.sh TARGET [WORD...]: uses the shipped tree of a target as a stranger would: moved to another folder, found by pkg-config and by CMake, its
# shared and its static libraries linked into examples/c/handles.c, which the words run here ("none": it is only linked). The last line counts.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 2
root=$PWD OUT=${OUT:-build}
target=$1 run=("${@:2}")
# shellcheck source=targets.sh
. capi/dist/targets.sh
# shellcheck source=../ctest/install/routes.sh
. capi/ctest/install/routes.sh
# shellcheck source=zig.sh
. capi/dist/zig.sh || exit 2
system=$(field "$target" system)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
tree="$scratch/a tree"
cp -a "$OUT/dist/$target" "$tree"
exe=''
[ "$system" != windows ] || exe=.exe
# zig links a program for musl statically, unless it is told that it will load libraries.
cc=("$ZIG" cc -target "$(field "$target" zig)")
[[ $target != *-musl ]] || cc+=(-dynamic)
flags=(-std=c99 -O1 -Wall -Wextra -Werror -pedantic)
components=()
for pc in "$tree"/lib/pkgconfig/*.pc; do
  case $pc in */readpref.pc) components+=(readpref) ;; */readpref-portable.pc) components+=(portable) ;; esac
done

passed=0 failed=0
must() { # must NAME COMMAND...
  local name=$1
  shift
  if "$@" >"$scratch/log" 2>&1; then
    passed=$((passed + 1)) && printf 'ok   %s\n' "$name"
  else
    failed=$((failed + 1)) && printf 'FAIL %s\n' "$name"
    tail -n 40 "$scratch/log" | sed 's/^/     /'
  fi
}
runs() { # runs NAME PROGRAM
  [ "${run[*]}" = none ] || must "$1: runs" routes "${run[@]}" "$2$exe"
}

# linked PROGRAM MORE...: by the words of pkg-config, in which a space is escaped. Of a shared and a static library a linker takes the shared one,
# but zig, for Windows, knows no libX.dll.a and takes libX.a; so it is told.
linked() {
  local words i
  eval "words=($(PKG_CONFIG_LIBDIR=$tree/lib/pkgconfig pkg-config "${@:2}"))" && [ ${#words[@]} -gt 1 ] || return 1
  for i in "${!words[@]}"; do
    case "$system $2 ${words[i]}" in "windows --cflags -lreadpref"*) words[i]=$tree/lib/lib${words[i]#-l}.dll.a ;; esac
  done
  "${cc[@]}" "${flags[@]}" -o "$1$exe" examples/c/handles.c "${words[@]}" "${rpath[@]}"
}
rpath=()
[ "$system" = windows ] || rpath=("-Wl,-rpath,$tree/lib")
[ "$system" != windows ] || cp "$tree"/bin/*.dll "$scratch" # where its programs look for them
# static COMMAND...: while there are no shared ones, so that the linker has no choice
static() {
  local rc=0
  mkdir -p "$scratch/aside"
  (cd "$tree/lib" && shopt -s nullglob && mv -t "$scratch/aside" -- *.so* *.dylib *.dll.a)
  "$@" || rc=$?
  mv "$scratch/aside"/* "$tree/lib"
  return "$rc"
}
for component in "${components[@]}"; do
  package=readpref
  [ "$component" = readpref ] || package=readpref-portable
  must "$component, pkg-config" linked "$scratch/$component" --cflags --libs "$package"
  runs "$component, pkg-config" "$scratch/$component"
  must "$component, pkg-config --static" static linked "$scratch/$component-static" --static --cflags --libs "$package"
  runs "$component, pkg-config --static" "$scratch/$component-static"
done

cmake_system() { case $system in elf) echo Linux ;; macos) echo Darwin ;; windows) echo Windows ;; esac }
if [ "$system" = macos ]; then # CMake asks a Mac for its version, to know whether it has @rpath
  mkdir "$scratch/bin"
  printf '#!/bin/sh\necho 11.0\n' >"$scratch/bin/sw_vers"
  chmod +x "$scratch/bin/sw_vers"
  PATH=$scratch/bin:$PATH
fi
project() {
  CC=${cc[*]} cmake -S capi/ctest/install/cmake -B "$scratch/cmake" "-DCMAKE_SYSTEM_NAME=$(cmake_system)" "-DCMAKE_SYSTEM_PROCESSOR=${target%%-*}" \
    -DCMAKE_BUILD_TYPE=Release "-DCMAKE_PREFIX_PATH=$tree" "-DCMAKE_FIND_ROOT_PATH=$tree" "-DCMAKE_AR=$(command -v llvm-ar)" "-DVERSION=$(cat VERSION)" \
    "-DHANDLES=$root/examples/c/handles.c" "-DCOMPONENTS=$(IFS=';' && echo "${components[*]}")" && cmake --build "$scratch/cmake"
}
must "CMake" project
[ "$system" != windows ] || cp "$tree"/bin/*.dll "$scratch/cmake"
for component in "${components[@]}"; do
  runs "$component, CMake" "$scratch/cmake/handles_$component"
  runs "$component, CMake, static" "$scratch/cmake/handles_${component}_static"
done

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
