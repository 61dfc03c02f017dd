"""Waiting until a client has heard of each server."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

from pymongo import MongoClient

from readpref._deadline import Deadline, Seconds, seconds_of
from readpref._errors import new_error
from readpref._reading import class_name, is_a
from readpref.pymongo._client import CLIENTS, pymongo_description

if TYPE_CHECKING:
    from pymongo import AsyncMongoClient

_POLL_SECONDS = 0.01


def discovered(client: MongoClient[Any], timeout: Seconds = 5.0) -> bool:
    """Wait until each server of the deployment has answered the client, or failed to.

    A client discovers its deployment by threads of its own, from when it is made; with ``connect=False`` it does so
    from its first operation on, and until then this only waits.

    Args:
        client: a `MongoClient`.
        timeout: seconds to wait at most.

    Returns:
        Whether it is so; False after `timeout`.

    Raises:
        ReadPrefError: no `MongoClient` (``wrongType``) or a closed one (``handle``), with path ``client``; no time,
            with path ``timeout``.
    """
    deadline = Deadline(seconds_of(timeout, "timeout"))
    if not is_a(client, MongoClient):
        raise new_error("wrongType", f"expected a MongoClient, found {class_name(client)}", "client")
    while not _is_discovered(client):
        if deadline.remaining() == 0:
            return False
        time.sleep(_POLL_SECONDS)
    return True


async def discovered_async(client: AsyncMongoClient[Any], timeout: Seconds = 5.0) -> bool:
    """Do what `discovered` does for an `AsyncMongoClient`, which is connected where it is not yet."""
    deadline = Deadline(seconds_of(timeout, "timeout"))
    if is_a(client, MongoClient) or not is_a(client, *CLIENTS):
        raise new_error("wrongType", f"expected an AsyncMongoClient, found {class_name(client)}", "client")
    pymongo_description(client)  # not of a closed one
    await client.aconnect()
    while not _is_discovered(client):
        if deadline.remaining() == 0:
            return False
        await asyncio.sleep(_POLL_SECONDS)
    return True


def _is_discovered(client: Any) -> bool:
    servers = pymongo_description(client).server_descriptions().values()
    return all(server.is_server_type_known or server.error is not None for server in servers)
