"""Renders pages in a browser: the DOM after its scripts ran, and a screenshot of the top."""

from __future__ import annotations

from crawler.rendering.drawing import Drawn, Served
from crawler.rendering.errors import NoBrowserError, RenderingError
from crawler.rendering.options import Options, rendering_settings
from crawler.rendering.requests import draw, rendered_request

__all__ = [
    "Drawn",
    "NoBrowserError",
    "Options",
    "RenderingError",
    "Served",
    "draw",
    "rendered_request",
    "rendering_settings",
]
