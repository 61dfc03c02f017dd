"""--help, --version, the documented examples, and what is said of a wrong command line."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import readpref
from cli import DATA, environment, run
from conftest import REPOSITORY
from readpref._cli import exit_codes
from readpref._cli.commands import COMMANDS
from readpref._cli.examples import EXAMPLES
from readpref._cli.parser import build_parser, subcommands

RUNNABLE = [(name, line) for name, lines in EXAMPLES.items() if name != "doctor" for line in lines]


def test_version() -> None:
    assert run("--version") == (0, f"readpref {readpref.__version__}\n", "")


@pytest.mark.parametrize("arguments", [["--help"], ["-h"]])
def test_help_lists_every_command_and_exit_code(arguments: list[str]) -> None:
    done = run(*arguments)
    assert (done.code, done.err) == (0, "")
    for name in subcommands(build_parser()):
        assert re.search(rf"^    {re.escape(name)}\b", done.out, re.MULTILINE), name
    for code, meaning in exit_codes.MEANING.items():
        assert f"  {code:<4}{meaning}\n" in done.out


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_help_of_a_command_shows_its_examples(name: str) -> None:
    done = run(name, "--help")
    assert done.code == 0
    assert all(f"\n  {line}\n" in done.out for line in EXAMPLES[name])


@pytest.fixture
def on_path(tmp_path: Path) -> str:
    """Give a PATH on which `readpref` is what is tested."""
    script = tmp_path / "readpref"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m readpref "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    return f"{tmp_path}{os.pathsep}{os.environ['PATH']}"


@pytest.mark.skipif(sys.platform == "win32", reason="the examples are lines of a POSIX shell")
@pytest.mark.parametrize(("name", "line"), RUNNABLE, ids=[line[:60] for _, line in RUNNABLE])
def test_examples_run(name: str, line: str, on_path: str) -> None:
    done = subprocess.run(
        ["sh", "-c", line], cwd=DATA, env=environment(PATH=on_path), capture_output=True, timeout=60, check=False
    )
    assert done.returncode == exit_codes.OK, done.stderr
    assert done.stdout
    assert b"error" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "argument: a command is missing; see readpref --help"),
        (["selct"], "argument: no command 'selct'; did you mean \"select\"?; see readpref --help"),
        (["zzz"], "argument: no command 'zzz'; see readpref --help"),
        (
            ["select", "--mod", "nearest"],
            'argument: unrecognized arguments: --mod; did you mean "--mode"?; see readpref select --help',
        ),
        (
            ["topology.open"],
            "argument: topology.open: topology.open is about handles, which end with the process: use readpref session",
        ),
        (
            ["validate", "--mode", "nearest", "--uri", "mongodb://a/"],
            "argument: --mode and --uri: a read preference is given in one form",
        ),
        (
            ["validate", "--mode", "nearest", "--max-staleness-seconds", "1.5"],
            "wrongType: --max-staleness-seconds: expected an integer, found '1.5'",
        ),
        (
            ["validate", "--mode", "nearest", "--max-staleness-seconds", "9" * 21],
            "outOfRange: --max-staleness-seconds: an integer of 21 digits",
        ),
        (["validate", "--tags", "dc"], "argument: --tags: a tag set is written dc:ny,rack:1; 'dc' is no name:value"),
        (["validate", "--tags", "dc:a,dc:b"], "duplicateKey: --tags: the tag 'dc' is there twice in one set"),
        (
            ["validate", "--preference", "{"],
            "invalidJSON: --preference: line 1 column 2: expecting property name enclosed in double quotes",
        ),
        (
            ["select", "--local-threshold-ms", "inf", "--preference", "{}", str(DATA / "rs-status.json")],
            "wrongType: --local-threshold-ms: expected a number, found 'inf'",
        ),
        (["select", "--rtt", "x=1", str(DATA / "rs-status.json")], "argument: --rtt: no server has the address 'x'"),
        (
            ["select", "--format", "xml"],
            "unknownValue: --format: no format 'xml'; it is one of auto, request, description, hello, rs-status, "
            "shard-map, driver-log, atlas-cluster",
        ),
        (["select", "mongodb://u:pw@h"], "argument: mongodb://<hidden>: cannot be read: No such file or directory"),
        (["doctor", "mongodb://h", "--timeout", "0"], "outOfRange: --timeout: expected seconds up to 3600, found 0"),
    ],
)
def test_usage_errors(arguments: list[str], message: str) -> None:
    done = run(*arguments)
    assert done == (exit_codes.UNUSABLE, "", f"readpref: error: {message}\n")
    if arguments:
        document = run(*arguments, "--json").document
        assert document["error"]["code"] == message.partition(":")[0]


def test_every_exit_code_is_documented() -> None:
    text = (REPOSITORY / "docs" / "cli.md").read_text(encoding="utf-8")
    listed = dict(re.findall(r"^\| (\d+) \| (.*) \|$", text, re.MULTILINE))
    assert listed == {str(code): meaning for code, meaning in exit_codes.MEANING.items()}


def test_the_table_in_the_documentation_is_what_is_printed() -> None:
    text = (REPOSITORY / "docs" / "cli.md").read_text(encoding="utf-8")
    found = re.search(r"<!-- the output of: readpref (.*) -->\n```text\n(.*?)```", text, re.DOTALL)
    assert found is not None
    arguments = [str(DATA / word) if word.endswith(".json") else word for word in found[1].split()]
    assert run(*arguments).out == found[2]
