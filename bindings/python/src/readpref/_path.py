"""Places in documents."""

from __future__ import annotations

import re
from collections.abc import Iterable
from json.encoder import encode_basestring as quote
from typing import Union

from readpref._plain import cut, error_text, plain

_BARE_KEY = re.compile(r"[A-Za-z0-9_$-]+\Z")

# Of a key, in bytes: of one that is written bare, or before it is quoted and escaped; and after that.
_MAX_KEY = 64
_MAX_QUOTED = 200

Step = Union[str, int]


def path_of(steps: Iterable[Step]) -> str:
    """Print a path as error documents do: ``readPreference.tags[1].dc``. Long keys and long paths are cut."""
    path = ""
    for step in steps:
        if isinstance(step, int):
            path += f"[{step}]"
        elif _BARE_KEY.match(step):
            path += f".{cut(step, _MAX_KEY)}" if path else cut(step, _MAX_KEY)
        else:
            path += f"[{cut(plain(quote(cut(step, _MAX_KEY))), _MAX_QUOTED)}]"
    return error_text(path)
