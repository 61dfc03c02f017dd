"""The options that say a read preference, and what else a selection depends on."""

from __future__ import annotations

import argparse
from decimal import Decimal, InvalidOperation
from typing import Any

from readpref._call import call
from readpref._cli.command_error import CommandError
from readpref._cli.documents import one_document
from readpref._cli.reading import STDIN, decode, read_bytes

MODES = ("primary", "primaryPreferred", "secondary", "secondaryPreferred", "nearest")
OPERATIONS = ("read", "write", "aggregateWithWriteStage")
PICKS = ("leastBusyOfTwo", "random", "roundRobin")


def add_preference_options(parser: argparse.ArgumentParser, *, uri: bool = True) -> None:
    """Add --mode and its like; without --uri where the command has one anyway."""
    group = parser.add_argument_group(
        "read preference", "one of three forms; without any, that of the input, or primary"
    )
    group.add_argument("--mode", metavar="MODE", help=f"one of {', '.join(MODES)}")
    group.add_argument(
        "--tags",
        action="append",
        metavar="SET",
        help="a tag set, such as dc:ny,rack:1; repeat it for more, in order; '' or {} matches every server",
    )
    group.add_argument("--max-staleness-seconds", metavar="N", help="-1 is no maximum")
    group.add_argument("--preference", metavar="JSON", help="a $readPreference document")
    if not uri:
        parser.set_defaults(uri=None)
        return
    group.add_argument(
        "--uri", metavar="URI", help="that of a connection string, with its localThresholdMS; - reads it from stdin"
    )


def add_selection_options(parser: argparse.ArgumentParser) -> None:
    """Add --operation and its like."""
    group = parser.add_argument_group("selection")
    group.add_argument("--operation", metavar="NAME", help=f"one of {', '.join(OPERATIONS)}")
    group.add_argument("--local-threshold-ms", metavar="MS", help="the width of the latency window (15)")
    group.add_argument("--heartbeat-frequency-ms", metavar="MS", help="how often servers are checked (10000)")
    group.add_argument("--deprioritized", action="append", metavar="ADDRESS", help="avoid it while others are suitable")
    group.add_argument("--rtt", action="append", metavar="ADDRESS=MS", help="your round-trip time to a server")
    group.add_argument("--pick", metavar="NAME", help=f"one of {', '.join(PICKS)}")
    group.add_argument("--seed", metavar="N", help="of the random pick (0)")


CHOICES = {"--mode": MODES, "--operation": OPERATIONS, "--pick": PICKS}


def preference_from(options: argparse.Namespace) -> tuple[Any, dict[str, Any]]:
    """Give the preference that the options say, None where none does, and what a connection string says besides."""
    flags = {
        name
        for name, value in (
            ("--mode", options.mode),
            ("--tags", options.tags),
            ("--max-staleness-seconds", options.max_staleness_seconds),
        )
        if value is not None
    }
    forms = [min(flags)] if flags else []
    forms += [
        name for name, value in (("--preference", options.preference), ("--uri", options.uri)) if value is not None
    ]
    if len(forms) > 1:
        raise CommandError("argument", "a read preference is given in one form", " and ".join(forms))
    if options.preference is not None:
        return one_document(options.preference, "--preference"), {}
    if options.uri is not None:
        answer = call("parse_uri", {"uri": uri_from(options.uri, "--uri")})
        beside = {key: answer["options"][key] for key in _OF_A_URI if key in answer["options"]}
        return answer["readPreference"], beside
    if not flags:
        return None, {}
    document: dict[str, Any] = {}
    if options.mode is not None:
        document["mode"] = options.mode
    if options.tags is not None:
        document["tags"] = [tag_set(text) for text in options.tags]
    if options.max_staleness_seconds is not None:
        document["maxStalenessSeconds"] = whole(options.max_staleness_seconds, "--max-staleness-seconds")
    return document, {}


_OF_A_URI = ("localThresholdMS", "heartbeatFrequencyMS")


def uri_from(text: str, name: str) -> str:
    """Give the connection string: the argument, or what stands in stdin, where other users do not see its password."""
    if text != STDIN:
        return text
    return decode(read_bytes(STDIN), name).strip()


def tag_set(text: str) -> dict[str, Any]:
    """Read a tag set: dc:ny,rack:1 as in a connection string, or a JSON object."""
    if text.lstrip().startswith("{"):
        document = one_document(text, "--tags")
        if isinstance(document, dict):
            return document
    found: dict[str, Any] = {}
    for part in text.split(",") if text.strip() else []:
        name, colon, value = part.partition(":")
        if not colon or not name:
            raise CommandError("argument", f"a tag set is written dc:ny,rack:1; {part!r} is no name:value", "--tags")
        if name in found:
            raise CommandError("duplicateKey", f"the tag {name!r} is there twice in one set", "--tags")
        found[name] = value
    return found


def whole(text: str, option: str) -> int:
    """Read an integer."""
    digits = text[1:] if text.startswith("-") else text
    if not digits.isascii() or not digits.isdigit():
        raise CommandError("wrongType", f"expected an integer, found {text!r}", option)
    if len(digits) > 20:  # more than any integer of the engine has
        raise CommandError("outOfRange", f"an integer of {len(digits)} digits", option)
    return int(text)


def decimal(text: str, option: str) -> Decimal:
    """Read a decimal number; no float, so that it stays exact."""
    try:
        number = Decimal(text)
    except InvalidOperation:
        number = Decimal("NaN")
    if not number.is_finite():
        raise CommandError("wrongType", f"expected a number, found {text[:40]!r}", option)
    return number


def apply_selection_options(request: dict[str, Any], options: argparse.Namespace) -> None:
    """Set what the options say in the request; what they leave out stays as the input has it."""
    for key, value in (("operation", options.operation), ("pick", options.pick)):
        if value is not None:
            request[key] = value
    if options.local_threshold_ms is not None:
        request["localThresholdMS"] = decimal(options.local_threshold_ms, "--local-threshold-ms")
    if options.heartbeat_frequency_ms is not None:
        request["heartbeatFrequencyMS"] = whole(options.heartbeat_frequency_ms, "--heartbeat-frequency-ms")
    if options.seed is not None:
        whole(options.seed, "--seed")
        request["seed"] = options.seed
    if options.deprioritized is not None:
        request["deprioritized"] = options.deprioritized
    for text in options.rtt or []:
        _set_round_trip_time(request, text)


def _set_round_trip_time(request: dict[str, Any], text: str) -> None:
    address, equals, number = text.rpartition("=")
    if not equals:
        raise CommandError("argument", f"expected ADDRESS=MS, found {text!r}", "--rtt")
    shards = request.get("shards")
    topologies = [request.get("topology"), *(shards.values() if isinstance(shards, dict) else [])]
    found = False
    for topology in topologies:
        servers = topology.get("servers") if isinstance(topology, dict) else None
        for server in servers if isinstance(servers, list) else []:
            if isinstance(server, dict) and address_of(server.get("address")) == address_of(address):
                server["roundTripTimeMS"] = decimal(number, "--rtt")
                found = True
    if not found:
        raise CommandError("argument", f"no server has the address {address!r}", "--rtt")


def address_of(address: Any) -> str:
    """Give an address in the form that compares: lower case, with a port."""
    if not isinstance(address, str):
        return ""
    has_port = ":" in address.rpartition("]")[2]
    return (address if has_port else f"{address}:27017").lower()
