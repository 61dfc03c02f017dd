"""What objects have to make new in the child of a fork."""

from __future__ import annotations

import os
import weakref
from typing import Protocol


class Forked(Protocol):
    """An object with state that belongs to the process, such as locks and those who wait."""

    def _after_fork_in_child(self) -> None: ...


_all: weakref.WeakSet[Forked] = weakref.WeakSet()


def told_of_forks(one: Forked) -> None:
    """Call the object's ``_after_fork_in_child`` in each child that is forked, as long as the object lives."""
    _all.add(one)


def _after_fork_in_child() -> None:
    for one in list(_all):
        one._after_fork_in_child()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork_in_child)
