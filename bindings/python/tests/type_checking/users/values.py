"""Uses what is answered as values: dictionaries of them, exceptions, connection strings, what commands carry."""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Mapping
from typing import Any

from readpref import (
    ArgumentError,
    ConnectionString,
    Decoration,
    EffectivePreference,
    EngineWarning,
    HandleError,
    InvalidPreferenceError,
    ReadPreference,
    ReadPrefError,
    RoundTripTime,
    ServerDescription,
    SRVScan,
    TopologyDescription,
    WrongTypeError,
    call,
    call_raw,
    command,
    effective_preference,
    methods,
    parse_uri,
    readable,
    rescan_srv,
    rtt,
    validate,
    writable,
)


def latency(server: ServerDescription) -> float:
    """Give a number whatever is known."""
    return -1.0 if server.round_trip_time_ms is None else server.round_trip_time_ms


def problems(document: Mapping[str, Any]) -> list[str]:
    """Give all that is wrong."""
    return [problem["path"] for problem in validate(document)["problems"]]


def kind_of(error: ReadPrefError) -> str:
    """Sort an error."""
    if isinstance(error, InvalidPreferenceError):
        return f"preference {error.path}"
    if isinstance(error, WrongTypeError):
        return "type"
    return "closed" if isinstance(error, HandleError) else "argument" if isinstance(error, ArgumentError) else "other"


def raised(mode: str) -> str:
    """Build a preference of what a configuration says."""
    try:
        ReadPreference(mode, max_staleness_seconds=120, hedge=None)
    except ValueError as error:
        return kind_of(error) if isinstance(error, ReadPrefError) else "ours alone"
    return "fine"


def main() -> None:
    """Use each a little."""
    by_preference: dict[ReadPreference, TopologyDescription] = {}
    description = TopologyDescription({"servers": [{"address": "m.example:27017", "type": "Mongos"}]})
    by_preference[ReadPreference("nearest")] = description
    copied: TopologyDescription = pickle.loads(pickle.dumps(description))
    assert copied == description
    assert [latency(server) for server in description.servers] == [-1.0]

    assert problems({"mode": "secondry"}) == ["readPreference.mode"]
    assert raised("secondry") == "preference readPreference.mode"

    uri: ConnectionString = parse_uri("mongodb://a.example/shop?readPreference=nearest")
    host: str = uri.hosts[0].host
    port: int | None = uri.hosts[0].port
    assert (host, port, uri.read_preference.mode) == ("a.example", None, "nearest")
    scan: SRVScan = rescan_srv("mongodb+srv://a.example.com", [{"target": "b.example.com", "port": 27017}], [])
    assert scan.added == ("b.example.com:27017",)

    used: EffectivePreference = effective_preference("find", client="secondaryPreferred", collection="nearest")
    decoration: Decoration = command(description, "m.example", used.read_preference)
    sent: dict[str, Any] = decoration.attach({"find": "things"})
    assert sent["$readPreference"] == {"mode": "nearest"}

    average: RoundTripTime = rtt([10, 20.5, None, 20])
    assert average.average == 20
    assert readable(description, "nearest") is True
    assert writable(description) is True

    answer: dict[str, Any] = call("build_info", {})
    assert answer["name"] == "readpref"
    assert call_raw("build_info", b"{}").startswith(b"{")
    assert "select" in [method["name"] for method in methods()]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", EngineWarning)
        notes: tuple[EngineWarning, ...] = ReadPreference.from_uri_options("readPreference=secondry").warnings
    assert [note.code for note in notes] == ["invalidURIOptionValue"]


if __name__ == "__main__":
    main()
