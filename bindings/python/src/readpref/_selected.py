"""A server of an open topology."""

from __future__ import annotations

from readpref._value import Value


class SelectedServer(Value):
    """A server that `Topology.select` chose. One address has one of these for the life of its topology.

    Attributes:
        id: a small number from 0, stable for the life of the topology and never another server's; an index for a list
            of connection pools.
        address: in normal form: lower case, with a port.

    >>> SelectedServer(0, "[::1]:27017").host, SelectedServer(0, "a.example:27018").port
    ('::1', 27018)
    """

    id: int
    address: str

    @property
    def host(self) -> str:
        """The address without its port; of IPv6 without its brackets; of a Unix domain socket the path."""
        return self._parts()[0]

    @property
    def port(self) -> int | None:
        """The port, or None for a Unix domain socket."""
        return self._parts()[1]

    def _parts(self) -> tuple[str, int | None]:
        host, _, port = self.address.rpartition(":")
        if not port.isdecimal():
            return self.address, None
        return host.strip("[]"), int(port)

    def __str__(self) -> str:
        return self.address
