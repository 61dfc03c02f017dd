# shellcheck shell=bash
# targets.sh: reads the file targets, for the scripts of this folder, and others of its kind.
targets_file=capi/dist/targets

# column_of FILE NAME NUMBER: what a file of targets says of one
column_of() {
  awk -v name="$2" -v column="$3" '$1 == name { print $column }' "$1"
}

# names_in FILE WHO NAME...: these, or without any all, in the file's order; WHO complains
names_in() {
  local file=$1 who=$2 name
  shift 2
  for name in "$@"; do
    [ -n "$(column_of "$file" "$name" 1)" ] || { echo "$who: no target is called $name" >&2 && return 1; }
  done
  awk -v these=" $* " '/^[^#]/ && (these ~ /^ *$/ || index(these, " " $1 " ")) { print $1 }' "$file"
}

# field TARGET COLUMN
field() {
  local column
  case $2 in zig) column=2 ;; system) column=3 ;; go) column=4 ;; esac
  column_of "$targets_file" "$1" "$column"
}

# chosen TARGET...
chosen() { names_in "$targets_file" dist "$@"; }

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
