#!/usr/bin/env bash
# run.sh [readpref|portable...]: installs readpref into a scratch folder with make install, and uses what is there as a stranger would: plain cc,
# static archives, pkg-config, CMake, C++, cargo, a staged and a moved tree. One line per test, the counts at the end. What
# cannot run for want of a tool says NOT RUN, which with CI=true is a failure. ELF systems only.
# The arguments are the libraries to test; without any, libreadpref and, which has to be built (./build.sh portable), the
# portable one.
set -uo pipefail
cd "$(dirname "$0")/../../.." || exit 2
root=$PWD here=capi/ctest/install
OUT=${OUT:-build} CC=${CC:-cc} CXX=${CXX:-c++} MAKE=${MAKE:-make}
export OUT
unset PREFIX LIBDIR INCLUDEDIR DESTDIR WITH_PORTABLE WITH_GO MAKEFLAGS MAKELEVEL LD_LIBRARY_PATH PKG_CONFIG_PATH PKG_CONFIG_LIBDIR
version=$(cat VERSION)
major=$(sed -n 's/^#define RP_ABI_MAJOR //p' capi/readpref.h)
warnings=(-Wall -Wextra -Werror -pedantic)
scratch=$(cd "$(mktemp -d)" && pwd -P)
trap 'rm -rf "$scratch"' EXIT
usr=$scratch/usr

passed=0 failed=0 not_run=0
pass() { passed=$((passed + 1)) && printf 'ok   %s\n' "$1"; }
fail() {
  failed=$((failed + 1))
  printf 'FAIL %s\n' "$1"
  tail -n 40 "$scratch/log" | sed 's/^/     /'
}
# must NAME COMMAND...: a test that is one command
must() {
  local name=$1
  shift
  if "$@" >"$scratch/log" 2>&1; then pass "$name"; else fail "$name"; fi
}
# needs TOOL PACKAGE SUITE: whether the tool is there
needs() {
  command -v "${1%% *}" >/dev/null && return
  printf 'NOT RUN %s: needs %s\n' "$3" "$2"
  not_run=$((not_run + 1))
  return 1
}
# shellcheck source=routes.sh
. $here/routes.sh

libraries=("$@")
if [ $# -eq 0 ]; then
  libraries=(readpref)
  if [ -e "$OUT/libreadpref_portable.so" ]; then
    libraries+=(portable)
  else
    printf 'NOT RUN the portable library: needs ./build.sh portable\n'
    not_run=$((not_run + 1))
  fi
fi
has() { [[ " ${libraries[*]} " == *" $1 "* ]]; }
both() { has readpref && has portable; }
# What is not tested is not installed.
without=()
has readpref || without+=(WITH_GO=0)
has portable || without+=(WITH_PORTABLE=0)
file_of() { case $1 in readpref) echo libreadpref ;; portable) echo libreadpref_portable ;; esac }
package_of() { case $1 in readpref) echo readpref ;; portable) echo readpref-portable ;; esac }

# tree DIR: what is below it, with modes and where links go
tree() { (cd "$1" && find . -mindepth 1 \( -type l -printf '%P -> %l\n' -o -printf '%P %m\n' \) | LC_ALL=C sort); }
tree_is() { # tree_is DIR LIBRARY...
  local dir=$1 l f
  shift
  diff <({
    printf '%s\n' 'include 755' 'include/readpref.h 644' 'lib 755' 'lib/pkgconfig 755' 'lib/cmake 755' 'lib/cmake/readpref 755'
    printf 'lib/cmake/readpref/%s 644\n' readpref-config.cmake readpref-config-version.cmake
    for l in "$@"; do
      f=$(file_of "$l")
      printf 'lib/%s\n' "$f.a 644" "$f.so -> $f.so.$major" "$f.so.$major -> $f.so.$version" "$f.so.$version 755" "pkgconfig/$(package_of "$l").pc 644"
    done
  } | LC_ALL=C sort) <(tree "$dir")
}

# install_into ARGUMENTS...: what make install says goes to the log; umask is one that would hide files
install_into() { (umask 077 && $MAKE --no-print-directory install "${without[@]}" "$@"); }

