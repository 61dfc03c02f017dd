"""The exceptions of readpref: one base, and a subclass per kind that is also the builtin a caller would expect."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from readpref._codes import STATUS_BY_CODE
from readpref._plain import error_text

if TYPE_CHECKING:
    from readpref._selection import Explanation


class ReadPrefError(Exception):
    """What every error of readpref is.

    Whatever the message and the path repeat of a request, both are short (about 1000 bytes each) and safe to print:
    what a terminal obeys is escaped.

    Attributes:
        code: the stable camelCase name, such as ``"maxStalenessTooSmall"``; docs/errors.md lists them all.
        status: the code's number, always negative.
        message: what is wrong, in English, without the path.
        path: where in the request document, such as ``"readPreference.tags[1].dc"``; ``""`` is the whole document.
        minimum_seconds: for ``maxStalenessTooSmall`` the smallest maxStalenessSeconds this topology allows, in seconds,
            else None.

    Copied and pickled, as `multiprocessing` does with what a worker raises, an error keeps its class and all of these.

    >>> import readpref
    >>> try:
    ...     readpref.ReadPreference("secundary")
    ... except readpref.ReadPrefError as error:
    ...     print(error.code, error.status, error.path)
    unknownMode -20 readPreference.mode
    """

    code: str
    status: int
    message: str
    path: str
    minimum_seconds: int | None

    def __init__(
        self,
        code: str,
        message: str,
        path: str = "",
        *,
        status: int | None = None,
        minimum_seconds: int | None = None,
    ) -> None:
        code, message, path = (
            _text(code, "code"),
            error_text(_text(message, "message")),
            error_text(_text(path, "path")),
        )
        super().__init__(f"{path}: {message}" if path else message)
        self.code = code
        self.status = STATUS_BY_CODE.get(code, 0) if status is None else status
        self.message = message
        self.path = path
        self.minimum_seconds = minimum_seconds

    def __reduce__(self) -> tuple[Any, ...]:
        # Exception's own would call the class with the printed text alone.
        return _again, (type(self), self.to_dict()["error"])

    def to_dict(self) -> dict[str, Any]:
        """Give the error document, as the engine prints it: ``{"error": {"code", "status", "message", "path"}}``."""
        error: dict[str, Any] = {
            "code": self.code,
            "status": self.status,
            "message": self.message,
            "path": self.path,
        }
        if self.minimum_seconds is not None:
            error["minimumSeconds"] = self.minimum_seconds
        return {"error": error}


class InvalidDocumentError(ReadPrefError, ValueError):
    """A document that cannot be taken as it is: not JSON, an unknown key, a value out of range, too large."""


class WrongTypeError(InvalidDocumentError, TypeError):
    """A value of another type than its key takes, or whose own methods raise: that is the cause (``wrongType``)."""


class InvalidPreferenceError(InvalidDocumentError):
    """A read preference that says something impossible, or that this topology does not allow."""


class UnknownMethodError(ReadPrefError, LookupError):
    """No method of the engine has this name (``unknownMethod``)."""


class NoServerError(ReadPrefError, LookupError):
    """No server of a `Topology` is suitable (``noServer``). The function `select` answers ``server is None`` instead.

    Printed, it tells what became of each server.

    Attributes:
        explanation: why, an `Explanation`; None where the error came from `call`.
    """

    explanation: Explanation | None = None

    def __str__(self) -> str:
        return super().__str__() if self.explanation is None else f"{self.message}\n\n{self.explanation.text}"

    def __reduce__(self) -> tuple[Any, ...]:
        return _no_server_again, (type(self), self.to_dict()["error"], self.explanation)


class ServerSelectionTimeoutError(NoServerError, TimeoutError):
    """No server became suitable in time (``noServer``)."""


class HandleError(ReadPrefError, ValueError):
    """A `Topology` that is closed, or a number that is no open handle (``handle``)."""


class IncompatibleWireVersionError(ReadPrefError, RuntimeError):
    """A server and this client share no wire version (``incompatibleWireVersion``)."""


class ForkedError(ReadPrefError, RuntimeError):
    """The process was forked from one that had used readpref, and its library does not survive that (``forked``).

    The library that this package carries does. Only one with the Go runtime, packed by READPREF_LIB, says this: use it
    after the fork, or start children by ``spawn`` or ``forkserver``.
    """


class ArgumentError(ReadPrefError, ValueError):
    """Arguments that are missing or do not go together, or that name nothing (``argument``)."""


class InternalError(ReadPrefError, RuntimeError):
    """A fault inside readpref itself (``internal``, ``buffer``); please report it."""


class LibraryError(InternalError):
    """The engine's library is missing, cannot be loaded, or is of another ABI version."""


