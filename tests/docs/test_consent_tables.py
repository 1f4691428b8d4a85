"""The tables of signals in the documentation are those of the data."""

from __future__ import annotations

import sys
from pathlib import Path

from crawler.consent.signals import Signals

sys.path.append(str(Path(__file__).parents[2] / "docs"))
import consent_tables


def test_the_page_has_the_tables_of_today() -> None:
    page = consent_tables.PAGE.read_text(encoding="utf-8")
    assert consent_tables.filled(page) == page, "run: python docs/consent_tables.py"
    assert all(f"| `{name}` |" in page for name in Signals.shipped().signals)
