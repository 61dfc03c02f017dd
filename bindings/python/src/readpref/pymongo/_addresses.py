"""Addresses as PyMongo has them, pairs, and as readpref has them, texts."""

from __future__ import annotations

from typing import Any

from readpref._errors import ReadPrefError, new_error
from readpref._reading import class_name, is_a
from readpref._uri import parse_uri


def address_of(pair: Any) -> str:
    """Give ``"host:port"`` for PyMongo's ``(host, port)``; a Unix domain socket has no port."""
    if is_a(pair, str):
        return str(pair)
    host, port = pair
    if port is None:
        return str(host)
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def normal_address(address: Any, path: str) -> str:
    """Give a caller's address as PyMongo would: in lower case, with a port; an error at `path` where it is none."""
    if not is_a(address, str):
        raise new_error(
            "wrongType", f'expected an address such as "a.example:27017", found {class_name(address)}', path
        )
    if address.endswith(".sock"):
        return str(address)
    if not address or set(address) & set("/?#@,% \t\r\n"):
        raise new_error("invalidHost", f'expected an address such as "a.example:27017", found "{address}"', path)
    try:
        [seed] = parse_uri(f"mongodb://{address}/").seeds
    except ReadPrefError as error:
        raise new_error("invalidHost", error.message, path) from None
    return seed
