"""Takes values apart by match statements, for Python 3.10 and newer."""

from __future__ import annotations

from readpref import (
    Explanation,
    Notice,
    PoolClear,
    ReadPreference,
    Reason,
    SelectedServer,
    Selection,
    Server,
    ServerDescriptionChangedEvent,
    StartMonitor,
    select,
)


def told(notice: Notice) -> str:
    """Tell of an event or effect."""
    match notice:
        case StartMonitor(address=address):
            return f"check {address}"
        case PoolClear(_, address, interrupt, generation):
            return f"clear {address} {interrupt} {generation}"
        case ServerDescriptionChangedEvent(new_description=server):
            return f"{server.address} {server.type}"
        case _:
            return "?"


def answered(selection: Selection) -> str:
    """Tell what was chosen."""
    match selection:
        case Explanation(text=text):
            return text
        case Selection(server=Server(index, address, kind)):
            return f"{index} {address} {kind}"
        case Selection(reason=Reason(code, message)):
            return f"{code}: {message}"
        case _:
            return "?"


def meant(preference: ReadPreference) -> str:
    """Tell what a read preference means."""
    match preference:
        case ReadPreference("primary"):
            return "the primary"
        case ReadPreference(mode, (), None, None):
            return f"{mode}, any"
        case ReadPreference(mode, [{"dc": dc}, *_], max_staleness_seconds=seconds):
            return f"{mode}, first in {dc}, {seconds}"
        case _:
            return "some"


if __name__ == "__main__":
    assert told(PoolClear(1, "a.example:27017", False, 2)) == "clear a.example:27017 False 2"
    found = select({"servers": [{"address": "a.example:27017", "type": "RSPrimary"}]})
    assert answered(found) == "0 a.example:27017 RSPrimary"
    assert meant(ReadPreference("primary")) == "the primary"
    assert meant(ReadPreference("nearest")) == "nearest, any"
    assert meant(ReadPreference("secondary", [{"dc": "ny"}, {}], 120)) == "secondary, first in ny, 120"
    match SelectedServer(3, "a.example:27017"):
        case SelectedServer(id=id, address=address):
            assert (id, address) == (3, "a.example:27017")
