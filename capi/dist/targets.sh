# shellcheck shell=bash
# targets.sh: reads the file targets, for the scripts of this folder.
targets_file=capi/dist/targets

# field TARGET COLUMN
field() {
  local column
  case $2 in zig) column=2 ;; system) column=3 ;; go) column=4 ;; esac
  awk -v name="$1" -v column="$column" '$1 == name { print $column }' "$targets_file"
}

# chosen TARGET...: these, or without any all, in the file's order
chosen() {
  local name
  for name in "$@"; do
    [ -n "$(field "$name" zig)" ] || { echo "dist: no target is called $name" >&2 && return 1; }
  done
  awk -v these=" $* " '/^[^#]/ && (these ~ /^ *$/ || index(these, " " $1 " ")) { print $1 }' "$targets_file"
}

# results are lines TARGET LIBRARY WHAT STATUS DETAIL, separated by tabs; one for each of the first three
results=${OUT:-build}/dist-work/results.tsv

# forget TARGET [LIBRARY WHAT]
forget() {
  touch "$results"
  awk -F '\t' -v target="$1" -v library="${2:-}" -v what="${3:-}" \
    '!($1 == target && (library == "" || $2 == library) && (what == "" || $3 == what))' "$results" >"$results.new"
  mv "$results.new" "$results"
}

record() { # record TARGET LIBRARY WHAT STATUS DETAIL
  forget "$1" "$2" "$3"
  printf '%s\t%s\t%s\t%s\t%s\n' "$@" >>"$results"
  printf '%s %s, %s: %s (%s)\n' "$@"
}
