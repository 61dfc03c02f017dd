"""A conformance testee in its simplest form: libreadpref, called with ctypes.

go run ./conformance/runner -testee go=build/testee-go -testee "mine=python3 examples/testee/testee.py"
"""

import base64
import ctypes
import json
import sys

lib = ctypes.CDLL("build/libreadpref.so")
NULL = ctypes.c_char_p()


def call(method, document, *, in_len=None, out=True, cap=1 << 28, method_len=None):
    """One rp_call; its result, and what stands in the buffer."""
    method_len = len(method or b"") if method_len is None else method_len
    in_len = len(document or b"") if in_len is None else in_len
    buffer = ctypes.create_string_buffer(min(cap, 1 << 20) or 1) if out else None
    size = ctypes.c_size_t
    n = lib.rp_call(method, size(method_len), document, size(in_len), buffer, size(min(cap, 1 << 20) if out else cap))
    return n, buffer.raw if out else b""


def answer(n, written, method=b"", document=b""):
    if abs(n) > len(written):  # a longer answer than most: ask again with room
        buffer = ctypes.create_string_buffer(abs(n))
        size = ctypes.c_size_t
        n = lib.rp_call(method, size(len(method)), document, size(len(document)), buffer, size(abs(n)))
        written = buffer.raw
    text = written[: abs(n)].decode()
    return {"status": json.loads(text)["error"]["status"] if n < 0 else 0, "out": text}


def probe(name):
    info = b"build_info"
    if name == "nullMethod":
        return answer(*call(NULL, b"{}", method_len=6))
    if name == "nullIn":
        return answer(*call(info, NULL, in_len=2))
    if name == "absurdLength":
        return answer(*call(info, b"{}", in_len=(16 << 20) + 1))
    if name == "emptyIn":
        return answer(*call(b"select", b""))
    n, _ = call(info, b"{}")
    if name == "nullOut":
        kept = call(info, b"{}", out=False, cap=4096)[0] < 0
    elif name == "shortOut":
        again, written = call(info, b"{}", cap=n - 1)
        kept = again == n and not written.strip(b"\0")
    else:  # askLength
        kept = call(info, b"{}", out=False, cap=0)[0] == n
    return {"status": 0 if kept else -6, "out": "ok" if kept else name + " was not kept"}


for line in sys.stdin.buffer:
    request = json.loads(line)
    if "probe" in request:
        result = probe(request["probe"])
    else:
        document = base64.b64decode(request["in_b64"]) if "in_b64" in request else request["in"].encode()
        method = request["method"].encode()
        result = answer(*call(method, document), method, document)
    print(json.dumps({"id": request["id"], **result}), flush=True)
