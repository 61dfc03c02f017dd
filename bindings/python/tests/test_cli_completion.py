"""Completion scripts, run by the shells that this machine has."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from cli import DATA, run
from readpref._cli.parser import build_parser, subcommands

CASES = [
    (["sel"], {"select"}),
    (["explain", "--mo"], {"--mode"}),
    (["explain", "--mode", "sec"], {"secondary", "secondaryPreferred"}),
    (["select", "--format", "rs"], {"rs-status"}),
    (["completion", ""], {"bash", "fish", "zsh"}),
    (["readable", "--topo"], {"--topology"}),
]


def bash_completes(script: Path, words: list[str]) -> set[str]:
    """Ask bash as it asks when Tab is pressed."""
    program = (
        'source "$1"; shift; COMP_WORDS=(readpref "$@"); COMP_CWORD=$#; '
        '_readpref 2>/dev/null; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    done = subprocess.run(
        ["bash", "--norc", "-c", program, "bash", str(script), *words],
        cwd=DATA,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


def fish_completes(script: Path, words: list[str]) -> set[str]:
    """Ask fish."""
    line = " ".join(["readpref", *words])
    done = subprocess.run(
        ["fish", "--no-config", "-c", f"source {script}; complete -C '{line}'"],
        cwd=DATA,
        capture_output=True,
        text=True,
        check=True,
    )
    return {found.split("\t")[0] for found in done.stdout.splitlines()}


def zsh_completes(script: Path, words: list[str]) -> set[str]:
    """Run the function with zsh's compadd and _describe replaced, since there is no terminal here."""
    program = (
        "compdef() {}; _files() { print -l -- $current*(N) }; "
        "compadd() { shift; print -l -- ${(M)@:#$current*} }; "
        "_describe() { print -l -- ${(M)${commands%%:*}:#$current*} }; "
        'source "$1"; shift; words=(readpref "$@"); CURRENT=$#words; _readpref'
    )
    done = subprocess.run(
        ["zsh", "-f", "-c", program, "zsh", str(script), *words], cwd=DATA, capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


COMPLETES = {"bash": bash_completes, "fish": fish_completes, "zsh": zsh_completes}
HERE = [shell for shell in COMPLETES if shutil.which(shell)]


@pytest.mark.parametrize("shell", HERE)
@pytest.mark.parametrize(("words", "wanted"), CASES, ids=[" ".join(words) for words, _ in CASES])
def test_completes(shell: str, words: list[str], wanted: set[str], tmp_path: Path) -> None:
    script = tmp_path / "completion"
    script.write_text(run("completion", shell).out, encoding="utf-8")
    assert COMPLETES[shell](script, words) == wanted


@pytest.mark.parametrize("shell", HERE)
def test_completes_files(shell: str, tmp_path: Path) -> None:
    script = tmp_path / "completion"
    script.write_text(run("completion", shell).out, encoding="utf-8")
    assert COMPLETES[shell](script, ["explain", "three"]) == {"three-data-centres.json"}


def test_every_command_and_option_is_in_every_script() -> None:
    commands = subcommands(build_parser())
    for shell in COMPLETES:
        script = run("completion", shell).out
        assert all(name in script for name in commands)
        assert "--max-staleness-seconds" in script or "-l max-staleness-seconds" in script
    assert run("completion", "tcsh").code == 2
