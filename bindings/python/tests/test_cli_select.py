"""readpref select, explain, import and validate on saved clusters; expected values are worked out by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import readpref
from cli import DATA, run
from readpref._cli import exit_codes

STATUS = str(DATA / "rs-status.json")
CONF = str(DATA / "rs-conf.json")
HELLOS = [str(DATA / f"hello-{name}.json") for name in ("ny1", "ny2", "sf1")]

NY1, NY2, NY3, SF1, AMS1, ARB = (f"{name}.example.net:27017" for name in ("ny1", "ny2", "ny3", "sf1", "ams1", "arb"))


def test_select_prints_the_address() -> None:
    # 2, 5 and 150 ms: the secondaries are at 5 and 150, the window ends at 20.
    done = run("select", str(DATA / "classic-2-5-150.json"), "--mode", "secondary")
    assert done == (0, "m2.example.net:27017\n", "")


def test_select_without_a_server_exits_with_1_and_says_why() -> None:
    done = run("select", STATUS, CONF, "--mode", "secondary", "--tags", "dc:tokyo")
    assert (done.code, done.out) == (1, "")
    assert done.err.splitlines()[-1] == (
        "note: no suitable server for a read with read preference secondary, "
        "tags [{dc: tokyo}]: no tag set matches a candidate"
    )


def test_select_of_shards_prints_a_line_for_each() -> None:
    # Secondaries tagged ny: b of both, but shard1's b is 130.001 s over 120; its c matches {}.
    done = run("select", str(DATA / "sharded-two-shards.json"))
    assert done == (0, "shard0\tshard0-b.example.net:27018\nshard1\tshard1-c.example.net:27018\n", "")


def test_json_of_a_request_is_the_engines_own() -> None:
    file = DATA / "three-data-centres.json"
    for method in ("select", "explain"):
        done = run(method, str(file), "--json")
        assert done.out.encode() == readpref.call_raw(method, file.read_bytes()) + b"\n"


def test_explain_prints_the_engines_table() -> None:
    file = DATA / "three-data-centres.json"
    done = run("explain", str(file))
    assert done == (0, readpref.call("explain", json.loads(file.read_text(encoding="utf-8")))["text"], "")


def test_status_and_conf_make_a_topology() -> None:
    done = run("import", STATUS, CONF)
    topology = done.document["topology"]
    assert topology["setName"] == "rs0"
    found = {server["address"]: server for server in topology["servers"]}
    assert {address: server["type"] for address, server in found.items()} == {
        NY1: "RSPrimary",
        NY2: "RSSecondary",
        SF1: "RSSecondary",
        NY3: "RSOther",  # hidden in rs.conf()
        AMS1: "Unknown",  # health 0
        ARB: "RSArbiter",
    }
    # pingMs of the others; the answering member is 0 ms from itself; the one that is down has none.
    assert {address: server.get("roundTripTimeMS") for address, server in found.items()} == {
        NY1: 0,
        NY2: 1,
        SF1: 68,
        NY3: 2,
        AMS1: None,
        ARB: 1,
    }
    # optimeDate, 2026-10-26T07:33:20Z being 1793000000 s: 0 s, 1 s and 155 s before.
    assert found[NY1]["lastWriteDate"] == 1793000000000
    assert found[NY2]["lastWriteDate"] == 1792999999000
    assert found[SF1]["lastWriteDate"] == 1792999845000
    assert "lastWriteDate" not in found[AMS1]
    assert {server["lastUpdateTimeMS"] for server in (found[NY1], found[NY2], found[SF1])} == {1793000001000}
    assert found[SF1]["tags"] == {"dc": "sf"}
    assert found[AMS1]["error"].endswith("Connection refused")


@pytest.mark.parametrize("name", ["rs-status-canonical.json", "rs-status-mongosh.txt"])
def test_every_form_of_status_is_the_same(name: str) -> None:
    relaxed, other = run("import", STATUS, CONF), run("import", str(DATA / name), CONF)
    assert other.document == relaxed.document


def test_status_and_conf_in_one_stream_and_in_one_object() -> None:
    status, conf = Path(STATUS).read_bytes(), Path(CONF).read_bytes()
    wanted = run("import", STATUS, CONF).out
    assert run("import", "-", stdin=conf + status).out == wanted
    assert run("import", stdin=b'{"status":' + status + b',"conf":{"config":' + conf + b',"ok":1}}').out == wanted
    assert run("import", stdin=b"[" + status + b"," + conf + b"]").out == wanted


def test_staleness_of_a_status_is_by_optimes() -> None:
    # Max Staleness, "with primary": 155 s behind the primary and one heartbeat of 10 s are 165 s, 45 over 120.
    done = run("explain", STATUS, CONF, "--mode", "secondary", "--max-staleness-seconds", "120", "--json")
    servers = {server["address"]: server for server in done.document["servers"]}
    assert servers[SF1]["stage"] == "maxStaleness"
    assert (servers[SF1]["stalenessMS"], servers[SF1]["overMS"]) == (165000, 45000)
    assert servers[NY2]["stalenessMS"] == 11000
    assert done.document["server"]["address"] == NY2


def test_what_a_status_cannot_tell_is_in_the_document_and_on_stderr() -> None:
    done = run("select", STATUS, "--mode", "nearest", "--json")
    codes = [note["code"] for note in done.document["source"]["notes"]]
    assert done.document["source"]["format"] == "rs-status"
    assert codes == ["roundTripTimeFromMember", "lastWriteFromHeartbeats", "configurationUnknown", "notInSource"]
    text = run("select", STATUS, "--mode", "nearest")
    assert "not from your client" in text.err
    assert "rs.conf() was not given" in text.err


def test_rtt_option_stands_for_the_clients_own() -> None:
    # From San Francisco: 2 ms to sf1, 70 to the others.
    here = [f"--rtt={address}={ms}" for address, ms in (("SF1.example.net", "2"), (NY1, "70"), (NY2, "70.5"))]
    assert run("select", STATUS, CONF, "--mode", "nearest", *here).out == SF1 + "\n"


def test_hello_replies_of_each_member() -> None:
    # No round-trip time is known, so all are in the window; those who are not ny are left out.
    done = run("select", *HELLOS, "--mode", "nearest", "--tags", "dc:ny", "--json")
    assert done.document["inLatencyWindow"] == [NY1, NY2]
    codes = [note["code"] for note in done.document["source"]["notes"]]
    assert codes == ["clockAssumed", "roundTripTimeUnknown", "notInSource"]


def test_a_member_without_a_reply_is_noted() -> None:
    done = run("select", HELLOS[0], "--json")
    assert [note for note in done.document["source"]["notes"] if note["code"] == "memberMissing"] == [
        {
            "code": "memberMissing",
            "path": f"topology.servers[{place}].type",
            "message": f"{address} is listed by others and itself not in what was saved: taken as Unknown",
        }
        for place, address in ((1, NY2), (2, SF1))
    ]


@pytest.mark.parametrize("name", ["driver-log-pymongo.txt", "driver-log-go.txt", "driver-log-node.txt"])
def test_the_log_of_a_driver_is_a_topology(name: str) -> None:
    done = run("import", str(DATA / name))
    assert done.document["topology"]["type"] == "ReplicaSetWithPrimary"
    assert {server["address"]: server["type"] for server in done.document["topology"]["servers"]} == {
        NY1: "RSPrimary",
        NY2: "RSSecondary",
        SF1: "RSSecondary",
        AMS1: "Unknown",  # it was down
        ARB: "RSArbiter",
    }
    assert "operationCount is not in a log" in done.err


def test_a_log_that_is_cut_or_long_or_mixed_is_read(tmp_path: Path) -> None:
    node = (DATA / "driver-log-node.txt").read_text(encoding="utf-8")
    lines = node.splitlines()
    cut = tmp_path / "cut.log"
    cut.write_text(node + lines[-1][:40], encoding="utf-8")
    assert run("import", str(cut)) == run("import", str(DATA / "driver-log-node.txt"))
    # What the driver logs beside descriptions, in more lines than `import` takes documents.
    heartbeat = json.dumps({"t": "2026-11-30T10:07:28Z", "c": "topology", "s": "debug", "message": "Heartbeat"})
    long = tmp_path / "long.log"
    long.write_text(node + f"{heartbeat}\n" * 5000, encoding="utf-8")
    assert run("import", str(long)) == run("import", str(DATA / "driver-log-node.txt"))
    mixed = tmp_path / "mixed.log"
    mixed.write_text((DATA / "driver-log-pymongo.txt").read_text(encoding="utf-8") + node, encoding="utf-8")
    assert run("import", str(mixed)).code == exit_codes.OK


def test_the_log_of_another_program_is_refused(tmp_path: Path) -> None:
    log = tmp_path / "mongod.log"
    line = {"t": {"$date": "2026-11-30T10:00:00Z"}, "s": "I", "c": "REPL", "id": 1, "ctx": "main", "msg": "Starting"}
    log.write_text(f"{json.dumps(line)}\n" * 2, encoding="utf-8")
    message = f"unknownValue: {log}: a log of mongod or mongos; that of a driver tells a topology"
    assert run("import", str(log)) == (exit_codes.UNUSABLE, "", f"readpref: error: {message}\n")
    log.write_text("Nov 30 sshd[1]: Accepted\n", encoding="utf-8")
    message = "line 1 column 1: expecting value; this is no JSON, and no driver's log with a topology description"
    assert run("import", str(log)).err == f"readpref: error: invalidJSON: {log}: {message}\n"


def test_other_sources() -> None:
    shards = run("select", str(DATA / "list-shards.json"), "--mode", "primary", "--json")
    assert {name: shard["server"]["address"] for name, shard in shards.document["shards"].items()} == {
        "shard-ny": "ny1.example.net:27018",
        "shard-sf": "sf2.example.net:27018",
    }
    assert shards.document["source"]["format"] == "shard-map"
    atlas = run("select", str(DATA / "atlas-cluster.json"), "--mode", "secondary", "--tags", "nodeType:ANALYTICS")
    assert atlas.out == "shop-2:27017\n"
    assert run("import", "--format", "hello", STATUS).err == (
        "readpref: error: argument: --format: these documents are of format rs-status, not hello\n"
    )


def test_tag_sets_keep_their_order() -> None:
    sets = ["--tags", "dc:la", "--tags", "{}", "--tags", '{"dc": "ny"}']
    done = run("import", STATUS, "--mode", "nearest", *sets)
    assert done.document["readPreference"] == {"mode": "nearest", "tags": [{"dc": "la"}, {}, {"dc": "ny"}]}


def test_preference_of_a_connection_string() -> None:
    uri = "mongodb://u:p@a/?readPreference=secondary&localThresholdMS=80"
    done = run("import", STATUS, "--uri", uri)
    assert done.document["readPreference"] == {"mode": "secondary"}
    assert done.document["localThresholdMS"] == 80
    over = run("import", STATUS, "--uri", "-", "--local-threshold-ms", "0.5", stdin=uri.encode())
    assert over.document["localThresholdMS"] == 0.5


def test_options_go_into_the_request() -> None:
    done = run(
        *("import", STATUS, "--preference", '{"mode": "nearest"}', "--operation", "write", "--pick", "roundRobin"),
        *(
            "--seed",
            "18446744073709551615",
            "--heartbeat-frequency-ms",
            "500",
            "--deprioritized",
            "a",
            "--deprioritized=b",
        ),
    )
    request = {key: value for key, value in done.document.items() if key != "topology"}
    assert request == {
        "readPreference": {"mode": "nearest"},
        "operation": "write",
        "pick": "roundRobin",
        "seed": "18446744073709551615",
        "heartbeatFrequencyMS": 500,
        "deprioritized": ["a", "b"],
    }


def test_validate_exits_with_0_and_1() -> None:
    good = run("validate", "--mode", "secondary", "--tags", "dc:ny", "--tags", "", "--max-staleness-seconds", "-1")
    assert good == (0, 'valid\n{"mode": "secondary", "tags": [{"dc": "ny"}, {}]}\n', "")
    bad = run("validate", "--mode", "secondry", "--json")
    assert bad.code == exit_codes.NO
    assert [problem["code"] for problem in bad.document["problems"]] == ["unknownMode"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["--uri-options", "readPreference=nearest&maxStalenessSeconds=120"],
        ["--mongosh", '["nearest", null]'],
        ["--preference", '{"mode": "nearest"}'],
        ["--uri", "mongodb://a.example/?readPreference=nearest"],
        [str(DATA / "three-data-centres.json")],
    ],
)
def test_validate_takes_every_form(arguments: list[str]) -> None:
    done = run("validate", *arguments, "--json")
    assert done.code == exit_codes.OK
    assert done.document["readPreference"]["mode"] == "nearest"
