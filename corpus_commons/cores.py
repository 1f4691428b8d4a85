"""The cores that a process may use, also in a container."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

_CGROUP: Final = Path("/sys/fs/cgroup")
# cgroups v2 and v1: the CPU time allowed per period, and the length of the period.
_QUOTAS: Final = (("cpu.max",), ("cpu/cpu.cfs_quota_us", "cpu/cpu.cfs_period_us"))


def usable_cores(cgroup: Path = _CGROUP) -> int:
    """The cores that this process may use, at least 1; a quota is rounded up to whole cores."""
    affinity = getattr(os, "sched_getaffinity", None)
    cores = len(affinity(0)) if affinity else os.cpu_count() or 1
    return min([cores, *_quotas(cgroup)])


def _quotas(cgroup: Path) -> Iterator[int]:
    for files in _QUOTAS:
        # Without a quota, the file is missing or does not hold a number.
        with suppress(OSError, ValueError):
            words = [word for file in files for word in (cgroup / file).read_text().split()]
            quota, period = map(int, words)
            if quota > 0 and period > 0:
                yield math.ceil(quota / period)
