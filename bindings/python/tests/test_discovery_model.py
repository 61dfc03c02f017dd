"""A topology that discovers a replica set against a simple model of the SDAM specification, in random steps."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from naive_selection import suitable
from readpref import (
    ArgumentError,
    HandleError,
    NoServerError,
    ReadPreference,
    ReadPrefError,
    ServerClosedEvent,
    ServerDescriptionChangedEvent,
    ServerOpeningEvent,
    Topology,
    TopologyClosedEvent,
    TopologyDescription,
    TopologyDescriptionChangedEvent,
    WrongTypeError,
)

HOSTS = [f"{name}.example:27017" for name in "abcd"]
ADDRESSES = st.sampled_from(HOSTS)
SETS = st.just({*HOSTS}) | st.sets(ADDRESSES, min_size=2)
# What a member of each type says of itself; the last two are no members of a replica set.
ROLES: dict[str, dict[str, Any]] = {
    "RSPrimary": {"isWritablePrimary": True},
    "RSSecondary": {"secondary": True},
    "RSArbiter": {"arbiterOnly": True},
    "RSOther": {"hidden": True, "secondary": True},
    "RSGhost": {"isreplicaset": True},
    "Standalone": {},
    "Mongos": {"msg": "isdbgrid"},
}
IN_SET = ("RSPrimary", "RSSecondary", "RSArbiter", "RSOther")
MODES = st.sampled_from(["primary", "primaryPreferred", "secondary", "secondaryPreferred", "nearest"])
NOT_PRIMARY = {"ok": 0, "code": 10107, "errmsg": "not primary"}


class DiscoveryMachine(RuleBasedStateMachine):
    """The model: the type of each member, and the highest (electionId, setVersion) of a primary.

    A mirror beside it knows of the members only what the events tell.
    """

    def __init__(self) -> None:
        super().__init__()
        self.members: dict[str, str] = {}
        self.highest = (-1, -1)
        self.mirror: dict[str, str] = {}
        self.primaries: set[str] = set()  # that it knows of

    @initialize(seeds=st.sets(ADDRESSES, min_size=1), by_uri=st.booleans())
    def open(self, seeds: set[str], by_uri: bool) -> None:
        if by_uri:
            self.topology = Topology(f"mongodb://{','.join(sorted(seeds))}/?replicaSet=rs0", clock=None)
        else:
            self.topology = Topology(seeds=sorted(seeds), replica_set="rs0", clock=None)
        self.members = dict.fromkeys(seeds, "Unknown")
        self.events = self.topology.events()

    @rule(address=ADDRESSES, hosts=SETS, elected=st.none() | st.integers(0, 3), version=st.none() | st.integers(1, 3))
    def hello_of_a_primary(self, address: str, hosts: set[str], elected: int | None, version: int | None) -> None:
        more: dict[str, Any] = {} if elected is None else {"electionId": {"$oid": f"{elected:024x}"}}
        if version is not None:
            more["setVersion"] = version
        self.hello(address, "RSPrimary", hosts, (-1 if elected is None else elected, version or -1), **more)

    @rule(address=ADDRESSES, hosts=SETS, me=st.none() | ADDRESSES)
    def hello_of_a_secondary(self, address: str, hosts: set[str], me: str | None) -> None:
        more: dict[str, Any] = {} if me is None else {"me": me}
        self.hello(address, "RSSecondary", hosts, **more)

    @rule(address=ADDRESSES, hosts=SETS, role=st.sampled_from(["RSArbiter", "RSOther", "RSGhost"]))
    def hello_of_another_member(self, address: str, hosts: set[str], role: str) -> None:
        self.hello(address, role, hosts)

    @rule(address=ADDRESSES, role=st.sampled_from([*ROLES]), name=st.sampled_from(["rs0", "rs1"]))
    def hello_of_a_stranger(self, address: str, role: str, name: str) -> None:
        self.hello(address, role, {*HOSTS}, name=name)

    def hello(
        self,
        address: str,
        role: str,
        hosts: set[str],
        election: tuple[int, int] = (-1, -1),
        name: str = "rs0",
        **more: Any,
    ) -> None:
        reply: dict[str, Any] = {"ok": 1, "minWireVersion": 0, "maxWireVersion": 25, **ROLES[role], **more}
        if role in IN_SET:
            reply.update(setName=name, hosts=sorted(hosts))
        member = address in self.members
        outcome = self.topology.on_hello(address, reply)
        assert outcome.accepted is member
        if member:
            self.heard(address, role, hosts, name, more.get("me"), election)
        assert outcome.generation == self.topology.generation
        assert (None if outcome.server is None else outcome.server.type) == self.members.get(address)

    def heard(
        self, address: str, role: str, hosts: set[str], name: str, me: str | None, election: tuple[int, int]
    ) -> None:
        """SDAM specification, "TopologyType table", with a topology of a replica set."""
        had_primary = "RSPrimary" in self.members.values()
        self.members[address] = role
        if role == "RSGhost":
            return
        if role not in IN_SET or name != "rs0":
            del self.members[address]
        elif role != "RSPrimary":
            # updateRSWithoutPrimary adds the hosts, updateRSWithPrimaryFromMember does not; both then look at me.
            if not had_primary:
                self.add(hosts)
            if me is not None and me != address:
                del self.members[address]
        elif election < self.highest:
            self.members[address] = "Unknown"
        else:
            self.highest = election
            for one, kind in self.members.items():
                if kind == "RSPrimary" and one != address:
                    self.members[one] = "Unknown"
            self.add(hosts)
            self.members = {one: kind for one, kind in self.members.items() if one in hosts}

    def add(self, hosts: set[str]) -> None:
        for one in hosts:
            self.members.setdefault(one, "Unknown")

    @rule(address=ADDRESSES, kind=st.sampled_from(["network", "networkTimeout", "command"]))
    def check_that_failed(self, address: str, kind: str) -> None:
        outcome = self.topology.on_hello(address, error="refused", error_kind=kind)
        assert outcome.accepted is (address in self.members)
        self.unknown(address)

    @rule(address=ADDRESSES, stage=st.sampled_from(["connectAndHello", "afterHandshake"]))
    def network_error(self, address: str, stage: str) -> None:
        """SDAM specification, "Network error when reading or writing"."""
        self.topology.on_error(address, "network", stage=stage)
        self.unknown(address)

    @rule(address=ADDRESSES)
    def timeout_of_an_operation(self, address: str) -> None:
        """The same: a timeout after the handshake says nothing of the server."""
        before = self.topology.generation
        assert not self.topology.on_error(address, "networkTimeout").accepted
        assert self.topology.generation == before

    @rule(address=ADDRESSES)
    def not_primary(self, address: str) -> None:
        """SDAM specification, "not writable primary and node is recovering"."""
        self.topology.on_error(address, "command", reply=NOT_PRIMARY)
        self.unknown(address)

    def unknown(self, address: str) -> None:
        if address in self.members:
            self.members[address] = "Unknown"

    @rule(address=ADDRESSES)
    def what_is_refused_changes_nothing(self, address: str) -> None:
        before = self.topology.generation
        with pytest.raises(ReadPrefError):
            self.topology.on_hello(address, {"ok": 1, "hosts": 5, "setName": "rs0"})
        with pytest.raises(WrongTypeError):
            self.topology.on_hello(5)  # type: ignore[arg-type]
        with pytest.raises(ReadPrefError):
            self.topology.on_error(address, "flood")
        with pytest.raises(ArgumentError):
            self.topology.update({"servers": []})
        assert self.topology.generation == before

    @rule(mode=MODES, write=st.booleans(), checkout=st.booleans())
    def select(self, mode: str, write: bool, checkout: bool) -> None:
        arguments: dict[str, Any] = {"operation": "write" if write else "read", "checkout": checkout, "timeout": 0}
        expected = suitable(self.members, mode, write)
        if not expected:
            with pytest.raises(NoServerError):
                self.topology.select(mode, **arguments)
            return
        server = self.topology.select(ReadPreference(mode), **arguments)
        assert server.address in expected
        assert self.topology.server(server.id) is server
        if checkout:
            self.topology.release(server)

    @rule()
    def descriptions_are_values(self) -> None:
        description = self.topology.description
        again: TopologyDescription = pickle.loads(pickle.dumps(description))
        assert again == description
        assert hash(again) == hash(description)
        assert TopologyDescription(description.to_dict()).to_dict() == description.to_dict()

    @rule()
    def go_on_in_a_copy(self) -> None:
        """As after a restart: what follows is told to the topology that was opened from the document."""
        copy = Topology.from_document(self.topology.describe(), clock=None)
        assert copy.description == self.topology.description
        self.heard_of()
        self.topology.close()
        self.topology = copy
        self.events = copy.events()
        for notice in self.events.pending():  # it opens anew
            assert not isinstance(notice, ServerDescriptionChangedEvent) or notice.new_description

    @invariant()
    def it_knows_what_the_model_knows(self) -> None:
        if not hasattr(self, "topology"):
            return
        description = self.topology.description
        assert {server.address: server.type for server in description.servers} == self.members
        primary = "RSPrimary" in self.members.values()
        assert description.type == ("ReplicaSetWithPrimary" if primary else "ReplicaSetNoPrimary")
        self.heard_of()
        assert self.mirror == self.members

    def heard_of(self) -> None:
        """Bring the mirror up to date."""
        for notice in self.events.pending():
            if isinstance(notice, ServerOpeningEvent):
                assert notice.address not in self.mirror
                self.mirror[notice.address] = "Unknown"
            elif isinstance(notice, ServerClosedEvent):
                del self.mirror[notice.address]
            elif isinstance(notice, ServerDescriptionChangedEvent):
                assert self.mirror[notice.address] == notice.previous_description.type
                self.mirror[notice.address] = notice.new_description.type
            elif isinstance(notice, TopologyDescriptionChangedEvent) and notice.new_description is not None:
                # Rule 6.25: a primary that another's reply makes Unknown has no event of its own. Rule 6.26: at the
                # beginning this comes before the events of the servers.
                known = {server.address: server.type for server in notice.new_description.servers}
                changed = {one for one in known if known[one] != self.mirror.get(one, "Unknown")}
                assert changed <= self.primaries
                self.mirror.update((one, known[one]) for one in changed)
                self.primaries = {one for one, kind in known.items() if kind == "RSPrimary"}

    def teardown(self) -> None:
        if not hasattr(self, "topology"):
            return
        self.topology.close()
        self.topology.close()
        notices = self.events.pending()
        assert [type(one) for one in notices].count(TopologyClosedEvent) == 1
        for call in (
            self.topology.select,
            self.topology.describe,
            self.topology.events,
            lambda: self.topology.on_hello("a.example"),
            lambda: self.topology.on_error("a.example", "network"),
            lambda: self.topology.listen(print),
            lambda: self.topology.release(0),
        ):
            with pytest.raises(HandleError):
                call()


DiscoveryMachine.TestCase.settings = settings(
    max_examples=60, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
)
TestDiscoveryModel = DiscoveryMachine.TestCase
