"""readpref validate."""

from __future__ import annotations

import argparse
import json
from typing import Any

from readpref._cli import colour, exit_codes
from readpref._cli.command_error import CommandError
from readpref._cli.documents import one_document
from readpref._cli.engine import ask
from readpref._cli.input_request import documents_of
from readpref._cli.output import Output
from readpref._cli.preference_options import add_preference_options, preference_from, uri_from


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="a $readPreference document, or a request that has one"
    )
    add_preference_options(parser)
    parser.add_argument("--uri-options", metavar="TEXT", help="what stands behind the ? of a connection string")
    parser.add_argument("--mongosh", metavar="JSON", help="the list of the arguments of mongosh's setReadPref")


def run(options: argparse.Namespace, output: Output) -> int:
    """Print the normal form, or all that is wrong."""
    answer = ask("validate", _request(options))
    found = answer.document
    if output.json:
        output.raw(answer.raw)
    else:
        if found["valid"]:
            output.line("valid", colour.GREEN)
            output.line(json.dumps(found["readPreference"], ensure_ascii=False))
        else:
            output.line("invalid", colour.RED)
        for problem in found["problems"]:
            output.line(f"problem: {problem['code']}: {problem['path']}: {problem['message']}")
        for warning in found["warnings"]:
            output.line(f"warning: {warning['code']}: {warning['path']}: {warning['message']}")
    return exit_codes.OK if found["valid"] else exit_codes.NO


def _request(options: argparse.Namespace) -> dict[str, Any]:  # noqa: PLR0911
    names = ("mode", "tags", "max_staleness_seconds", "preference", "uri")
    by_flags = any(getattr(options, name) is not None for name in names)
    forms = {
        "FILE": bool(options.files),
        "--uri-options": options.uri_options is not None,
        "--mongosh": options.mongosh is not None,
        "the options of a read preference": by_flags,
    }
    given = [name for name, is_given in forms.items() if is_given]
    if len(given) > 1:
        raise CommandError("argument", "a read preference is given in one form", " and ".join(given))
    if options.uri_options is not None:
        return {"uriOptions": options.uri_options}
    if options.mongosh is not None:
        return {"mongosh": one_document(options.mongosh, "--mongosh")}
    if options.uri is not None and not any(getattr(options, name) is not None for name in names[:-1]):
        uri = uri_from(options.uri, "--uri")
        ask("parse_uri", {"uri": uri})  # what is wrong with the rest of it
        return {"uriOptions": uri.partition("?")[2].partition("#")[0]}
    if by_flags:
        return {"readPreference": preference_from(options)[0]}
    documents = documents_of(options.files)
    if len(documents) != 1:
        raise CommandError("argument", f"one read preference is wanted, {len(documents)} documents were given")
    document = documents[0][0]
    if isinstance(document, list):
        return {"mongosh": document}
    if not isinstance(document, dict):
        raise CommandError("wrongType", "a read preference is an object", documents[0][1])
    if any(key in document for key in ("uriOptions", "mongosh")):
        return document
    if "topology" in document or "shards" in document or "readPreference" in document:
        return {"readPreference": document.get("readPreference") or {}}
    return {"readPreference": document}
