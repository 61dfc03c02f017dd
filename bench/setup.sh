#!/usr/bin/env bash
# setup.sh: brings what the peers need into build/bench, pinned, and compiles what is compiled. A peer whose tools are not
# here, or that does not build, is left out with its reason in build/bench/not-run, one line "name<TAB>reason".
# Nothing is written into the source tree, and nothing is fetched again that is there. What is measured of readpref is copied from
# $LIBS (build), so that a build in the meantime does not change it.
set -euo pipefail
cd "$(dirname "$0")/.."
OUT=$PWD/build/bench
GO=${GO:-go}
CC=${CC:-cc}
PYTHON=${PYTHON:-python3}
NPM=${NPM:-npm}
LIBS=${LIBS:-build}
export READPREF_LIB=${READPREF_LIB:-$PWD/build/bench/lib/libreadpref_portable.a} # the package packs it
rust_driver=3.9.1
mkdir -p "$OUT"
: >"$OUT/not-run"

missing() { # missing NAME REASON
  printf '%s\t%s\n' "$1" "$2" >>"$OUT/not-run"
  echo "bench: without $1: $2"
}

# fresh STAMP FILES...: whether what was made from these files is still what they would make
fresh() {
  local stamp=$1
  shift
  cat "$@" | cmp -s - "$stamp"
}

# refresh FROM TO: copies what differs, since cargo builds again what is newer
refresh() { cmp -s "$1" "$2" || cp "$1" "$2"; }

# attempt NAME FUNCTION: a peer that fails is left out
attempt() {
  echo "bench: $1"
  if ! ("$2") >"$OUT/$1.log" 2>&1; then
    tail -3 "$OUT/$1.log"
    missing "$1" "${3:-it did not build here}"
  fi
}

runners() {
  rm -rf "$OUT/lib"
  mkdir -p "$OUT/lib"
  local f
  for f in "$LIBS"/libreadpref*.so* "$LIBS"/libreadpref*.a "$LIBS/readpref.wasm"; do
    if [ -e "$f" ]; then cp -P "$f" "$OUT/lib/"; fi
  done
  (cd bench && "$GO" build -o "$OUT/bench" . && "$GO" build -o "$OUT/readpref-go" ./readpref/go && "$GO" build -o "$OUT/readpref-wazero" ./readpref/wazero)
  local warn=(-std=c99 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -pedantic)
  (cd bench && CGO_ENABLED=1 "$GO" build -buildmode=c-shared -trimpath -o "$OUT/libbare.so" ./readpref/cgo)
  # shellcheck disable=SC2086 # CC may be several words
  $CC "${warn[@]}" -o "$OUT/bare-cgo" bench/readpref/cgo/caller.c -L"$OUT" -lbare -Wl,-rpath,'$ORIGIN'
  # shellcheck disable=SC2086
  $CC "${warn[@]}" -Icapi -o "$OUT/readpref-c" bench/readpref/c/runner.c -L"$OUT/lib" -lreadpref -pthread -Wl,-rpath,'$ORIGIN/lib'
  if [ -e "$OUT/lib/libreadpref_portable.so" ]; then
    # shellcheck disable=SC2086
    2>"$OUT/portable.log" $CC "${warn[@]}" -Icapi -o "$OUT/readpref-portable" bench/readpref/c/runner.c -L"$OUT/lib" -lreadpref_portable -pthread -Wl,-rpath,'$ORIGIN/lib' ||
      missing portable "libreadpref_portable.so does not have the functions that are measured"
  else
    missing portable "libreadpref_portable.so is not built (./build.sh portable)"
  fi
}

step_go_driver() (cd bench/peers/go && "$GO" build -o "$OUT/peer-go" .)

step_python() {
  local venv=$OUT/venv
  [ -x "$venv/bin/python" ] || "$PYTHON" -m venv "$venv"
  if ! fresh "$venv/stamp" bench/peers/python/requirements.txt; then
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check -r bench/peers/python/requirements.txt
    cp bench/peers/python/requirements.txt "$venv/stamp"
  fi
  # The package as it is now, from a copy: its build leaves files beside the source.
  local source=$OUT/python-source
  rm -rf "$source"
  mkdir -p "$source/capi"
  mkdir -p "$source/bindings" # and no Go: packages below the module would become its own
  cp -R bindings/python "$source/bindings/"
  cp capi/readpref.h "$source/capi/"
  cp -R VERSION LICENSE build.sh "$source/"
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --force-reinstall "$source/bindings/python"
}

