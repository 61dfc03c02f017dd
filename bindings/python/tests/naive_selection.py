"""Which members of a replica set serve an operation, as simply as can be."""

from __future__ import annotations

from collections.abc import Mapping


def suitable(members: Mapping[str, str], mode: str, write: bool = False) -> set[str]:
    """Give the addresses: rules 3.11 to 3.18, with neither tags nor staleness nor round-trip times.

    Args:
        members: the type of each address.
        mode: of the read preference.
        write: whether the operation writes.
    """
    primaries = {one for one, kind in members.items() if kind == "RSPrimary"}
    secondaries = {one for one, kind in members.items() if kind == "RSSecondary"}
    if write or mode == "primary":
        return primaries
    if mode == "primaryPreferred":
        return primaries or secondaries
    if mode == "secondary":
        return secondaries
    if mode == "secondaryPreferred":
        return secondaries or primaries
    return primaries | secondaries
