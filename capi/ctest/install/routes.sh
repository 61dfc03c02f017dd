# shellcheck shell=bash
# routes.sh: what examples/c/handles.c prints, for the tests that build it against an installed or a shipped tree. From the root of the checkout.

same() { # same GOT WANT
  [ "$1" = "$2" ] || { printf ' got %s\nwant %s\n' "$1" "$2" && return 1; }
}

# routes PROGRAM...: with the words before it that run it here; it does what its comments say
routes() {
  local got
  got=$("$@" examples/c/preference.json examples/c/topology.json examples/c/update.json | tr -d '\r'; exit "${PIPESTATUS[0]}") || { echo "status $?: $got" && return 1; }
  # Nobody is suitable, an update, then three times two operations that are under way together, each on its own server.
  awk '
    NR == 1 { good = /^no server: \{"server":null,.*"reason":\{"code":"noTagSetMatches"/ }
    NR == 2 { good = good && $0 == "updated: generation has changed" }
    NR > 2 { good = good && ($NF == "b.example:27017" || $NF == "d.example:27017") && $2 == NR - 2 && (NR % 2 || $NF != before); before = $NF }
    END { exit !(good && NR == 8) }' <<<"$got" || { echo "$got" && return 1; }
  # What is wrong is said with the path.
  got=$("$@" examples/c/topology.json examples/c/topology.json 2>&1)
  same "$? ${got%%,\"message*}" '1 examples/c/topology.json: {"error":{"code":"unknownKey","status":-16'
}
