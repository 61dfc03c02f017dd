#!/usr/bin/env bash
# run.sh [readpref|readpref_portable]: builds this C library (the one with the Go runtime inside by default) and everything
# that tests it, runs all natively and under valgrind, prints one line per test and the counts at the end. The compiler is
# $CC (cc), the C++ compiler $CXX (c++), artifacts go to $OUT (build). What cannot run for want of a tool says NOT RUN, which
# with CI=true is a failure.
# A library for another machine (capi/dist/test.sh) is there already: PREBUILT=1. $SYSTEM (elf, macos, windows) is its system, $RUN what runs
# its programs, an emulator with its arguments, or "none": then they are compiled and linked, and that is all. FOREIGN=1 says that neither valgrind nor this machine's Python can load it.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 2
export OUT=${OUT:-build}
CC=${CC:-cc}
CXX=${CXX:-c++}
library_name=${1:-readpref}
here=capi/ctest
portable=capi/portable/ctest
case $library_name in
readpref) bin=$OUT/ctest ;;
readpref_portable) bin=$OUT/ctest-portable ;;
*) echo "usage: run.sh [readpref|readpref_portable]" >&2 && exit 2 ;;
esac
is_portable() { [ "$library_name" = readpref_portable ]; }
# The library is found beside the program's folder, wherever that is.
warnings=(-Wall -Wextra -Werror -pedantic)
case ${SYSTEM:-$(uname -s)} in
Darwin | macos) SYSTEM=macos library=$OUT/lib$library_name.dylib exe='' ;;
MINGW* | MSYS* | CYGWIN* | windows) SYSTEM=windows library=$OUT/$library_name.dll exe=.exe ;;
*) SYSTEM=elf library=$OUT/lib$library_name.so exe='' ;;
esac
RUN=${RUN:-}
FOREIGN=${FOREIGN:-0}
[ -z "$RUN" ] || FOREIGN=1
emulated=() # what qemu cannot do is left out
case $SYSTEM:$RUN in elf:?*) emulated=(emulated) ;; esac
runs() { [ "$RUN" != none ]; }
# shellcheck disable=SC2086 # RUN is words
run() { # run PROGRAM ARGUMENTS...: a program of $bin
  $RUN "$bin/$1$exe" "${@:2}"
}
# valgrind takes Go's stacks for C's. Two of the runtime's habits would make it report memory that is fine: the collector
# reuses dead stacks for objects, and preemption by signal saves registers below the stack pointer. Neither is tested
# here, so both are off; the native runs have them, and once more with the collector always at work.
# The portable library has no such habits, and gets no indulgence.
memcheck=(env GODEBUG=asyncpreemptoff=1 GOGC=off valgrind --leak-check=full --errors-for-leak-kinds=definite "--suppressions=$here/valgrind.supp" --error-exitcode=99)
! is_portable || memcheck=(valgrind --leak-check=full --errors-for-leak-kinds=definite,possible --error-exitcode=99)

passed=0 failed=0 not_run=0
mkdir -p "$bin"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

pass() { passed=$((passed + 1)) && printf 'ok   %s\n' "$1"; }
# fail NAME [FILE]: FILE says why
fail() {
  failed=$((failed + 1))
  printf 'FAIL %s\n' "$1"
  if [ -n "${2:-}" ]; then tail -n 60 "$2" | sed 's/^/     /'; fi
}
not_run() {
  printf 'NOT RUN %s: needs %s\n' "$1" "$2"
  not_run=$((not_run + 1))
}

# must NAME COMMAND...: a test that is one command
must() {
  local name=$1
  shift
  if "$@" >"$scratch/log" 2>&1; then pass "$name"; else fail "$name" "$scratch/log"; fi
}

# compile PROGRAM [FLAGS...]: a program of this folder, against the shared library
compile() {
  local name=$1
  shift
  # shellcheck disable=SC2086 # CC may be several words
  must "compile $name" $CC -std=c99 -O1 -g "${warnings[@]}" -Icapi -o "$bin/$name$exe" "$here/$name.c" "$@"
}
case $SYSTEM in
elf) shared=("-L$OUT" "-l$library_name" '-Wl,-rpath,$ORIGIN/..' -pthread) ;;
macos) shared=("-L$OUT" "-l$library_name" -Wl,-rpath,@loader_path/.. -pthread) ;;
windows)
  shared=("$OUT/lib$library_name.dll.a" -pthread)
  cp "$library" "$bin" # where its programs look for it
  ;;
