"""readpref simulate, what_if, advise and diff; their drawings and their tables."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

import readpref
from cli import DATA, run
from readpref._cli.progress import Progress

STATUS = (str(DATA / "rs-status.json"), str(DATA / "rs-conf.json"))
# Two servers of equal round-trip time: of an exact count each has half of what goes to both.
TWO: dict[str, Any] = {
    "servers": [
        {"address": "a.example:27017", "type": "RSPrimary", "roundTripTimeMS": 1},
        {"address": "b.example:27017", "type": "RSSecondary", "roundTripTimeMS": 1},
    ]
}
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def two(tmp_path: Path) -> str:
    """Give the file of a description."""
    file = tmp_path / "two.json"
    file.write_text(json.dumps(TWO), encoding="utf-8")
    return str(file)


def texts(file: Path) -> list[str]:
    """Give the texts of a drawing, which has to be well-formed."""
    root = ET.fromstring(file.read_text(encoding="utf-8"))
    assert root.tag == f"{SVG}svg"
    return ["".join(one.itertext()) for one in root.iter(f"{SVG}text")]


def test_a_mode_is_a_workload(two: str) -> None:
    done = run("simulate", two, "--mode", "nearest", "--json")
    assert [one["readsPPM"] for one in done.document["servers"]] == [500_000, 500_000]
    assert done.code == 0
    writes = run("simulate", two, "--operation", "write", "--json").document
    assert [one["writesPPM"] for one in writes["servers"]] == [1_000_000, 0]


def test_workloads_and_options_arrive(two: str) -> None:
    web, orders = '{"name": "web", "readPreference": {"mode": "nearest"}, "weight": 3}', '{"operation": "write"}'
    done = run("simulate", two, "--workload", web, "--workload", orders, "--rtt", "b.example=20", "--json").document
    assert [one["name"] for one in done["workloads"]] == ["web", "workload 2"]
    assert [one["operationsPPM"] for one in done["servers"]] == [1_000_000, 0]
    wide = run("simulate", two, "--workload", web, "--rtt", "b.example=20", "--local-threshold-ms", "19", "--json")
    assert [one["readsPPM"] for one in wide.document["servers"]] == [500_000, 500_000]
    picked = run("simulate", two, "--mode", "nearest", "--picks", "24", "--clients", "2", "--seed", "7", "--json")
    asked = {"topology": TWO, "workloads": [{"readPreference": {"mode": "nearest"}}], "picks": 24, "clients": 2}
    assert picked.document == readpref.call("simulate", {**asked, "seed": "7"})


def test_a_whole_request_is_one(tmp_path: Path) -> None:
    request = {"topology": TWO, "workloads": [{"readPreference": {"mode": "nearest"}}], "picks": 10}
    file = tmp_path / "request.json"
    file.write_text(json.dumps(request), encoding="utf-8")
    assert run("simulate", str(file), "--json").document == readpref.call("simulate", request)


def test_long_simulations_are_made_in_pieces_with_a_bar(two: str) -> None:
    shown: list[float] = []
    with mock.patch.object(Progress, "show", lambda _, share: shown.append(share)):
        done = run("simulate", two, "--mode", "nearest", "--picks", "250000", "--json")
    assert shown == [0.4, 0.8, 1.0]
    workloads = [{"readPreference": {"mode": "nearest"}}]
    assert done.document == readpref.call("simulate", {"topology": TWO, "workloads": workloads, "picks": 250_000})
    bar = Progress("simulate", None, 1)
    bar.show(0.25)
    assert bar._line(3) == "simulate [######..................] 25 %"


def test_what_if(two: str) -> None:
    # One vote of two is no majority: a steps down, and takes no writes.
    done = run("what_if", two, "--operation", "write", "--event", '{"type": "memberDown", "address": "b.example"}')
    assert "FAILS: noCandidate" in done.out
    names = [one["name"] for one in run("what_if", two, "--every-single", "--json").document["scenarios"]]
    assert names == ["a.example:27017 down", "b.example:27017 down"]
    pairs = [one["name"] for one in run("what_if", two, "--every-pair", "--json").document["scenarios"]]
    assert pairs == ["a.example:27017 down and b.example:27017 down"]
    both = ("--event", '{"type": "primarySteppedDown"}', "--event", '{"type": "memberDown", "address": "b.example"}')
    assert len(run("what_if", two, *both, "--at-once", "2", "--json").document["scenarios"]) > len(
        run("what_if", two, *both, "--json").document["scenarios"]
    )


def test_advise(two: str) -> None:
    def codes(*options: str) -> set[str]:
        found = run("advise", two, "--mode", "secondaryPreferred", *options, "--json").document["findings"]
        return {one["code"] for one in found}

    assert codes("--flow-control-off") - codes() == {"flowControlOff"}
    assert codes("--direct-connection") - codes() == {"directConnectionPreference"}


def test_diff(two: str, tmp_path: Path) -> None:
    after = '{"workloads": [{"readPreference": {"mode": "nearest"}}]}'
    done = run("diff", two, "--mode", "primary", "--after", after, "--json").document
    assert [one["change"]["readsPPM"] for one in done["servers"]] == [-500_000, 500_000]
    one = tmp_path / "one.json"
    one.write_text(json.dumps({"servers": TWO["servers"][:1]}), encoding="utf-8")
    gone = run("diff", two, "--mode", "nearest", "--after-topology", str(one), "--json").document
    assert [server["after"] is None for server in gone["servers"]] == [False, True]


def test_what_a_status_cannot_tell_is_noted() -> None:
    done = run("simulate", *STATUS, "--mode", "nearest")
    assert done.code == 0
    assert "note: " in done.err


def test_markdown(two: str) -> None:
    for command in ("simulate", "what_if", "advise"):
        assert run(command, two, "--mode", "nearest", "--markdown").out.startswith("- topology: ")
    after = ("--after", '{"pick": "random"}')
    assert run("diff", two, "--mode", "nearest", *after, "--markdown").out.startswith("- topology: ")


def test_the_drawing_of_a_matrix(two: str, tmp_path: Path) -> None:
    file = tmp_path / "matrix.svg"
    workload = '{"name": "<b> & \\u202e", "readPreference": {"mode": "secondary"}}'
    done = run("what_if", two, "--workload", workload, "--every-single", "--svg", str(file))
    assert done.code == 0
    # Rows of three cells. One vote of two is no majority: without b, a steps down, and is read as a secondary.
    assert texts(file) == [
        *("event", "primary", "<b> & \\u202e"),
        *("none", "a.example:27017", "b.example:27017"),
        *("a.example:27017 down", "none: no majority", "b.example:27017"),
        *("b.example:27017 down", "none: no majority", "a.example:27017"),
    ]


def test_the_drawing_of_shares(two: str, tmp_path: Path) -> None:
    file = tmp_path / "shares.svg"
    assert run("simulate", two, "--mode", "nearest", "--svg", str(file)).code == 0
    assert texts(file) == [
        "Where reads go",
        *("a.example:27017", "50.0000%"),
        *("b.example:27017", "50.0000%"),
        *("no server", "0.0000%"),
    ]
    # Half of 320 pixels.
    assert file.read_text(encoding="utf-8").count('width="160.0"') == 2
    after = '{"workloads": [{"readPreference": {"mode": "nearest"}}]}'
    assert run("diff", two, "--mode", "primary", "--after", after, "--svg", str(file)).code == 0
    assert texts(file)[1:6] == ["a.example:27017", "100.0000%", "50.0000%", "b.example:27017", "0.0000%"]


@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        (["simulate", "@", "--picks", "many"], "--picks"),
        (["simulate", "@", "--picks", "0"], "--picks"),
        (["simulate", "@", "--picks", str(2**40 + 1)], "--picks"),
        (["simulate", "@", "--workload", "{}", "--mode", "nearest"], "--workload"),
        (["simulate", "@", "--workload", '{"weight": 0}'], "workloads[0].weight"),
        (["simulate", "@", "--svg", "/no/such/folder/x.svg"], "--svg"),
        (["simulate", str(DATA / "sharded-two-shards.json")], str(DATA / "sharded-two-shards.json")),
        (["what_if", "@", "--event", '{"type": "memberDown", "address": "x.example"}'], "events[0]"),
        (["what_if", "@", "--event", "memberDown"], "--event"),
        (["diff", "@"], "after"),
        (["diff", "@", "--after", "5", "--after-topology", "@"], "--after"),
        (["advise", "@", "--markdown", "--operation", "delete"], "workloads[0].operation"),
    ],
)
def test_what_is_wrong_is_told(arguments: list[str], path: str, two: str) -> None:
    done = run(*(two if one == "@" else one for one in arguments), "--json")
    assert done.code == 2
    assert done.document["error"]["path"] == path
