"""What mongosh prints of a document without EJSON.stringify: unquoted keys, ISODate('…'), ObjectId('…').

It is read, not run. Names of values become the Extended JSON that EJSON.stringify would have printed.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any, NoReturn

from readpref._cli.command_error import CommandError
from readpref._encode import MAX_DEPTH

_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?(?![\w.])")
_SPACE = re.compile(r"\s*")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_STRING = re.compile(r"""'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)\"""", re.DOTALL)
_HALLMARK = re.compile(r"[{,]\s*(?:[A-Za-z_$][\w$]*|'[^'\n]*')\s*:|:\s*'|\b(?:ISODate|ObjectId|Long|Timestamp)\(")
_ELISION = re.compile(r"\[(?:Object|Array)\]|\.\.\. \d+ more items?")

_SIMPLE_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": ""}
_WORDS = {"true": True, "false": False, "null": None, "undefined": None}


def looks_like_mongosh(text: str) -> bool:
    """Tell whether a text that is no JSON is a document as mongosh prints it."""
    return _HALLMARK.search(text) is not None


def parse_mongosh(text: str, name: str) -> list[Any]:
    """Give the documents of a text as mongosh prints them."""
    return _Parser(text, name).documents()


class _Parser:
    def __init__(self, text: str, name: str) -> None:
        self.text = text
        self.name = name
        self.at = 0

    def documents(self) -> list[Any]:
        found = []
        self.space()
        while self.at < len(self.text):
            found.append(self.value(1))
            self.space()
        return found

    def fail(self, message: str) -> NoReturn:
        before = self.text[: self.at]
        line, column = before.count("\n") + 1, self.at - (before.rfind("\n") + 1) + 1
        raise CommandError("invalidJSON", f"line {line} column {column}: {message}", self.name)

    def space(self) -> None:
        match = _SPACE.match(self.text, self.at)
        self.at = match.end() if match else self.at

    def take(self, char: str) -> bool:
        self.space()
        if self.text.startswith(char, self.at):
            self.at += 1
            return True
        return False

    def need(self, char: str) -> None:
        if not self.take(char):
            self.fail(f"expected {char}")

    def value(self, depth: int) -> Any:
        self.space()
        if depth > MAX_DEPTH:
            raise CommandError("nestingTooDeep", f"more than {MAX_DEPTH} levels of nesting", self.name)
        if _ELISION.match(self.text, self.at):
            self.fail("mongosh left something out here; save the document with EJSON.stringify(…)")
        char = self.text[self.at : self.at + 1]
        if char == "{":
            return self.object(depth)
        if char == "[":
            return self.list("]", depth)
        if char in "'\"" and char:
            return self.string()
        number = _NUMBER.match(self.text, self.at)
        if number:
            self.at = number.end()
            if len(number[0]) > 320:
                self.fail("the number is too long")
            return Decimal(number[0]) if number[1] or number[2] else int(number[0])
        return self.word(depth)

    def object(self, depth: int) -> dict[str, Any]:
        self.need("{")
        found: dict[str, Any] = {}
        while not self.take("}"):
            self.space()
            name = _NAME.match(self.text, self.at)
            if name:
                key = name[0]
                self.at = name.end()
            else:
                key = self.string()
            if key in found:
                raise CommandError("duplicateKey", f"the key {key!r} is there twice in one object", self.name)
            self.need(":")
            found[key] = self.value(depth + 1)
            if not self.take(","):
                self.need("}")
                break
        return found

    def list(self, end: str, depth: int) -> list[Any]:
        self.at += 1
        found = []
        while not self.take(end):
            found.append(self.value(depth + 1))
            if not self.take(","):
                self.need(end)
                break
        return found

    def string(self) -> str:
        match = _STRING.match(self.text, self.at)
        if not match:
            self.fail("expected a value")
        self.at = match.end()
        return _ESCAPE.sub(_unescape, match[1] if match[1] is not None else match[2])

    def word(self, depth: int) -> Any:
        match = _NAME.match(self.text, self.at)
        if not match:
            self.fail("expected a value" if self.at < len(self.text) else "the document ends where a value is expected")
        word = match[0]
        if word == "new":
            self.at = match.end()
            self.space()
            match = _NAME.match(self.text, self.at)
            word = match[0] if match else ""
        if word in _WORDS:
            self.at += len(word)
            return _WORDS[word]
        make = _CALLS.get(word)
        if make is None:
            self.fail(f"{word[:40]!r} is not known; save the document with EJSON.stringify(…)")
        self.at += len(word)
        if self.take("."):  # Long.fromNumber, Binary.createFromBase64
            method = _NAME.match(self.text, self.at)
            self.at = method.end() if method else self.at
        self.space()
        if not self.text.startswith("(", self.at):
            self.fail("expected (")
        start = self.at
        arguments = self.list(")", depth)
        try:
            return make(*arguments)
        except (TypeError, ValueError, KeyError):
            self.at = start
            self.fail(f"{word} does not take these arguments")


def _unescape(match: re.Match[str]) -> str:
    if match[1] or match[2]:
        return chr(int(match[1] or match[2], 16))
    char: str = match[3]
    return _SIMPLE_ESCAPES.get(char, char)


def _timestamp(time: Any, increment: Any = None) -> dict[str, Any]:
    if isinstance(time, dict):
        time, increment = time["t"], time["i"]
    return {"$timestamp": {"t": time, "i": increment}}


def _integer(key: str) -> Any:
    return lambda value, *_: {key: str(int(value))}


_CALLS: dict[str, Any] = {
    "ISODate": lambda text: {"$date": text},
    "Date": lambda text: {"$date": text},
    "ObjectId": lambda text: {"$oid": text},
    "Timestamp": _timestamp,
    "Long": _integer("$numberLong"),
    "NumberLong": _integer("$numberLong"),
    "Int32": _integer("$numberInt"),
    "NumberInt": _integer("$numberInt"),
    "Double": lambda value: {"$numberDouble": str(value)},
    "Decimal128": lambda value: {"$numberDecimal": str(value)},
    "NumberDecimal": lambda value: {"$numberDecimal": str(value)},
    "UUID": lambda value: {"$uuid": value},
    "Binary": lambda *values: {"$binary": {"base64": str(values[0]), "subType": "00"}},
    "BinData": lambda kind, value: {"$binary": {"base64": value, "subType": f"{int(kind):02x}"}},
    "HexData": lambda kind, value: {"$binary": {"base64": value, "subType": f"{int(kind):02x}"}},
}
