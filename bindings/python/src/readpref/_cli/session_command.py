"""readpref session: requests by lines, so that handles live from one to the next."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import Any

from readpref import _native
from readpref._cli import exit_codes
from readpref._cli.command_error import CommandError
from readpref._cli.documents import one_document
from readpref._cli.output import Output
from readpref._encode import MAX_BYTES, encode
from readpref._errors import ReadPrefError


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add nothing: a session is its input."""
    parser.set_defaults(json=True)


def run(options: argparse.Namespace, output: Output) -> int:
    """Answer each line {"method","request"} by one line, errors as error documents; go on to the end of the input."""
    for line in _lines():
        if not line.strip():
            continue
        try:
            output.raw(_answer(line))
        except CommandError as error:
            output.document(error.error.to_dict())
        except ReadPrefError as error:
            output.document(error.to_dict())
        output.flush()
    return exit_codes.OK


def _lines() -> Iterator[bytes]:
    source: Any = getattr(sys.stdin, "buffer", None)
    if source is None:
        return
    while True:
        # Twice a document's size: what cannot be one is refused, and not kept.
        line = source.readline(2 * MAX_BYTES)
        if not line:
            return
        yield line


def _answer(line: bytes) -> str:
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise CommandError("invalidUTF8", f"not UTF-8 at byte {error.start}") from error
    document = one_document(text, "")
    if not isinstance(document, dict):
        raise CommandError("wrongType", 'a line is an object {"method","request"}')
    for key in document:
        if key not in ("method", "request"):
            raise CommandError("unknownKey", 'a line has the keys "method" and "request"', key)
    method = document.get("method")
    if not isinstance(method, str):
        code = "missingKey" if method is None else "wrongType"
        raise CommandError(code, "the name of a method is wanted", "method")
    request = encode(document.get("request") or {})
    return _native.call(method.encode("utf-8", "surrogatepass"), request)[1].decode("utf-8")
