"""readpref simulate, what_if, advise, diff: what operators ask of what servers said and of what an application does."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from readpref._cli import exit_codes, reading, svg
from readpref._cli.command_error import CommandError
from readpref._cli.documents import one_document
from readpref._cli.engine import Answer, ask
from readpref._cli.importers.shapes import import_documents
from readpref._cli.input_request import add_input_options, check_format, documents_of
from readpref._cli.output import Output
from readpref._cli.preference_options import (
    OPERATIONS,
    PICKS,
    add_preference_options,
    apply_selection_options,
    preference_from,
    whole,
)
from readpref._cli.progress import busy
from readpref._encode import encode
from readpref._simulate import MAX_PICKS, PIECE, pieces

# What an imported request says of the topology and the client; its read preference becomes a workload.
_KEPT = ("topology", "localThresholdMS", "heartbeatFrequencyMS", "wireVersions")


def _add_shared(parser: argparse.ArgumentParser) -> None:
    add_input_options(parser)
    add_preference_options(parser)
    group = parser.add_argument_group("question")
    group.add_argument(
        "--workload",
        action="append",
        metavar="JSON",
        help='an operation of the application, {"name","readPreference","operation","weight"}; repeat it for more. '
        "Without it, --mode and its like are the one",
    )
    group.add_argument("--operation", metavar="NAME", help=f"of that one: one of {', '.join(OPERATIONS)}")
    group.add_argument("--local-threshold-ms", metavar="MS", help="the width of the latency window (15)")
    group.add_argument("--heartbeat-frequency-ms", metavar="MS", help="how often servers are checked (10000)")
    group.add_argument("--rtt", action="append", metavar="ADDRESS=MS", help="your round-trip time to a server")
    group.add_argument("--markdown", action="store_true", help="tables for a ticket in place of columns")
    parser.set_defaults(pick=None, seed=None, deprioritized=None, svg=None)


def _add_svg(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument("--svg", metavar="FILE", help=f"draw {what} into this file, too")


def _add_pick(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--pick", metavar="NAME", help=f"one of {', '.join(PICKS)}")


def add_simulate_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of simulate."""
    _add_shared(parser)
    _add_pick(parser)
    parser.add_argument("--picks", metavar="N", help="draw so many operations, instead of counting shares out")
    parser.add_argument("--clients", metavar="N", help="with --picks: so many operations are in progress at any time")
    parser.add_argument("--seed", metavar="N", help="of the picks (0)")
    _add_svg(parser, "the shares of reads")


def add_what_if_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of what_if."""
    _add_shared(parser)
    parser.add_argument(
        "--event", action="append", metavar="JSON", help='such as {"type": "memberDown", "address": "a.example"}'
    )
    parser.add_argument("--at-once", metavar="N", help="how many of the events happen together at most: 1, 2 or 3")
    parser.add_argument("--every-single", action="store_true", help="also the loss of each available server")
    parser.add_argument("--every-pair", action="store_true", help="also the loss of each two available servers")
    _add_svg(parser, "the table of events and workloads")


def add_advise_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of advise."""
    _add_shared(parser)
    parser.add_argument("--direct-connection", action="store_true", help="the client connects to one member directly")
    parser.add_argument("--flow-control-off", action="store_true", help="the members do not slow writes down")