def _text(value: object, name: str) -> str:
    """Give a string without what a class derived from str may have changed."""
    if not issubclass(type(value), str):
        raise new_error("wrongType", "an error's code, message and path are strings", name)
    return str.__str__(value)


_CLASS_BY_CODE: dict[str, type[ReadPrefError]] = {
    "argument": ArgumentError,
    "buffer": InternalError,
    "handle": HandleError,
    "noServer": NoServerError,
    "forked": ForkedError,
    "internal": InternalError,
    "unknownMethod": UnknownMethodError,
    "invalidJSON": InvalidDocumentError,
    "invalidUTF8": InvalidDocumentError,
    "duplicateKey": InvalidDocumentError,
    "nestingTooDeep": InvalidDocumentError,
    "documentTooLarge": InvalidDocumentError,
    "limitExceeded": InvalidDocumentError,
    "unknownKey": InvalidDocumentError,
    "missingKey": InvalidDocumentError,
    "wrongType": WrongTypeError,
    "outOfRange": InvalidDocumentError,
    "unknownMode": InvalidPreferenceError,
    "maxStalenessTooSmall": InvalidPreferenceError,
    "maxStalenessWithPrimary": InvalidPreferenceError,
    "tagsWithPrimary": InvalidPreferenceError,
    "hedgeWithPrimary": InvalidPreferenceError,
    "invalidMaxStaleness": InvalidPreferenceError,
    "unknownValue": InvalidDocumentError,
    "duplicateAddress": InvalidDocumentError,
    "incompatibleWireVersion": IncompatibleWireVersionError,
    "invalidURIOption": InvalidDocumentError,
    "invalidURI": InvalidDocumentError,
    "invalidHost": InvalidDocumentError,
    "conflictingOptions": InvalidDocumentError,
    "directConnectionWithMultipleHosts": InvalidDocumentError,
    "loadBalancedWithReplicaSet": InvalidDocumentError,
    "loadBalancedWithMultipleHosts": InvalidDocumentError,
    "loadBalancedWithDirectConnection": InvalidDocumentError,
    "noSRVRecords": InvalidDocumentError,
    "invalidSRVRecord": InvalidDocumentError,
    "invalidTXTRecord": InvalidDocumentError,
    "transactionReadPreferenceNotPrimary": InvalidPreferenceError,
}


def new_error(code: str, message: str, path: str = "") -> ReadPrefError:
    """Make the exception of the class that goes with a code."""
    return _CLASS_BY_CODE.get(code, ReadPrefError)(code, message, path)


def no_server(kind: type[NoServerError], message: str, explanation: Explanation | None) -> NoServerError:
    """Make the exception of a selection that found nobody."""
    error = kind("noServer", message)
    error.explanation = explanation
    return error


def _no_server_again(
    kind: type[NoServerError], error: Mapping[str, Any], explanation: Explanation | None
) -> ReadPrefError:
    made = _again(kind, error)
    assert isinstance(made, NoServerError)
    made.explanation = explanation
    return made


def _again(kind: type[ReadPrefError], error: Mapping[str, Any]) -> ReadPrefError:
    """Make an error that was pickled."""
    return kind(
        error["code"],
        error["message"],
        error["path"],
        status=error["status"],
        minimum_seconds=error.get("minimumSeconds"),
    )


def error_from_document(document: Mapping[str, Any]) -> ReadPrefError:
    """Make the exception that an error document ``{"error": {…}}`` describes."""
    error = document["error"]
    return _again(_CLASS_BY_CODE.get(error["code"], ReadPrefError), error)
