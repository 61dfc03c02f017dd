"""Run every program that README.md shows, and compare what it prints with what the README says it prints.

A fenced block is a program when the line before it says so (<!-- run: LANGUAGE -->); the next block after
<!-- prints --> is its output. Of the demo's output all but the measured times must be there.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"<!-- (run: \w+|prints|check: demo) -->\n```\w*\n(.*?)\n```", re.DOTALL)


def tool(name: str, default: str) -> list[str]:
    return os.environ.get(name, default).split()


def run(command: list[str], cwd: Path, stdin: str = "") -> str:
    done = subprocess.run(command, cwd=cwd, input=stdin, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"README: {command} failed with exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def run_go(program: str, _: Path) -> str:
    with tempfile.TemporaryDirectory(dir=ROOT / "build") as folder:
        (Path(folder) / "main.go").write_text(program + "\n", encoding="utf-8")
        return run([*tool("GO", "go"), "run", f"./build/{Path(folder).name}"], ROOT)


def run_c(program: str, folder: Path) -> str:
    (folder / "quickstart.c").write_text(program + "\n", encoding="utf-8")
    build = ROOT / "build"
    strict = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic"]
    link = [f"-I{ROOT / 'capi'}", "-o", "quickstart", "quickstart.c", f"-L{build}", "-lreadpref", f"-Wl,-rpath,{build}"]
    run([*tool("CC", "cc"), *strict, *link], folder)
    return run([str(folder / "quickstart")], folder)


def run_python(program: str, folder: Path) -> str:
    (folder / "quickstart.py").write_text(program + "\n", encoding="utf-8")
    return run([*tool("PYTHON", sys.executable), "quickstart.py"], folder)


def run_node(program: str, folder: Path) -> str:
    (folder / "package.json").write_text('{"private": true}\n', encoding="utf-8")
    run([*tool("NPM", "npm"), "install", "--no-audit", "--no-fund", "--silent", str(ROOT / "bindings/node")], folder)
    (folder / "quickstart.mjs").write_text(program + "\n", encoding="utf-8")
    return run([*tool("NODE", "node"), "quickstart.mjs"], folder)


# A stand-in for mongosh: a set of four members, of which three answer hello.
MONGOSH = """
const vm = require('node:vm');
const hello = (address) => ({ok: 1, minWireVersion: 0, maxWireVersion: 25,
  setName: 'rs', hosts: ['a:27017', 'b:27017', 'd:27017'], arbiters: ['c:27017'],
  isWritablePrimary: address === 'a:27017', secondary: address === 'b:27017', arbiterOnly: address === 'c:27017',
  lastWrite: {lastWriteDate: {$date: '2026-10-26T07:33:20Z'}}});
class Mongo {
  constructor(uri) {
    if (uri.includes('d:27017')) throw new Error('connection refused');
    this.address = /^mongodb:\\/\\/(.*)\\/\\?directConnection=true$/.exec(uri)[1];
  }
  getDB() { return {hello: () => hello(this.address)}; }
}
const line = require('node:fs').readFileSync(0, 'utf8');
console.log(vm.runInNewContext(line, {db: {hello: () => hello('a:27017')}, Mongo, EJSON: JSON, Date}));
"""


def run_mongosh(program: str, folder: Path) -> str:
    (folder / "mongosh.cjs").write_text(MONGOSH, encoding="utf-8")
    request = run([*tool("NODE", "node"), "mongosh.cjs"], folder, program)
    (folder / "ask.py").write_text(
        "import sys, readpref; print(readpref.call_raw('select', sys.stdin.buffer.read()).decode())", encoding="utf-8"
    )
    answer = json.loads(run([*tool("PYTHON", sys.executable), "ask.py"], folder, request))
    if answer.get("server", {}).get("address") != "b:27017":
        sys.exit(f"README: the line for mongosh gave a request that answers {answer}")
    return ""


def check_demo(shown: str) -> None:
    printed = run([*tool("PYTHON", sys.executable), "examples/demo/run.py"], ROOT)

    def without_times(line: str) -> str:
        return re.sub(r"\s+[\d.]+$", "", line) if line.startswith("  ") else line

    lines = {without_times(line) for line in printed.splitlines()}
    for line in shown.splitlines():
        if line != "…" and without_times(line) not in lines:
            sys.exit(f"README: the demo does not print this line:\n{line}\nIt prints:\n{printed}")


def main() -> None:
    runners = {"go": run_go, "c": run_c, "python": run_python, "node": run_node, "mongosh": run_mongosh}
    if re.search(r"\b[A-Z]{3,}_[A-Z_]{4,}\b", re.sub(r"`[^`]*`|```.*?```", "", README, flags=re.DOTALL)):
        sys.exit("README: a placeholder was not filled in")
    checked, output = [], ""
    for kind, text in BLOCK.findall(README):
        if kind == "check: demo":
            check_demo(text)
            checked.append("demo")
        elif kind == "prints":
            if output.rstrip("\n") != text:
                sys.exit(f"README: the {checked[-1]} program prints\n{output}\nand not\n{text}")
        else:
            language = kind.split()[1]
            with tempfile.TemporaryDirectory() as folder:
                output = runners[language](text, Path(folder))
            checked.append(language)
    missing = (set(runners) | {"demo"}) - set(checked)
    if missing:
        sys.exit(f"README: no block for {', '.join(sorted(missing))}")
    print(f"README: {len(checked)} blocks run: {', '.join(checked)}")


if __name__ == "__main__":
    main()