def add_diff_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of diff."""
    _add_shared(parser)
    _add_pick(parser)
    parser.add_argument(
        "--after", metavar="JSON", help='what is different after, such as {"workloads": [{"readPreference": …}]}'
    )
    parser.add_argument(
        "--after-topology", action="append", metavar="FILE", help="what the servers say after, in any form; repeat it"
    )
    _add_svg(parser, "the shares of reads before and after")


def run_simulate(options: argparse.Namespace, output: Output) -> int:
    """Print where operations go."""
    request, notes = _request(options)
    for key in ("picks", "clients"):
        value = getattr(options, key)
        if value is not None:
            request[key] = whole(value, f"--{key}")
    picks = request.get("picks")
    if isinstance(picks, int) and not 1 <= picks <= MAX_PICKS:
        at = "picks" if options.picks is None else "--picks"
        raise CommandError("outOfRange", f"expected an integer from 1 to {MAX_PICKS}, found {picks}", at)
    long = isinstance(picks, int) and picks > PIECE and "state" not in request
    answer = _in_pieces(request) if long else ask("simulate", request)
    return _print(options, output, answer, notes, svg.shares)


def run_what_if(options: argparse.Namespace, output: Output) -> int:
    """Print what becomes of operations."""
    request, notes = _request(options)
    if options.event is not None:
        request["events"] = [one_document(text, "--event") for text in options.event]
    if options.at_once is not None:
        request["atOnce"] = whole(options.at_once, "--at-once")
    for key, value in (("everySingle", options.every_single), ("everyPair", options.every_pair)):
        if value:
            request[key] = True
    return _print(options, output, ask("what_if", request), notes, svg.matrix)


def run_advise(options: argparse.Namespace, output: Output) -> int:
    """Print what is unwise."""
    request, notes = _request(options)
    if options.direct_connection:
        request["directConnection"] = True
    if options.flow_control_off:
        request["flowControl"] = False
    return _print(options, output, ask("advise", request), notes, svg.nothing)


def run_diff(options: argparse.Namespace, output: Output) -> int:
    """Print who gains and who loses."""
    request, notes = _request(options)
    if options.after is not None:
        request["after"] = one_document(options.after, "--after")
    if options.after_topology is not None:
        imported = import_documents(documents_of(options.after_topology))
        after = request.setdefault("after", {})
        if not isinstance(after, dict):
            raise CommandError("wrongType", "what is different after is an object", "--after")
        after["topology"] = _one_topology(imported.request, "--after-topology")["topology"]
        notes += [note["message"] for note in imported.notes if note["message"] not in notes]
    return _print(options, output, ask("diff", request), notes, svg.changes)


def _request(options: argparse.Namespace) -> tuple[dict[str, Any], list[str]]:
    check_format(options.format)
    documents = documents_of(options.files)
    preference, of_uri = preference_from(options)
    first = documents[0][0]
    notes: list[str] = []
    if len(documents) == 1 and isinstance(first, dict) and "workloads" in first:
        request = dict(first)  # a whole request
        asked: dict[str, Any] = {}
    else:
        imported = import_documents(documents, options.format)
        request = _one_topology(imported.request, documents[0][1])
        asked = {key: imported.request[key] for key in ("readPreference", "operation") if key in imported.request}
        notes = [note["message"] for note in imported.notes]
    request.update(of_uri)
    operation, options.operation = options.operation, None  # a workload's, and no key of the request
    apply_selection_options(request, options)
    if options.workload is not None:
        if preference is not None or operation is not None:
            raise CommandError("argument", "a workload says its read preference and operation itself", "--workload")
        request["workloads"] = [one_document(text, "--workload") for text in options.workload]
    elif preference is not None or operation is not None or "workloads" not in request:
        if preference is not None:
            asked["readPreference"] = preference
        if operation is not None:
            asked["operation"] = operation
        request["workloads"] = [asked]
    if options.markdown:
        request["format"] = "markdown"
    return request, notes


def _one_topology(request: Mapping[str, Any], name: str) -> dict[str, Any]:
    if "topology" not in request:
        raise CommandError("argument", "this question is about one topology: give that of one shard", name)
    return {key: request[key] for key in _KEPT if key in request}


def _in_pieces(request: Mapping[str, Any]) -> Answer:
    """Simulate in pieces, so that there is a bar and Ctrl-C is heard; the answer is that to one request."""
    total = request["picks"]
    rest = encode({key: value for key, value in request.items() if key != "picks"})
    with busy("simulate") as bar:
        for done, document, raw in pieces(rest, total):
            answer = Answer(document, raw)
            bar.show(done / total)
    return answer


def _print(options: argparse.Namespace, output: Output, answer: Answer, notes: list[str], draw: svg.Draw) -> int:
    if options.svg is not None:
        reading.write_text(options.svg, draw(answer.document), "--svg")
    if output.json:
        output.raw(answer.raw)
    else:
        output.text(answer.document["text"])
    output.notes(notes)
    return exit_codes.OK
