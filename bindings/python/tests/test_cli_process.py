"""The command as a process: hostile input, closed and full outputs, terminals, signals, locales."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli import DATA, environment, process
from readpref._cli import exit_codes

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes, signals and terminals of POSIX")

COMMAND = [sys.executable, "-m", "readpref"]
REQUEST = "three-data-centres.json"


def error_line(done: subprocess.CompletedProcess[bytes]) -> str:
    """Give the one line of an error."""
    lines = done.stderr.decode().splitlines()
    assert len(lines) == 1, lines
    assert done.stdout == b""
    return lines[0]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "invalidJSON"),
        (b" \n", "invalidJSON"),
        (b"\x00\x01\x02", "invalidJSON"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "invalidUTF8"),
        (b"{", "invalidJSON"),
        (b"[" * 200_000, "nestingTooDeep"),
        (b'{"topology":' * 70 + b"1" + b"}" * 70, "nestingTooDeep"),
        (b"{a: " * 70, "nestingTooDeep"),
        (b'"' + b'\\"' * 1_000_000, "invalidJSON"),  # no end of the string, for which no quote may look again
        (b'["[[{\\"[", ' * 65, "nestingTooDeep"),
        (b'["' + b"[" * 70 + b'"]', "unknownValue"),
        (b'{"servers": [], "servers": []}', "duplicateKey"),
        (b'{"servers": NaN}', "invalidJSON"),
        (b'{"servers": [], "x": ' + b"9" * 10_000 + b"}", "outOfRange"),
        (b'{"servers": [], "x": 1e999999999}', "unknownKey"),
        (b'{"topology": {"servers": 5}}', "wrongType"),
        (b'{"topology": {"servers": []}, "readPreference": {"mode": "\\ud800"}}', "invalidUTF8"),
        (b"[]", "argument"),
        (b"5", "wrongType"),
        (b'{"members": [5], "set": "rs0"}', "wrongType"),
        (b'{"members": [{"name": "a:1", "state": 99}], "set": "rs0"}', "unknownValue"),
        (b'{"members": [{"state": 1}], "set": "rs0"}', "missingKey"),
        (b'{"members": [{"_id": 0, "host": "a:1", "hidden": 1}], "_id": "rs0"}', "wrongType"),
        (b"{set: 'rs0', members: [[Object]]}", "invalidJSON"),
        (b"{set: 'rs0', members: [process.exit(3)]}", "invalidJSON"),
        (b"{set: 'rs0', date: ISODate(ISODate('x')), members: [{}]}", "wrongType"),
    ],
    ids=lambda one: one if isinstance(one, str) else f"{one[:20]!r}",  # older pytest puts it all into the environment
)
def test_bad_input_is_one_line_with_its_code(data: bytes, code: str) -> None:
    done = process("explain", "-", stdin=data)
    assert error_line(done).startswith(f"readpref: error: {code}: ")
    assert done.returncode == exit_codes.UNUSABLE
    document = json.loads(process("explain", "-", "--json", stdin=data).stdout)
    assert document["error"]["code"] == code


def test_files_that_are_none(tmp_path: Path) -> None:
    assert "cannot be read: Is a directory" in error_line(process("select", str(tmp_path)))
    assert "cannot be read: No such file" in error_line(process("select", str(tmp_path / "none.json")))
    huge = process("select", "/dev/zero")
    assert "documentTooLarge" in error_line(huge)
    assert huge.returncode == exit_codes.UNUSABLE


def test_a_fifo_is_read_like_a_file(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    writer = threading.Thread(target=lambda: fifo.write_bytes((DATA / REQUEST).read_bytes()))
    writer.start()
    done = process("select", str(fifo))
    writer.join()
    assert done.stdout == b"ny2.example.net:27017\n"


def test_utf_16_as_powershell_writes_it() -> None:
    text = (DATA / REQUEST).read_text(encoding="utf-8")
    assert process("select", stdin=text.encode("utf-16")).stdout == b"ny2.example.net:27017\n"
    assert process("select", stdin=text.encode("utf-8-sig")).stdout == b"ny2.example.net:27017\n"


def test_a_reader_who_goes_is_not_complained_to() -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [*COMMAND, "explain", REQUEST], cwd=DATA, env=environment(), stdout=write, stderr=subprocess.PIPE, check=False
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (exit_codes.BROKEN_PIPE, b"")


@pytest.mark.parametrize("redirection", [">&-", ">/dev/full"])
def test_output_that_cannot_be_written(redirection: str) -> None:
    if redirection == ">/dev/full" and not os.path.exists("/dev/full"):
        redirection = ">&-"
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {redirection}', "sh", *COMMAND, "explain", REQUEST],
        cwd=DATA,
        env=environment(),
        stderr=subprocess.PIPE,
        check=False,
    )
    assert done.returncode == exit_codes.UNWRITABLE
    assert done.stderr.startswith(b"note: the output cannot be written: ")
    assert done.stderr.count(b"\n") == 1


def test_closed_stdin_and_stderr() -> None:
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" <&- 2>&-', "sh", *COMMAND, "select", "-"],
        cwd=DATA,
        env=environment(),
        stdout=subprocess.PIPE,
        check=False,
    )
    assert (done.returncode, done.stdout) == (exit_codes.UNUSABLE, b"")


@pytest.fixture
def interruptible() -> Iterator[None]:
    """What a shell starts in the background ignores Ctrl-C, and so would its children."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_ends_with_130() -> None:
    with subprocess.Popen(
        [*COMMAND, "session"], env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as session:
        assert session.stdin is not None and session.stdout is not None and session.stderr is not None
        session.stdin.write(b'{"method": "build_info"}\n')
        session.stdin.flush()
        assert b'"readpref"' in session.stdout.readline()  # by now it waits for a line
        session.send_signal(signal.SIGINT)
        assert session.wait(timeout=30) == exit_codes.INTERRUPTED
        assert session.stderr.read() == b""


@pytest.mark.parametrize("changes", [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "PYTHONUTF8": "0"}])
def test_names_beyond_ascii_in_any_locale(changes: dict[str, str]) -> None:
    arguments = ("validate", "--preference", '{"mode": "nearest", "tags": [{"dc": "Zürich 🏔"}]}')
    text = process(*arguments, env=environment(**changes))
    assert text.returncode == exit_codes.OK
    document = json.loads(process(*arguments, "--json", env=environment(**changes)).stdout)
    assert document["readPreference"]["tags"] == [{"dc": "Zürich 🏔"}]


