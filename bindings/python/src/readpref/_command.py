"""Which read preference a command uses, and what it carries to its server."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from readpref._call import answer
from readpref._description import Described
from readpref._encode import encode
from readpref._errors import new_error
from readpref._options import Preference
from readpref._preference import ReadPreference, preference_document
from readpref._reading import class_name, is_a, reading
from readpref._value import Value
from readpref._warning import EngineWarning, issue


class Decoration(Value):
    """What a command carries to its server.

    Attributes:
        read_preference: the document to attach as ``$readPreference``, or None for none.
        secondary_ok: for OP_QUERY the flag, else None.
        effective_read_preference: for ``operation="aggregateWithWriteStage"``, what the operation uses, else None.
        warnings: what to know about the request although it succeeded.
    """

    read_preference: Mapping[str, Any] | None
    secondary_ok: bool | None
    effective_read_preference: ReadPreference | None
    warnings: tuple[EngineWarning, ...]

    def attach(self, command: Mapping[str, Any]) -> dict[str, Any]:
        """Give a copy of a command with ``$readPreference`` where there is one to attach.

        Raises `WrongTypeError` where the command is no mapping.

        >>> Decoration({"mode": "nearest"}, None, None, ()).attach({"find": "c", "$db": "shop"})
        {'find': 'c', '$db': 'shop', '$readPreference': {'mode': 'nearest'}}
        """
        if not is_a(command, Mapping):
            raise new_error("wrongType", f"expected a command as a mapping, found a {class_name(command)}", "command")
        with reading(("command",)):
            copied = dict(command)
        if self.read_preference is not None:
            copied["$readPreference"] = copy.deepcopy(dict(self.read_preference))
        return copied


class EffectivePreference(Value):
    """Which read preference a command uses.

    Attributes:
        read_preference: the one.
        operation: as what to select for it and to decorate it: ``"read"``, ``"write"``, ``"aggregateWithWriteStage"``.
        kind: ``"write"``, ``"mustUsePrimary"``, ``"shouldUsePrimary"``, ``"mayUseSecondary"`` or ``"generic"``.
        source: whose preference it is: ``"operation"``, ``"collection"``, ``"database"``, ``"client"``,
            ``"transaction"``, ``"session"``, ``"default"`` (primary) or ``"helper"`` (primary, whatever there is).
        selects: whether a server is selected for it.
        warnings: such as that a preference is ignored.
    """

    read_preference: ReadPreference
    operation: str
    kind: str
    source: str
    selects: bool
    warnings: tuple[EngineWarning, ...]


def command(
    topology: Described | Mapping[str, Any],
    server: str,
    read_preference: Preference | None = None,
    *,
    operation: str = "read",
    opcode: str = "OP_MSG",
) -> Decoration:
    """Tell what a command carries to the server that was selected for it.

    Args:
        topology: the `TopologyDescription`, or a description, or the `Topology`, that it was selected from.
        server: its address.
        read_preference: what it was selected with. None: primary.
        operation: as for `select`.
        opcode: ``"OP_MSG"`` or ``"OP_QUERY"``.

    Warns:
        EngineWarning: what the answer's ``warnings`` tell, unless a `ReadPreference` was given.

    >>> described = {"servers": [{"address": "m.example:27017", "type": "Mongos"}]}
    >>> command(described, "m.example", "secondaryPreferred").read_preference
    {'mode': 'secondaryPreferred'}
    >>> command(described, "m.example", operation="write").read_preference is None
    True
    """
    request: dict[str, Any] = {"topology": topology, "server": server, "operation": operation, "opcode": opcode}
    if read_preference is not None:
        request["readPreference"] = preference_document(read_preference)
    decoration = decoration_from_document(answer("command", encode(request)))
    issue(() if is_a(read_preference, ReadPreference) else decoration.warnings, stacklevel=2)
    return decoration


def decoration_from_document(found: Mapping[str, Any]) -> Decoration:
    """Build from the engine's answer."""
    effective = found.get("effectiveReadPreference")
    return Decoration(
        found["$readPreference"],
        found.get("secondaryOk"),
        None if effective is None else ReadPreference._from_normal_form(effective),
        tuple(EngineWarning._from_document(warning) for warning in found.get("warnings", ())),
    )


def effective_preference(
    command: str | Mapping[str, Any],
    *,
    run_command: bool = False,
    read_preference: Preference | None = None,
    collection: Preference | None = None,
    database: Preference | None = None,
    client: Preference | None = None,
    session: Preference | None = None,
    transaction: Mapping[str, Any] | None = None,
) -> EffectivePreference:
    """Tell which of several read preferences a command uses.

    Args:
        command: its name, or itself, whose first key that is: ``{"aggregate": "c", "pipeline": […]}``.
        run_command: whether a generic method such as runCommand runs it.
        read_preference: the operation's own argument.
        collection: that of the collection; ``database`` and ``client`` likewise.
        database: see ``collection``.
        client: see ``collection``.
        session: that of the session's default transaction options; it counts in transactions only.
        transaction: ``{"readPreference", "pinned"}``, which may be empty: there is one. None: there is none.

    Raises:
        InvalidPreferenceError: a read in a transaction has another mode than primary; the path says whose.

    Warns:
        EngineWarning: each of `warnings`.

    >>> used = effective_preference("find", client="secondaryPreferred", collection="nearest")
    >>> used.read_preference, used.source
    (ReadPreference('nearest'), 'collection')
    """
    given = {
        "readPreference": read_preference,
        "collectionReadPreference": collection,
        "databaseReadPreference": database,
        "clientReadPreference": client,
        "sessionReadPreference": session,
    }
    request: dict[str, Any] = {"command": command, "runCommand": run_command}
    request.update((key, preference_document(value)) for key, value in given.items() if value is not None)
    if transaction is not None:
        request["transaction"] = transaction
    found = answer("effective_preference", encode(request))
    warnings = tuple(EngineWarning._from_document(warning) for warning in found.get("warnings", ()))
    issue(warnings, stacklevel=2)
    return EffectivePreference(
        ReadPreference._from_normal_form(found["readPreference"]),
        found["operation"],
        found["kind"],
        found["from"],
        found["selects"],
        warnings,
    )
