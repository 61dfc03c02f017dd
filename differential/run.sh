#!/usr/bin/env bash
# run.sh: asks the official drivers. `run.sh quick` asks PyMongo and Node.js 2,000 cases of each sort, as make test does; without an
# argument it asks every driver whose language is here 20,000 (CASES=, SEED=), and writes docs/differences.md.
set -euo pipefail
cd "$(dirname "$0")/.."
OUT=$PWD/build/differential
GO=${GO:-go}
mkdir -p "$OUT"
"$GO" build -o "$OUT/differential" ./differential

peers=(-peer "pymongo=${PYTHON:-python3} differential/peers/pymongo/peer.py"
  -peer "node=${NODE:-node} differential/peers/node/peer.mjs $PWD/examples/replicaset/tests/node/node_modules/mongodb")
if [ "${1:-}" = quick ]; then
  exec "$OUT/differential" "${peers[@]}" -n "${CASES:-2000}" -sdam "${CASES:-2000}" -seed "${SEED:-1}"
fi

# A driver whose tools are not here, or that does not build, is left out, which the page then shows.
attempt() { # attempt NAME FUNCTION TOOL...
  local name=$1 step=$2 tool
  shift 2
  for tool in "$@"; do
    command -v "$tool" >/dev/null || { echo "NOT RUN differential with the $name driver: needs $tool"; return 1; }
  done
  ("$step") >"$OUT/$name.log" 2>&1 || { tail -5 "$OUT/$name.log"; echo "NOT RUN differential with the $name driver: it did not build here"; return 1; }
}

step_go() (set -e; cd differential/peers/go; "$GO" build -o "$OUT/peer-go" .)

# The jars are those of the bench, by its pom.
step_java() {
  set -e
  local to=$OUT/java
  mkdir -p "$to/classes"
  if ! cmp -s bench/peers/java/pom.xml "$to/stamp"; then
    cp bench/peers/java/pom.xml "$to/pom.xml"
    (cd "$to" && mvn -q -B org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies -DoutputDirectory="$to/lib")
    cp bench/peers/java/pom.xml "$to/stamp"
  fi
  javac -nowarn -d "$to/classes" -cp "$to/lib/*" differential/peers/java/Peer.java
}

if attempt go step_go; then peers+=(-peer "go=$OUT/peer-go"); fi
if attempt java step_java java javac mvn; then
  peers+=(-peer "java=java -cp $OUT/java/classes:$OUT/java/lib/* com.mongodb.internal.connection.Peer")
fi
exec "$OUT/differential" "${peers[@]}" -n "${CASES:-20000}" -sdam "${CASES:-20000}" -seed "${SEED:-1}" -docs docs/differences.md
