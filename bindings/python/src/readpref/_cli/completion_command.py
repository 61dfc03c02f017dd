"""readpref completion."""

from __future__ import annotations

import argparse

from readpref._cli import exit_codes
from readpref._cli.completion import SHELLS, script
from readpref._cli.output import Output


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the shell."""
    parser.add_argument("shell", choices=sorted(SHELLS), metavar="SHELL", help=", ".join(sorted(SHELLS)))


def run(options: argparse.Namespace, output: Output) -> int:
    """Print the script; `source <(readpref completion bash)` uses it."""
    from readpref._cli.parser import build_parser, subcommands  # noqa: PLC0415 - it imports this

    output.text(script(options.shell, subcommands(build_parser())))
    return exit_codes.OK
