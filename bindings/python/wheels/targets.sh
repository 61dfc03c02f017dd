# shellcheck shell=bash
# targets.sh: reads the file targets, for the scripts of this folder, which run in the repository's.
wheels=$OUT/wheels work=$OUT/wheels-work
wheel_targets=bindings/python/wheels/targets

# wheel_field TARGET tag|engine
wheel_field() {
  local column
  case $2 in tag) column=2 ;; engine) column=3 ;; esac
  awk -v name="$1" -v column="$column" '$1 == name { print $column }' "$wheel_targets"
}

# wheel_targets_of TARGET...: these, or without any all, in the file's order
wheel_targets_of() {
  local name
  for name in "$@"; do
    [ -n "$(wheel_field "$name" tag)" ] || { echo "wheels: no target is called $name" >&2 && return 1; }
  done
  awk -v these=" $* " '/^[^#]/ && (these ~ /^ *$/ || index(these, " " $1 " ")) { print $1 }' "$wheel_targets"
}

# wheel_of TARGET: the path of its wheel
wheel_of() {
  local tag=py3-none
  [ "$(wheel_field "$1" engine)" = ctypes ] || tag=cp39-abi3
  echo "$wheels/readpref-$(cat VERSION)-$tag-$(wheel_field "$1" tag).whl"
}
