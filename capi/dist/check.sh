#!/usr/bin/env bash
# check.sh DIRECTORY TARGET: what is shipped for a target holds to what is promised of it. Nothing but rp_* leaves a library, it needs
# nothing that its system does not have, glibc no newer than 2.17, and no file says on which machine it was made.
set -euo pipefail
cd "$(dirname "$0")/../.."
export LC_ALL=C
dir=$1 target=$2
# shellcheck source=targets.sh
. capi/dist/targets.sh
SYSTEM=$(field "$target" system)
export SYSTEM NM=llvm-nm
bad=0
complain() {
  echo "dist: $target: $1" >&2
  bad=1
}

# needs LIBRARY: the names of the libraries that it asks for
needs() {
  case $SYSTEM in
  elf) llvm-readobj --needed-libs "$1" | sed -n '/^NeededLibraries/,/^]/s/^  //p' ;;
  macos) llvm-objdump --macho --dylibs-used "$1" | sed -n 's/^\t\([^ ]*\) .*/\1/p' ;;
  windows) llvm-readobj --coff-imports "$1" | sed -n 's/^  Name: //p' ;;
  esac
}
case $target in
*-gnu) system_has='^(libc\.so\.6|libm\.so\.6|libpthread\.so\.0|ld-linux-[a-z0-9-]*\.so\.[0-9])$' ;;
*-musl) system_has='^libc\.so$' ;; # musl's loader knows itself by this name
*-windows) system_has='^(KERNEL32|ADVAPI32|api-ms-win-crt-[a-z0-9-]*)\.dll$' ;; # the universal C runtime is Windows 10's
*-macos) system_has='^(@rpath/libreadpref_portable\.dylib|/usr/lib/libSystem\.B\.dylib)$' ;;
esac

shopt -s nullglob
found=0
for library in "$dir"/lib/*.so "$dir"/lib/*.dylib "$dir"/bin/*.dll; do
  found=$((found + 1))
  capi/ctest/check_symbols.sh "$library" || bad=1
  needed=$(needs "$library")
  [ -n "$needed" ] || complain "$library: needs no library at all?"
  while read -r name; do
    [[ $name =~ $system_has ]] || complain "$library: needs $name"
  done <<<"$needed"
  [[ $target != *-gnu ]] || {
    newest=$(llvm-readobj --version-info "$library" | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -1)
    [ "$(printf '%s\n' "${newest:-none}" GLIBC_2.17 | sort -V | tail -1)" = GLIBC_2.17 ] || complain "$library: needs $newest"
  }
done

# A static library: what it has to link against. Elsewhere than on ELF all names are there, and have to be of ours.
for archive in "$dir"/lib/*.a; do
  [[ $archive != *.dll.a ]] || continue
  found=$((found + 1))
  names=$(llvm-nm --defined-only --extern-only "$archive" 2>/dev/null | awk 'NF == 3 { print $3 }' | sort -u)
  [ "$SYSTEM" != macos ] || names=$(sed 's/^_//' <<<"$names")
  if missing=$(comm -23 capi/symbols.txt <(grep '^rp_' <<<"$names")) && [ -n "$missing" ]; then complain "$archive: without $missing"; fi
  case $SYSTEM:$archive in
  *libreadpref.a) ours=. ;; # a Go runtime's are many
  elf:*) ours='^rp_' ;;
  *) ours='^rp_|readpref|w2c_wasi' ;;
  esac
  ! strange=$(grep -vE "$ours" <<<"$names") || complain "$archive: has $strange"
done
[ "$found" -gt 1 ] || complain "$dir: there is nothing to check"

while IFS= read -r file; do
  for place in "$PWD" "${HOME:-/nowhere}/"; do
    ! grep -qaF -- "$place" "$file" || complain "$file: says $place"
  done
done < <(find "$dir" -type f)
[ "$bad" = 0 ]
