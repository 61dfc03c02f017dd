"""A server selector for PyMongo: zones, weights, and servers that are excluded."""

from __future__ import annotations

import logging
import random
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Callable, NamedTuple

from readpref._errors import new_error
from readpref._fork import told_of_forks
from readpref._reading import class_name, is_a
from readpref.pymongo._addresses import address_of, normal_address
from readpref.pymongo._choice import Choice
from readpref.pymongo._selector_options import tag_sets_of, weights_of, whole_number

if TYPE_CHECKING:
    from pymongo.server_description import ServerDescription

LOGGER = logging.getLogger("readpref.pymongo")


class _Kept(NamedTuple):
    servers: list[ServerDescription]
    excluded: list[ServerDescription]
    last_resort: bool
    zone: int | None
    weight: int | None


class ServerSelector:
    """What to pass as ``MongoClient(server_selector=…)``, also of an `AsyncMongoClient`.

    PyMongo calls it with the servers that are suitable for an operation: after mode, maxStalenessSeconds and tag sets,
    and before the latency window. Of those it keeps, PyMongo drops the ones that are more than localThresholdMS slower
    than the fastest kept, and takes the less busy of two random ones that are left. In turn:

    1. Servers that are excluded (see `exclude`) are dropped, while another is suitable.
    2. The first zone that can take the operation is kept, and no other: one with at least `min_servers` suitable
    servers
       that have fewer than `max_operations` in progress, and only these are kept. Where no zone can, it is the first
       zone with any suitable server, and where none has one, all servers. So a zone that is lost, too small or too busy
       spills over into the next, however far that is.
    3. By `weights` one group of servers is drawn, and only its servers are kept.

    What follows from where PyMongo calls it:

    - Writes and reads from the primary come with the primary alone. A single server is never dropped by zones or
    weights,
      and by `exclude` only where that says ``strict``.
    - It chooses among what the read preference allows, and adds nothing: with mode ``secondary`` and a primary in the
      first zone, the secondaries of the next zone serve. ``nearest`` leaves most to choose from.
    - The window that follows is measured from the fastest server kept. Zones and groups each far away serve as well
      as near ones, but of one with both near and far members, only the near ones do; widen localThresholdMS for more.
    - It is not called for what goes on at a server (a cursor's next batch, a transaction on a mongos), nor with one
      server that is connected to directly or is a standalone, nor with a load balancer. A mongos has no tags, so only
      `exclude` is of use there.
    - The client's lock is held meanwhile: `on_choice` must not use the client, and be quick.

    Thread-safe; one selector may serve several clients. In a child of a fork it goes on with the same exclusions.

    Args:
        zones: tag sets, the preferred first. A server belongs to the first one that it matches.
        min_servers: how many servers a zone needs to take operations.
        max_operations: a server with so many operations in progress takes no more while others can; it needs
            `operation_counts`.
        operation_counts: the operations in progress by address: an `OperationCounts` that is also one of the client's
            ``event_listeners``.
        weights: pairs of a tag set and a whole number: of several groups of servers, each is drawn with that
            probability, in proportion. A server belongs to the first tag set that it matches; those with weight 0, or
            with none, serve only where no others are left.
        seed: makes the draws repeatable; an integer from 0 to 2**64-1.
        on_choice: called with each `Choice`. What it raises is logged, and the operation goes on.
        remember: how many choices `choices` keeps.

    Each choice is also logged at level DEBUG to the logger ``readpref.pymongo``, with its fields as attributes of the
    log record.

    Raises:
        ReadPrefError: with the argument's name in the path, such as ``zones[1].dc``.

    >>> from pymongo import MongoClient
    >>> selector = ServerSelector(zones=[{"dc": "ny"}, {"dc": "sf"}])
    >>> client = MongoClient("mongodb://a.example/?readPreference=nearest", connect=False, server_selector=selector)
    >>> selector.exclude("b.example:27017")
    >>> selector.excluded
    ('b.example:27017',)
    >>> selector.include("b.example:27017")
    >>> client.close()
    """

    def __init__(
        self,
        zones: Sequence[Mapping[str, str]] | None = None,
        *,
        min_servers: int = 1,
        max_operations: int | None = None,
        operation_counts: Mapping[str, int] | None = None,
        weights: Sequence[tuple[Mapping[str, str], int]] | None = None,
        seed: int | None = None,
        on_choice: Callable[[Choice], object] | None = None,
        remember: int = 0,
    ) -> None:
        self._zones = tag_sets_of(zones, "zones")
        self._min_servers = whole_number(min_servers, "min_servers", 1)
        self._max_operations = None if max_operations is None else whole_number(max_operations, "max_operations", 1)
        if operation_counts is not None and not is_a(operation_counts, Mapping):
            raise new_error(
                "wrongType",
                f"expected a mapping of addresses, found {class_name(operation_counts)}",
                "operation_counts",
            )
        if self._max_operations is not None and operation_counts is None:
            raise new_error(
                "argument",
                "max_operations needs operation_counts: an OperationCounts that is in the client's event_listeners",
                "operation_counts",
            )
        self._operation_counts = operation_counts
        self._weights = weights_of(weights)
        self._seed = None if seed is None else whole_number(seed, "seed", 0, 2**64 - 1)
        self._random = random.Random(self._seed)
        if on_choice is not None and not callable(on_choice):
            raise new_error("wrongType", f"expected a function, found {class_name(on_choice)}", "on_choice")
        self._on_choice = on_choice
        self._choices: deque[Choice] = deque(maxlen=whole_number(remember, "remember", 0, 2**31 - 1))
        # By address, whether strictly. Replaced and never changed, so that it is read without the lock.
        self._excluded: dict[str, bool] = {}
        self._lock = threading.Lock()
        told_of_forks(self)

    def _after_fork_in_child(self) -> None:
        # Another thread may have held it.
        self._lock = threading.Lock()
        if self._seed is None:
            self._random = random.Random()

    def exclude(self, address: str, *, strict: bool = False) -> None:
        """Drop a server from now on; operations that are under way go on.

        It still serves what nothing else is suitable for, such as writes while it is the primary.

        Args:
            address: such as ``"b.example:27017"``, as the replica set's configuration names it; in any case, and
                without a port it is 27017. It need not be known.
            strict: never use it. What only it could serve waits for serverSelectionTimeoutMS, and fails.

        Raises:
            ReadPrefError: no address, with path ``address``.
        """
        normal = normal_address(address, "address")
        with self._lock:
            self._excluded = {**self._excluded, normal: bool(strict)}

    def include(self, address: str) -> None:
        """Use a server again; nothing happens where it is not excluded.

        Raises:
            ReadPrefError: no address, with path ``address``.
        """
        normal = normal_address(address, "address")
        with self._lock:
            self._excluded = {name: strict for name, strict in self._excluded.items() if name != normal}

    @property
    def excluded(self) -> tuple[str, ...]:
        """The addresses that are excluded."""
        return tuple(self._excluded)

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The latest choices, the oldest first: `remember` of them."""
        with self._lock:
            return tuple(self._choices)

    def __call__(self, servers: list[ServerDescription]) -> list[ServerDescription]:
        """Keep some of the suitable servers (PyMongo calls it)."""
        kept = self._keep(servers, self._draw)
        self._tell(servers, kept)
        return kept.servers

    def preview(self, servers: list[ServerDescription]) -> list[ServerDescription]:
        """Tell what the next call would keep, without a draw, a log message or a memory of it."""
        source = random.Random()
        with self._lock:
            source.setstate(self._random.getstate())
        return self._keep(servers, source.randrange).servers

    def _draw(self, below: int) -> int:
        with self._lock:
            return self._random.randrange(below)

    def _keep(self, servers: list[ServerDescription], draw: Callable[[int], int]) -> _Kept:
        excluded = self._excluded
        dropped = [one for one in servers if address_of(one.address) in excluded]
        last_resort = len(dropped) == len(servers)
        if last_resort:
            dropped = [one for one in servers if excluded[address_of(one.address)]]
            last_resort = len(dropped) < len(servers)
        usable = [one for one in servers if one not in dropped]
        zone = weight = None
        if self._zones and len(usable) > 1:
            zone, usable = self._of_zones(usable)
        if self._weights and len(usable) > 1:
            weight, usable = self._of_weights(usable, draw)
        return _Kept(usable, dropped, last_resort, zone, weight)

    def _of_zones(self, servers: list[ServerDescription]) -> tuple[int | None, list[ServerDescription]]:
        zones: dict[int, list[ServerDescription]] = {}
        for server in servers:
            place = _first_match(self._zones, server)
            if place is not None:
                zones.setdefault(place, []).append(server)
        for place in sorted(zones):
            free = [one for one in zones[place] if not self._is_busy(one)]
            if len(free) >= self._min_servers:
                return place, free
        if not zones:
            return None, servers
        first = min(zones)
        return first, zones[first]

    def _is_busy(self, server: ServerDescription) -> bool:
        if self._max_operations is None or self._operation_counts is None:
            return False
        return self._operation_counts.get(address_of(server.address), 0) >= self._max_operations

    def _of_weights(
        self, servers: list[ServerDescription], draw: Callable[[int], int]
    ) -> tuple[int | None, list[ServerDescription]]:
        tag_sets = [tag_set for tag_set, _ in self._weights]
        groups: dict[int, list[ServerDescription]] = {}
        for server in servers:
            place = _first_match(tag_sets, server)
            if place is not None and self._weights[place][1]:
                groups.setdefault(place, []).append(server)
        if not groups:
            return None, servers
        drawn = draw(sum(self._weights[place][1] for place in groups))
        for place in sorted(groups):
            drawn -= self._weights[place][1]
            if drawn < 0:
                return place, groups[place]
        raise AssertionError("a draw is less than the sum of the weights")

    def _tell(self, servers: list[ServerDescription], kept: _Kept) -> None:
        logged = LOGGER.isEnabledFor(logging.DEBUG)
        if not logged and self._on_choice is None and self._choices.maxlen == 0:
            return
        choice = Choice(
            suitable=_addresses(servers),
            kept=_addresses(kept.servers),
            excluded=_addresses(kept.excluded),
            last_resort=kept.last_resort,
            zone=kept.zone,
            weight=kept.weight,
            time_ms=time.time_ns() // 1_000_000,
        )
        with self._lock:
            self._choices.append(choice)
        if logged:
            fields = {
                "suitable": choice.suitable,
                "kept": choice.kept,
                "excluded": choice.excluded,
                "lastResort": choice.last_resort,
                "zone": choice.zone,
                "weight": choice.weight,
            }
            LOGGER.debug(
                "Server selector kept %s of %s", ", ".join(choice.kept), ", ".join(choice.suitable), extra=fields
            )
        if self._on_choice is not None:
            try:
                self._on_choice(choice)
            except Exception:
                LOGGER.exception("on_choice of a server selector failed")

    def __repr__(self) -> str:
        parts: list[str] = []
        given: list[tuple[str, Any]] = [("zones", list(self._zones)), ("weights", list(self._weights))]
        parts += [f"{name}={value!r}" for name, value in given if value]
        if self._excluded:
            parts.append(f"excluded={self.excluded!r}")
        return f"<{type(self).__name__} {' '.join(parts)}>" if parts else f"<{type(self).__name__}>"


def _first_match(tag_sets: Sequence[Mapping[str, str]], server: ServerDescription) -> int | None:
    tags = server.tags.items()
    return next((place for place, tag_set in enumerate(tag_sets) if tag_set.items() <= tags), None)


def _addresses(servers: Sequence[ServerDescription]) -> tuple[str, ...]:
    return tuple(address_of(one.address) for one in servers)
