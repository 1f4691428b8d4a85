"""The placeholder for the server's address in built pages."""

from __future__ import annotations

from typing import Final

ORIGIN: Final = "http://demo.invalid"
