"""Replies to hello, one of each member, as EJSON.stringify(db.hello()) saved them."""

from __future__ import annotations

from typing import Any

from readpref._cli.importers.imported import Imported


def import_hello_replies(replies: list[tuple[Any, str]]) -> Imported:
    """Make a topology of replies: bare ones, or with address, roundTripTimeMS and nowMS beside `hello`."""
    servers: list[dict[str, Any]] = []
    nameless: list[str] = []
    bare = False
    for number, (reply, _) in enumerate(replies, 1):
        if "hello" in reply:
            servers.append(reply)
            continue
        bare = True
        address = reply.get("me")
        if not isinstance(address, str):
            address = f"server{number}:27017"
            nameless.append(address)
        server: dict[str, Any] = {"address": address, "hello": reply}
        local_time = reply.get("localTime")
        if local_time is not None:
            now = milliseconds(local_time)
            if now is not None:
                server["nowMS"] = now
        servers.append(server)
    notes = []
    if bare:
        notes.append(
            {
                "code": "roundTripTimeUnknown",
                "message": "a reply to hello does not tell its round-trip time: where all are unknown, the latency "
                "window holds all servers; --rtt ADDRESS=MS says one",
            }
        )
        notes.append(
            {
                "code": "clockAssumed",
                "message": "lastUpdateTimeMS is the reply's localTime, by the server's clock: staleness is off by the "
                "difference of the servers' clocks",
            }
        )
    if nameless:
        notes.append(
            {
                "code": "addressGuessed",
                "message": f'a reply without "me" does not tell its address; made up: {", ".join(nameless)}',
            }
        )
    notes.extend(missing_members(servers))
    return Imported("hello", {"topology": {"servers": servers}}, notes)


def missing_members(servers: list[dict[str, Any]]) -> list[dict[str, str]]:
    """Note the members that the replies list and that have no reply themselves."""
    present = {address_of(server.get("address")) for server in servers}
    present |= {address_of(server["hello"].get("me")) for server in servers if isinstance(server["hello"], dict)}
    missing: dict[str, str] = {}
    for server in servers:
        reply = server["hello"]
        if not isinstance(reply, dict):
            continue
        for key in ("hosts", "passives", "arbiters"):
            listed = reply.get(key)
            for host in listed if isinstance(listed, list) else []:
                if isinstance(host, str) and address_of(host) not in present:
                    missing.setdefault(address_of(host), host)
    if not missing:
        return []
    shown = ", ".join(list(missing.values())[:5]) + (", …" if len(missing) > 5 else "")
    return [
        {"code": "memberMissing", "message": f"members that the replies list but no reply is of are left out: {shown}"}
    ]


def address_of(address: Any) -> str:
    """Give an address in the form that compares: lower case, with a port."""
    if not isinstance(address, str):
        return ""
    has_port = ":" in address.rpartition("]")[2]
    return (address if has_port else f"{address}:27017").lower()


def milliseconds(date: Any) -> int | None:
    """Give a date of Extended JSON in milliseconds since 1970; None where it is none."""
    # The engine reads dates; a server description is where it does.
    from readpref._call import call  # noqa: PLC0415
    from readpref._errors import ReadPrefError  # noqa: PLC0415

    reply = {"ok": 1, "setName": "s", "secondary": True, "lastWrite": {"lastWriteDate": date}}
    try:
        found: int | None = call("server.parse_hello", {"address": "a", "hello": reply})["server"].get("lastWriteDate")
    except ReadPrefError:
        return None
    return found
