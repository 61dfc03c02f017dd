"""Type checkers read what users write, with the package installed as users have it.

    python tests/type_checking/check.py

The wheel's files are unpacked into a folder of their own, so that what is not packed (py.typed, a stub) is missed. Then
mypy --strict and pyright --strict have to find nothing in users/ and exact.py, and in mistakes.py the mistakes that its
lines tell, by the checkers' own names, and no others; and all that the package exports has to have a known type and
documentation (pyright --verifytypes).
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hatchling.builders.wheel import WheelBuilder

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parent.parent
MISTAKES = HERE / "mistakes.py"
TOLD = re.compile(r"  # wrong: ([\w -]+), ([\w -]+)$")

Found = dict[tuple[str, int], list[str]]  # the names of what is wrong, by file and line


def unpack_wheel(folder: Path) -> None:
    """Put the wheel's files there; type checkers need no engine, so it has an empty one."""
    engine = folder / "none.so"
    engine.touch()
    os.environ["READPREF_LIB"] = str(engine)
    [wheel] = WheelBuilder(str(PACKAGE)).build(directory=str(folder))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")


def output_of(tool: str, *arguments: str, environment: Mapping[str, str], cwd: Path) -> str:
    """Run a checker; what it finds is in what it prints."""
    done = subprocess.run(
        [sys.executable, "-m", tool, *arguments],
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in (0, 1):
        sys.exit(f"{tool} {' '.join(arguments)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def pyright(folder: Path, *arguments: str) -> Any:
    """Give what pyright says as JSON; it asks the python on PATH where packages are."""
    # It is a program for Node.js, which NODE may name.
    before = [Path(sys.executable).parent, *([Path(os.environ["NODE"]).parent] if os.environ.get("NODE") else [])]
    environment = {
        "PYTHONPATH": str(folder / "site"),
        "PATH": os.pathsep.join([*map(str, before), os.environ["PATH"]]),
        "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1",
    }
    return json.loads(output_of("pyright", "--outputjson", *arguments, environment=environment, cwd=folder))


def found_by_pyright(folder: Path, files: list[Path]) -> Found:
    """Give what it finds, warnings and hints of deprecation too."""
    # A project of its own: here pyright would read the package's sources as well.
    project = folder / "project"
    project.mkdir()
    for file in files:
        shutil.copyfile(file, project / file.name)
    settings = {"typeCheckingMode": "strict", "reportUnusedExpression": False}
    (project / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    said = pyright(folder, "--project", str(project))
    found: Found = {}
    for one in said["generalDiagnostics"]:
        place = Path(one["file"]).name, one["range"]["start"]["line"] + 1
        found.setdefault(place, []).append(one.get("rule") or one["message"])
    return found


def found_by_mypy(folder: Path, files: list[Path]) -> Found:
    """Give what it finds."""
    arguments = ["--strict", "--config-file=", f"--cache-dir={folder / 'cache'}", "--output=json"]
    environment = {"MYPYPATH": str(folder / "site")}
    said = output_of("mypy", *arguments, *map(str, files), environment=environment, cwd=folder)
    found: Found = {}
    for line in said.splitlines():
        if line.startswith("{"):
            one = json.loads(line)
            if one["severity"] == "error":
                found.setdefault((Path(one["file"]).name, one["line"]), []).append(one["code"] or one["message"])
    return found


def told_mistakes(place: int) -> Found:
    """Give what the lines of mistakes.py tell of mypy (0) or pyright (1)."""
    found: Found = {}
    for number, line in enumerate(MISTAKES.read_text(encoding="utf-8").splitlines(), 1):
        told = TOLD.search(line)
        if told:
            found[MISTAKES.name, number] = told.groups()[place].split()
    return found


def differences(checker: str, expected: Found, found: Found) -> list[str]:
    """Tell where a checker does not find what it should, or finds more."""
    told: list[str] = []
    for place in sorted({*expected, *found}):
        wanted, got = sorted(expected.get(place, [])), sorted(found.get(place, []))
        if wanted != got:
            told.append(f"{checker}: {place[0]}:{place[1]}: expected {wanted}, found {got}")
    return told


def untyped(folder: Path) -> list[str]:
    """Tell what of the package's exports has no known type, or no documentation."""
    said = pyright(folder, "--verifytypes", "readpref", "--ignoreexternal")["typeCompleteness"]
    wrong = [
        f"verifytypes: {symbol['name']}: {[one['message'] for one in symbol['diagnostics']]}"
        for symbol in said["symbols"]
        if not (symbol["isTypeKnown"] and not symbol["isTypeAmbiguous"]) and symbol["isExported"]
    ]
    counted = said["exportedSymbolCounts"]
    if counted["withKnownType"] < 80:
        wrong.append(f"verifytypes: it has seen {counted['withKnownType']} symbols, where there are more")
    missing = {name: said[name] for name in ("missingFunctionDocStringCount", "missingClassDocStringCount")}
    wrong += [f"verifytypes: {name} is {count}" for name, count in missing.items() if count]
    return wrong


def main() -> int:
    """Check all; give the exit status."""
    files = [*sorted((HERE / "users").glob("*.py")), HERE / "exact.py", MISTAKES]
    with tempfile.TemporaryDirectory(prefix="readpref-typing-") as name:
        folder = Path(name).resolve()
        unpack_wheel(folder)
        wrong = differences("mypy", told_mistakes(0), found_by_mypy(folder, files))
        wrong += differences("pyright", told_mistakes(1), found_by_pyright(folder, files))
        wrong += untyped(folder)
    print("\n".join(wrong) or f"{len(files)} files of users, {len(told_mistakes(0))} mistakes, all exports are typed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
