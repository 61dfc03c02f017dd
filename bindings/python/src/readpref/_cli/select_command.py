"""readpref select, readpref explain, readpref import."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from typing import Any

from readpref._cli import colour, exit_codes
from readpref._cli.engine import Answer, ask
from readpref._cli.importers.imported import Imported
from readpref._cli.input_request import add_input_options, read_request
from readpref._cli.output import Output
from readpref._cli.preference_options import add_preference_options, add_selection_options
from readpref._encode import encode


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the three commands."""
    add_input_options(parser)
    add_preference_options(parser)
    add_selection_options(parser)


def run_select(options: argparse.Namespace, output: Output) -> int:
    """Print the address of the server, one line; with shards a line for each."""
    imported = read_request(options)
    answer = ask("select", imported.request)
    if not _print_document(answer, imported, output):
        notes = [note["message"] for note in imported.notes]
        for shard, one in _parts(answer.document):
            cells = () if shard is None else (shard,)
            server = one.get("server")
            if server is not None:
                output.row(*cells, server["address"])
                continue
            reason = one["error"] if "error" in one else one["reason"]
            if shard is not None:
                output.row(*cells, "-")
            notes.append(f"{shard}: {reason['message']}" if shard is not None else reason["message"])
        notes += [f"{warning['path']}: {warning['message']}" for warning in answer.document.get("warnings", [])]
        output.notes(notes)
    return _exit_code(answer.document)


def run_explain(options: argparse.Namespace, output: Output) -> int:
    """Print the engine's table."""
    imported = read_request(options)
    answer = ask("explain", imported.request)
    if not _print_document(answer, imported, output):
        for number, (shard, one) in enumerate(_parts(answer.document)):
            if shard is not None:
                if number:
                    output.text("\n")
                output.line(f"shard       {shard}", colour.BOLD)
            if "error" in one:
                output.line(f"error       {one['error']['code']}: {one['error']['message']}", colour.RED)
            else:
                output.text(colour.paint_explanation(one) if output.coloured else one["text"])
        output.notes(note["message"] for note in imported.notes)
    return _exit_code(answer.document)


def run_import(options: argparse.Namespace, output: Output) -> int:
    """Print the request that select would be asked, to keep or to change it."""
    imported = read_request(options)
    ask("select", imported.request)  # nothing is printed that the engine would not take
    output.raw(encode(imported.request).decode("utf-8"))
    output.notes(note["message"] for note in imported.notes)
    return exit_codes.OK


def _print_document(answer: Answer, imported: Imported, output: Output) -> bool:
    if not output.json:
        return False
    if imported.notes:
        # An imported source tells less than a request; whoever reads the answer should know.
        source = json.dumps({"source": imported.source}, ensure_ascii=False, separators=(",", ":"))
        output.raw(f"{answer.raw[:-1]},{source[1:]}")
    else:
        output.raw(answer.raw)
    return True


def _parts(document: Mapping[str, Any]) -> list[tuple[str | None, Mapping[str, Any]]]:
    return list(document["shards"].items()) if "shards" in document else [(None, document)]


def _exit_code(document: Mapping[str, Any]) -> int:
    found = all(one.get("server") is not None for _, one in _parts(document))
    return exit_codes.OK if found else exit_codes.NO
