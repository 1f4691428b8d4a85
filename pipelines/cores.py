"""The cores that this process may use, which need not be all of the machine's."""

from __future__ import annotations

import contextlib
import math
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_CGROUP: Final = Path("/sys/fs/cgroup")
# Of cgroups v2 and v1: the processor time that is allowed within a period, and that period.
_QUOTAS: Final = (("cpu.max",), ("cpu/cpu.cfs_quota_us", "cpu/cpu.cfs_period_us"))


def usable_cores(cgroup: Path = _CGROUP) -> int:
    """At least 1; a part of a core counts as a whole one."""
    return min([_cores(), *_quotas(cgroup)])


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _quotas(cgroup: Path) -> Iterator[int]:
    for files in _QUOTAS:
        # Where there is no quota there is no such file, or no number in it.
        with contextlib.suppress(OSError, ValueError):
            words = [word for file in files for word in (cgroup / file).read_text().split()]
            quota, period = map(int, words)
            if quota > 0 and period > 0:
                yield math.ceil(quota / period)
