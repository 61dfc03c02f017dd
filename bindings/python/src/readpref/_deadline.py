"""How long a selection may wait.

Server Selection specification, "serverSelectionTimeoutMS"; Client Side Operations Timeout specification, "Server
Selection".
"""

from __future__ import annotations

import math
import threading
import time
from decimal import Decimal
from typing import Any, Union

from readpref._errors import new_error
from readpref._reading import class_name, is_a, reading

Seconds = Union[int, float, Decimal]

# From the system's limit on, waiting is waiting for ever.
_FOREVER = threading.TIMEOUT_MAX


class Deadline:
    """The end of a selection's time, on the monotonic clock."""

    __slots__ = ("_at",)

    def __init__(self, seconds: float) -> None:
        self._at = math.inf if seconds >= _FOREVER else time.monotonic() + seconds

    def remaining(self) -> float | None:
        """Give the seconds that are left, 0 when it is over, None for ever."""
        return None if self._at == math.inf else max(0.0, self._at - time.monotonic())


def selection_time(timeout: Seconds | None, operation_timeout: Seconds | None, default: float) -> float:
    """Give the seconds that a selection may take.

    Args:
        timeout: serverSelectionTimeoutMS in seconds; None: the default.
        operation_timeout: what is left of timeoutMS in seconds; None or 0: it sets no limit.
        default: the topology's serverSelectionTimeoutMS in seconds.
    """
    seconds = default if timeout is None else seconds_of(timeout, "timeout")
    if operation_timeout is not None:
        left = seconds_of(operation_timeout, "operation_timeout")
        if left:
            return min(seconds, left)
    return seconds


def seconds_of(value: Any, name: str) -> float:
    """Read a number of seconds, 0 or more; name is the argument's."""
    with reading((name,)):
        if value is True or value is False or not is_a(value, int, float, Decimal):
            raise new_error("wrongType", f"expected a number of seconds, found a {class_name(value)}", name)
        try:
            seconds = float(value)
        except OverflowError:
            seconds = math.inf if value > 0 else -math.inf
    if not seconds >= 0:
        raise new_error("outOfRange", f"expected 0 or more seconds, found {seconds}", name)
    return seconds
