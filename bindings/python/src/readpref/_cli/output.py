"""What the command prints: text or one JSON document to stdout, notes and errors to stderr."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Mapping
from typing import Any, TextIO

from readpref._cli import colour
from readpref._cli.redact import hide_uris
from readpref._errors import ReadPrefError
from readpref._plain import plain

_NOT_ASCII = re.compile(r"[^\x00-\x7f]")


class OutputError(Exception):
    """The output cannot be written: a full disk, a closed stdout."""


class Output:
    """Where the command prints, and how.

    Attributes:
        json: print documents, and errors as error documents, to stdout.
        coloured: whether text on stdout has colour.
    """

    def __init__(self, *, json: bool) -> None:
        self.json = json
        self.coloured = False
        self._stdout: TextIO | None = sys.stdout
        self._stderr: TextIO | None = sys.stderr
        for stream in (self._stdout, self._stderr):
            _never_fail_to_encode(stream)

    def configure(self, *, json: bool, color: str) -> None:
        """Say what the options said."""
        self.json = json
        self.coloured = not json and self._stdout is not None and colour.wanted(color, self._stdout)

    def text(self, text: str) -> None:
        """Print text that may hold colour, and nothing else that a terminal obeys."""
        if self._stdout is None:
            raise OutputError("standard output is closed")
        try:
            self._stdout.write(text)
        except BrokenPipeError:
            raise
        except (OSError, ValueError) as error:
            raise OutputError(str(error)) from error

    def line(self, text: str, style: str = "") -> None:
        """Print a line of text that is not the engine's; what a terminal obeys is escaped."""
        text = plain(text)
        self.text((colour.paint(text, style) if style and self.coloured else text) + "\n")

    def row(self, *cells: str) -> None:
        """Print cells with tabs between, which no name holds, since what a terminal obeys is escaped."""
        self.text("\t".join(plain(cell) for cell in cells) + "\n")

    def document(self, document: Mapping[str, Any]) -> None:
        """Print a document on one line."""
        self.raw(json.dumps(document, ensure_ascii=False, separators=(",", ":")))

    def raw(self, text: str) -> None:
        """Print a document that is JSON already: its very bytes, unless a terminal or a locale forbids."""
        stream = self._stdout
        if stream is not None:
            if colour.is_terminal(stream):
                text = "".join(_escaped(char) if plain(char) != char else char for char in text.rstrip("\n"))
            if not _speaks_unicode(stream):
                text = _NOT_ASCII.sub(lambda match: _escaped(match[0]), text)
        self.text(text + "\n")

    def notes(self, notes: Iterable[str]) -> None:
        """Tell on stderr, a line each, what to know about the answer."""
        for note in notes:
            self._say(f"note: {note}")

    def error(self, error: ReadPrefError) -> None:
        """Print an error: one line on stderr, or the error document on stdout with --json."""
        document = error.to_dict()
        told = document["error"]
        told["message"], told["path"] = hide_uris(told["message"]), hide_uris(told["path"])
        if self.json:
            self.document(document)
        else:
            where = f"{told['path']}: " if told["path"] else ""
            self._say(f"readpref: error: {told['code']}: {where}{told['message']}")

    def _say(self, text: str) -> None:
        if self._stderr is None:
            return
        try:
            self._stderr.write(plain(text) + "\n")
            self._stderr.flush()
        except (OSError, ValueError):
            pass  # nobody is left to be told

    def flush(self) -> None:
        """Write all out; what cannot be written shows here."""
        if self._stdout is None:
            return
        try:
            self._stdout.flush()
        except BrokenPipeError:
            raise
        except (OSError, ValueError) as error:
            raise OutputError(str(error)) from error


def _escaped(char: str) -> str:
    # JSON has escapes of 16 bits.
    return json.dumps(char)[1:-1] if char != "\x7f" else "\\u007f"


def _speaks_unicode(stream: TextIO) -> bool:
    return (stream.encoding or "utf-8").lower().replace("-", "").startswith(("utf8", "utf16", "utf32"))


def _never_fail_to_encode(stream: TextIO | None) -> None:
    # A table with a name that the locale lacks is better shown with an escape than not at all.
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")
