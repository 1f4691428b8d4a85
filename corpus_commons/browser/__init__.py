"""Finds the browser that renders pages: a Chromium of the system, otherwise Playwright's.

>>> from corpus_commons.browser import has_browser, system_browser
>>> system_browser() is None or has_browser()
True
"""

from __future__ import annotations

from corpus_commons.browser.finding import has_browser, system_browser

__all__ = ["has_browser", "system_browser"]
