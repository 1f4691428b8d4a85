"""Scrapy's memory limit, by what the process holds now."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from scrapy.extensions.memusage import MemoryUsage

_STATUS: Final = Path("/proc/self/statm")


class MemoryGuard(MemoryUsage):
    """Scrapy asks for the most that was ever held, which on Linux begins with what the process held
    that started this one: a crawl that a large program starts would end at once.
    """

    def get_virtual_size(self) -> int:
        """Resident bytes; elsewhere than on Linux as Scrapy has it."""
        if not _STATUS.exists():
            return super().get_virtual_size()
        return int(_STATUS.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
