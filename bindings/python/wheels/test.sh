#!/usr/bin/env bash
# test.sh [TARGET...]: what build.sh made, as far as this machine can. Each wheel is checked: its size, the bytes of a second build, auditwheel's
# and abi3audit's word. Those for this machine are installed into a clean environment with every CPython that is here ($PYTHONS, or all on
# PATH and of pyenv), and the package's tests are run there. Those for other machines are loaded where an emulator is:
#   aarch64-linux-gnu   by Debian's Python for it, under qemu-aarch64
#   *-linux-musl        by a program for musl in which stand-ins have the names of Python's functions; it calls PyInit__engine
# Results are lines of build/wheels-work/results.tsv; table.py writes docs/python-wheels.md from them when all targets were tested.
#   apt install qemu-user libc6-arm64-cross musl; dpkg --add-architecture arm64 && apt update && apt install musl:arm64
set -uo pipefail
cd "$(dirname "$0")/../../.." || exit 2
OUT=${OUT:-build} PYTHON=${PYTHON:-python3}
here=bindings/python/wheels
dist=${DIST:-$OUT/dist}
# shellcheck source=targets.sh
. $here/targets.sh
# shellcheck source=../../../capi/dist/zig.sh
. capi/dist/zig.sh || exit 2
results=$PWD/$work/results.tsv # record writes there
root=$PWD
failed=0
most=4000000 # bytes of a wheel

verdict() { # verdict TARGET WHAT STATUS DETAIL
  record "$1" wheel "$2" "$3" "$4"
  [ "$3" != failed ] || failed=1
}

