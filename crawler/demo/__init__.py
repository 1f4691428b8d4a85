"""A small web site served from this machine, for ``make crawl`` and for tests.

The text is in ``examples/demo/pages``; what should come of every URL is in
``examples/demo/expected.json``.
"""

from __future__ import annotations

from crawler.demo.handler import Timings
from crawler.demo.server import DemoSite

__all__ = ["DemoSite", "Timings"]