esac

# suite LABEL COMMAND...: a test program; its lines "ok NAME" and "FAIL NAME" are tests of ours
suite() {
  local label=$1 verdict name rc=0 ok=0 bad=0
  shift
  rm -f "$scratch/memcheck"
  "$@" >"$scratch/out" 2>"$scratch/err" || rc=$?
  [ ! -f "$scratch/memcheck" ] || cat "$scratch/memcheck" >>"$scratch/err"
  while read -r verdict name; do
    case $verdict in
    ok) ok=$((ok + 1)) && pass "$label: $name" ;;
    FAIL) bad=$((bad + 1)) && fail "$label: $name" ;;
    esac
  done <"$scratch/out"
  if [ "$bad" -gt 0 ]; then
    tail -n 60 "$scratch/err" | sed 's/^/     /'
  elif [ "$rc" -eq 99 ]; then
    fail "$label: memory errors" "$scratch/err"
  elif [ "$rc" -ne 0 ]; then
    fail "$label: ended with status $rc" "$scratch/err"
  elif [ "$ok" -eq 0 ]; then
    fail "$label: ran no test" "$scratch/err"
  fi
}

# seeded FAULT WORDS...: valgrind must find this fault, and say these words about it
seeded() {
  local fault=$1 name="valgrind finds a seeded $1" rc=0 words
  shift
  "${memcheck[@]}" "$bin/seeded" "$fault" >"$scratch/log" 2>&1 || rc=$?
  if [ "$rc" -ne 99 ]; then
    fail "$name: status $rc" "$scratch/log"
    return
  fi
  for words in "$@"; do
    if ! grep -q -- "$words" "$scratch/log"; then
      fail "$name: no \"$words\"" "$scratch/log"
      return
    fi
  done
  pass "$name"
}

# every_code_is_tested: the header's status codes are all in test_abi.c, tested or with the reason why not
every_code_is_tested() {
  local code missing=0
  for code in $(sed -n 's/^#define \(RP_E_[A-Z0-9_]*\) .*/\1/p' capi/readpref.h); do
    if ! grep -qw "$code" "$here/test_abi.c"; then
      echo "test_abi.c does not mention $code"
      missing=1
    fi
  done
  return "$missing"
}

# testee_lines: a line with every kind of escape, base64, the probes that have a verdict, and a line of 20 MiB
testee_lines() {
  local lines=$scratch/lines got=$scratch/got
  {
    printf '%s\n' '{"id":1,"method":"build_info","in":""}'
    printf '%s\n' '{"id": "\u00e9\"", "method": "build_\u0069nfo", "in": "\u007b}", "via": "raw"}'
    printf '%s\n' '{"method":"build_info","in_b64":"e30=","id":-1.5e3}'
    printf '%s\n' '{"id":4,"probe":"shortOut"}' '{"id":5,"probe":"askLength"}' '{"id":6,"probe":"nullOut"}'
    printf '{"id":7,"method":"select","in":"%s"}\n' "$(head -c 20971520 /dev/zero | tr '\0' ' ')"
    printf '%s' '{"id":8,"method":"select","in":"\ud83d\ude00\u0000"}' # the last line needs no newline
  } >"$lines"
  run testee <"$lines" >"$got" || return 1
  local want=(
    '{"id":1,"status":0,"out":"{\"name\":\"readpref\",'
    '{"id":"\u00e9\"","status":0,"out":"{\"name\":\"readpref\",'
    '{"id":-1.5e3,"status":0,"out":"{\"name\":\"readpref\",'
    '{"id":4,"status":0,"out":"ok"}'
    '{"id":5,"status":0,"out":"ok"}'
    '{"id":6,"status":0,"out":"ok"}'
    '{"id":7,"status":-14,"out":"{\"error\":{\"code\":\"documentTooLarge\",\"status\":-14,'
    '{"id":8,"status":-10,"out":"{\"error\":{\"code\":\"invalidJSON\",\"status\":-10,'
  )
  local i=0 line
  while IFS= read -r line; do
    if [ "$i" -ge "${#want[@]}" ] || [ "${line:0:${#want[i]}}" != "${want[i]}" ]; then
      printf 'line %s\n got %s\nwant %s\n' "$((i + 1))" "${line:0:300}" "${want[i]:-nothing}"
      return 1
    fi
    i=$((i + 1))
  done <"$got"
  [ "$i" -eq "${#want[@]}" ] || { echo "$i lines, want ${#want[@]}" && return 1; }
}