# pythons: every CPython from 3.9 on, each version once
pythons() {
  local p version seen=' '
  for p in ${PYTHONS:-$(compgen -c python3. | grep -E '^python3\.[0-9]+$' | sort -uV) "$HOME"/.pyenv/versions/3.*/bin/python}; do
    # Free-threaded ones have another ABI.
    version=$("$p" -c 'import sys, sysconfig
if sys.implementation.name == "cpython" and sys.version_info >= (3, 9) and not sysconfig.get_config_var("Py_GIL_DISABLED"):
    print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || continue
    [ -n "$version" ] && [[ $seen != *" $version "* ]] || continue
    seen+="$version "
    echo "$version $p"
  done | sort -V
}

# audit TARGET: what the tools of PyPA and of Trail of Bits say of it
audit() {
  local file tag said loader
  file=$(wheel_of "$1") tag=$(wheel_field "$1" tag)
  [ "$(wheel_field "$1" engine)" = extension ] || return 0
  [ -x "$work/audit/bin/auditwheel" ] || { python3 -m venv "$work/audit" && "$work/audit/bin/pip" install -q --disable-pip-version-check -r $here/requirements.txt; } || exit 2
  if said=$("$work/audit/bin/abi3audit" --strict "$file" 2>&1); then verdict "$1" abi3audit passed "no violation"; else verdict "$1" abi3audit failed "$said"; fi
  local paths=()
  if [[ $1 == *-musl ]]; then
    # It asks for Alpine's C library, which a machine with glibc does not have by that name.
    loader=/lib/ld-musl-${1%%-*}.so.1
    [ -e "$loader" ] || { verdict "$1" auditwheel "not run" "needs $loader" && return 0; }
    mkdir -p "$work/$1/lib"
    ln -sf "$loader" "$work/$1/lib/libc.musl-${1%%-*}.so.1"
    paths=(--ldpaths "$work/$1/lib")
  fi
  said=$("$work/audit/bin/auditwheel" show "${paths[@]}" "$file" 2>&1 | tr '\n' ' ')
  if [[ $said == *"is consistent with the following platform tag: \"$tag\""* ]]; then verdict "$1" auditwheel passed "$tag"; else verdict "$1" auditwheel failed "$said"; fi
}

size_and_bytes() { # size_and_bytes TARGET
  local file bytes again
  file=$(wheel_of "$1")
  bytes=$(wc -c <"$file")
  if [ "$bytes" -le $most ]; then verdict "$1" size passed "$bytes"; else verdict "$1" size failed "$bytes"; fi
  again=$work/again
  rm -rf "$again"
  if DIST=$dist OUT=$again $here/build.sh "$1" >"$work/$1/again.log" 2>&1 && cmp "$file" "$again/wheels/$(basename "$file")"; then
    verdict "$1" identical passed yes
  else
    verdict "$1" identical failed "see $work/$1/again.log"
  fi
}

# here TARGET: install and test with every CPython
test_here() {
  local version python venv log good=() bad=()
  while read -r version python; do
    venv=$work/venv-$version log=$work/$1/python$version.log
    rm -rf "$venv"
    # The tests of builds are for checkouts; those of PyMongo and of servers want packages that not every version has.
    if "$python" -m venv "$venv" &&
      "$venv/bin/pip" install -q --disable-pip-version-check "$(wheel_of "$1")[test]" >"$log" 2>&1 &&
      [ "$("$venv/bin/readpref" writable --document '{"topology": {"servers": []}}' 2>>"$log")" = '{"writable":false}' ] &&
      (cd bindings/python && env -u PYTHONPATH "$root/$venv/bin/python" -m pytest -q -p no:cacheprovider --engine=extension \
        --ignore=tests/test_install.py --ignore=tests/test_build_hook.py --ignore=tests/test_prefork.py --ignore-glob='*pymongo*' --ignore-glob='*doctor*') >>"$log" 2>&1; then
      good+=("$version: $(grep -oE '[0-9]+ passed' "$log" | tail -1 | cut -d' ' -f1)")
    else
      bad+=("$version: see $log")
    fi
    rm -rf "$venv"
  done < <(pythons)
  if [ ${#bad[@]} = 0 ] && [ ${#good[@]} != 0 ]; then
    verdict "$1" run passed "its tests pass in CPython $(IFS=,; echo "${good[*]}" | sed 's/,/, /g; s/: \([0-9]*\)/ (\1)/g')"
  else
    verdict "$1" run failed "${bad[*]:-no CPython}"
  fi
}

# foreign_python: Debian's own Python for aarch64, unpacked into a folder and not installed
foreign_python() {
  local folder=$PWD/$work/arm64 package
  [ -x "$folder/usr/bin/python3.11" ] || {
    mkdir -p "$folder/deb"
    (cd "$folder/deb" && for package in python3.11-minimal libpython3.11-minimal libpython3.11-stdlib libc6 zlib1g libexpat1 libffi8; do
      apt-get download -qq "$package:arm64" || exit 1
    done) >"$work/arm64.log" 2>&1 && for package in "$folder"/deb/*.deb; do dpkg-deb -x "$package" "$folder"; done
  } || return 1
  echo "$folder"
}

test_aarch64() { # test_aarch64 TARGET
  local folder to=$work/$1/site said
  command -v qemu-aarch64 >/dev/null && folder=$(foreign_python) || { verdict "$1" run "not run" "built, not run: needs qemu-user, and arm64 packages of Debian" && return; }
  rm -rf "$to"
  $PYTHON -m zipfile -e "$(wheel_of "$1")" "$to"
  if said=$(PYTHONPATH=$PWD/$to PYTHONHOME=$folder/usr PYTHONDONTWRITEBYTECODE=1 qemu-aarch64 -L "$folder" "$folder/usr/bin/python3.11" $here/smoke.py 2>&1); then
    verdict "$1" run passed "under qemu-user, in CPython $said"
  else
    verdict "$1" run failed "$(echo "$said" | tail -1)"
  fi
}

test_musl() { # test_musl TARGET
  local folder=$work/$1 loader=/lib/ld-musl-${1%%-*}.so.1 runner='' said
  case "$(uname -m) $1" in
  "x86_64 aarch64-"*) runner=qemu-aarch64 ;;
  esac
  [ -e "$loader" ] && { [ -z "$runner" ] || command -v $runner >/dev/null; } || { verdict "$1" run "not run" "built, not run: needs $loader" && return; }
  llvm-nm -D --undefined-only "$folder/_engine.abi3.so" | awk '$2 ~ /^_?Py/ { print $2 }' >"$folder/names"
  {
    # Data and functions alike: nobody asks them.
    grep -vxE 'PyModuleDef_Init|Py_GetVersion' "$folder/names" | sed 's/.*/char &[256];/'
    cat $here/load.c
  } >"$folder/load.c"
  # shellcheck disable=SC2086
  $ZIG cc -target "$(field "$1" zig)" -dynamic -rdynamic -O2 -fno-sanitize=all -o "$folder/load" "$folder/load.c" -ldl 2>"$folder/load.log" ||
    { verdict "$1" run failed "see $folder/load.log" && return; }
  if said=$($runner "$folder/load" "$folder/_engine.abi3.so" 2>&1); then
    verdict "$1" run passed "loaded by a program for musl$([ -z "$runner" ] || echo " under qemu-user"); $said"
  else
    verdict "$1" run failed "$said"
  fi
}

mkdir -p "$work"
targets=$(wheel_targets_of "$@") || exit 2
for target in $targets; do
  [ -e "$(wheel_of "$target")" ] || { echo "wheels-test: $(wheel_of "$target") is not built: make wheels" >&2 && exit 2; }
  mkdir -p "$work/$target"
  size_and_bytes "$target"
  audit "$target"
  case "$(uname -sm) $target" in
  "Linux x86_64 x86_64-linux-gnu" | "Linux aarch64 aarch64-linux-gnu") test_here "$target" ;;
  "Linux x86_64 aarch64-linux-gnu") test_aarch64 "$target" ;;
  *" "*-musl) test_musl "$target" ;;
  *-macos) verdict "$target" run "not run" "built, not run: there is no macOS here" ;;
  *-windows) verdict "$target" run "not run" "built, not run: there is no Python for Windows here" ;;
  *) verdict "$target" run "not run" "built, not run: there is no such machine here" ;;
  esac
done
[ $# -gt 0 ] || $PYTHON $here/table.py || failed=1
exit "$failed"
