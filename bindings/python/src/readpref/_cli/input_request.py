"""From the files and options of a command to the request that the engine is asked."""

from __future__ import annotations

import argparse
from typing import Any

from readpref._cli import reading
from readpref._cli.command_error import CommandError
from readpref._cli.importers.imported import Imported
from readpref._cli.importers.shapes import FORMATS, import_documents
from readpref._cli.preference_options import apply_selection_options, preference_from


def add_input_options(parser: argparse.ArgumentParser) -> None:
    """Add the files and --format."""
    parser.add_argument("files", nargs="*", metavar="FILE", help="what the servers said; - or nothing is stdin")
    parser.add_argument(
        "--format",
        default="auto",
        metavar="NAME",
        help=f"what the files hold, instead of finding out: {', '.join(FORMATS)}",
    )


def check_format(kind: str) -> None:
    """Refuse a --format that is none."""
    if kind != "auto" and kind not in FORMATS:
        raise CommandError("unknownValue", f"no format {kind!r}; it is one of auto, {', '.join(FORMATS)}", "--format")


def read_request(options: argparse.Namespace) -> Imported:
    """Read what a selecting command was given, files and options together."""
    check_format(options.format)
    preference, of_uri = preference_from(options)
    if options.uri == reading.STDIN and (not options.files or reading.STDIN in options.files):
        raise CommandError(
            "argument", "standard input can be read once: it holds the connection string; name a file", "--uri"
        )
    imported = import_documents(documents_of(options.files), options.format)
    request = imported.request
    if preference is not None:
        request["readPreference"] = preference
    request.update(of_uri)
    apply_selection_options(request, options)
    return imported


def documents_of(files: list[str]) -> list[tuple[Any, str]]:
    """Give all documents in the files, each with its file's name."""
    return [(document, file.name) for file in reading.read(files) for document in file.documents]
