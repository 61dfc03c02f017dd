"""Secrets of a connection string: never printed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, quote_plus

HIDDEN = "<hidden>"
_URI = re.compile(r"(mongodb(?:\+srv)?://)[^\s'\"]+", re.IGNORECASE)
_SECRET_OPTIONS = ("tlsCertificateKeyFilePassword", "proxyPassword", "authMechanismProperties")


def without_secrets(parsed: Mapping[str, Any]) -> dict[str, Any]:
    """Give an answer of parse_uri with its secrets hidden."""
    options = {key: HIDDEN if key in _SECRET_OPTIONS else value for key, value in parsed["options"].items()}
    return {**parsed, "password": None if parsed["password"] is None else HIDDEN, "options": options}


def secrets_of(parsed: Mapping[str, Any]) -> list[str]:
    """Give the secrets as they might turn up in a message, the longest first."""
    found: list[str] = [parsed["password"] or ""]
    for name in _SECRET_OPTIONS:
        value = parsed["options"].get(name)
        found += value.values() if isinstance(value, dict) else [value or ""]
    forms = {form for text in found if text for form in (text, quote(text, safe=""), quote_plus(text))}
    return sorted(forms, key=len, reverse=True)


def hide_uris(text: str) -> str:
    """Take connection strings out of an error: one that stands where a file name should may hold a password."""
    return _URI.sub(rf"\1{HIDDEN}", text)


def hide(text: str, secrets: list[str]) -> str:
    """Take secrets out of a message that someone else worded."""
    for secret in secrets:
        text = text.replace(secret, HIDDEN)
    return text
