"""The place that the server's own address takes in built pages."""

from __future__ import annotations

from typing import Final

ORIGIN: Final = "http://demo.invalid"
