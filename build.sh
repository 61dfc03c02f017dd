#!/usr/bin/env bash
# build.sh WHAT: the only place that knows compilers. Artifacts go to build/ (or $OUT).
#   so         libreadpref.so: the engine with the Go runtime inside, -buildmode=c-shared
#   a          libreadpref.a: the same as a static archive
#   wasm       readpref.wasm: the WASI reactor; WASM_OPT=0 leaves out wasm-opt, which takes half a minute and a tenth of the bytes
#   portable   libreadpref_portable: readpref.wasm translated to C, no Go runtime inside, shared and static, and its testee
#   portable-library  the same without the testee
#   python-extension  _engine.abi3.so for the Python package, of $PORTABLE, else of libreadpref_portable.a in build/: bindings/python/ext
#   install    what is built, for C programs: see capi/install.sh for PREFIX, LIBDIR, INCLUDEDIR and DESTDIR. It builds
#              libreadpref, shared and static, where it is missing or older than its sources. libreadpref_portable is installed
#              when it is in build/; WITH_PORTABLE=1 builds it first, WITH_PORTABLE=0 leaves it out, WITH_GO=0 the other one
#   dist [TARGET...]  release builds for every platform, by zig cc, into $OUT/dist: see capi/dist/build.sh
#   wheels [TARGET...]  the Python package's wheels for every platform, into $OUT/wheels: see bindings/python/wheels/build.sh
#   testees    one conformance testee per runtime that is a compiled program
#   headers    nothing: readpref.h is compiled alone as C99, C11 and C++17
#   driver-go, driver-c, ferretdb   the example drivers that are compiled, and a server for them; driver-c needs libreadpref and libbson
#   demo       the demo programs that are compiled; they need the testees' libraries
# Go and the C compiler come from $GO and $CC, else from PATH.
set -euo pipefail
cd "$(dirname "$0")"
GO=${GO:-go}
OUT=${OUT:-build}
mkdir -p "$OUT"
# Nothing of the machine goes into an artifact: two builds are identical.
GOFLAGS_REPRODUCIBLE=(-trimpath -buildvcs=false "-ldflags=-s -w -buildid=")
WARN=(-std=c99 -O2 -Wall -Wextra -Werror -pedantic)

case ${SYSTEM:-$(uname -s)} in # capi/dist/build.sh compiles for others
Darwin | macos) SO=libreadpref.dylib ;;
MINGW* | MSYS* | CYGWIN* | windows) SO=readpref.dll ;;
*) SO=libreadpref.so ;;
esac
# A program asks for a library by its ABI's major, libreadpref.so.1. In build/ that is a link beside it.
ABI_MAJOR=$(sed -n 's/^#define RP_ABI_MAJOR //p' capi/readpref.h)
link_soname() { # link_soname FILE
  case "$1" in *.so) ! [ -e "$OUT/$1" ] || ln -sf "$1" "$OUT/$1.$ABI_MAJOR" ;; esac
}

# A cgo compiler may be several words ("python -m ziglang cc"), which Go takes as they are.
go_c() { # go_c MODE FILE
  local flags=("${GOFLAGS_REPRODUCIBLE[@]}")
  if [ "$2" = libreadpref.so ]; then
    # Only rp_* leaves the shared library, as rp_*@@RP_1 (capi/readpref.map).
    flags+=("-ldflags=-s -w -buildid= '-extldflags=\"-Wl,--version-script=$PWD/capi/readpref.map\" -Wl,-soname,$2.$ABI_MAJOR -s'")
  fi
  # readpref_boundary leaves out the json methods of the public Go types, which nothing in the library calls.
  CGO_ENABLED=1 "$GO" build -buildmode="$1" -tags readpref_boundary "${flags[@]}" -o "$OUT/$2" ./capi
  rm -f "$OUT/${2%.*}.h" # cgo's own header; readpref.h is written by hand
}

# dll: Go's linker would export its own functions from a DLL, so this one is linked from the archive, with its import library.
dll() {
  go_c c-archive libreadpref.a
  # shellcheck disable=SC2086 # CC may be several words
  ${CC:-cc} -shared -s -o "$OUT/$SO" -Wl,--whole-archive "$OUT/libreadpref.a" -Wl,--no-whole-archive "-Wl,--out-implib,$OUT/libreadpref.dll.a"
}

case "${1:-}" in
so)
  if [ "$SO" = readpref.dll ]; then dll; else go_c c-shared "$SO"; fi
  link_soname "$SO"
  ;;
