"""A small website served from this machine, for ``make crawl`` and for tests.

Its text is in ``examples/demo/pages``, and the expected result for every URL in
``examples/demo/expected.json``.
"""

from __future__ import annotations

from crawler.demo.server import DemoSite, Timings

__all__ = ["DemoSite", "Timings"]
