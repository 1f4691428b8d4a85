"""Looks for an installed browser, without starting it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Final

# The headless shell first: it renders the same pages with less overhead.
_NAMES: Final = ("chromium-headless-shell", "chromium", "google-chrome")
# Playwright's default folders; PLAYWRIGHT_BROWSERS_PATH overrides them.
_FOLDERS: Final = (
    Path.home() / ".cache" / "ms-playwright",
    Path.home() / "Library" / "Caches" / "ms-playwright",
    Path.home() / "AppData" / "Local" / "ms-playwright",
)


def system_browser() -> str | None:
    """The path of an installed Chromium, for Playwright's ``executable_path``.

    None if there is none: then Playwright uses its own.
    """
    return next(filter(None, map(shutil.which, _NAMES)), None)


def has_browser() -> bool:
    """Whether any browser is installed, the system's or Playwright's."""
    if system_browser() is not None:
        return True
    given = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    folders = (Path(given),) if given else _FOLDERS
    return any(found for folder in folders for found in folder.glob("chromium*"))