# testee_refuses: what is not of the protocol ends it with status 2 and no answer
testee_refuses() {
  local line rc
  for line in '' '[]' '{}' '{"id":1}' '{"id":1,"method":"methods"' '{"id":1,"method":"methods"} x' '{"id":true,"method":"methods"}' \
    '{"id":01,"method":"methods"}' '{"id":1,"method":"methods","probe":"askLength"}' '{"id":1,"probe":"x"}' '{"id":1,"method":"methods","IN":""}' \
    '{"id":1,"method":"methods","in":"","in_b64":""}' '{"id":1,"method":"methods","in":null}' '{"id":1,"id":1,"method":"methods"}' \
    '{"id":1,"method":"methods","in":"\ud800"}' '{"id":1,"method":"methods","in_b64":"e30"}' '{"id":1,"method":"select","via":"typed","in":"{}"}'; do
    rc=0
    printf '%s\n' "$line" | run testee >"$scratch/got" 2>"$scratch/why" || rc=$?
    if [ "$rc" -ne 2 ] || [ -s "$scratch/got" ] || [ ! -s "$scratch/why" ]; then
      printf 'status %s for %s\n' "$rc" "$line"
      return 1
    fi
  done
}

# example: examples/c/select.c prints an answer, and an error document with status 1
example() {
  local request='{"topology":{"servers":[{"address":"a:27017","type":"Standalone"}]}}'
  local want='{"server":{"index":0,"address":"a:27017","type":"Standalone"},"candidates":["a:27017"],"fresh":["a:27017"],"suitable":["a:27017"],"inLatencyWindow":["a:27017"]}'
  local got rc=0
  printf '%s' "$request" >"$scratch/request.json"
  got=$(run select "$scratch/request.json" | tr -d '\r') || return 1
  [ "$got" = "$want" ] || { printf ' got %s\nwant %s\n' "$got" "$want" && return 1; }
  got=$(run select "$scratch/request.json" selekt) || rc=$?
  case "$rc $got" in
  '1 {"error":{"code":"unknownMethod",'*) ;;
  *) printf 'status %s, %s\n' "$rc" "$got" && return 1 ;;
  esac
}

# The libraries, and what they show of themselves.
if [ "${PREBUILT:-0}" != 0 ]; then
  must "libraries" ls -l "$library" "$OUT/lib$library_name.a"
elif is_portable; then
  must "build libreadpref_portable" ./build.sh portable
else
  must "build libreadpref.so" ./build.sh so
  must "build libreadpref.a" ./build.sh a
fi
must "exported symbols" "$here/check_symbols.sh" "$library"

# The header alone, in every language it promises.
for suffix in c cc; do echo '#include "readpref.h"' >"$scratch/header.$suffix"; done
# shellcheck disable=SC2086 # CC and CXX may be several words
{
  must "readpref.h as C99" $CC -std=c99 "${warnings[@]}" -Icapi -c -o "$scratch/header.o" "$scratch/header.c"
  must "readpref.h as C11" $CC -std=c11 "${warnings[@]}" -Icapi -c -o "$scratch/header.o" "$scratch/header.c"
  if command -v ${CXX%% *} >/dev/null; then
    must "readpref.h as C++17" $CXX -std=c++17 "${warnings[@]}" -Icapi -c -o "$scratch/header.o" "$scratch/header.cc"
  else
    not_run "readpref.h as C++17" "g++"
  fi
}
must "every status code is tested" every_code_is_tested