# names_no_place DIR WORD...: no file below it holds any of these words
names_no_place() {
  local dir=$1 word
  shift
  for word in "$@"; do
    if grep -rlF -e "$word" "$dir"; then
      echo "these hold $word"
      return 1
    fi
  done
}

must "make install" install_into "PREFIX=$usr"
must "what is installed" tree_is "$usr" "${libraries[@]}"
must "nothing installed names the checkout" names_no_place "$usr" "$root"
if [ ! -e "$usr/include/readpref.h" ]; then
  echo "$passed passed, $failed failed"
  exit 1
fi
must "make install, again" install_into "PREFIX=$usr"
must "what is installed, again" tree_is "$usr" "${libraries[@]}"

# A package is made with DESTDIR: the same files, which know nothing of it. Folders may be where a distribution has them.
must "DESTDIR" install_into "PREFIX=$usr" "DESTDIR=$scratch/stage"
must "DESTDIR: the same tree" diff -r "$scratch/stage$usr" "$usr"
must "DESTDIR: the same links and modes" diff <(tree "$scratch/stage$usr") <(tree "$usr")
must "LIBDIR and INCLUDEDIR" install_into PREFIX=/usr LIBDIR=/usr/lib/triplet INCLUDEDIR=/opt/include "DESTDIR=$scratch/debian"
must "LIBDIR and INCLUDEDIR: the header" test -f "$scratch/debian/opt/include/readpref.h"
must "LIBDIR and INCLUDEDIR: nothing names DESTDIR" names_no_place "$scratch/debian" "$scratch"
if both; then
  must "WITH_PORTABLE=0" install_into WITH_PORTABLE=0 "PREFIX=$scratch/go"
  must "WITH_PORTABLE=0: what is installed" tree_is "$scratch/go" readpref
  must "WITH_GO=0" install_into WITH_GO=0 "PREFIX=$scratch/portable"
  must "WITH_GO=0: what is installed" tree_is "$scratch/portable" portable
fi
refuses() { ! install_into "$@" "DESTDIR=$scratch/refused" && [ ! -e "$scratch/refused" ]; }
must "a relative PREFIX is refused" refuses PREFIX=usr
must "a PREFIX that pkg-config and CMake cannot read is refused" refuses 'PREFIX=/a"b'
must "a PREFIX with a space is refused" refuses 'PREFIX=/a b'
must "nothing to install is refused" refuses WITH_GO=0 WITH_PORTABLE=0 PREFIX=/usr

# The header, from where it is now.
# shellcheck disable=SC2086 # CC and CXX may be several words
{
  for std in c99 c11; do
    must "readpref.h as $std" $CC -std=$std "${warnings[@]}" -fsyntax-only -x c "$usr/include/readpref.h"
  done
  if needs "$CXX" g++ "readpref.h as c++17"; then
    must "readpref.h as c++17" $CXX -std=c++17 "${warnings[@]}" -fsyntax-only -x c++ "$usr/include/readpref.h"
  fi
}

# finding DIR COMMAND...: with the loader looking there
finding() { LD_LIBRARY_PATH=$1 "${@:2}"; }
handles=examples/c/handles.c
c_flags=(-std=c99 -O1 "${warnings[@]}")
# asks_for PROGRAM SONAME: what the loader is asked for of readpref, "" for nothing
asks_for() { same "$(readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(libreadpref.*\)\].*/\1/p')" "$2"; }
has_versions() { same "$(nm -D "$1" | sed -n 's/.* U \(rp_.*\)/\1/p' | sed 's/.*@/@/' | sort -u)" "@RP_$major"; }
has_soname() { same "$(readelf -d "$1" | sed -n 's/.*(SONAME).*\[\(.*\)\].*/\1/p')" "$2"; }

