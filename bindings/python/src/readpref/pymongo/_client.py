"""What a client of PyMongo knows, and where it would read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Union, cast

from pymongo import MongoClient, common
from pymongo.collection import Collection
from pymongo.database import Database
from pymongo.server_selectors import any_server_selector
from pymongo.topology_description import TopologyDescription as PyMongoTopology

from readpref._description import TopologyDescription
from readpref._errors import new_error
from readpref._options import Preference, Seed
from readpref._preference import ReadPreference, is_pymongos
from readpref._reading import class_name, is_a
from readpref._select import explain as explain_description
from readpref._select import select
from readpref._selection import Explanation
from readpref.pymongo._addresses import address_of
from readpref.pymongo._description import convert

if TYPE_CHECKING:
    from pymongo import AsyncMongoClient
    from pymongo.asynchronous.collection import AsyncCollection
    from pymongo.asynchronous.database import AsyncDatabase
    from pymongo.read_preferences import Nearest, Primary, PrimaryPreferred, Secondary, SecondaryPreferred
    from pymongo.server_description import ServerDescription as PyMongoServer

    from readpref.pymongo._operation_counts import OperationCounts

    Client = Union[MongoClient[Any], AsyncMongoClient[Any]]
    Source = Union[Client, Database[Any], AsyncDatabase[Any], Collection[Any], AsyncCollection[Any]]
    PyMongoPreference = Union[Primary, PrimaryPreferred, Secondary, SecondaryPreferred, Nearest]

# PyMongo before 4.9 has no asynchronous classes.
try:
    from pymongo import AsyncMongoClient as _AsyncMongoClient
    from pymongo.asynchronous.collection import AsyncCollection as _AsyncCollection
    from pymongo.asynchronous.database import AsyncDatabase as _AsyncDatabase
except ImportError:
    CLIENTS: tuple[type, ...] = (MongoClient,)
    DATABASES: tuple[type, ...] = (Database,)
    COLLECTIONS: tuple[type, ...] = (Collection,)
else:
    CLIENTS = (MongoClient, _AsyncMongoClient)
    DATABASES = (Database, _AsyncDatabase)
    COLLECTIONS = (Collection, _AsyncCollection)


def topology_description(
    client: Client | PyMongoTopology, operation_counts: OperationCounts | Mapping[str, int] | None = None
) -> TopologyDescription:
    """Give what a client knows of its deployment at this moment.

    It is what PyMongo itself selects from, `client.topology_description`; nothing is asked of the servers. A client
    that was just made knows nothing yet: see `discovered`.

    Args:
        client: a `MongoClient` or an `AsyncMongoClient`; or a `pymongo.topology_description.TopologyDescription`, such
            as the ``new_description`` of a monitoring event.
        operation_counts: the operations in progress by address; an `OperationCounts` knows them. PyMongo's descriptions
            do not.

    Returns:
        The servers in PyMongo's order, with type, round-trip times (to the nearest nanosecond), tags, last write and
        last update, wire versions, set name, election id, and the error of those that are Unknown. PyMongo does not
        keep which of a member's ``hosts`` are passives or arbiters, so these are left out.

    Raises:
        ReadPrefError: no client (``wrongType``) or a closed one (``handle``), with path ``client``.

    >>> from pymongo import MongoClient
    >>> with MongoClient("mongodb://a.example,b.example/?replicaSet=rs0", connect=False) as client:
    ...     description = topology_description(client)
    >>> description.type, [server.type for server in description.servers]
    ('ReplicaSetNoPrimary', ['Unknown', 'Unknown'])
    """
    return convert(pymongo_description(client), operation_counts)


def explain(
    source: Source,
    preference: Preference | PyMongoPreference | None = None,
    *,
    operation: str = "read",
    deprioritized: Sequence[str] = (),
    operation_counts: OperationCounts | Mapping[str, int] | None = None,
    pick: str | None = None,
    seed: Seed | None = None,
) -> Explanation:
    """Tell where a client would read now, and why not from the other servers.

    ``suitable`` are the servers that a ``server_selector`` of the client's was given, less those it dropped, and
    ``in_latency_window`` those PyMongo picks from: the client's localThresholdMS, heartbeatFrequencyMS, wire versions
    and ``server_selector`` are used. A selector that is no `ServerSelector` is called once.

    Args:
        source: a `MongoClient`, database or collection, or an asynchronous one.
        preference: a `ReadPreference` of readpref or of PyMongo, a document, or a mode. None: that of the source.
        operation: as for `readpref.explain`; so are all that follow.
        deprioritized: addresses that are avoided, as PyMongo does in a retry.
        operation_counts: see `topology_description`.
        pick: how one of the window is chosen; PyMongo does ``"leastBusyOfTwo"``.
        seed: makes the pick repeatable.

    Raises:
        ReadPrefError: as of `topology_description` and `readpref.explain`. PyMongo accepts a maxStalenessSeconds that
            is too small as long as it needs no secondary; here it is always an error (``maxStalenessTooSmall``).

    >>> from pymongo import MongoClient, ReadPreference
    >>> with MongoClient("mongodb://a.example/?replicaSet=rs0", connect=False) as client:
    ...     explanation = explain(client.shop.get_collection("orders", read_preference=ReadPreference.NEAREST))
    >>> explanation.reason.code
    'noServerAvailable'
    """
    client = _client_of(source)
    topology = pymongo_description(client)
    description = convert(topology, operation_counts)
    options: dict[str, Any] = {
        "operation": operation,
        "deprioritized": deprioritized,
        "local_threshold_ms": client.options.local_threshold_ms,
        "heartbeat_frequency_ms": round(topology.heartbeat_frequency * 1000),
        "wire_versions": (common.MIN_SUPPORTED_WIRE_VERSION, common.MAX_SUPPORTED_WIRE_VERSION),
        "pick": pick,
        "seed": seed,
    }
    wanted = _preference_of(source if preference is None else preference)
    selector = client.options.server_selector
    if selector not in (None, any_server_selector) and topology.topology_type_name not in ("Single", "LoadBalanced"):
        suitable = select(description, wanted, **options).suitable
        options["custom_selector"] = _kept(selector, topology, suitable)
    return explain_description(description, wanted, **options)


def _kept(selector: Any, topology: PyMongoTopology, suitable: Iterable[str]) -> list[str]:
    """Ask a client's server selector, as PyMongo would: not where no server is suitable."""
    by_address = {address_of(pair): server for pair, server in topology.server_descriptions().items()}
    servers: list[PyMongoServer] = [by_address[address] for address in suitable]
    if servers:
        # A ServerSelector answers without counting, remembering or drawing.
        servers = getattr(selector, "preview", selector)(servers)
    return [address_of(server.address) for server in servers]


def _preference_of(given: Any) -> Any:
    """Give what readpref takes; a document of PyMongo's has the names of the wire."""
    if is_a(given, *CLIENTS, *DATABASES, *COLLECTIONS):
        given = given.read_preference
    return ReadPreference.from_pymongo(given) if is_pymongos(given) else given


def _client_of(source: Any) -> Any:
    if is_a(source, *CLIENTS):
        return source
    if is_a(source, *DATABASES):
        return source.client
    if is_a(source, *COLLECTIONS):
        return source.database.client
    raise new_error(
        "wrongType", f"expected a client, database or collection of PyMongo, found {class_name(source)}", "client"
    )


def pymongo_description(client: Any) -> PyMongoTopology:
    """Give PyMongo's own description of a client's deployment."""
    if is_a(client, PyMongoTopology):
        description: PyMongoTopology = client
        return description
    if not is_a(client, *CLIENTS):
        raise new_error(
            "wrongType", f"expected a MongoClient or an AsyncMongoClient, found {class_name(client)}", "client"
        )
    # PyMongo before 4.8 opens a closed client again when it is used, and has no such attribute.
    if vars(client).get("_closed"):
        raise new_error("handle", "the client is closed", "client")
    return cast("PyMongoTopology", client.topology_description)
