"""The protocol between the bench and its contestants, for those written in Python; README.md describes it."""

import json
import sys


def serve(load):
    """Answer the lines of standard input; load gives the answer to a case, and its works by name."""
    works = {}
    for line in sys.stdin:
        words = line.rstrip("\n").split("\t")
        try:
            if words[0] == "load":
                answer, works = load(*words[1:])
            elif words[0] == "run":
                works[words[1]](int(words[2]))
                answer = {"done": int(words[2])}
            else:
                answer = {"error": f"cannot {words[0]}"}
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)
