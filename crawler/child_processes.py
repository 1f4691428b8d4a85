"""The lock under which child processes are started."""

from __future__ import annotations

import threading
from typing import Final

STARTING: Final = threading.Lock()
"""One process starts at a time, because it inherits this process's environment.

Hold the lock to exit: a child whose parent exits while it starts would print a traceback.
"""
