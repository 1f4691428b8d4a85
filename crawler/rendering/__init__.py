"""Renders pages in a browser: the DOM after its scripts ran, and a screenshot of the top."""

from __future__ import annotations

from crawler.rendering.errors import NoBrowserError, RenderingError
from crawler.rendering.options import Options, rendering_settings
from crawler.rendering.rendered import Rendered, Served
from crawler.rendering.requests import render, rendered_request

__all__ = [
    "NoBrowserError",
    "Options",
    "Rendered",
    "RenderingError",
    "Served",
    "render",
    "rendered_request",
    "rendering_settings",
]
