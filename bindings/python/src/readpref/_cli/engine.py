"""Asks the engine, and keeps its very bytes where they are the answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from readpref._call import answer_and_raw
from readpref._cli.progress import busy
from readpref._encode import encode


class Answer:
    """An answer of a method: as it came, and read.

    Attributes:
        raw: the engine's JSON.
        document: the same, read.
    """

    def __init__(self, document: dict[str, Any], raw: str) -> None:
        self.document = document
        self.raw = raw


def ask(method: str, request: Mapping[str, Any] | bytes) -> Answer:
    """Run a method on a request; an error document is raised as its exception."""
    data = request if isinstance(request, bytes) else encode(request)
    with busy(method):
        return Answer(*answer_and_raw(method, data))
