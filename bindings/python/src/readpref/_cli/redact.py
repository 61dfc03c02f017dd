"""Secrets of a connection string: never printed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

HIDDEN = "<hidden>"
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
    return sorted((text for text in found if text), key=len, reverse=True)


def hide(text: str, secrets: list[str]) -> str:
    """Take secrets out of a message that someone else worded."""
    for secret in secrets:
        text = text.replace(secret, HIDDEN)
    return text
