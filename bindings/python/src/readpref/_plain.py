"""Errors stay short and safe to print, whatever they repeat of what the caller gave.

The rules are those of the engine, core/wire and core/internal/plain.
"""

from __future__ import annotations

import re

# Of a message or a path, in bytes of UTF-8; what was cut ends in "..." besides.
_MAX_TEXT = 1000
_ELLIPSIS = "..."

# What a terminal or a renderer acts on instead of showing it: controls, marks of direction and of zero width, line
# separators, tag characters; and what is no character, half of a surrogate pair.
_OBEYED = re.compile(
    r"[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ud800-\udfff\ufeff\ufff9-\ufffb"
    r"\U000e0000-\U000e007f]"
)


def plain(text: str) -> str:
    """Write all that a terminal obeys as escapes."""
    return _OBEYED.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\U{code:08x}" if code > 0xFFFF else f"\\u{code:04x}"


def cut(text: str, size: int) -> str:
    """Shorten to so many bytes of UTF-8, at a character's edge."""
    start = text[: size + 1].encode("utf-8", "surrogatepass")
    if len(start) <= size:
        return text
    while start[size] & 0xC0 == 0x80:
        size -= 1
    return start[:size].decode("utf-8", "surrogatepass") + _ELLIPSIS


def error_text(text: str) -> str:
    """Give a message or a path as an error carries it; what came out of here or of the engine stays as it is."""
    return _short(plain(_short(text)))


def _short(text: str) -> str:
    return text if cut(text, _MAX_TEXT + len(_ELLIPSIS)) == text else cut(text, _MAX_TEXT)
