"""readpref uri: a connection string read, or the options of one written."""

from __future__ import annotations

import argparse
import json

from readpref._cli import exit_codes
from readpref._cli.command_error import CommandError
from readpref._cli.engine import ask
from readpref._cli.output import Output
from readpref._cli.preference_options import add_preference_options, preference_from, uri_from
from readpref._cli.redact import without_secrets


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("string", nargs="?", metavar="URI", help="a connection string; - reads it from stdin")
    add_preference_options(parser, uri=False)


def run(options: argparse.Namespace, output: Output) -> int:
    """Print what a connection string says, its secrets hidden; or a preference as options of one."""
    if options.string is not None:
        given = [name for name in ("mode", "tags", "max_staleness_seconds", "preference") if getattr(options, name)]
        if given:
            raise CommandError("argument", "give a connection string to read, or a read preference to write", "URI")
        return _read(uri_from(options.string, "URI"), output)
    preference, _ = preference_from(options)
    if preference is None:
        raise CommandError("argument", "a connection string to read is missing, or a read preference to write", "URI")
    answer = ask("to_uri", {"readPreference": preference})
    if output.json:
        output.raw(answer.raw)
    else:
        output.line(answer.document["query"])
        output.notes(f"{warning['path']}: {warning['message']}" for warning in answer.document.get("warnings", []))
    return exit_codes.OK


def _read(uri: str, output: Output) -> int:
    found = without_secrets(ask("parse_uri", {"uri": uri}).document)
    if output.json:
        output.document(found)
        return exit_codes.OK
    rows = [("seeds", ", ".join(found["seeds"]) or f"from DNS: {found['lookup']['srv']}")]
    rows += [(key, found[key]) for key in ("username", "password", "database") if found[key] is not None]
    rows.append(("preference", json.dumps(found["readPreference"], ensure_ascii=False)))
    for name, value in rows:
        output.line(f"{name:<12}{value}")
    if found["options"]:
        output.line("options")
        for name, value in found["options"].items():
            shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            output.line(f"  {name}={shown}")
    for warning in found["warnings"]:
        output.line(f"warning: {warning['code']}: {warning['path']}: {warning['message']}")
    return exit_codes.OK
