"""What a crawl cannot do without in Scrapy's settings: ``settings.components`` plugs it in."""

from __future__ import annotations

from typing import Final

from scrapy.settings import BaseSettings

from settings import components

_MIDDLEWARES: Final = tuple(
    path for path, place in components.DOWNLOADER_MIDDLEWARES.items() if place is not None
)


def missing_components(settings: BaseSettings) -> list[str]:
    """The components that are not plugged in, by their import paths.

    Who takes the items may be anybody, but somebody must.
    """
    middlewares = {
        _path(component)
        for component, place in settings.getdict("DOWNLOADER_MIDDLEWARES").items()
        if place is not None
    }
    found = [path for path in _MIDDLEWARES if path not in middlewares]
    if _path(settings.get("SCHEDULER")) != components.SCHEDULER:
        found.insert(0, components.SCHEDULER)
    if not settings.getdict("ITEM_PIPELINES"):
        found += components.ITEM_PIPELINES
    return found


def _path(component: object) -> str:
    """The import path of a component, which settings give as that or as the class itself."""
    if isinstance(component, type):
        return f"{component.__module__}.{component.__qualname__}"
    return str(component)
