"""What is answered has exactly these types; nothing is Any by accident. Type checkers read it, nothing runs it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Callable, Optional, Union

from typing_extensions import assert_type

import readpref
from readpref import ReadPreference, ReadPrefError, Topology, TopologyDescription, pymongo

topology = Topology("mongodb://a.example/")
description = topology.description
assert_type(description, TopologyDescription)
assert_type(description.server("a.example"), Optional[readpref.ServerDescription])
assert_type(description.servers[0].last_write_date, Optional[datetime])
assert_type(description.servers[0].hosts, tuple[str, ...])
assert_type(description.servers[0].replace(type="RSPrimary"), readpref.ServerDescription)
assert_type(description.with_server({}), TopologyDescription)
assert_type(topology.select(), readpref.SelectedServer)
assert_type(topology.select_batch("nearest", 2), list[readpref.SelectedServer])
assert_type(topology.select_ids("nearest", 2), list[int])
assert_type(topology.explain(), readpref.Explanation)
assert_type(topology.generation, int)
assert_type(topology.closed, bool)
assert_type(topology.describe(), dict[str, Any])
assert_type(topology.on_hello("a.example"), readpref.HelloOutcome)
assert_type(topology.on_hello("a.example").server, Optional[readpref.ServerDescription])
assert_type(topology.on_error("a.example", "network"), readpref.ErrorOutcome)
assert_type(topology.on_srv([]).added, Optional[tuple[str, ...]])
assert_type(topology.listen(print), Callable[[], None])
assert_type(topology.events().pending(), list[readpref.Notice])
assert_type(topology.command(0), readpref.Decoration)
assert_type(topology.read_preference, ReadPreference)
assert_type(Topology.from_document({}), Topology)

with topology.checkout() as server:
    assert_type(server, readpref.SelectedServer)
    assert_type(server.port, Optional[int])


async def in_tasks() -> None:
    """Assert what coroutines give."""
    assert_type(await topology.select_async(), readpref.SelectedServer)
    async with topology.checkout() as server:
        assert_type(server, readpref.SelectedServer)
    async for notice in topology.events():
        assert_type(notice, readpref.Notice)


assert_type(readpref.select(description), readpref.Selection)
assert_type(readpref.select(topology).server, Optional[readpref.Server])
assert_type(readpref.select({"servers": []}), readpref.Selection)
assert_type(readpref.select({"east": topology}), dict[str, Union[readpref.Selection, ReadPrefError]])
assert_type(readpref.explain({"east": description}), dict[str, Union[readpref.Explanation, ReadPrefError]])
assert_type(readpref.explain(description).servers[0].tag_misses[0].has, Optional[str])

preference = ReadPreference("nearest")
assert_type(preference.mode, str)
assert_type(preference.tags, tuple[Mapping[str, str], ...])
assert_type(preference.max_staleness_seconds, Optional[int])
assert_type(preference.hedge, Optional[Mapping[str, bool]])
assert_type(preference.document, dict[str, Any])
assert_type(preference.warnings, tuple[readpref.EngineWarning, ...])
assert_type(ReadPreference.from_uri(""), ReadPreference)
assert_type(ReadPreference.from_document({}), ReadPreference)

assert_type(readpref.parse_uri("").lookup, Optional[readpref.SRVLookup])
assert_type(readpref.rtt([1]).averages, tuple[Optional[float], ...])
assert_type(readpref.effective_preference("find").read_preference, ReadPreference)
assert_type(readpref.call("methods", {}), dict[str, Any])
assert_type(readpref.call_raw("methods", b""), bytes)
assert_type(readpref.__version__, Any)

selector = pymongo.ServerSelector()
assert_type(selector.excluded, tuple[str, ...])
assert_type(selector.choices, tuple[pymongo.Choice, ...])
