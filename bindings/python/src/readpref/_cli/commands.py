"""The commands made by hand; those of the registry that have no such twin are added by the parser."""

from __future__ import annotations

import argparse
from typing import Callable, NamedTuple

from readpref._cli import (
    completion_command,
    doctor_command,
    operators_command,
    select_command,
    session_command,
    uri_command,
    validate_command,
)
from readpref._cli.output import Output


class Command(NamedTuple):
    """A subcommand: its summary, what adds its options, and what runs it."""

    summary: str
    add_options: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace, Output], int]


COMMANDS = {
    "select": Command(
        "which server an operation goes to: prints its address", select_command.add_options, select_command.run_select
    ),
    "explain": Command("why: what became of each server", select_command.add_options, select_command.run_explain),
    "import": Command(
        "the request that files and options make, as a document", select_command.add_options, select_command.run_import
    ),
    "validate": Command(
        "the normal form of a read preference, or all that is wrong", validate_command.add_options, validate_command.run
    ),
    "uri": Command("reads a connection string, or writes one's options", uri_command.add_options, uri_command.run),
    "simulate": Command(
        "where operations go: the share of each server",
        operators_command.add_simulate_options,
        operators_command.run_simulate,
    ),
    "what_if": Command(
        "what becomes of operations when something is lost, or changes",
        operators_command.add_what_if_options,
        operators_command.run_what_if,
    ),
    "advise": Command(
        "what is unwise about read preferences", operators_command.add_advise_options, operators_command.run_advise
    ),
    "diff": Command(
        "who gains and who loses operations, and why", operators_command.add_diff_options, operators_command.run_diff
    ),
    "doctor": Command(
        "asks a live deployment, and explains where its reads go", doctor_command.add_options, doctor_command.run
    ),
    "session": Command(
        "requests by lines, for the methods that keep something", session_command.add_options, session_command.run
    ),
    "completion": Command(
        "a script that completes commands in your shell", completion_command.add_options, completion_command.run
    ),
}
