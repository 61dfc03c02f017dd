"""`select` and `explain`: the request is put together here, and decided by the engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, final, overload

from readpref._call import answer
from readpref._description import Described, TopologyDescription, refuse_request
from readpref._encode import encode
from readpref._errors import ReadPrefError, error_from_document, new_error
from readpref._options import CustomSelector, Milliseconds, Preference, Seed, WireVersions, keep_only, range_of, seed_of
from readpref._preference import ReadPreference, preference_document
from readpref._reading import is_a, reading
from readpref._selection import Explanation, S, Selection, selection_from_document
from readpref._topology import Topology
from readpref._warning import issue


@final
class _NoShard:
    """What is no value's type but Any's: so dict[str, Any], which json.load gives, is a description and not shards."""


@overload
def select(
    topology: Topology | TopologyDescription | Mapping[str, _NoShard],
    read_preference: Preference | None = None,
    *,
    operation: str = "read",
    deprioritized: Sequence[str] = (),
    custom_selector: CustomSelector | None = None,
    local_threshold_ms: Milliseconds | None = None,
    heartbeat_frequency_ms: int | None = None,
    wire_versions: WireVersions | None = None,
    pick: str | None = None,
    seed: Seed | None = None,
) -> Selection: ...
@overload
def select(
    topology: Mapping[str, Topology | TopologyDescription],
    read_preference: Preference | None = None,
    *,
    operation: str = "read",
    deprioritized: Sequence[str] = (),
    custom_selector: CustomSelector | None = None,
    local_threshold_ms: Milliseconds | None = None,
    heartbeat_frequency_ms: int | None = None,
    wire_versions: WireVersions | None = None,
    pick: str | None = None,
    seed: Seed | None = None,
) -> dict[str, Selection | ReadPrefError]: ...
@overload
def select(
    topology: Mapping[str, Any],
    read_preference: Preference | None = None,
    *,
    operation: str = "read",
    deprioritized: Sequence[str] = (),
    custom_selector: CustomSelector | None = None,
    local_threshold_ms: Milliseconds | None = None,
    heartbeat_frequency_ms: int | None = None,
    wire_versions: WireVersions | None = None,
    pick: str | None = None,
    seed: Seed | None = None,
) -> Selection: ...
def select(
    topology: Topology | TopologyDescription | Mapping[str, Any],
    read_preference: Preference | None = None,
    *,
    operation: str = "read",
    deprioritized: Sequence[str] = (),
    custom_selector: CustomSelector | None = None,
    local_threshold_ms: Milliseconds | None = None,
    heartbeat_frequency_ms: int | None = None,
    wire_versions: WireVersions | None = None,
    pick: str | None = None,
    seed: Seed | None = None,
) -> Selection | dict[str, Selection | ReadPrefError]:
    """Choose the server that serves an operation.

    Args:
        topology: what is known of the members: a `TopologyDescription`, or a description as a mapping, or a `Topology`,
            which means its present description and its settings. A mapping of shard names to such objects (an empty one
            too) is answered shard by shard.
        read_preference: a `ReadPreference`, or its ``$readPreference`` document, or a mode alone, such as
            ``"secondary"``. None: primary.
        operation: ``"read"``, ``"write"``, or ``"aggregateWithWriteStage"`` (an aggregate with $out or $merge).
        deprioritized: addresses avoided while anything else is suitable.
        custom_selector: the addresses that may be kept; runs on the suitable servers, before the latency window.
        local_threshold_ms: width of the latency window in milliseconds, at least 0. None: 15. A `Decimal` is exact.
        heartbeat_frequency_ms: whole milliseconds, at least 500. None: 10000.
        wire_versions: what the client speaks, ``(min, max)``. None: (8, 29).
        pick: how one of the window is chosen: ``"leastBusyOfTwo"`` (the default), ``"random"``, ``"roundRobin"``.
        seed: an integer from 0 to 2**64-1 that makes the pick repeatable, also in another language. None: a new one
            from the system's entropy.

    Returns:
        A `Selection`; for shards a dict with a `Selection` or a `ReadPrefError` (not raised) for each name.

    Raises:
        ReadPrefError: the request cannot be answered. That no server is suitable is no error: ``server`` is None then.

    Warns:
        EngineWarning: what the answer's ``warnings`` tell, unless a `ReadPreference` was given, which told it when it
            was built.

    >>> topology = Topology({"setName": "rs0", "servers": [
    ...     {"address": "a.example:27017", "type": "RSPrimary", "roundTripTimeMS": 2.4},
    ...     {"address": "b.example:27017", "type": "RSSecondary", "roundTripTimeMS": 5},
    ...     {"address": "c.example:27017", "type": "RSSecondary", "roundTripTimeMS": 150}]})
    >>> selection = select(topology, ReadPreference("secondary"))
    >>> selection.server
    Server(index=1, address='b.example:27017', type='RSSecondary')
    >>> selection.suitable
    ('b.example:27017', 'c.example:27017')
    >>> selection.in_latency_window
    ('b.example:27017',)
    >>> sorted(select({"shardA": topology, "shardB": topology}))
    ['shardA', 'shardB']
    """
    return _answer(
        "select",
        Selection,
        topology,
        {
            "readPreference": preference_document(read_preference),
            "operation": operation,
            "deprioritized": deprioritized,
            "customSelector": keep_only(custom_selector),
            "localThresholdMS": local_threshold_ms,
            "heartbeatFrequencyMS": heartbeat_frequency_ms,
            "wireVersions": range_of(wire_versions),
            "pick": pick,
            "seed": seed_of(seed),
        },
    )


@overload
def explain(
    topology: Topology | TopologyDescription | Mapping[str, _NoShard],
    read_preference: Preference | None = None,
    *,
    operation: str = "read",
    deprioritized: Sequence[str] = (),
    custom_selector: CustomSelector | None = None,
    local_threshold_ms: Milliseconds | None = None,
    heartbeat_frequency_ms: int | None = None,
    wire_versions: WireVersions | None = None,
    pick: str | None = None,
    seed: Seed | None = None,
) -> Explanation: ...
@overload
def explain(
    topology: Mapping[str, Topology | TopologyDescription],
    read_preference: Preference | None = None,
    *,
    operation: str = "read",
    deprioritized: Sequence[str] = (),
    custom_selector: CustomSelector | None = None,
    local_threshold_ms: Milliseconds | None = None,
    heartbeat_frequency_ms: int | None = None,
    wire_versions: WireVersions | None = None,
    pick: str | None = None,
    seed: Seed | None = None,
) -> dict[str, Explanation | ReadPrefError]: ...
@overload
def explain(
    topology: Mapping[str, Any],
    read_preference: Preference | None = None,
    *,
    operation: str = "read",
    deprioritized: Sequence[str] = (),
    custom_selector: CustomSelector | None = None,
    local_threshold_ms: Milliseconds | None = None,
    heartbeat_frequency_ms: int | None = None,
    wire_versions: WireVersions | None = None,
    pick: str | None = None,
    seed: Seed | None = None,
) -> Explanation: ...
def explain(
    topology: Topology | TopologyDescription | Mapping[str, Any],
    read_preference: Preference | None = None,
    *,
    operation: str = "read",
    deprioritized: Sequence[str] = (),
    custom_selector: CustomSelector | None = None,
    local_threshold_ms: Milliseconds | None = None,
    heartbeat_frequency_ms: int | None = None,
    wire_versions: WireVersions | None = None,
    pick: str | None = None,
    seed: Seed | None = None,
) -> Explanation | dict[str, Explanation | ReadPrefError]:
    """Choose as `select` does, and tell per server the stage that dropped it and the figures that decided.

    Takes, returns, raises and warns of what `select` does, with an `Explanation` in place of each `Selection`.

    >>> explanation = explain({"servers": [{"address": "a.example:27017", "type": "RSPrimary", "roundTripTimeMS": 2},
    ...     {"address": "b.example:27017", "type": "RSSecondary", "roundTripTimeMS": 31}]}, {"mode": "nearest"})
    >>> explanation.server.address
    'a.example:27017'
    >>> explanation.servers[1].stage, explanation.servers[1].why
    ('latencyWindow', 'RTT 31 ms, window ends at 17 ms')
    """
    return _answer(
        "explain",
        Explanation,
        topology,
        {
            "readPreference": preference_document(read_preference),
            "operation": operation,
            "deprioritized": deprioritized,
            "customSelector": keep_only(custom_selector),
            "localThresholdMS": local_threshold_ms,
            "heartbeatFrequencyMS": heartbeat_frequency_ms,
            "wireVersions": range_of(wire_versions),
            "pick": pick,
            "seed": seed_of(seed),
        },
    )


def _answer(
    method: str,
    kind: type[S],
    topology: Any,
    options: Mapping[str, object],
) -> S | dict[str, S | ReadPrefError]:
    refuse_request(topology)
    key = "shards" if _is_shards(topology) else "topology"
    given = {name: value for name, value in options.items() if value is not None}
    live = [one for one in (topology.values() if key == "shards" else [topology]) if is_a(one, Topology)]
    document = answer(method, encode({key: topology, **_settings(live), **given}))
    # A ReadPreference told its warnings when it was built.
    told = is_a(options["readPreference"], ReadPreference)
    if key == "topology":
        selection = selection_from_document(kind, document)
        issue(() if told else selection.warnings, stacklevel=3)
        return selection
    answers = {
        name: error_from_document(shard) if "error" in shard else selection_from_document(kind, shard)
        for name, shard in document["shards"].items()
    }
    answered = (one for one in answers.values() if isinstance(one, Selection))
    issue(() if told else (note for one in answered for note in one.warnings), stacklevel=3)
    return answers


def _settings(topologies: Sequence[Topology]) -> dict[str, Any]:
    """Give the settings that the topologies have in common."""
    settings = [one._settings() for one in topologies]
    if any(one != settings[0] for one in settings):
        raise new_error(
            "argument", "these topologies have different settings: ask each alone, or give descriptions", "shards"
        )
    return settings[0] if settings else {}


def _is_shards(topology: Any) -> bool:
    if not is_a(topology, Mapping):
        return False
    with reading(("topology",)):
        return not topology or any(is_a(value, Described) for value in topology.values())
