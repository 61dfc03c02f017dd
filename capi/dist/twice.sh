#!/usr/bin/env bash
# twice.sh [TARGET...]: builds what is in build/dist once more, from nothing: the sources as git has them, in another folder, with empty
# caches. Every file has to come out the same.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD OUT=${OUT:-build}
# shellcheck source=targets.sh
. capi/dist/targets.sh
# shellcheck source=zig.sh
. capi/dist/zig.sh
again=$(mktemp -d)
trap 'chmod -R u+w "$again"; rm -rf "$again"' EXIT
git ls-files -z | xargs -0 cp --parents -t "$again"
mkdir "$again/.tools" # but the translator's program is the same
ln -s "$root"/.tools/wabt-* "$again/.tools"
mkdir "$again/go-build"
targets=$(chosen "$@")
# shellcheck disable=SC2086 # words
(cd "$again" && unset OUT ZIG_GLOBAL_CACHE_DIR ZIG_LOCAL_CACHE_DIR && GOCACHE=$again/go-build capi/dist/build.sh $targets)
rc=0
for target in $targets; do
  if diff -r "$OUT/dist/$target" "$again/build/dist/$target"; then
    record "$target" - identical passed "two builds"
  else
    record "$target" - identical failed "see above"
    rc=1
  fi
done
exit "$rc"
