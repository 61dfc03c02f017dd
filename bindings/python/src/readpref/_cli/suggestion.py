"""Did you mean …? For names of commands and options."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Give a question to put behind an error, or nothing."""
    # Case alone often differs, and get_close_matches counts it as another letter.
    by_lower = {name.lower(): name for name in known}
    near = get_close_matches(word[:100].lower(), by_lower, n=1, cutoff=0.7)
    return f'; did you mean "{by_lower[near[0]]}"?' if near else ""