# shellcheck disable=SC2086,SC2046 # CC may be several words, what pkg-config says is
for library in "${libraries[@]}"; do
  file=$(file_of "$library") package=$(package_of "$library")
  lib=$usr/lib program=$scratch/handles-$library
  static_needs=(-lpthread)
  [ "$library" = readpref ] || static_needs+=(-lm)
  link=-l${file#lib}

  must "$library: symbols" capi/ctest/check_symbols.sh "$lib/$file.so"
  if needs readelf binutils "$library: soname"; then must "$library: soname" has_soname "$lib/$file.so" "$file.so.$major"; fi

  must "$library, cc" $CC "${c_flags[@]}" -I"$usr/include" -o "$program" $handles -L"$lib" $link
  must "$library, cc: runs" finding "$lib" routes "$program"
  if needs readelf binutils "$library, cc: what it asks the loader for"; then
    must "$library, cc: what it asks the loader for" asks_for "$program" "$file.so.$major"
    must "$library, cc: which versions of symbols" has_versions "$program"
  fi
  must "$library, archive" $CC "${c_flags[@]}" -I"$usr/include" -o "$program-archive" $handles "$lib/$file.a" "${static_needs[@]}"
  must "$library, archive: runs" routes "$program-archive"
  if needs readelf binutils "$library, archive: alone"; then must "$library, archive: alone" asks_for "$program-archive" ""; fi

  if needs pkg-config pkg-config "$library, pkg-config"; then
    export PKG_CONFIG_PATH=$lib/pkgconfig
    must "$library, pkg-config: valid" pkg-config --validate "$package"
    must "$library, pkg-config: version" same "$(pkg-config --modversion "$package")" "$version"
    must "$library, pkg-config" $CC "${c_flags[@]}" -o "$program-pc" $handles $(pkg-config --cflags --libs "$package")
    must "$library, pkg-config: runs" finding "$lib" routes "$program-pc"
    must "$library, pkg-config --static" $CC "${c_flags[@]}" -static -o "$program-static" $handles $(pkg-config --static --cflags --libs "$package")
    must "$library, pkg-config --static: runs" routes "$program-static"
    unset PKG_CONFIG_PATH
    of_debian() { PKG_CONFIG_LIBDIR=$scratch/debian/usr/lib/triplet/pkgconfig pkg-config --variable="$1" "$package"; }
    must "$library, pkg-config: LIBDIR" same "$(of_debian libdir)" /usr/lib/triplet
    must "$library, pkg-config: INCLUDEDIR" same "$(of_debian includedir)" /opt/include
  fi
done

if needs cmake cmake "CMake"; then
  configure() { # configure PREFIX BUILD SOURCE [FLAGS...]
    CC=$CC CXX=$CXX cmake -S "$3" -B "$2" -DCMAKE_PREFIX_PATH="$1" "${@:4}"
  }
  c_project() { # c_project PREFIX BUILD
    configure "$1" "$2" $here/cmake -DVERSION="$version" -DHANDLES="$root/$handles" "-DCOMPONENTS=$(IFS=';' && echo "${libraries[*]}")" &&
      cmake --build "$2"
  }
  all_run() { # all_run BUILD: the libraries are found by the build tree's own rpath
    local l
    for l in "${libraries[@]}"; do routes "$1/handles_$l" && routes "$1/handles_${l}_static" || return 1; done
  }
  must "CMake" c_project "$usr" "$scratch/cmake"
  must "CMake: runs" all_run "$scratch/cmake"
  must "CMake, LIBDIR and INCLUDEDIR, staged" c_project "$scratch/debian/usr/lib/triplet/cmake" "$scratch/cmake-debian"
  must "CMake, LIBDIR and INCLUDEDIR, staged: runs" all_run "$scratch/cmake-debian"
  if both; then
    lacks() { ! configure "$1" "$scratch/cmake-lacks" $here/cmake -DVERSION="$version" -DHANDLES="$root/$handles" "-DCOMPONENTS=$2"; }
    must "CMake: a library that is not installed" lacks "$scratch/go" portable
  fi
fi

if needs "$CXX" g++ "C++"; then
  for library in "${libraries[@]}"; do
    # shellcheck disable=SC2086
    must "$library, C++" $CXX -std=c++17 -O1 "${warnings[@]}" -I"$usr/include" -o "$scratch/route" examples/cpp/route.cpp \
      -L"$usr/lib" "-l$(f=$(file_of "$library") && echo "${f#lib}")" -pthread
    must "$library, C++: runs" finding "$usr/lib" "$scratch/route"
  done
  if needs cmake cmake "C++, CMake"; then
    for library in "${libraries[@]}"; do
      cpp_project() { configure "$usr" "$scratch/cmake-cpp-$library" examples/cpp "-DREADPREF_TARGET=readpref::$library" && cmake --build "$scratch/cmake-cpp-$library"; }
      must "$library, C++, CMake" cpp_project
      must "$library, C++, CMake: runs" "$scratch/cmake-cpp-$library/route"
    done
  fi
fi

# sys_is_the_header: what examples/rust/src/sys.rs declares, written in C behind the header, is what the header declares
sys_is_the_header() {
  {
    echo '#include "readpref.h"'
    sed -n -E 's/^pub const (RP_[A-Z_]*): [a-z0-9]* = (-?[0-9]*);$/typedef char \1_is[(\1) == (\2) ? 1 : -1];/p' examples/rust/src/sys.rs
    sed -n -E '/^    pub fn /{
      s/([a-z_]+): \*const u8/const uint8_t *\1/g
      s/([a-z_]+): \*mut u8/uint8_t *\1/g
      s/([a-z_]+): u32/uint32_t \1/g
      s/([a-z_]+): usize/size_t \1/g
      s/\(\)/(void)/
      s/^    pub fn (.*) -> i32;$/int32_t \1;/
      s/^    pub fn (.*) -> u32;$/uint32_t \1;/
      p
    }' examples/rust/src/sys.rs
  } >"$scratch/sys.c"
  [ "$(grep -c '^u\?int32_t rp_' "$scratch/sys.c")" = "$(grep -c 'fn rp_' examples/rust/src/sys.rs)" ] || { echo "not every function was understood" && return 1; }
  [ "$(grep -c '^typedef' "$scratch/sys.c")" = "$(grep -c '^pub const' examples/rust/src/sys.rs)" ] || { echo "not every constant was understood" && return 1; }
  # shellcheck disable=SC2086
  $CC "${c_flags[@]}" -I"$usr/include" -fsyntax-only "$scratch/sys.c"
}
must "Rust: the declarations are the header's" sys_is_the_header
if needs cargo cargo Rust; then
  # shellcheck disable=SC2086 # the first argument is what cargo does, in words
  rust() { (cd examples/rust && env CARGO_TARGET_DIR="$scratch/cargo" "${@:2}" cargo $1 --offline --locked --quiet); }
  for library in "${libraries[@]}"; do
    name=$(f=$(file_of "$library") && echo "${f#lib}")
    if needs pkg-config pkg-config "$library, cargo, pkg-config"; then
      must "$library, cargo test, pkg-config" rust test "PKG_CONFIG_PATH=$usr/lib/pkgconfig" "READPREF_LIBRARY=$name"
      must "$library, cargo run, pkg-config" rust "run --example route" "PKG_CONFIG_PATH=$usr/lib/pkgconfig" "READPREF_LIBRARY=$name"
    fi
    must "$library, cargo run, READPREF_LIB_DIR" rust "run --example route" "READPREF_LIB_DIR=$usr/lib" "READPREF_LIBRARY=$name"
    must "$library, cargo run, archive" rust "run --example route" "READPREF_LIB_DIR=$usr/lib" "READPREF_LIBRARY=$name" READPREF_STATIC=1
  done
fi

# The tree is moved as a whole: the last test, since nothing is where it was installed any more.
mv "$usr" "$scratch/moved"
if needs cmake cmake "a moved tree, CMake"; then
  must "a moved tree, CMake" c_project "$scratch/moved" "$scratch/cmake-moved"
  must "a moved tree, CMake: runs" all_run "$scratch/cmake-moved"
fi
if needs pkg-config pkg-config "a moved tree, pkg-config"; then
  moved() { PKG_CONFIG_PATH=$scratch/moved/lib/pkgconfig pkg-config --define-prefix --cflags "$(package_of "${libraries[0]}")"; }
  must "a moved tree, pkg-config --define-prefix" same "$(moved | tr -d ' ')" "-I$scratch/moved/include"
fi

if [ "$not_run" -gt 0 ]; then echo "$not_run NOT RUN"; fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] || exit 1
[ "$not_run" -eq 0 ] || [ "${CI:-}" != true ] || exit 1
