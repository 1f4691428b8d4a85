"""Measures of the whole page, and of horizontal bands from its top."""

from __future__ import annotations

from genre_model.layout.page import EDGE_SUM, MAX_HEIGHT, STRONG_INK, Page
from genre_model.layout.signals import Measures, mean

_ZONE = 120
_BELOW = -1.0  # for bands below the end of the page


def zone_measures(page: Page) -> Measures:
    """Shares of text, pictures, cover, colour and strong ink, per band of 480 CSS px and in all."""
    found: Measures = {
        "page.height": page.height / MAX_HEIGHT,
        "page.brightness": mean(page.brightness) / 255,
        "page.main_colour": page.main_share,
        **{f"page.{name}": value for name, value in _shares(page, 0, MAX_HEIGHT).items()},
    }
    for top in range(0, MAX_HEIGHT, _ZONE):
        for name, value in _shares(page, top, top + _ZONE).items():
            found[f"zone.{top // _ZONE}.{name}"] = value if top < page.height else _BELOW
    return found


def _shares(page: Page, top: int, bottom: int) -> Measures:
    rows, half = slice(top, bottom), slice(top // 2, bottom // 2)
    return {
        "text": mean(page.text[half]),
        "pictures": mean(page.pictures[half]),
        "covered": mean(page.covered[rows]),
        "colour": mean(page.colour[rows]) / 255,
        "edges": mean(page.edges[half]) / (50 * EDGE_SUM),
        "strong": mean(page.contrast[rows] > STRONG_INK),
    }
