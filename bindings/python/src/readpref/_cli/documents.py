"""The documents in a text: JSON, one or several behind each other, or what mongosh prints."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Any, NoReturn

from readpref._cli.command_error import CommandError
from readpref._cli.mongosh_text import looks_like_mongosh, parse_mongosh
from readpref._encode import MAX_DEPTH

# How the drivers' logs name what `import` reads of them.
_DRIVER_LOG = re.compile(r"newDescription|topologyDescription|<TopologyDescription |Type: \w+, Servers: \[")
_SPACE = re.compile(r"[ \t\r\n]*")
# Before it is parsed, since CPython's parser recurses; brackets in strings do not count. One character or an escape at
# a time: a pattern for a whole string would look for the end of one that has none from each of its quotes.
_BRACKETS = re.compile(r'\\.|["\[\]{}]', re.DOTALL)


def documents_in(text: str, name: str) -> list[Any]:
    """Give the documents of a file's text; numbers stay exact. A driver's log is one document: its text."""
    start = _space_from(text, 0)
    if start == len(text):
        raise CommandError("invalidJSON", "empty: there is no document in it", name)
    if _DRIVER_LOG.search(text) and '"topology"' not in text:
        return [text]
    _check_depth(text, name)
    try:
        found = _json_documents(text, start, name)
        # Most lines of a log are about other things than descriptions, which are passed over in a text only. A request
        # may name what a log does, too: in the text of an error, say.
        lines = len(found) > 1 and all(isinstance(one, dict) and "topology" not in one for one in found)
        return [text] if lines and _DRIVER_LOG.search(text) else found
    except json.JSONDecodeError as error:
        if _DRIVER_LOG.search(text):  # its last line is cut, or it is in more than one form
            return [text]
        if looks_like_mongosh(text):
            return parse_mongosh(text, name)
        message = f"line {error.lineno} column {error.colno}: {error.msg[0].lower() + error.msg[1:]}"
        if error.pos == start and error.msg == "Expecting value" and not name.startswith("--"):
            message += "; this is no JSON, and no driver's log with a topology description"
        raise CommandError("invalidJSON", message, name) from error


def one_document(text: str, name: str) -> Any:
    """Give the one document of an option's value."""
    documents = documents_in(text, name)
    if len(documents) != 1:
        raise CommandError("invalidJSON", f"one document is wanted, {len(documents)} found", name)
    return documents[0]


def _json_documents(text: str, start: int, name: str) -> list[Any]:
    def whole(digits: str) -> int:
        if len(digits) > 320:  # longer than what readpref._encode writes
            raise CommandError("outOfRange", f"a number of {len(digits)} digits", name)
        return int(digits)

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            keys = [key for key, _ in pairs]
            twice = next(key for key in keys if keys.count(key) > 1)
            raise CommandError("duplicateKey", f"the key {twice!r} is there twice in one object", name)
        return found

    def constant(word: str) -> NoReturn:
        raise CommandError("invalidJSON", f"{word} is no JSON", name)

    decoder = json.JSONDecoder(parse_float=Decimal, parse_int=whole, parse_constant=constant, object_pairs_hook=unique)
    found = []
    while start < len(text):
        document, end = decoder.raw_decode(text, start)
        found.append(document)
        start = _space_from(text, end)
    return found


def _space_from(text: str, start: int) -> int:
    match = _SPACE.match(text, start)
    return match.end() if match else start


def _check_depth(text: str, name: str) -> None:
    depth = 0
    quoted = False
    for match in _BRACKETS.finditer(text):
        if match[0] == '"':
            quoted = not quoted
        elif quoted:
            continue
        elif match[0] in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise CommandError("nestingTooDeep", f"more than {MAX_DEPTH} levels of nesting", name)
        elif match[0] in "]}":
            depth -= 1
