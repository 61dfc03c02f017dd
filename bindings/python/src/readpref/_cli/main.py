"""The entry point: arguments in, exit code out."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence
from typing import NoReturn

from readpref._cli import exit_codes
from readpref._cli.command_error import CommandError
from readpref._cli.output import Output, OutputError
from readpref._cli.parser import ShowText, build_parser, check_command
from readpref._errors import ReadPrefError


def run() -> NoReturn:
    """Run the command line of this process, and end it."""
    code = main()
    if code in (exit_codes.BROKEN_PIPE, exit_codes.UNWRITABLE):
        # The interpreter would flush what is left, fail again, and say so.
        sys.stdout = None
        os._exit(code)
    sys.exit(code)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line and give its exit code.

    Args:
        argv: without the program's name; those of the process if None.
    """
    arguments = [_utf_8(argument) for argument in (sys.argv[1:] if argv is None else argv)]
    # Until the options are read, what the options say is looked for by itself: a wrong option is an error like others.
    output = Output(json="--json" in arguments)
    try:
        code = _run(arguments, output)
        output.flush()
        return code
    except BrokenPipeError:
        return exit_codes.BROKEN_PIPE
    except OutputError as error:
        output.notes([f"the output cannot be written: {error}"])
        return exit_codes.UNWRITABLE
    except KeyboardInterrupt:
        return exit_codes.INTERRUPTED


def _utf_8(argument: str) -> str:
    """Give an argument that this locale could not decode, which is UTF-8 all the same."""
    if argument.isascii():
        return argument
    try:
        return os.fsencode(argument).decode("utf-8")
    except UnicodeError:
        return argument


def _run(arguments: list[str], output: Output) -> int:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the answers carry them
            return _command(arguments, output)
    except ShowText as shown:
        output.text(shown.text)
        return exit_codes.OK
    except CommandError as error:
        output.error(error.error)
        return exit_codes.of_error(error.error.code) if error.exit_code is None else error.exit_code
    except ReadPrefError as error:
        output.error(error)
        return exit_codes.of_error(error.code)
    except (RecursionError, MemoryError) as error:
        output.error(CommandError("limitExceeded", f"more than this process can hold ({type(error).__name__})").error)
        return exit_codes.UNUSABLE


def _command(arguments: list[str], output: Output) -> int:
    parser = build_parser()
    if not arguments:
        raise CommandError("argument", "a command is missing; see readpref --help")
    check_command(arguments, parser)
    options = parser.parse_args(arguments)
    if options.command is None:
        raise CommandError("argument", "a command is missing; see readpref --help")
    output.configure(json=options.json, color=options.color)
    code: int = options.run(options, output)
    return code
