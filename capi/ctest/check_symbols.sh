#!/usr/bin/env bash
# check_symbols.sh LIBRARY: the shared library exports the names of capi/symbols.txt, every one and nothing else, and where
# symbols have versions each as its only one, NAME@@RP_MAJOR. cgo's and the Go runtime's own functions are hidden by
# capi/readpref.map, which build.sh gives to the linker. $SYSTEM (elf, macos, windows) is the library's, this machine's by default, and $NM
# a nm for it.
set -euo pipefail
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)
library=${1:?usage: check_symbols.sh LIBRARY}
node=@@RP_$(sed -n 's/^#define RP_ABI_MAJOR //p' "$here/../readpref.h")
NM=${NM:-nm}
case ${SYSTEM:-$(uname -s)} in
Darwin | macos)
  node=
  # zig's linker adds two names of its own, which mark where the library begins.
  exported=$($NM -gU "$library" | awk '$NF != "___dso_handle" && $NF != "__mh_dylib_header" { sub(/^_/, "", $NF); print $NF }')
  ;;
windows)
  node=
  exported=$(llvm-readobj --coff-exports "$library" | awk '$1 == "Name:" { print $2 }')
  ;;
*) exported=$($NM -D --defined-only "$library" | awk '$2 != "A" { print $NF }') ;; # A is the version itself
esac
# "<" is a name that the list has and the library lacks, ">" one that nobody allowed.
if ! diff <(sed "s/\$/$node/" "$here/../symbols.txt" | sort) <(sort <<<"$exported"); then
  echo "check_symbols.sh: $library does not export exactly what capi/symbols.txt lists" >&2
  exit 1
fi
