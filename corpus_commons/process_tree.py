"""A process and its descendants, with their memory and CPU time (Linux)."""

from __future__ import annotations

import os
import re
import resource
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

# 52 numbers and a name of at most 64 bytes.
_LONGEST_STATUS: Final = 2_048
_HIGH_WATER_MARK = re.compile(r"VmHWM:\s+(\d+) kB")


def descendants(root: int) -> list[int]:
    """The process and all its descendants, from one snapshot."""
    children: dict[int, list[int]] = {}
    with os.scandir("/proc") as entries:
        names = [entry.name for entry in entries if entry.name.isdecimal()]
    for name in names:
        fields = _fields(name)
        if fields:
            children.setdefault(int(fields[1]), []).append(int(name))
    found = [root]
    for process in found:
        found += children.get(process, [])
    return found


def command(process: int) -> str:
    """Its command line; empty if it has ended."""
    return _read(Path(f"/proc/{process}/cmdline")).replace("\0", " ")


def memory(processes: Iterable[int]) -> int:
    """Their memory in bytes, with shared pages counted once (PSS)."""
    return sum(map(_bytes_of, processes))


def cpu_seconds(processes: Iterable[int]) -> float:
    """Their CPU time, including that of children that have ended."""
    ticks = os.sysconf("SC_CLK_TCK")
    return sum(map(_ticks_of, processes)) / ticks


class Use(NamedTuple):
    """What one process uses.

    parent: the number of the process that started it.
    memory: resident bytes, with those that it shares with others.
    cpu_seconds: so far. began: when it was started, in seconds since the machine was.
    """

    parent: int
    memory: int
    cpu_seconds: float
    began: float


def use_of(process: int) -> Use | None:
    """What the process uses by itself, at the price of one small read; None if it has ended."""
    fields = _fields(process)
    if not fields:
        return None
    # Fields 4, 14, 15, 22 and 24: ppid, utime, stime, starttime and rss; the first here is field 3.
    user, system, start = (int(fields[at]) / os.sysconf("SC_CLK_TCK") for at in (11, 12, 19))
    return Use(int(fields[1]), int(fields[21]) * os.sysconf("SC_PAGE_SIZE"), user + system, start)


def is_running(process: int) -> bool:
    """Whether it has not ended; a zombie has."""
    fields = _fields(process)
    return bool(fields) and fields[0] != b"Z"


def peak(process: int) -> int:
    """Its peak memory in bytes, without its parent's; 0 if it has ended."""
    mark = _HIGH_WATER_MARK.search(_read(Path(f"/proc/{process}/status")))
    return int(mark[1]) * 1024 if mark else 0


def own_peak() -> float:
    """The peak memory of this process, in MB; if Linux reports it, without its parent's."""
    known = peak(os.getpid()) or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return known / 1024**2


def _ticks_of(process: int) -> int:
    # utime, stime, cutime and cstime are fields 14 to 17.
    return sum(map(int, _fields(process)[11:15]))


def _fields(process: int | str) -> list[bytes]:
    """The fields of its status from the third on, which follows the name in parentheses; none if it
    has ended. Without a file object, as a live page reads those of all processes every second.
    """
    try:
        file = os.open(f"/proc/{process}/stat", os.O_RDONLY)
    except OSError:
        return []
    try:
        return os.read(file, _LONGEST_STATUS).rpartition(b")")[2].split()
    except OSError:
        return []
    finally:
        os.close(file)


def _bytes_of(process: int) -> int:
    lines = _read(Path(f"/proc/{process}/smaps_rollup")).splitlines()
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))


def _read(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except OSError:  # It has ended.
        return ""
