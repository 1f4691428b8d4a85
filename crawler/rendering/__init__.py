"""Renders pages in a browser: the DOM after its scripts ran, and a screenshot of the top."""

from __future__ import annotations

from crawler.rendering.options import RenderingOptions, rendering_settings
from crawler.rendering.requests import (
    NoBrowserError,
    RenderedPage,
    RenderingError,
    ServedPage,
    render,
    rendered_request,
)

__all__ = [
    "NoBrowserError",
    "RenderedPage",
    "RenderingError",
    "RenderingOptions",
    "ServedPage",
    "render",
    "rendered_request",
    "rendering_settings",
]
