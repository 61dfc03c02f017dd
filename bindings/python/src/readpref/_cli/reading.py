"""Input from files and from stdin: bytes, then text, then the documents in it."""

from __future__ import annotations

import os
import sys
from typing import Any

from readpref._cli.command_error import CommandError
from readpref._cli.documents import documents_in
from readpref._encode import MAX_BYTES

STDIN = "-"


class Input:
    """One file that was read.

    Attributes:
        name: as it was given; `<stdin>` for `-`.
        data: its bytes.
        documents: what is in it, in order; at least one.
    """

    def __init__(self, name: str, data: bytes) -> None:
        self.name = name
        self.data = data
        self.documents: list[Any] = documents_in(decode(data, name), name)


def read(names: list[str]) -> list[Input]:
    """Read files; `-`, and no name at all, is stdin."""
    names = names or [STDIN]
    if names.count(STDIN) > 1:
        raise CommandError("argument", "standard input can be read once", STDIN)
    if STDIN in names and sys.stdin is not None and sys.stdin.isatty():
        print("reading standard input; end it with Ctrl-D", file=sys.stderr)
    return [Input("<stdin>" if name == STDIN else name, read_bytes(name)) for name in names]


def read_bytes(name: str) -> bytes:
    """Read a file, or stdin for `-`, up to the size that a document may have."""
    shown = "<stdin>" if name == STDIN else name
    try:
        if name == STDIN:
            if sys.stdin is None:
                raise CommandError("argument", "standard input is closed", shown)
            source = getattr(sys.stdin, "buffer", None)
            if source is None:  # replaced by the caller of main()
                return sys.stdin.read().encode("utf-8", "surrogatepass")
            data: bytes = source.read(MAX_BYTES + 1)
        else:
            with open(_path(name), "rb") as file:
                data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise CommandError("argument", f"cannot be read: {_reason(error)}", shown) from error
    except ValueError as error:  # a NUL in the name, a closed stdin
        raise CommandError("argument", f"cannot be read: {error}", shown) from error
    if len(data) > MAX_BYTES:
        raise CommandError("documentTooLarge", f"larger than {MAX_BYTES} bytes", shown)
    return data


def write_text(name: str, text: str, option: str) -> None:
    """Write a file that an option names."""
    try:
        with open(_path(name), "wb") as file:
            file.write(text.encode("utf-8"))
    except OSError as error:
        raise CommandError("argument", f"{name} cannot be written: {_reason(error)}", option) from error
    except ValueError as error:  # a NUL in the name
        raise CommandError("argument", f"{name} cannot be written: {error}", option) from error


def decode(data: bytes, name: str) -> str:
    """Give the text of a file: UTF-8, or UTF-16 with a mark, which is what PowerShell's `>` writes."""
    try:
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            return data.decode("utf-16")
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        message = f"not UTF-8 at byte {error.start}: is this a text file?"
        raise CommandError("invalidUTF8", message, name) from error


def _path(name: str) -> str | bytes:
    # Not by the locale's encoding, which may lack what the name has.
    return name if os.name == "nt" else name.encode("utf-8", "surrogateescape")


def _reason(error: OSError) -> str:
    return os.strerror(error.errno) if error.errno is not None else str(error)
