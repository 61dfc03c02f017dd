"""Errors of the command line itself; like the engine's they have a code, a message and a path."""

from __future__ import annotations

from readpref._errors import new_error


class CommandError(Exception):
    """Ends the command with an error in one line, or as an error document with --json.

    Attributes:
        error: as the engine words it; its path is that in the document, or the name of a file or an option.
        exit_code: None: the one that goes with the error's code.
    """

    def __init__(self, code: str, message: str, path: str = "", exit_code: int | None = None) -> None:
        self.error = new_error(code, message, path)
        self.exit_code = exit_code
        super().__init__(str(self.error))
