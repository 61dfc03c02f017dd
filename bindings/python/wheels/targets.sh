# shellcheck shell=bash
# targets.sh: reads the file targets, for the scripts of this folder, which run in the repository's.
# shellcheck source=../../../capi/dist/targets.sh
. capi/dist/targets.sh
wheels=$OUT/wheels work=$OUT/wheels-work
wheel_targets=bindings/python/wheels/targets

# wheel_field TARGET tag|engine
wheel_field() {
  local column
  case $2 in tag) column=2 ;; engine) column=3 ;; esac
  column_of "$wheel_targets" "$1" "$column"
}

# wheel_targets_of TARGET...
wheel_targets_of() { names_in "$wheel_targets" wheels "$@"; }

# wheel_of TARGET: the path of its wheel
wheel_of() {
  local tag=py3-none
  [ "$(wheel_field "$1" engine)" = ctypes ] || tag=cp39-abi3
  echo "$wheels/readpref-$(cat VERSION)-$tag-$(wheel_field "$1" tag).whl"
}