step_node() {
  local to=$OUT/node
  mkdir -p "$to"
  if ! fresh "$to/stamp" bench/peers/node/package.json; then
    cp bench/peers/node/package.json "$to/package.json"
    # shellcheck disable=SC2086 # NPM may be several words
    (cd "$to" && $NPM install --no-audit --no-fund --loglevel=error)
    cp bench/peers/node/package.json "$to/stamp"
  fi
  mkdir -p "$to/readpref/dist"
  cp -R bindings/node/package.json bindings/node/src "$to/readpref/"
  cp "$OUT/lib/readpref.wasm" "$to/readpref/dist/"
  cp bench/readpref/node/runner.mjs "$to/readpref-node.mjs"
  cp bench/peers/node/runner.mjs "$to/peer-node.mjs"
  cp bench/lines.mjs "$to/lines.mjs"
}

step_java() {
  local to=$OUT/java
  mkdir -p "$to/classes"
  if ! fresh "$to/stamp" bench/peers/java/pom.xml; then
    cp bench/peers/java/pom.xml "$to/pom.xml"
    (cd "$to" && mvn -q -B org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies -DoutputDirectory="$to/lib")
    cp bench/peers/java/pom.xml "$to/stamp"
  fi
  javac -nowarn -d "$to/classes" -cp "$to/lib/*" bench/peers/java/Runner.java
}

step_rust() {
  local to=$OUT/rust version=$rust_driver
  mkdir -p "$to"
  if [ ! -d "$to/driver/src" ]; then
    # cargo fetches the crate for a package that asks for it and nothing else; its source then gets the door.
    mkdir -p "$to/fetch/src"
    printf '[package]\nname = "fetch"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\nmongodb = "=%s"\n[workspace]\n' $version >"$to/fetch/Cargo.toml"
    echo 'fn main() {}' >"$to/fetch/src/main.rs"
    (cd "$to/fetch" && cargo fetch)
    cp -R "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*/mongodb-$version "$to/driver.half"
    printf '\npub mod readpref_bench;\n' >>"$to/driver.half/src/sdam.rs"
    printf '\npub use sdam::readpref_bench;\n' >>"$to/driver.half/src/lib.rs"
    mv "$to/driver.half" "$to/driver"
  fi
  mkdir -p "$to/src"
  refresh bench/peers/rust/door.rs "$to/driver/src/sdam/readpref_bench.rs"
  refresh bench/peers/rust/Cargo.toml "$to/Cargo.toml"
  refresh bench/peers/rust/Cargo.lock "$to/Cargo.lock"
  refresh bench/peers/rust/src/main.rs "$to/src/main.rs"
  (cd "$to" && cargo build --release --locked)
}

# versions: of what is compared, one line "name<TAB>version"
versions() {
  printf 'Go\t%s\n' "$("$GO" env GOVERSION | sed 's/^go//')"
  # shellcheck disable=SC2086
  printf 'C compiler\t%s\n' "$($CC --version | head -1)"
  printf 'Go driver\t%s\n' "$(sed -n 's/.*mongo-driver\/v2 v//p' bench/peers/go/go.mod | head -1)"
  [ -x "$OUT/venv/bin/python" ] && "$OUT/venv/bin/python" -c 'import platform, pymongo; print(f"Python\t{platform.python_version()}\nPyMongo\t{pymongo.version}")'
  "${NODE:-node}" -p '"Node.js\t" + process.versions.node'
  printf 'Node.js driver\t%s\n' "$(sed -n 's/.*"mongodb": "\(.*\)".*/\1/p' bench/peers/node/package.json)"
  if command -v java >/dev/null; then
    printf 'Java\t%s\n' "$(java -version 2>&1 | sed -n '1s/.*"\(.*\)".*/\1/p')"
    printf 'Java driver\t%s\n' "$(sed -n 's/.*<version>\(..*\)<.*/\1/p' bench/peers/java/pom.xml | tail -1)"
  fi
  if command -v cargo >/dev/null; then
    printf 'Rust\t%s\n' "$(cargo --version | cut -d' ' -f2)"
    printf 'Rust driver\t%s\n' "$rust_driver"
  fi
  printf 'wazero\t%s\n' "$(sed -n 's/.*tetratelabs\/wazero v//p' bench/go.mod)"
}

needs() { # needs NAME COMMAND...: leaves a peer out whose tools are not here
  local name=$1 tool
  shift
  for tool in "$@"; do
    command -v "$tool" >/dev/null || { missing "$name" "needs $tool"; return 1; }
  done
}

if [ $# -gt 0 ]; then # one step alone, as in setup.sh step_rust
  "$1"
  exit
fi
runners
attempt peer-go step_go_driver
attempt python step_python
attempt node step_node
if needs peer-java java javac mvn; then attempt peer-java step_java; fi
if needs peer-rust cargo; then attempt peer-rust step_rust; fi
versions >"$OUT/versions"
