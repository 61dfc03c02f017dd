"""What the engine's answers warn of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class EngineWarning:
    """Something to know although the call succeeded.

    Attributes:
        code: a stable camelCase name, such as ``"hedgeDeprecated"``.
        message: in English.
        path: where in the request, such as ``"readPreference.hedge"``.
    """

    code: str
    message: str
    path: str

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> EngineWarning:
        """Build from one element of an answer's ``warnings``."""
        return cls(document["code"], document["message"], document["path"])
