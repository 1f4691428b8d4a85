"""Scrapy's memory limit, applied to the memory that the process uses now."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from scrapy.extensions.memusage import MemoryUsage

_STATUS: Final = Path("/proc/self/statm")


class MemoryGuard(MemoryUsage):
    """Scrapy measures the peak usage, which on Linux includes the parent process's at the fork: a
    crawl that was started by a large program would stop at once.
    """

    def get_virtual_size(self) -> int:
        """Resident bytes on Linux; on other systems, Scrapy's value."""
        if not _STATUS.exists():
            return super().get_virtual_size()
        return int(_STATUS.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
