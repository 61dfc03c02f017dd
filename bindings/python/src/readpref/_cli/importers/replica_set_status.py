"""rs.status() and rs.conf(), of one member, as EJSON.stringify saved them.

The states are those of the manual's "Replica Set Member States", the types those that SDAM's "Parsing a hello response"
gives to a member in that state.
"""

from __future__ import annotations

from typing import Any

from readpref._cli.command_error import CommandError
from readpref._cli.importers.hello_replies import address_of, milliseconds
from readpref._cli.importers.imported import Imported

# By the number of the state, and by its name.
TYPE_BY_STATE = {
    0: "RSGhost",  # STARTUP: it has no configuration yet
    1: "RSPrimary",
    2: "RSSecondary",
    3: "RSOther",  # RECOVERING
    5: "RSOther",  # STARTUP2
    6: "Unknown",  # UNKNOWN
    7: "RSArbiter",
    8: "Unknown",  # DOWN
    9: "RSOther",  # ROLLBACK
    10: "RSGhost",  # REMOVED
}
STATE_NAMES = {
    "STARTUP": 0,
    "PRIMARY": 1,
    "SECONDARY": 2,
    "RECOVERING": 3,
    "STARTUP2": 5,
    "UNKNOWN": 6,
    "ARBITER": 7,
    "DOWN": 8,
    "ROLLBACK": 9,
    "REMOVED": 10,
}


def import_status(status: Any, conf: Any, status_name: str, conf_name: str) -> Imported:
    """Make a topology of what one member says of all; conf is None where only rs.status() was saved.

    Raises:
        CommandError: they are not what these commands answer, or of two sets.
    """
    members = _members(status, "rs.status()", status_name)
    set_name = status.get("set")
    configured: dict[str, dict[str, Any]] = {}
    hosts: dict[str, str] = {}
    if conf is not None:
        conf = conf.get("config", conf) if isinstance(conf, dict) else conf
        for number, member in enumerate(_members(conf, "rs.conf()", conf_name)):
            host = _text(member, "host", f"{conf_name}: members[{number}]")
            configured[address_of(host)] = member
            hosts[address_of(host)] = host
        if "_id" in conf and set_name is not None and conf["_id"] != set_name:
            raise CommandError(
                "argument", f"rs.conf() is of set {conf['_id']!r}, rs.status() of {set_name!r}", conf_name
            )
    date = milliseconds(status.get("date"))
    servers = []
    notes = _Notes()
    for number, member in enumerate(members):
        where = f"{status_name}: members[{number}]"
        name = _text(member, "name", where)
        settings = configured.pop(address_of(name), None)
        if conf is not None and settings is None:
            notes.add(
                "memberNotConfigured", f"{name} is not in rs.conf(): its tags and whether it is hidden are unknown"
            )
        servers.append(_server(member, settings or {}, name, date, where, notes))
    for address in configured:
        notes.add("memberNotInStatus", f"{hosts[address]} is in rs.conf() and not in rs.status(): taken as Unknown")
        servers.append({"address": hosts[address], "type": "Unknown", "error": "not in rs.status()"})
    _note_what_is_unknown(members, conf, date, servers, notes)
    topology: dict[str, Any] = {"servers": servers}
    if isinstance(set_name, str):
        topology["setName"] = set_name
    return Imported("rs-status", {"topology": topology}, notes.found)


class _Notes:
    def __init__(self) -> None:
        self.found: list[dict[str, str]] = []

    def add(self, code: str, message: str) -> None:
        self.found.append({"code": code, "message": message})


def _members(document: Any, call: str, name: str) -> list[dict[str, Any]]:
    if isinstance(document, dict) and _whole(document.get("ok"), 1) == 0:
        raise CommandError("argument", f"{call} failed: {document.get('errmsg', 'it does not say why')}", name)
    members = document.get("members") if isinstance(document, dict) else None
    if not isinstance(members, list) or not members or not all(isinstance(member, dict) for member in members):
        raise CommandError("wrongType", f"{call} has a list of members", f"{name}: members")
    return members


