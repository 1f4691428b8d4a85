"""Which browser draws pages: a Chromium of the system, or else the one that Playwright brings.

>>> from browser import has_browser, system_browser
>>> system_browser() is None or has_browser()
True
"""

from __future__ import annotations

from browser.finding import has_browser, system_browser

__all__ = ["has_browser", "system_browser"]
