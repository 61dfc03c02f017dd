"""The lock of what is loaded late: the engine, and modules that are imported when they are needed.

It is held over a fork, which so waits for the load: in the child nobody would end what another thread had begun, be it
the loader of shared libraries or Python's import, which has a lock for each module.
"""

from __future__ import annotations

import os
from _thread import RLock  # threading has the same one, and takes a while to import

loading = RLock()

if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=loading.acquire, after_in_child=loading.release, after_in_parent=loading.release)
