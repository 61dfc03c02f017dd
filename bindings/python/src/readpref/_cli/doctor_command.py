"""readpref doctor: asks a live deployment through PyMongo, and explains where its reads go."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from typing import Any

from readpref._cli import colour, exit_codes
from readpref._cli.command_error import CommandError
from readpref._cli.engine import ask
from readpref._cli.output import Output
from readpref._cli.preference_options import (
    OPERATIONS,
    add_preference_options,
    decimal,
    preference_from,
    uri_from,
)
from readpref._cli.progress import busy
from readpref._cli.redact import hide, secrets_of, without_secrets
from readpref._encode import encode

_MAX_TIMEOUT = 3600


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "string", metavar="URI", help="a connection string; - reads it from stdin, unseen by other users"
    )
    parser.add_argument("--timeout", default="5", metavar="SECONDS", help="how long to wait for the servers (5)")
    parser.add_argument("--operation", metavar="NAME", help=f"one of {', '.join(OPERATIONS)}")
    add_preference_options(parser, uri=False)


def run(options: argparse.Namespace, output: Output) -> int:
    """Wait until each server has answered or failed to, then explain."""
    timeout = decimal(options.timeout, "--timeout")
    if not 0 < timeout <= _MAX_TIMEOUT:
        raise CommandError("outOfRange", f"expected seconds up to {_MAX_TIMEOUT}, found {options.timeout}", "--timeout")
    preference, _ = preference_from(options)
    uri = uri_from(options.string, "URI")
    parsed = ask("parse_uri", {"uri": uri}).document
    description, heard = _ask_servers(uri, float(timeout), secrets_of(parsed))
    if not any(server["type"] not in ("Unknown", "PossiblePrimary") for server in description["servers"]):
        raise CommandError("noServer", _unreachable(description, parsed), exit_code=exit_codes.UNREACHABLE)
    request: dict[str, Any] = {"topology": description, "readPreference": preference or parsed["readPreference"]}
    for key in ("localThresholdMS", "heartbeatFrequencyMS"):
        if key in parsed["options"]:
            request[key] = parsed["options"][key]
    if options.operation is not None:
        request["operation"] = options.operation
    explanation = ask("explain", request).document
    _print(explanation, without_secrets(parsed), description, heard, output)
    return exit_codes.OK if explanation.get("server") is not None else exit_codes.NO


def _ask_servers(uri: str, timeout: float, secrets: list[str]) -> tuple[dict[str, Any], bool]:
    try:
        from pymongo import MongoClient  # noqa: PLC0415 - an extra of this package
        from pymongo.errors import PyMongoError  # noqa: PLC0415

        from readpref.pymongo import discovered, topology_description  # noqa: PLC0415
    except ImportError as error:
        message = "doctor asks the servers through PyMongo, which is missing: pip install 'readpref[pymongo]'"
        raise CommandError("argument", message, "doctor") from error
    milliseconds = max(1, int(timeout * 1000))
    limits: dict[str, Any] = {"serverSelectionTimeoutMS": milliseconds, "connectTimeoutMS": milliseconds}
    client: MongoClient[Any] | None = None
    try:
        with busy("asking the servers", timeout):
            client = MongoClient(uri, **limits)
            heard = discovered(client, timeout)
            described = topology_description(client)
        document: dict[str, Any] = json.loads(encode(described))
        return document, heard
    except PyMongoError as error:
        # DNS is asked by the constructor; what it refuses of a connection string is no fault of the deployment.
        message = hide(f"PyMongo: {error}", secrets)
        name = type(error).__name__
        code = exit_codes.UNUSABLE if name in ("InvalidURI", "ConfigurationError") else exit_codes.UNREACHABLE
        if uri.lower().startswith("mongodb+srv://") and name == "ConfigurationError":
            code = exit_codes.UNREACHABLE
        raise CommandError("noServer" if code == exit_codes.UNREACHABLE else "argument", message, "URI", code) from None
    except (OSError, ValueError, TypeError) as error:
        raise CommandError("argument", hide(f"PyMongo: {error}", secrets), "URI") from None
    finally:
        if client is not None:
            client.close()


def _unreachable(description: Mapping[str, Any], parsed: Mapping[str, Any]) -> str:
    servers = description["servers"]
    if not servers:
        name = parsed["options"].get("replicaSet")
        return f"the seeds answered, and none is a member of a set named {name!r}" if name else "no server is left"
    said = [f"{server['address']}: {_reason(server)}" for server in servers]
    return "cannot reach the deployment: " + "; ".join(said[:5]) + ("; …" if len(said) > 5 else "")


def _reason(server: Mapping[str, Any]) -> str:
    """Give PyMongo's words without the address and the timeouts, which are said already."""
    said: str = server.get("error") or "no answer in time"
    return said.replace(f"{server['address']}: ", "", 1).partition(" (configured timeouts:")[0]


def _print(
    explanation: Mapping[str, Any],
    parsed: Mapping[str, Any],
    description: Mapping[str, Any],
    heard: bool,
    output: Output,
) -> None:
    warnings = list(parsed["warnings"])
    if output.json:
        output.document(
            {
                "seeds": parsed["seeds"],
                "topology": description,
                "complete": heard,
                "explanation": explanation,
                "warnings": warnings,
            }
        )
        return
    output.line(f"{'seeds':<12}{', '.join(parsed['seeds']) or parsed['lookup']['srv']}")
    output.text(colour.paint_explanation(explanation) if output.coloured else explanation["text"])
    for warning in warnings:
        output.line(f"warning: {warning['code']}: {warning['path']}: {warning['message']}", colour.YELLOW)
    if not heard:
        output.notes(["not every server answered in time; --timeout waits longer"])
    output.notes(["the servers were asked once: round-trip times are of one reply, and doctor did not log in"])
