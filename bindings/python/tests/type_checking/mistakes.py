"""Mistakes of users that type checkers find; each line tells what mypy and pyright call it. Nothing runs it."""

from __future__ import annotations

from readpref import NoServerError, ReadPreference, SelectedServer, Selection, Topology, TopologyDescription, select
from readpref.pymongo import ServerSelector

topology = Topology({"servers": []})

ReadPreference(1)  # wrong: arg-type, reportArgumentType
ReadPreference("nearest", tags={"dc": "ny"})  # wrong: arg-type, reportArgumentType
ReadPreference("nearest", [{"dc": 1}])  # wrong: dict-item, reportArgumentType
ReadPreference("nearest", max_staleness_seconds=90.5)  # wrong: arg-type, reportArgumentType
ReadPreference("nearest", maxStalenessSeconds=90)  # wrong: call-arg, reportCallIssue
ReadPreference("nearest").mode = "primary"  # wrong: misc, reportAttributeAccessIssue
ReadPreference("nearest").tags[0]["dc"] = "ny"  # wrong: index, reportIndexIssue

topology.select(["nearest"])  # wrong: arg-type, reportArgumentType
topology.select("nearest", "write")  # wrong: call-arg, reportCallIssue
topology.select("nearest", timeout="1")  # wrong: arg-type, reportArgumentType
topology.select("nearest").adress  # wrong: attr-defined, reportAttributeAccessIssue reportUnknownMemberType
topology.select("nearest").id = 2  # wrong: misc, reportAttributeAccessIssue
topology.generation = 3  # wrong: misc, reportAttributeAccessIssue
topology.on_hello(b"a.example")  # wrong: arg-type, reportArgumentType
topology.listen("print")  # wrong: arg-type, reportArgumentType
with topology.select("nearest"):  # wrong: attr-defined attr-defined, reportGeneralTypeIssues reportGeneralTypeIssues
    pass
list(topology.checkout())  # wrong: call-overload, reportArgumentType

Topology(17)  # wrong: arg-type, reportArgumentType
TopologyDescription([])  # wrong: arg-type, reportArgumentType
TopologyDescription({}).servers.append(1)  # wrong: attr-defined, reportAttributeAccessIssue reportUnknownMemberType
SelectedServer("a.example")  # wrong: call-arg arg-type, reportCallIssue

select({"servers": []}).server.address  # wrong: union-attr, reportOptionalMemberAccess
selection: Selection = topology.select("nearest")  # wrong: assignment, reportAssignmentType
try:
    topology.select("nearest")
except NoServerError as error:
    error.explanation.text  # wrong: union-attr, reportOptionalMemberAccess

ServerSelector(zones={"dc": "ny"})  # wrong: arg-type, reportArgumentType
ServerSelector(weights=[({"dc": "ny"}, 0.5)])  # wrong: list-item, reportArgumentType