# The programs, on the shared library; test_abi and test_handles also on the static one.
compile test_abi "${shared[@]}"
compile test_threads "${shared[@]}"
compile test_handles "${shared[@]}"
compile test_discovery "${shared[@]}"
compile test_handles_threads "${shared[@]}"
compile test_handles_many "${shared[@]}"
compile test_json_line
is_portable || [ $SYSTEM = windows ] || compile test_shim "-I$here/fake_cgo" # which forks
compile seeded "${shared[@]}"
compile testee "${shared[@]}"
# shellcheck disable=SC2086
{
  for name in test_abi test_handles test_discovery; do
    must "compile $name, static" $CC -std=c99 -O1 -g "${warnings[@]}" -Icapi -DRP_STATIC -o "$bin/${name}_static$exe" "$here/$name.c" "$OUT/lib$library_name.a" -pthread
  done
  must "compile examples/c/select.c" $CC -std=c99 -O1 -g "${warnings[@]}" -Icapi -o "$bin/select$exe" examples/c/select.c "${shared[@]}"
}

programs=(test_json_line test_abi test_abi_static test_threads test_handles test_handles_static test_discovery test_discovery_static test_handles_threads test_handles_many)
is_portable || [ $SYSTEM = windows ] || programs+=(test_shim)
runs || programs=()
for program in "${programs[@]}"; do
  arguments=()
  [ "$program" != test_handles_many ] || arguments=("${emulated[@]}")
  suite "$program" run "$program" "${arguments[@]}"
done
always_collecting() { (export GOGC=1 && run "$1"); }
if ! is_portable && runs; then # which asks its host's environment nothing
  for program in test_abi test_threads test_handles test_discovery test_handles_threads; do
    suite "$program, always collecting" always_collecting "$program"
  done
fi

# What only the portable library promises: forks, traps, and a process that stays the host's.
compile_portable() { # compile_portable PROGRAM [FLAGS...]
  local name=$1
  shift
  # shellcheck disable=SC2086
  must "compile $name" $CC -std=c11 -O1 -g "${warnings[@]}" -Icapi "-I$here" -o "$bin/$name$exe" "$portable/$name.c" "$@"
}
if is_portable; then
  [ $SYSTEM = macos ] || must "no state beside the instances" "$portable/check_globals.sh" "$OUT/portable/inside.a" # whose sections have other names
  compile_portable test_trap -DRP_STATIC -Icapi/portable/runtime "-I$OUT/portable" "$OUT/portable/inside.a" -pthread -lm
  ! runs || suite test_trap run test_trap "${emulated[@]}"
  if [ $SYSTEM != windows ]; then # which has no fork
    compile_portable test_fork "${shared[@]}"
    compile_portable test_fork_handles "${shared[@]}"
  fi
  [ $SYSTEM != elf ] || compile_portable test_host -ldl -pthread # which reads /proc
  if [ $SYSTEM = elf ] && runs; then
    suite test_fork run test_fork "${emulated[@]}"
    [ ${#emulated[@]} -gt 0 ] || suite test_fork_handles run test_fork_handles # many topologies, for each of which qemu takes memory
    suite test_host run test_host "$PWD/$library" "${emulated[@]}"
    [ "$FOREIGN" != 0 ] || suite test_multiprocessing "${PYTHON:-python3}" "$portable/test_multiprocessing.py" "$PWD/$library"
  fi
fi
if runs; then
  must "testee: lines" testee_lines
  must "testee: refusals" testee_refuses
  must "examples/c/select.c" example
fi

if [ "$FOREIGN" != 0 ]; then
  :
elif command -v valgrind >/dev/null; then
  for program in test_json_line test_abi test_threads test_handles test_discovery; do
    suite "valgrind $program" "${memcheck[@]}" "--log-file=$scratch/memcheck" "$bin/$program"
  done
  suite "valgrind test_handles_threads" "${memcheck[@]}" "--log-file=$scratch/memcheck" "$bin/test_handles_threads" 100 # rounds
  must "valgrind finds nothing where nothing is seeded" "${memcheck[@]}" "$bin/seeded" none
  seeded leak "definitely lost" "seeded.c"
  # Where a copy reads two bytes at once, the first of them is the block's last.
  after="0 bytes after a block"
  ! is_portable || after="inside a block of size"
  seeded overread "Invalid read" "$after" "seeded.c"
  seeded overwrite "Invalid write" "a block of size" "seeded.c"
else
  not_run "ctest under valgrind" "valgrind"
fi

if [ "$not_run" -gt 0 ]; then echo "$not_run NOT RUN"; fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] || exit 1
[ "$not_run" -eq 0 ] || [ "${CI:-}" != true ] || exit 1