a) go_c c-archive libreadpref.a ;;
wasm)
  GOOS=wasip1 GOARCH=wasm CGO_ENABLED=0 "$GO" build -buildmode=c-shared "${GOFLAGS_REPRODUCIBLE[@]}" -o "$OUT/readpref.linked.wasm" ./wasm
  # A Go whose linker lays its tables out otherwise still makes a module that works, in more bytes; make lint then says so.
  GOOS='' GOARCH='' "$GO" run ./wasm/pack "$OUT/readpref.linked.wasm" "$OUT/readpref.packed.wasm" ||
    cp "$OUT/readpref.linked.wasm" "$OUT/readpref.packed.wasm"
  if [ "${WASM_OPT:-1}" = 0 ]; then
    cp "$OUT/readpref.packed.wasm" "$OUT/readpref.wasm"
  else
    wasm/optimize.sh "$OUT/readpref.packed.wasm" "$OUT/readpref.wasm"
  fi
  rm "$OUT/readpref.linked.wasm" "$OUT/readpref.packed.wasm"
  ;;
portable-library)
  "$0" wasm
  OUT=$OUT capi/portable/build.sh
  link_soname libreadpref_portable.so
  ;;
python-extension)
  ext=bindings/python/ext
  [ -d $ext ] || ext=../ext # in the package's sdist
  HEADER_INCLUDE=$PWD/capi $ext/build.sh "$(realpath "${PORTABLE:-$OUT/libreadpref_portable.a}")" "$(realpath "$OUT")"
  ;;
portable)
  "$0" portable-library
  # shellcheck disable=SC2086 # CC may be several words
  ${CC:-cc} "${WARN[@]}" -Icapi -o "$OUT/testee-portable" capi/ctest/testee.c -L"$OUT" -lreadpref_portable -Wl,-rpath,'$ORIGIN'
  ;;
install)
  libraries=()
  if [ "${WITH_GO:-1}" != 0 ]; then
    libraries+=(readpref)
    for kind in so a; do
      # A second make install, by root perhaps and without a compiler, only copies.
      newer=x
      [ ! -e "$OUT/libreadpref.$kind" ] || newer=$(find build.sh VERSION go.mod core capi/*.go capi/*.[ch] capi/*.map -type f -newer "$OUT/libreadpref.$kind" ! -name '*_test.go')
      [ -z "$newer" ] || "$0" "$kind"
    done
  fi
  [ "${WITH_PORTABLE:-}" != 1 ] || "$0" portable
  if [ "${WITH_PORTABLE:-1}" != 0 ] && [ -e "$OUT/libreadpref_portable.so" ]; then libraries+=(portable); fi
  OUT=$OUT capi/install.sh "${libraries[@]}"
  ;;
wheels) exec bindings/python/wheels/build.sh "${@:2}" ;;
dist) exec capi/dist/build.sh "${@:2}" ;;
testees)
  [ -e "$OUT/$SO" ] || "$0" so
  [ -e "$OUT/readpref.wasm" ] || "$0" wasm
  "$GO" build -o "$OUT/testee-go" ./conformance/testee-go
  "$GO" build -o "$OUT/testee-wazero" ./wasm/testee-wazero
  # shellcheck disable=SC2086 # CC may be several words
  ${CC:-cc} "${WARN[@]}" -Icapi -o "$OUT/testee-c" capi/ctest/testee.c -L"$OUT" -lreadpref -Wl,-rpath,'$ORIGIN'
  ;;
headers)
  for std in c99 c11; do
    ${CC:-cc} -std=$std -Wall -Wextra -Werror -pedantic -fsyntax-only -x c capi/readpref.h
  done
  ${CXX:-${CC:-cc}} -std=c++17 -Wall -Wextra -Werror -pedantic -fsyntax-only -x c++ capi/readpref.h
  ;;
driver-go) (cd examples/go/driver && "$GO" build -o "$OLDPWD/$OUT/driver-go" .) ;;
ferretdb) (cd examples/ferretdb && "$GO" build -o "$OLDPWD/$OUT/ferretdb" .) ;;
driver-c)
  # libbson's headers are not ours to judge. POSIX: sockets and processes.
  # shellcheck disable=SC2046,SC2086
  ${CC:-cc} "${WARN[@]}" -D_POSIX_C_SOURCE=200809L -Icapi $(pkg-config --cflags libbson-1.0 | sed 's/-I/-isystem /g') \
    -o "$OUT/driver-c" examples/c/failover.c -L"$OUT" -lreadpref $(pkg-config --libs libbson-1.0) -Wl,-rpath,'$ORIGIN'
  ;;
demo)
  for part in demo-go demo-wazero demo-c; do "$0" $part; done
  ;;
demo-go) "$GO" build -o "$OUT/demo-go" ./examples/demo/go ;;
demo-wazero) "$GO" build -o "$OUT/demo-wazero" ./examples/demo/wazero ;;
demo-c)
  # shellcheck disable=SC2086
  ${CC:-cc} "${WARN[@]}" -Icapi -o "$OUT/demo-c" examples/demo/demo.c -L"$OUT" -lreadpref -Wl,-rpath,'$ORIGIN'
  ;;
*)
  sed -n '2,18s/^# \{0,1\}//p' "$0"
  exit 2
  ;;
esac
