"""Memory and CPU time of the processes of this worker."""

from __future__ import annotations

import os
import time
from typing import Final

from corpus_commons.process_tree import command, descendants, use_of
from live.report import ProcessUse

CRAWLER: Final = "crawler"
_HELPER: Final = "helper"
_FORKED: Final = "multiprocessing.forkserver"
# The first whose words are in a command line.
_ROLES: Final = (
    ("--type=renderer", "browser tab"),
    ("--type=", "browser helper"),
    ("resource_tracker", _HELPER),
    ("multiprocessing", "reader"),
    ("/driver/", "browser driver"),
    ("chrom", "browser"),
)
_OTHER: Final = "other"


class Processes:
    """Looks at this process and all its descendants."""

    def __init__(self) -> None:
        self._spent: dict[int, tuple[float, float]] = {}
        self._roles: dict[int, str] = {}

    def look(self) -> list[ProcessUse]:
        """The processes now; takes milliseconds, as it reads files of all the machine's."""
        now = time.clock_gettime(time.CLOCK_BOOTTIME)
        before, self._spent = self._spent, {}
        found = []
        for process in descendants(os.getpid()):
            use = use_of(process)
            if use is None:
                continue
            since, spent = before.get(process, (use.began, 0.0))
            cpu = (use.cpu_seconds - spent) / (now - since) if now > since else 0.0
            self._spent[process] = (now, use.cpu_seconds)
            role = self._role(process, use.parent)
            found.append(ProcessUse(role, process, use.memory, use.cpu_seconds, max(0.0, cpu)))
        self._roles = {pid: role for pid, role in self._roles.items() if pid in self._spent}
        return found

    def _role(self, process: int, parent: int) -> str:
        if process not in self._roles:
            self._roles[process] = _role(process, parent)
        return self._roles[process]


def _role(process: int, parent: int) -> str:
    if process == os.getpid():
        return CRAWLER
    line = command(process)
    if _FORKED in line and parent == os.getpid():
        # The readers are forks of it.
        return _HELPER
    return next((role for words, role in _ROLES if words in line), _OTHER)