def on_a_terminal(*arguments: str, **changes: str) -> tuple[int, str]:
    """Run the command with a terminal for stdout and stderr; give its exit code and what appeared."""
    pty = pytest.importorskip("pty")
    leader, follower = pty.openpty()
    with subprocess.Popen(
        [*COMMAND, *arguments],
        cwd=DATA,
        env=environment(TERM="xterm", **changes),
        stdin=subprocess.DEVNULL,
        stdout=follower,
        stderr=follower,
    ) as running:
        os.close(follower)
        out = b""
        while True:
            try:
                part = os.read(leader, 65536)
            except OSError:  # Linux says so that the other side is closed
                break
            if not part:
                break
            out += part
        code = running.wait(timeout=60)
    os.close(leader)
    return code, out.decode()


GREEN = "\x1b[1;32mselected         picked by leastBusyOfTwo (operationCount 3)\x1b[0m"


def test_a_terminal_gets_colour_by_stage() -> None:
    code, out = on_a_terminal("explain", REQUEST)
    assert code == exit_codes.OK
    assert GREEN in out
    assert "\x1b[31mmaxStaleness     stale by 45.008 s over maxStalenessSeconds 120\x1b[0m" in out


def test_colour_can_be_refused_and_forced() -> None:
    assert "\x1b" not in on_a_terminal("explain", REQUEST, NO_COLOR="1")[1]
    assert "\x1b" not in on_a_terminal("explain", REQUEST, "--color", "never")[1]
    assert "\x1b" not in on_a_terminal("explain", REQUEST, "--json")[1]
    assert b"\x1b" not in process("explain", REQUEST).stdout
    for name in ("FORCE_COLOR", "CLICOLOR_FORCE"):
        assert GREEN in process("explain", REQUEST, env=environment(**{name: "1"})).stdout.decode()
        assert b"\x1b" not in process("explain", REQUEST, env=environment(**{name: "0"})).stdout
    assert GREEN in process("explain", REQUEST, "--color=always").stdout.decode()
    forced = environment(FORCE_COLOR="1")
    assert b"\x1b" not in process("explain", REQUEST, "--json", "--color", "always", env=forced).stdout


def test_what_a_terminal_obeys_stays_escaped(tmp_path: Path) -> None:
    evil = "\x1b]0;owned\x07\x9b31m\u202e\r\n"
    server = {"address": f"a{evil}:27017", "type": "RSSecondary", "tags": {evil: evil}, "error": evil}
    request = {
        "topology": {"servers": [server], "setName": evil},
        "readPreference": {"mode": "nearest", "tags": [{"dc": evil}]},
    }
    file = tmp_path / "request.json"
    file.write_text(json.dumps(request), encoding="utf-8")
    for command in ("select", "explain"):
        for more in ([], ["--json"], ["--color", "always"]):
            shown = on_a_terminal(command, str(file), *more)[1]
            assert not any(char in shown for char in ("\x1b]", "\x07", "\x9b", "\u202e")), (command, more)


def test_a_bar_appears_where_it_takes_long() -> None:
    program = (
        "import time\nfrom readpref._cli.progress import busy\n"
        "with busy('asking the servers', 2.0, after=0.2): time.sleep(0.8)\n"
        "with busy('quick', after=0.5): pass\nprint('done')"
    )
    pty = pytest.importorskip("pty")
    leader, follower = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment(), stdout=subprocess.PIPE, stderr=follower, check=True
    )
    os.close(follower)
    time.sleep(0.05)
    shown = os.read(leader, 65536).decode()
    os.close(leader)
    assert done.stdout == b"done\n"
    assert "\rasking the servers [" in shown
    assert "quick" not in shown
    assert shown.endswith("\r\x1b[K")
    piped = subprocess.run([sys.executable, "-c", program], env=environment(), capture_output=True, check=True)
    assert piped.stderr == b""
