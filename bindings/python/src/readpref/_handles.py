"""What the hot path looks into: the parts of `Topology` and `ReadPreference` that the extension has in C.

Where there is no extension, and the engine is reached by ctypes, they are in Python.
"""

from __future__ import annotations

from functools import update_wrapper
from types import MethodType
from typing import TYPE_CHECKING, Any, Callable, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


class _TopologyHandle:
    """The part of a topology: its handle, 0 once it is closed; and the server of each id, where it was asked for."""

    _handle: int = 0
    _log_levels: dict[int, bool] | None = None  # what a logger has found out of its levels; the extension looks there
    _remembered: dict[int, Any]

    def _begin(self, handle: int, /) -> None:
        """Have a handle that is new, and remember no server."""
        self._remembered = {}
        self._handle = handle

    def _known(self, id: Any, /) -> Any:  # noqa: A002 - the field's name
        """Give the server that was remembered under an id, or None, also for what is no id."""
        return self._remembered.get(id) if type(id) is int else None

    def _remember(self, id: int, server: Any, /) -> Any:  # noqa: A002
        """Keep a server under its id, and give the one that was first."""
        return self._remembered.setdefault(id, server)


class _PreferenceHandle:
    """The part of a read preference: its handle, where it is open."""

    __slots__ = ("_handle",)

    _handle: int


if TYPE_CHECKING:
    TopologyHandle = _TopologyHandle
    PreferenceHandle = _PreferenceHandle
    quick_select: Any = None
else:
    try:
        from readpref._engine import PreferenceHandle, TopologyHandle, quick_select
    except ImportError:
        TopologyHandle, PreferenceHandle, quick_select = _TopologyHandle, _PreferenceHandle, None


def quick(function: F, preference_type: type, flags: dict[str, int], nobody: object) -> F:
    """Give `Topology.select` with its hot path in C, where there is the extension; else the function itself.

    Args:
        function: the method, which serves whatever is unusual, and has the signature and the documentation.
        preference_type: exactly of this class is a read preference that the hot path takes.
        flags: of rp_select, for each operation's name.
        nobody: the default of ``deprioritized``.
    """
    if quick_select is None:
        return function
    made: F = quick_select(function, preference_type, flags, nobody, MethodType)
    update_wrapper(made, function)
    return made
