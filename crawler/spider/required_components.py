"""The components of Scrapy without which a crawl cannot run."""

from __future__ import annotations

from typing import Final

from scrapy.settings import BaseSettings

from settings import components

_MIDDLEWARES: Final = tuple(
    path for path, place in components.DOWNLOADER_MIDDLEWARES.items() if place is not None
)


def missing_components(settings: BaseSettings) -> list[str]:
    """The import paths of missing components.

    Any item pipeline is accepted, but there must be one.
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
    """The import path of a component, which settings may give as a path or as a class."""
    if isinstance(component, type):
        return f"{component.__module__}.{component.__qualname__}"
    return str(component)
