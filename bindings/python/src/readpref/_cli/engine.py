"""Asks the engine, and keeps its very bytes where they are the answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from readpref import _native
from readpref._cli.progress import busy
from readpref._encode import encode
from readpref._errors import error_from_document


class Answer:
    """An answer of a method: as it came, and read.

    Attributes:
        raw: the engine's JSON.
        document: the same, read.
    """

    def __init__(self, raw: str) -> None:
        self.raw = raw
        self.document: dict[str, Any] = json.loads(raw)


def ask(method: str, request: Mapping[str, Any] | bytes) -> Answer:
    """Run a method on a request; an error document is raised as its exception."""
    data = request if isinstance(request, bytes) else encode(request)
    with busy(method):
        succeeded, out = _native.call(method.encode("utf-8", "surrogatepass"), data)
    answer = Answer(out.decode("utf-8"))
    if not succeeded:
        raise error_from_document(answer.document)
    return answer
