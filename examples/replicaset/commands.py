"""What a member answers to a command. No data is kept: a read and a write say which member served them."""

from __future__ import annotations

from typing import Any

from bson import Int64

from replicaset.member import Member, State
from replicaset.wire_protocol import OP_QUERY, Document, Request

HELLO = ("hello", "isMaster", "ismaster")
_READS = ("find", "aggregate", "count", "distinct", "listCollections", "listIndexes")
_WRITES = ("insert", "update", "delete", "findAndModify", "create", "drop", "createIndexes")
_SESSIONS = ("endSessions", "refreshSessions", "killSessions", "killCursors", "commitTransaction", "abortTransaction")


class CommandError(Exception):
    """A reply with ok: 0."""

    def __init__(self, code: int, name: str, message: str) -> None:
        super().__init__(message)
        self.code, self.name = code, name


def answer(member: Member, request: Request) -> Document:
    """Run a command on a member; the reply has `ok`."""
    try:
        return {**_run(member, request), "ok": 1.0}
    except CommandError as error:
        reply: Document = {"ok": 0.0, "errmsg": str(error), "code": error.code, "codeName": error.name}
        if error.code in (10107, 13435, 13436):
            # What is wrong is this member's place in the set, and that is what the topology version is about.
            reply["topologyVersion"] = member.topology_version()
            if "txnNumber" in request.command:
                reply["errorLabels"] = ["RetryableWriteError"]
        return reply


def _run(member: Member, request: Request) -> Document:
    name = next(iter(request.command))
    if name in HELLO:
        return hello(member, request)
    if request.opcode == OP_QUERY:
        raise CommandError(352, "UnsupportedOpQueryCommand", f"OP_QUERY carries handshakes only, not {name}")
    if name in _READS:
        _check_read(member, request)
        return _read(name, request.command, _served_by(member), request.database)
    if name in _WRITES:
        _check_write(member)
        return _write(name, request.command, _served_by(member))
    if name == "getMore":
        raise CommandError(43, "CursorNotFound", "every answer of this server is one batch")
    if name == "ping" or name in _SESSIONS:
        return {}
    if name == "buildInfo":
        return {"version": "8.0.0", "versionArray": [8, 0, 0, 0], "modules": [], "maxBsonObjectSize": 16_777_216}
    if name == "replSetGetStatus":
        return _status(member)
    raise CommandError(59, "CommandNotFound", f"no such command: '{name}'")


def hello(member: Member, request: Request) -> Document:
    reply = member.hello()
    if next(iter(request.command)) != "hello":
        # The old name of the command has the old name of the field.
        reply = {("ismaster" if key == "isWritablePrimary" else key): value for key, value in reply.items()}
    if request.command.get("helloOk"):
        reply["helloOk"] = True
    return reply


def _check_read(member: Member, request: Request) -> None:
    if member.state in (State.RECOVERING, State.ARBITER):
        raise CommandError(13436, "NotPrimaryOrSecondary", "node is not in primary or recovering state")
    mode = request.command.get("$readPreference", {}).get("mode", "primary")
    if member.state is not State.PRIMARY and mode == "primary":
        raise CommandError(13435, "NotPrimaryNoSecondaryOk", "not primary and secondaryOk=false")


def _check_write(member: Member) -> None:
    if member.state is not State.PRIMARY:
        raise CommandError(10107, "NotWritablePrimary", "not primary")


def _served_by(member: Member) -> Document:
    return {"served_by": member.address, "member": member.config.name, "state": member.state.value}


def _read(name: str, command: Document, served_by: Document, database: str) -> Document:
    if name == "count":
        return {"n": 1, **served_by}
    if name == "distinct":
        return {"values": [served_by["member"]], **served_by}
    batch: list[Any] = [] if name in ("listCollections", "listIndexes") else [served_by]
    namespace = f"{database}.{command[name]}"
    return {"cursor": {"firstBatch": batch, "id": Int64(0), "ns": namespace}}


def _write(name: str, command: Document, served_by: Document) -> Document:
    if name == "findAndModify":
        return {"value": served_by, "lastErrorObject": {"n": 1, "updatedExisting": True}}
    counted = {"insert": "documents", "update": "updates", "delete": "deletes"}
    reply: Document = dict(served_by)
    if name in counted:
        reply["n"] = len(command[counted[name]])
    if name == "update":
        reply["nModified"] = reply["n"]
    return reply


def _status(member: Member) -> Document:
    members = [{"name": m.address, "stateStr": m.state.value} for m in member.replica_set.members]
    return {"set": member.replica_set.set_name, "members": members}
