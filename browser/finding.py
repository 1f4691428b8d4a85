"""Looks for a browser; starts none."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Final

# The headless shell first: it draws the same pages with less of a browser around them.
_NAMES: Final = ("chromium-headless-shell", "chromium", "google-chrome")
# Where Playwright puts its own, unless PLAYWRIGHT_BROWSERS_PATH says where.
_FOLDERS: Final = (
    Path.home() / ".cache" / "ms-playwright",
    Path.home() / "Library" / "Caches" / "ms-playwright",
    Path.home() / "AppData" / "Local" / "ms-playwright",
)


def system_browser() -> str | None:
    """The path of a Chromium; None where there is none, and Playwright's own is to be used.

    It is what Playwright's ``launch`` takes as ``executable_path``.
    """
    return next(filter(None, map(shutil.which, _NAMES)), None)


def has_browser() -> bool:
    """Whether pages can be drawn here at all, by the system's browser or by Playwright's."""
    if system_browser() is not None:
        return True
    given = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    folders = (Path(given),) if given else _FOLDERS
    return any(found for folder in folders for found in folder.glob("chromium*"))
