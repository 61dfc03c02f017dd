#!/usr/bin/env bash
# build.sh [TARGET...]: what a release holds, for each target of the file targets or those named, by zig cc on one machine:
#   build/dist/TARGET/      header, libraries, pkg-config and CMake files; the tree may lie anywhere
#   build/dist/SHA256SUMS   of all files
#   build/dist-work/TARGET  what the tests need beside it (test.sh)
# Go, Python and zig are $GO, $PYTHON and $ZIG; llvm-objcopy, llvm-nm and llvm-readobj come from LLVM's package. The module is made and
# translated once; the objects are kept in .cache (../portable/build.sh). OUT (build) is another folder for all of it.
set -euo pipefail
cd "$(dirname "$0")/../.."
OUT=${OUT:-build}
here=capi/dist
dist=$OUT/dist work=$OUT/dist-work
# shellcheck source=targets.sh
. $here/targets.sh

abi_major=$(sed -n 's/^#define RP_ABI_MAJOR //p' capi/readpref.h)

die() {
  echo "dist: $1" >&2
  exit 1
}
for tool in llvm-objcopy llvm-nm llvm-readobj; do
  command -v $tool >/dev/null || die "missing: $tool (Debian and Ubuntu: apt install llvm)"
done
# shellcheck source=zig.sh
. capi/dist/zig.sh
# Also when linking: the level is that of what zig adds. No sanitizer, which it turns on by itself, and nothing that says where it was compiled.
plain=(-O2 -g0 -fno-sanitize=all)

portable() { # portable TARGET: the library without Go
  mkdir -p "$work/$1"
  cp "$OUT/readpref.wasm" "$work/$1"
  # zig cc knows one level between -O0 and -Os, which is clang's -O2.
  OUT=$work/$1 TARGET=$1 SYSTEM=$(field "$1" system) CC="$ZIG cc -target $(field "$1" zig)" AR="$ZIG ar" LD="$ZIG ld.lld" OBJCOPY=llvm-objcopy \
    PORTABLE_LEVEL=-O2 PORTABLE_CFLAGS="${plain[*]}" capi/portable/build.sh
  rm "$work/$1/readpref.wasm"
  # The tests' programs ask for it by its ABI's major.
  [ "$(field "$1" system)" != elf ] || ln -sf libreadpref_portable.so "$work/$1/libreadpref_portable.so.$abi_major"
}

go_library() { # go_library TARGET: the library with Go inside
  local pair what
  pair=$(field "$1" go)
  for what in so a; do
    OUT=$work/$1 SYSTEM=$(field "$1" system) GOOS=${pair%/*} GOARCH=${pair#*/} CC="$ZIG cc -target $(field "$1" zig) ${plain[*]}" AR="$ZIG ar" ./build.sh $what
  done
}

# elf_tree TARGET DIRECTORY LIBRARY...: what make install installs
elf_tree() {
  local stage=$work/$1/stage
  rm -rf "$stage"
  OUT=$work/$1 PREFIX=/usr/local DESTDIR=$PWD/$stage capi/install.sh "${@:3}" >/dev/null
  mv "$stage/usr/local"/* "$2"
  rm -r "$stage"
}

# other_tree TARGET DIRECTORY LIBRARY...: the same where libraries have other names
other_tree() {
  local library file pc name
  mkdir -p "$2/include" "$2/lib/pkgconfig"
  cp capi/readpref.h "$2/include"
  for library in "${@:3}"; do
    case $library in readpref) file=readpref pc=readpref ;; portable) file=readpref_portable pc=readpref-portable ;; esac
    # zig writes the name of its scratch file into an object for Windows; the place of an empty section tells how long that was.
    [ "$(field "$1" system)" != windows ] || llvm-objcopy --strip-debug --remove-section=.llvm_addrsig "$work/$1/lib$file.a"
    cp "$work/$1/lib$file.a" "$2/lib"
    sed -e 's|@LIBDIR@|${prefix}/lib|' -e 's|@INCLUDEDIR@|${prefix}/include|' -e "s|@VERSION@|$(cat VERSION)|" capi/$pc.pc.in >"$2/lib/pkgconfig/$pc.pc"
    case $(field "$1" system) in
    macos) cp "$work/$1/lib$file.dylib" "$2/lib" ;;
    windows)
      mkdir -p "$2/bin"
      cp "$work/$1/$file.dll" "$2/bin"
      cp "$work/$1/lib$file.dll.a" "$2/lib"
      # The header has to know that it is the archive, and advapi32 has the entropy.
      sed -i.orig -e 's|^Cflags:.*|&\nCflags.private: -DRP_STATIC|' -e 's|^\(Libs.private:\).*|\1 -ladvapi32|' "$2/lib/pkgconfig/$pc.pc"
      ;;
    esac
  done
  mkdir -p "$2/lib/cmake/readpref"
  for name in readpref-config readpref-config-version; do
    sed -e 's|@LIBDIR@|/usr/local/lib|' -e 's|@INCLUDEDIR@|/usr/local/include|' -e "s|@VERSION@|$(cat VERSION)|" -e "s|@ABI_MAJOR@|$abi_major|" \
      -e "s|@COMPONENTS@|${*:3}|" -e 's|@POINTER_BYTES@|8|' "capi/cmake/$name.cmake.in" >"$2/lib/cmake/readpref/$name.cmake"
  done
}

# tree TARGET LIBRARY...: what is built becomes what is shipped
tree() {
  local target=$1 to=$dist/$1
  rm -rf "$to"
  mkdir -p "$to"
  if [ "$(field "$target" system)" = elf ]; then elf_tree "$target" "$to" "${@:2}"; else other_tree "$target" "$to" "${@:2}"; fi
  # shellcheck disable=SC2016 # pkg-config expands it
  sed -i.orig 's|^prefix=.*|prefix=${pcfiledir}/../..|' "$to"/lib/pkgconfig/*.pc
  rm -f "$to"/lib/pkgconfig/*.orig
  cp LICENSE "$to"
}

./build.sh wasm
for target in $(chosen "$@"); do
  echo "dist: $target"
  libraries=(portable)
  portable "$target"
  if [ "$(field "$target" go)" != - ]; then
    libraries+=(readpref)
    go_library "$target"
  fi
  tree "$target" "${libraries[@]}"
  forget "$target" # what was found of another build
  $here/check.sh "$dist/$target" "$target"
done
(cd "$dist" && find . -type f ! -name SHA256SUMS | LC_ALL=C sort | sed 's|^\./||' | xargs sha256sum >SHA256SUMS.new && mv SHA256SUMS.new SHA256SUMS)
echo "dist: $dist/SHA256SUMS"
