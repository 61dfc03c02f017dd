#!/usr/bin/env bash
# run.sh fuzz|threads: the portable library's shim (capi/portable/runtime) under sanitizers, linked with the generated objects that
# ./build.sh portable left in build/portable/inside.a. Those are not instrumented: they check every access to their memory themselves.
#   fuzz     libFuzzer with ASan and UBSan over all functions, for FUZZTIME seconds (60); the corpus stays in build/sanitize/corpus
#   threads  TSan: the tests of threads in capi/ctest, with 16 threads
# Each adds what it did to docs/testing/sanitizers.json. It needs clang and its runtimes (Debian: clang libclang-rt-14-dev).
set -euo pipefail
cd "$(dirname "$0")/../../.."
OUT=$PWD/build/sanitize
here=capi/portable/sanitize
what=${1:?fuzz or threads}
command -v clang >/dev/null || { echo "NOT RUN sanitizers: needs clang"; [ "${CI:-}" != true ]; exit; }
[ -e build/portable/inside.a ] || { echo "run.sh: ./build.sh portable comes first" >&2; exit 1; }
generated=$OUT/generated
rm -rf "$generated"
mkdir -p "$generated" "$OUT/corpus"
(cd "$generated" && ar x ../../portable/inside.a $(ar t ../../portable/inside.a | grep '^readpref_module'))

# link NAME SANITIZERS SOURCES...: the shim and a program under the same sanitizers
link() {
  local name=$1 sanitizers=$2
  shift 2
  clang -std=gnu11 -O1 -g -fno-omit-frame-pointer "-fsanitize=$sanitizers" -fno-sanitize-recover=all -DRP_STATIC -Icapi -Icapi/ctest -Icapi/portable/runtime \
    -Ibuild/portable -o "$OUT/$name" "$@" capi/portable/runtime/*.c "$generated"/*.o -pthread -lm
}

# note KEY VALUES...: adds to docs/testing/sanitizers.json
note() { "${PYTHON:-python3}" $here/note.py "$@"; }

case $what in
fuzz)
  link fuzz_calls fuzzer,address,undefined $here/fuzz_calls.c
  ${PYTHON:-python3} $here/seeds.py "$OUT/corpus"
  seconds=${FUZZTIME:-60}
  seconds=${seconds%s}
  "$OUT/fuzz_calls" -max_total_time="$seconds" -max_len=4096 -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 "$OUT/corpus" 2>&1 | tee "$OUT/fuzz.log" | tail -12
  grep -q 'stat::number_of_executed_units' "$OUT/fuzz.log"
  note fuzz "$(sed -n 's/^stat::number_of_executed_units: *//p' "$OUT/fuzz.log")" "$seconds" "$(find "$OUT/corpus" -type f | wc -l)"
  ;;
threads)
  for t in test_handles_threads test_threads; do
    link "$t" thread capi/ctest/$t.c
    echo "== $t"
    TSAN_OPTIONS=halt_on_error=1 "$OUT/$t" ${ROUNDS:-300} | tail -12
    note threads "$t" "${ROUNDS:-300}"
  done
  ;;
*) echo "usage: run.sh fuzz|threads" >&2; exit 2 ;;
esac
