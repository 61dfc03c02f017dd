"""What an importer gives."""

from __future__ import annotations

from typing import Any


class Imported:
    """A request, or the part of one that the source tells.

    Attributes:
        format: of the source, as --format names it.
        request: a request as select takes it.
        notes: `{"code","path","message"}` each: what the source cannot tell, and what was guessed.
    """

    def __init__(self, kind: str, request: dict[str, Any], notes: list[dict[str, str]] | None = None) -> None:
        self.format = kind
        self.request = request
        self.notes = notes or []

    @property
    def source(self) -> dict[str, Any]:
        """What --json tells of it beside the answer."""
        return {"format": self.format, "notes": self.notes}
