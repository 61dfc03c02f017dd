"""A small replica set on loopback, for examples and tests of drivers: it speaks the wire protocol, and stores nothing.

See README.md beside this file.
"""

from replicaset.control import Control
from replicaset.member import MemberConfig
from replicaset.replica_set import ReplicaSet, read_config
from replicaset.running import RunningReplicaSet

__all__ = ["Control", "MemberConfig", "ReplicaSet", "RunningReplicaSet", "read_config"]
