"""A topology against a simple model of it, in random steps."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from naive_selection import suitable
from readpref import ArgumentError, HandleError, NoServerError, ReadPreference, ReadPrefError, Topology

HOSTS = ["a.example", "B.example", "c.example:27018", "d.example", "[::1]"]
NORMAL = {host: host.lower() if host.endswith(":27018") else f"{host.lower()}:27017" for host in HOSTS}
MEMBERS = st.dictionaries(st.sampled_from(HOSTS), st.sampled_from(["RSPrimary", "RSSecondary", "Unknown", "RSArbiter"]))
PREFERENCES = {mode: ReadPreference(mode) for mode in ("primary", "primaryPreferred", "secondary", "nearest")}
MODES = st.sampled_from([*PREFERENCES, "secondaryPreferred"])


class TopologyMachine(RuleBasedStateMachine):
    """The model: the types of the members, the counts of all addresses, the ids in the order of their first sight."""

    def __init__(self) -> None:
        super().__init__()
        self.members: dict[str, str] = {}
        self.counts: dict[str, int] = {}
        self.ids: list[str] = []
        self.checked_out: list[int] = []
        self.updates = 0

    def description(self, members: dict[str, str]) -> dict[str, Any]:
        """Describe them; of two primaries the first is one."""
        self.members = {}
        for host, kind in members.items():
            again = kind == "RSPrimary" and "RSPrimary" in self.members.values()
            self.members[NORMAL[host]] = "RSSecondary" if again else kind
        for address in self.members:
            self.counts.setdefault(address, 0)
            if address not in self.ids:
                self.ids.append(address)
        spelling = dict(zip(self.members, members))
        primary = "RSPrimary" in self.members.values()
        return {
            "type": "ReplicaSetWithPrimary" if primary else "ReplicaSetNoPrimary",
            "setName": "rs0",
            "servers": [{"address": spelling[one], "type": kind} for one, kind in self.members.items()],
        }

    def suitable(self, mode: str, write: bool = False) -> set[str]:
        return suitable(self.members, mode, write)

    @initialize(members=MEMBERS, seed=st.integers(0, 2**64 - 1))
    def open(self, members: dict[str, str], seed: int) -> None:
        self.topology = Topology(self.description(members), seed=seed)

    @rule(members=MEMBERS)
    def update(self, members: dict[str, str]) -> None:
        before = self.topology.generation
        self.topology.update(self.description(members))
        assert self.topology.generation != before

    @rule()
    def update_that_is_refused(self) -> None:
        before = self.topology.generation
        with pytest.raises(ReadPrefError):
            self.topology.update({"servers": [{"address": "e.example"}]})
        assert self.topology.generation == before

    @rule(mode=MODES, write=st.booleans(), checkout=st.booleans(), avoid=st.lists(st.sampled_from(HOSTS), max_size=2))
    def select(self, mode: str, write: bool, checkout: bool, avoid: list[str]) -> None:
        preference = PREFERENCES.get(mode, mode)
        arguments: dict[str, Any] = {"operation": "write" if write else "read", "checkout": checkout}
        if avoid:
            arguments["deprioritized"] = avoid
        # Rule 3.27: the deprioritized are left out first, and count only where nobody is left.
        whole = self.members
        self.members = {one: kind for one, kind in whole.items() if one not in {NORMAL[host] for host in avoid}}
        suitable = self.suitable(mode, write)
        self.members = whole
        suitable = suitable or self.suitable(mode, write)
        if not suitable:
            with pytest.raises(NoServerError):
                self.topology.select(preference, **arguments)
            return
        server = self.topology.select(preference, **arguments)
        assert server.address in suitable
        assert self.ids[server.id] == server.address
        if len(suitable) == 2:
            # Rule 3.33: with two the less busy one is taken.
            assert self.counts[server.address] == min(self.counts[one] for one in suitable)
        if checkout:
            self.counts[server.address] += 1
            self.checked_out.append(server.id)

    @rule(mode=MODES, count=st.integers(1, 5))
    def select_many(self, mode: str, count: int) -> None:
        suitable = self.suitable(mode)
        if suitable:
            found = self.topology.select_batch(mode, count, checkout=True)
            assert len(found) == count
            for server in found:
                assert server.address in suitable
                self.counts[server.address] += 1
                self.checked_out.append(server.id)

    @precondition(lambda self: self.checked_out)
    @rule(data=st.data())
    def release(self, data: st.DataObject) -> None:
        index = data.draw(st.integers(0, len(self.checked_out) - 1))
        server = self.checked_out.pop(index)
        self.topology.release(server)
        self.counts[self.ids[server]] -= 1

    @rule()
    def release_of_nobody(self) -> None:
        with pytest.raises(ArgumentError):
            self.topology.release(len(self.ids))

    @rule()
    def update_with_what_it_knows(self) -> None:
        """As another process would, which got it pickled."""
        description = self.topology.description
        again = pickle.loads(pickle.dumps(description))
        assert again == description
        self.topology.update(again)
        assert self.topology.description == description

    @rule(host=st.sampled_from(HOSTS))
    def one_leaves(self, host: str) -> None:
        if NORMAL[host] in self.members:
            self.topology.update(self.topology.description.without_server(host))
            del self.members[NORMAL[host]]

    @rule()
    def again_from_its_document(self) -> None:
        """The copy has the same members and counts, and makes the next pick as this one would."""
        copy = Topology.from_document(self.topology.describe())
        assert copy.description == self.topology.description
        if self.suitable("nearest"):
            expected = self.topology.explain("nearest").server
            assert expected is not None
            assert copy.select("nearest").address == NORMAL[expected.address]
        copy.close()

    @invariant()
    def counts_are_right(self) -> None:
        described = self.topology.description.to_dict()["servers"]
        assert [one.get("operationCount", 0) for one in described] == [self.counts[one] for one in self.members]

    def teardown(self) -> None:
        if hasattr(self, "topology"):
            self.topology.close()
            with pytest.raises(HandleError):
                self.topology.select()


TopologyMachine.TestCase.settings = settings(
    max_examples=25, stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck)
)
TestTopologyModel = TopologyMachine.TestCase