def _text(member: dict[str, Any], key: str, where: str) -> str:
    value = member.get(key)
    if not isinstance(value, str) or not value:
        raise CommandError("missingKey" if value is None else "wrongType", "a host name is wanted", f"{where}.{key}")
    return value


def _whole(value: Any, otherwise: int = -1) -> int:
    """Give an integer of relaxed or canonical Extended JSON; older servers send some as doubles."""
    if isinstance(value, dict) and len(value) == 1:
        value = next(iter(value.values()))
    try:
        return int(value)
    except (TypeError, ValueError, OverflowError, ArithmeticError):
        return otherwise


def _server(
    member: dict[str, Any], settings: dict[str, Any], name: str, date: int | None, where: str, notes: _Notes
) -> dict[str, Any]:
    state = member.get("stateStr")
    number = _whole(member.get("state"), STATE_NAMES.get(state, -1) if isinstance(state, str) else -1)
    if number not in TYPE_BY_STATE:
        raise CommandError(
            "unknownValue", f"no state of a member is {state or member.get('state')!r}", f"{where}.state"
        )
    kind = TYPE_BY_STATE[number]
    server: dict[str, Any] = {"address": name, "type": kind}
    if _whole(member.get("health"), 1) == 0:
        server["type"] = kind = "Unknown"
    if kind == "Unknown":
        message = member.get("lastHeartbeatMessage")
        server["error"] = message if isinstance(message, str) and message else "not reachable from the answering member"
        return server
    if settings.get("hidden") is True and kind == "RSSecondary":
        server["type"] = kind = "RSOther"
        notes.add("hidden", f"{name} is hidden: drivers do not list it, and it serves no reads; taken as RSOther")
    if settings.get("tags"):
        server["tags"] = settings["tags"]
    if member.get("self") is True:
        server["roundTripTimeMS"] = 0
    elif "pingMs" in member:
        ping = _whole(member["pingMs"])
        if ping >= 0:
            server["roundTripTimeMS"] = ping
    if kind in ("RSPrimary", "RSSecondary"):
        written = milliseconds(member.get("optimeDate"))
        if written:  # 1970 stands for: it has told none
            server["lastWriteDate"] = written
            if date is not None:
                server["lastUpdateTimeMS"] = date
    delay = max(_whole(settings.get(key), 0) for key in ("secondaryDelaySecs", "slaveDelay"))
    if delay > 0:
        notes.add("delayed", f"{name} is delayed by {delay} s on purpose")
    return server


def _note_what_is_unknown(
    members: list[dict[str, Any]], conf: Any, date: int | None, servers: list[dict[str, Any]], notes: _Notes
) -> None:
    answering = next((member["name"] for member in members if member.get("self") is True), None)
    who = f"{answering}, which answered" if answering else "the member that answered"
    own = f"; {answering} itself counts as 0 ms" if answering else ""
    notes.add(
        "roundTripTimeFromMember",
        f"RTT is pingMs, in whole milliseconds from {who}, and not from your client{own}; --rtt ADDRESS=MS says yours",
    )
    notes.add(
        "lastWriteFromHeartbeats",
        f"lastWriteDate is optimeDate, in seconds, as {who}, knows it: that of others may be a heartbeat (2 s) old",
    )
    if date is None:
        notes.add("dateUnknown", "rs.status() has no date: staleness is reckoned as if all were seen at one time")
    if conf is None:
        notes.add(
            "configurationUnknown",
            "rs.conf() was not given: tags are unknown, and a hidden member looks like any secondary",
        )
    if not any(server["type"] == "RSPrimary" for server in servers):
        notes.add("noPrimary", f"{who}, sees no primary; another member may")
    notes.add(
        "notInSource",
        "operationCount, wire versions and what your client can reach are not in rs.status(): taken as 0, compatible, "
        "and all that the member reaches",
    )
