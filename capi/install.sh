#!/usr/bin/env bash
# install.sh: puts what is in $OUT (build) where C programs look for it: header, libraries, pkg-config files, CMake package.
# Called by build.sh install, which builds what is missing. ELF systems only (Linux, BSD); elsewhere the header and one
# library are all there is to copy.
#   PREFIX (/usr/local), LIBDIR ($PREFIX/lib), INCLUDEDIR ($PREFIX/include)   where it will be used
#   DESTDIR                                                                   put before these while installing
# The arguments are the libraries: readpref, portable.
set -euo pipefail
cd "$(dirname "$0")/.."
OUT=${OUT:-build}
PREFIX=${PREFIX:-/usr/local}
LIBDIR=${LIBDIR:-$PREFIX/lib}
INCLUDEDIR=${INCLUDEDIR:-$PREFIX/include}
DESTDIR=${DESTDIR:-}
VERSION=$(cat VERSION)
abi_major=$(sed -n 's/^#define RP_ABI_MAJOR //p' capi/readpref.h)

die() {
  echo "install.sh: $1" >&2
  exit 1
}
case "$(uname -s)" in Darwin | MINGW* | MSYS* | CYGWIN*) die "copy capi/readpref.h and the library: this system has other names for them" ;; esac
for dir in "$PREFIX" "$LIBDIR" "$INCLUDEDIR"; do
  case $dir in
  *[[:space:]\|\;\&\"\\\$]*) die "$dir: not a name for a folder that pkg-config and CMake can read" ;;
  /*) ;;
  *) die "$dir: PREFIX, LIBDIR and INCLUDEDIR are absolute" ;;
  esac
done

file_of() { case $1 in readpref) echo libreadpref ;; portable) echo libreadpref_portable ;; *) die "no library is called $1" ;; esac }
[ $# -gt 0 ] || die "usage: install.sh readpref|portable..."

# The real file has the version's name, and the two links are the loader's (by the ABI's major) and the linker's.
put_library() {
  local file
  file=$(file_of "$1")
  install -m 755 "$OUT/$file.so" "$DESTDIR$LIBDIR/$file.so.$VERSION"
  ln -sf "$file.so.$VERSION" "$DESTDIR$LIBDIR/$file.so.$abi_major"
  ln -sf "$file.so.$abi_major" "$DESTDIR$LIBDIR/$file.so"
  install -m 644 "$OUT/$file.a" "$DESTDIR$LIBDIR/$file.a"
}

# The class of an ELF file is its fifth byte: 1 for 32 bits, 2 for 64.
pointer_bytes() { echo $((4 * $(od -An -tu1 -j4 -N1 "$OUT/$(file_of "$1").so"))); }

# put_text IN TO: pc files name the prefix once, so that pkg-config --define-prefix can move them
put_text() {
  local libdir=$LIBDIR includedir=$INCLUDEDIR text
  # shellcheck disable=SC2016 # pkg-config expands it
  case $1 in *.pc.in)
    libdir=${LIBDIR/#"$PREFIX/"/'${prefix}/'}
    includedir=${INCLUDEDIR/#"$PREFIX/"/'${prefix}/'}
    ;;
  esac
  text=$(sed -e "s|@PREFIX@|$PREFIX|g" -e "s|@LIBDIR@|$libdir|g" -e "s|@INCLUDEDIR@|$includedir|g" -e "s|@VERSION@|$VERSION|g" \
    -e "s|@ABI_MAJOR@|$abi_major|g" -e "s|@COMPONENTS@|$components|g" -e "s|@POINTER_BYTES@|$pointers|g" "$1")
  rm -f "$2"
  printf '%s\n' "$text" >"$2"
  chmod 644 "$2"
}

components=$* pointers=$(pointer_bytes "$1")
for dir in "$INCLUDEDIR" "$LIBDIR/pkgconfig" "$LIBDIR/cmake/readpref"; do install -d "$DESTDIR$dir"; done
install -m 644 capi/readpref.h "$DESTDIR$INCLUDEDIR/readpref.h"
for library in "$@"; do put_library "$library"; done
for name in readpref-config readpref-config-version; do put_text "capi/cmake/$name.cmake.in" "$DESTDIR$LIBDIR/cmake/readpref/$name.cmake"; done
for library in "$@"; do
  case $library in
  readpref) put_text capi/readpref.pc.in "$DESTDIR$LIBDIR/pkgconfig/readpref.pc" ;;
  portable) put_text capi/readpref-portable.pc.in "$DESTDIR$LIBDIR/pkgconfig/readpref-portable.pc" ;;
  esac
done
echo "readpref $VERSION (ABI $abi_major; $*) is installed: $DESTDIR$INCLUDEDIR/readpref.h, $DESTDIR$LIBDIR"
