"""The number of cores that this process may use, which may be fewer than the machine has."""

from __future__ import annotations

import contextlib
import math
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_CGROUP: Final = Path("/sys/fs/cgroup")
# cgroups v2 and v1: the CPU time allowed per period, and the length of the period.
_QUOTAS: Final = (("cpu.max",), ("cpu/cpu.cfs_quota_us", "cpu/cpu.cfs_period_us"))


def usable_cores(cgroup: Path = _CGROUP) -> int:
    """At least 1; a quota that is not a whole number of cores is rounded up."""
    return min([_cores(), *_quotas(cgroup)])


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _quotas(cgroup: Path) -> Iterator[int]:
    for files in _QUOTAS:
        # Without a quota, the file is missing or does not hold a number.
        with contextlib.suppress(OSError, ValueError):
            words = [word for file in files for word in (cgroup / file).read_text().split()]
            quota, period = map(int, words)
            if quota > 0 and period > 0:
                yield math.ceil(quota / period)
