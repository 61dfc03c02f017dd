"""The parser: commands made by hand, and one for each other method of the registry."""

from __future__ import annotations

import argparse
import shutil
from typing import Any, NoReturn

from readpref._cli import exit_codes, method_command
from readpref._cli.command_error import CommandError
from readpref._cli.commands import COMMANDS
from readpref._cli.examples import EXAMPLES
from readpref._cli.suggestion import did_you_mean
from readpref._methods import methods

COLORS = ("auto", "always", "never")


class Parser(argparse.ArgumentParser):
    """Raises what argparse would print and exit with."""

    def __init__(self, **keywords: Any) -> None:
        keywords.setdefault("formatter_class", _formatter)
        super().__init__(allow_abbrev=False, **keywords)

    def error(self, message: str) -> NoReturn:
        """Refuse the command line."""
        raise CommandError("argument", f"{message}{self._hint(message)}; see {self.prog} --help")

    def _hint(self, message: str) -> str:
        rest = message.partition("unrecognized arguments: ")[2]
        word = rest.split(" ")[0].split("=")[0]
        if not word.startswith("-"):
            return ""
        return did_you_mean(word, [option for option in self._option_string_actions if option.startswith("--")])

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Refuse what is not known here, where the command is known whose options are near."""
        found, extra = super().parse_known_args(args, namespace)
        if extra:
            self.error("unrecognized arguments: " + " ".join(extra))
        return found, extra


def _formatter(prog: str) -> argparse.HelpFormatter:
    width = max(60, min(shutil.get_terminal_size().columns, 120) - 2)
    return argparse.RawDescriptionHelpFormatter(prog, max_help_position=30, width=width)


class _VersionAction(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from readpref import __version__  # noqa: PLC0415 - importlib.metadata is slow

        raise ShowText(f"readpref {__version__}\n")


class _HelpAction(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        raise ShowText(parser.format_help())


class ShowText(Exception):  # noqa: N818 - no error
    """Ends the command with a text, successfully: its help, its version."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


def build_parser() -> Parser:
    """Build the parser of the whole command line; it asks the engine which methods there are."""
    codes = "\n".join(f"  {code:<4}{meaning}" for code, meaning in exit_codes.MEANING.items())
    parser = Parser(
        prog="readpref",
        description="MongoDB server selection: which member serves this read, and why.",
        epilog=f"exit codes:\n{codes}\n\nreadpref COMMAND --help shows the options and examples of a command.",
        add_help=False,
    )
    _add_help(parser)
    parser.add_argument("--version", action=_VersionAction, nargs=0, help="show the version")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands", parser_class=Parser)
    for name, command in COMMANDS.items():
        sub = _add(subparsers, name, command.summary)
        command.add_options(sub)
        sub.set_defaults(run=command.run)
    for method in methods():
        name = method["name"]
        if name in COMMANDS or method_command.is_of_handles(name):
            continue
        sub = _add(
            subparsers,
            name,
            method["summary"],
            f"{method['summary']}.\n\nrequest and answer: docs/json.md, "
            f"docs/schema/{method['request']} and docs/schema/{method['answer']}",
        )
        method_command.add_options(sub)
        sub.set_defaults(run=method_command.run, method=name)
    return parser


def _add(subparsers: Any, name: str, summary: str, description: str = "") -> Parser:
    examples = "".join(f"\n  {line}" for line in EXAMPLES.get(name, ()))
    sub: Parser = subparsers.add_parser(
        name,
        # A later method's summary is not written for argparse, to which % means something.
        help=summary.replace("%", "%%"),
        description=description or f"{summary[0].upper()}{summary[1:]}.",
        epilog=f"examples:{examples}" if examples else None,
        add_help=False,
    )
    _add_help(sub)
    sub.add_argument("--json", action="store_true", help="print one JSON document, errors too")
    sub.add_argument("--color", default="auto", choices=COLORS, help="colour of text: auto, always, never")
    return sub


def _add_help(parser: Parser) -> None:
    parser.add_argument("-h", "--help", action=_HelpAction, nargs=0, help="show this help")


def check_command(arguments: list[str], parser: Parser) -> None:
    """Refuse a command that there is not, in words of its own."""
    word = next((argument for argument in arguments if not argument.startswith("-")), None)
    if word is None:
        return
    known = subcommands(parser)
    if word in known:
        return
    if method_command.is_of_handles(word) and word in {method["name"] for method in methods()}:
        raise CommandError(
            "argument", f"{word} is about handles, which end with the process: use readpref session", word
        )
    raise CommandError("argument", f"no command {word[:60]!r}{did_you_mean(word, known)}; see readpref --help")


def subcommands(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Give the parsers of the commands by their names."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}
