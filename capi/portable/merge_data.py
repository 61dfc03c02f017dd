"""Merge the data segments of a WebAssembly module: merge_data.py IN OUT.

Go's linker leaves out every short run of zeros, which makes tens of thousands of segments. wasm2c declares each in a
header that every file of its C reads (1.4 MB of it, 0.1 MB without), and writes a check and a copy for each. Memory is
zero before the data is copied, so zeros between two segments may as well be data. Only active segments of memory 0 with
constant offsets are taken, which is all that Go makes.
"""

from __future__ import annotations

import sys
from pathlib import Path

DATA, DATA_COUNT = 11, 12
GAP = 64  # zeros that cost less as data than as the start of another segment


class Reader:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def take(self, n: int) -> bytes:
        if n > len(self.data) - self.at:
            sys.exit("merge_data: the module ends too early")
        self.at += n
        return self.data[self.at - n : self.at]

    def number(self, *, signed: bool = False) -> int:
        """A LEB128 number."""
        value = shift = 0
        while True:
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value - (1 << shift) if signed and byte & 0x40 else value


def leb128(value: int, *, signed: bool = False) -> bytes:
    out = bytearray()
    while True:
        byte = value & 0x7F
        value >>= 7
        if (value == 0 and not (signed and byte & 0x40)) or (signed and value == -1 and byte & 0x40):
            out.append(byte)
            return bytes(out)
        out.append(byte | 0x80)


def segments(section: bytes) -> list[tuple[int, bytes]]:
    r = Reader(section)
    found = []
    for _ in range(r.number()):
        if r.number() != 0 or r.take(1) != b"\x41":  # active in memory 0, i32.const
            sys.exit("merge_data: a data segment is of a kind that Go does not make")
        offset = r.number(signed=True)
        if offset < 0 or r.take(1) != b"\x0b":
            sys.exit("merge_data: a data segment's offset is not a plain number")
        found.append((offset, r.take(r.number())))
    return found


def merged(old: list[tuple[int, bytes]]) -> list[tuple[int, bytearray]]:
    new: list[tuple[int, bytearray]] = []
    for offset, data in sorted(old):
        end = new[-1][0] + len(new[-1][1]) if new else 0
        if new and offset < end:
            sys.exit("merge_data: data segments overlap")
        if new and offset - end <= GAP:
            new[-1][1].extend(bytes(offset - end))
            new[-1][1].extend(data)
        else:
            new.append((offset, bytearray(data)))
    return new


def data_section(all_segments: list[tuple[int, bytearray]]) -> bytes:
    out = bytearray(leb128(len(all_segments)))
    for offset, data in all_segments:
        out += b"\x00\x41" + leb128(offset, signed=True) + b"\x0b" + leb128(len(data)) + data
    return bytes(out)


def main() -> None:
    source, target = map(Path, sys.argv[1:])
    r = Reader(source.read_bytes())
    sections = []
    header = r.take(8)
    while r.at < len(r.data):
        kind = r.take(1)[0]
        sections.append((kind, r.take(r.number())))
    new = merged(next((segments(body) for kind, body in sections if kind == DATA), []))
    out = bytearray(header)
    for kind, old_body in sections:
        body = old_body
        if kind == DATA:
            body = data_section(new)
        elif kind == DATA_COUNT:
            body = leb128(len(new))
        out += bytes([kind]) + leb128(len(body)) + body
    target.write_bytes(out)


if __name__ == "__main__":
    main()
