"""What the engine's answers warn of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from warnings import warn


class EngineWarning(UserWarning):
    """Something to know although the call succeeded: a value, and a Python warning of this category.

    Printed, it is ``path: message (code)``. ``warnings.filterwarnings("error", category=readpref.EngineWarning)`` makes
    it an exception.

    Attributes:
        code: a stable camelCase name, such as ``"invalidURIOptionValue"``.
        message: in English, without the path.
        path: where in the request, such as ``"uriOptions.readPreference"``.
    """

    def __init__(self, code: str, message: str, path: str) -> None:
        super().__init__(code, message, path)

    @property
    def code(self) -> str:
        """A stable camelCase name."""
        code: str = self.args[0]
        return code

    @property
    def message(self) -> str:
        """What to know, in English."""
        message: str = self.args[1]
        return message

    @property
    def path(self) -> str:
        """Where in the request."""
        path: str = self.args[2]
        return path

    def __str__(self) -> str:
        text = f"{self.message} ({self.code})"
        return f"{self.path}: {text}" if self.path else text

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, EngineWarning):
            return NotImplemented
        return self.args == other.args

    def __hash__(self) -> int:
        return hash(self.args)

    @classmethod
    def _from_document(cls, document: Mapping[str, Any]) -> EngineWarning:
        """Build from one element of an answer's ``warnings``."""
        code = document["code"]
        kind = EngineDeprecationWarning if code.endswith("Deprecated") else EngineWarning
        return kind(code, document["message"], document["path"])


class EngineDeprecationWarning(EngineWarning, DeprecationWarning):
    """What will be removed from MongoDB, such as hedged reads (``hedgeDeprecated``).

    As with every DeprecationWarning, Python shows it by default only where ``__main__`` caused it.
    """


def issue(notes: Iterable[EngineWarning], stacklevel: int) -> None:
    """Issue each of them once as a Python warning; a stacklevel of 1 is the line that calls this."""
    for note in dict.fromkeys(notes):
        warn(note, stacklevel=stacklevel + 1)
