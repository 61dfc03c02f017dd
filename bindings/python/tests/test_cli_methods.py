"""Commands that come from the registry, and sessions."""

from __future__ import annotations

import json
from typing import Any
from unittest import mock

import readpref
from cli import DATA, run
from readpref._cli import exit_codes, method_command
from readpref._cli import parser as parser_module
from readpref._cli.commands import COMMANDS
from readpref._cli.parser import build_parser, subcommands


def test_every_method_is_a_command_or_about_handles() -> None:
    commands = subcommands(build_parser())
    for method in readpref.methods():
        name = method["name"]
        assert (name in commands) != (name not in COMMANDS and method_command.is_of_handles(name)), name


def test_a_document_goes_in_and_out_as_it_is() -> None:
    request = b'{"samplesMS": [1, 2]}'
    wanted = readpref.call_raw("rtt", request)
    done = run("rtt", "-", stdin=request)
    assert done.out.encode() == wanted + b"\n" or done.document["error"]
    assert done.document == json.loads(wanted)


def test_request_by_document_topology_and_set() -> None:
    status = str(DATA / "rs-status.json")
    assert run("writable", "--topology", status).out == '{"writable":true}\n'
    assert run("readable", "--topology", status, "--mode", "nearest", "--tags", "dc:la").out == '{"readable":false}\n'
    used = run(
        "effective_preference", "--document", '{"command": "find"}', "--set", 'clientReadPreference={"mode": "nearest"}'
    )
    assert used.document["from"] == "client"
    text = run("effective_preference", "--set", "command=insert")
    assert text.document["kind"] == "write"


def test_errors_of_a_method_have_code_and_path() -> None:
    done = run("parse_uri")
    assert (done.code, done.out) == (exit_codes.UNUSABLE, "")
    assert done.err.startswith("readpref: error: missingKey: uri: ")
    assert run("parse_uri", "--set", "uri=localhost").code == exit_codes.NO
    assert run("rtt", "-", stdin=b"\xff").err.startswith("readpref: error: invalid")


def test_later_methods_appear_by_themselves() -> None:
    later = {"name": "later_method", "since": "1.9", "summary": "100% new", "request": "a.json", "answer": "b.json"}
    asked: list[tuple[str, Any]] = []

    def ask(method: str, request: Any) -> Any:
        asked.append((method, request))
        return mock.Mock(document={"text": "a table\n", "share": 1}, raw='{"text":"a table\\n","share":1}')

    listed = [*readpref.methods(), later]
    with mock.patch.object(parser_module, "methods", lambda: listed), mock.patch.object(method_command, "ask", ask):
        assert "100% new" in run("--help").out
        assert "100% new" in run("later_method", "--help").out
        assert run("later_method", "--set", "picks=5").out == "a table\n"  # the text that the engine made
        assert run("later_method", "--set", "picks=5", "--json").document["share"] == 1
    assert asked == [("later_method", {"picks": 5})] * 2


def test_uri_is_read_without_its_secrets() -> None:
    uri = "mongodb://app:s3cret@a.example/?authMechanismProperties=AWS_SESSION_TOKEN:t0ken&tlsCertificateKeyFilePassword=k3y"
    for arguments in (["uri", uri], ["uri", uri, "--json"]):
        done = run(*arguments)
        assert done.code == exit_codes.OK
        assert not any(secret in done.out + done.err for secret in ("s3cret", "t0ken", "k3y"))
    assert run("uri", uri, "--json").document["password"] == "<hidden>"
    assert run("uri", "-", stdin=b"mongodb://a.example\n").out.startswith("seeds       a.example:27017\n")
    assert run("uri", "localhost").code == exit_codes.NO


def test_uri_is_written() -> None:
    done = run("uri", "--mode", "secondary", "--tags", "dc:ny", "--tags", "", "--max-staleness-seconds", "90")
    wanted = "readPreference=secondary&readPreferenceTags=dc:ny&readPreferenceTags=&maxStalenessSeconds=90\n"
    assert done == (0, wanted, "")


def test_a_session_keeps_handles_and_goes_on_after_errors() -> None:
    topology = {"topology": {"servers": [{"address": "a:1", "type": "RSPrimary"}]}}
    opened = run("session", stdin=json.dumps({"method": "readpref.open", "request": {"readPreference": {}}}).encode())
    preference = json.loads(opened.out)["readPreference"]
    assert preference > 0
    lines = [
        {"method": "topology.open", "request": topology},
        {"method": "topology.select", "request": {"topology": 0, "readPreference": 0}},
        {"method": "nope", "request": {}},
        {"method": "build_info"},
        {"request": {}},
        [],
    ]
    data = b"\n".join(json.dumps(line).encode() for line in lines) + b"\n\n{\n\xff\n"
    done = run("session", stdin=data)
    answers = [json.loads(line) for line in done.out.splitlines()]
    assert (done.code, done.err) == (0, "")
    assert answers[0]["topology"] > 0
    codes = [answer["error"]["code"] for answer in answers if "error" in answer]
    assert codes == ["handle", "unknownMethod", "missingKey", "wrongType", "invalidJSON", "invalidUTF8"]
    assert answers[3]["name"] == "readpref"
