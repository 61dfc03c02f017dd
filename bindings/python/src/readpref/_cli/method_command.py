"""One subcommand for each method of the engine: its request in, its answer out. They come from the registry alone."""

from __future__ import annotations

import argparse
from typing import Any

from readpref._cli import exit_codes, reading
from readpref._cli.command_error import CommandError
from readpref._cli.documents import documents_in, one_document
from readpref._cli.engine import ask
from readpref._cli.importers.shapes import import_documents
from readpref._cli.input_request import documents_of
from readpref._cli.output import Output
from readpref._cli.preference_options import add_preference_options, preference_from


def is_of_handles(name: str) -> bool:
    """Tell whether a method is about handles, which end with the process; `readpref session` keeps one."""
    return name.startswith(("topology.", "readpref.")) or name == "close"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that every method has."""
    parser.add_argument("file", nargs="?", metavar="FILE", help="the request document; - is stdin, {} if left out")
    parser.add_argument("--document", metavar="JSON", help="the request document itself")
    parser.add_argument(
        "--topology",
        action="append",
        metavar="FILE",
        help="what the servers said, in any form that explain reads: the request's topology; repeat it for more files",
    )
    parser.add_argument(
        "--set", action="append", metavar="KEY=JSON", help="a key of the request; text need not be quoted"
    )
    add_preference_options(parser)


def run(options: argparse.Namespace, output: Output) -> int:
    """Ask the method; print the text in its answer, or the answer where there is none."""
    request, notes = _request(options)
    answer = ask(options.method, request)
    text = answer.document.get("text")
    if isinstance(text, str) and not output.json:
        output.text(text)
    else:
        output.raw(answer.raw)
    output.notes(notes)
    return exit_codes.OK


def _request(options: argparse.Namespace) -> tuple[dict[str, Any] | bytes, list[str]]:
    notes: list[str] = []
    changed = bool(options.topology or options.set) or any(
        getattr(options, name) is not None for name in ("mode", "tags", "max_staleness_seconds", "preference", "uri")
    )
    if options.file is not None and options.document is not None:
        raise CommandError("argument", "a request document is given once", "--document")
    if options.file is not None and not changed:
        return reading.read_bytes(options.file), notes  # as it is: the engine reads it
    if options.document is not None and not changed:
        return options.document.encode("utf-8", "surrogatepass"), notes
    request: Any = {}
    if options.file is not None:
        name = options.file
        request = documents_in(reading.decode(reading.read_bytes(name), name), name)[0]
    elif options.document is not None:
        request = one_document(options.document, "--document")
    if not isinstance(request, dict):
        raise CommandError("wrongType", "a request is an object", options.file or "--document")
    if options.topology:
        imported = import_documents(documents_of(options.topology))
        request = {**imported.request, **request}
        notes += [note["message"] for note in imported.notes]
    preference, _ = preference_from(options)
    if preference is not None:
        request["readPreference"] = preference
    for text in options.set or []:
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise CommandError("argument", f"expected KEY=JSON, found {text!r}", "--set")
        request[key] = _value(value)
    return request, notes


def _value(text: str) -> Any:
    try:
        return one_document(text, "--set")
    except CommandError:
        if text[:1] in tuple('{["'):
            raise
        return text
