"""Run the commands that docs/cookbook.md and docs/history.md show, and write what they print under them.

usage: make_docs.py [--check]

A fenced block of the language sh is a command that is run in examples/data; the block behind <!-- prints --> is its
output, standard output alone. With --check nothing is written: what differs is shown, and the exit status is 1.
"""

from __future__ import annotations

import difflib
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("docs/cookbook.md", "docs/history.md")
SHOWN = re.compile(
    r"```sh\n(?P<command>readpref .*?)\n```\n\n<!-- prints -->\n```text\n(?P<output>.*?)```\n", re.DOTALL
)


def output_of(command: str) -> str:
    words = shlex.split(command)
    plain = {key: value for key, value in os.environ.items() if key not in ("FORCE_COLOR", "CLICOLOR_FORCE")}
    done = subprocess.run(
        [sys.executable, "-m", *words],
        cwd=ROOT / "examples" / "data",
        env=plain,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    # 1 says that no server is suitable, which is an answer.
    if done.returncode not in (0, 1):
        sys.exit(f"{command}\nexit status {done.returncode}\n{done.stderr}")
    return done.stdout


def made(page: str) -> str:
    def shown(match: re.Match[str]) -> str:
        return match[0].replace(f"```text\n{match['output']}```", f"```text\n{output_of(match['command'])}```")

    found = len(SHOWN.findall(page))
    if found == 0 or found != page.count("<!-- prints -->"):
        sys.exit(f"{page.count('<!-- prints -->')} outputs, of which {found} stand behind a command")
    return SHOWN.sub(shown, page)


def main() -> None:
    wrong = False
    for name in PAGES:
        file = ROOT / name
        before = file.read_text(encoding="utf-8")
        after = made(before)
        if "--check" not in sys.argv[1:]:
            file.write_text(after, encoding="utf-8")
        elif after != before:
            wrong = True
            print(
                *difflib.unified_diff(before.split("\n"), after.split("\n"), name, "what is printed", lineterm=""),
                sep="\n",
            )
    if wrong:
        sys.exit("the pages are not what the commands print: make docs")


main()
