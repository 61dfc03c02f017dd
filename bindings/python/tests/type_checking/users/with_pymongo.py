"""Explains and steers PyMongo's clients."""

from __future__ import annotations

from typing import Any

from pymongo import AsyncMongoClient, MongoClient
from pymongo.read_preferences import SecondaryPreferred

from readpref import Explanation, ReadPreference, TopologyDescription
from readpref.pymongo import Choice, OperationCounts, ServerSelector, discovered, explain, topology_description

CHOICES: list[Choice] = []


def remember(choice: Choice) -> None:
    """Keep a choice."""
    CHOICES.append(choice)


def client() -> MongoClient[dict[str, Any]]:
    """Make a client that prefers a zone."""
    counts = OperationCounts()
    selector = ServerSelector(
        zones=[{"dc": "ny"}, {"dc": "sf"}],
        max_operations=50,
        operation_counts=counts,
        weights=[({"disk": "ssd"}, 9), ({}, 1)],
        on_choice=remember,
    )
    selector.exclude("c.example:27017", strict=True)
    return MongoClient("mongodb://127.0.0.1:1", connect=False, server_selector=selector, event_listeners=[counts])


def why(client: MongoClient[dict[str, Any]] | AsyncMongoClient[dict[str, Any]]) -> str:
    """Tell why."""
    explanation: Explanation = explain(client, SecondaryPreferred(tag_sets=[{"dc": "ny"}]), operation="read")
    found: TopologyDescription = topology_description(client)
    return f"{explanation} {found.type} {explain(client, ReadPreference('nearest')).server}"


def ready(client: MongoClient[dict[str, Any]]) -> bool:
    """Wait a little."""
    return discovered(client, 0.01) and "shop" in client.list_database_names()


if __name__ == "__main__":
    preference = ReadPreference.from_pymongo(SecondaryPreferred())
    assert preference.to_pymongo() == SecondaryPreferred()
    with client() as made:
        assert "Unknown" in why(made)
