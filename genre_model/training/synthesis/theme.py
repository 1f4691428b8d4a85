"""The look of one page: colours, fonts, sizes, and the arrangement of each part."""

from __future__ import annotations

import colorsys
from random import Random
from typing import Any

SANS = (
    "Liberation Sans", "Roboto", "Open Sans", "Lato", "Noto Sans", "Ubuntu", "DejaVu Sans",
    "Noto Sans CJK SC",
)  # fmt: skip
SERIF = ("Liberation Serif", "Noto Serif", "DejaVu Serif", "Noto Serif CJK SC")
MONO = ("Hack", "Liberation Mono", "DejaVu Sans Mono", "Noto Sans Mono")

HEADERS = ("bar", "bar", "bar", "centred", "masthead", "topbar", "overlay", "side", "tiny")
"""Arrangements of the site's name and menu; `side` is a fixed column at the start."""


def _hsl(hue: float, saturation: float, lightness: float) -> str:
    red, green, blue = colorsys.hls_to_rgb(hue % 1.0, lightness, saturation)
    return f"#{int(red * 255):02x}{int(green * 255):02x}{int(blue * 255):02x}"


def _band(rng: Random, background: str, ink: str, accent: str, hue: float) -> tuple[str, str]:
    """Background and text colour of the header or the footer."""
    kind = rng.random()
    if kind < 0.42:
        return background, ink
    if kind < 0.72:
        return _hsl(hue, rng.choice((0.0, 0.1, 0.35)), rng.uniform(0.03, 0.2)), "#e4e4e4"
    if kind < 0.86:
        return accent, "#ffffff"
    return _hsl(hue, 0.2, rng.uniform(0.9, 0.97)), "#333333"


def _heading_ink(rng: Random, ink: str, accent: str, hue: float, dark: bool) -> str:
    kind = rng.random()
    if kind < 0.7:
        return ink
    return accent if kind < 0.85 else _hsl(hue, 0.5, 0.8 if dark else 0.2)


def random_theme(rng: Random) -> dict[str, Any]:
    """What the templates know as `theme`. Colours are CSS colours; lengths are CSS px."""
    hue, dark = rng.random(), rng.random() < 0.17
    tint = rng.choice((0.0, 0.0, 0.0, 0.08, 0.3))
    light = rng.choice((1.0, 1.0, 1.0, 0.98, 0.96, 0.93, 0.86))
    background = _hsl(hue, tint, rng.uniform(0.03, 0.2) if dark else light)
    surface = _hsl(hue, tint, rng.uniform(0.1, 0.26)) if dark else _hsl(hue, tint, 0.995)
    ink = _hsl(hue, tint, rng.uniform(0.7, 0.95) if dark else rng.uniform(0.0, 0.36))
    accent = _hsl(hue + rng.random() * 0.5, rng.uniform(0.35, 1.0), rng.uniform(0.28, 0.6))
    link = accent if rng.random() < 0.6 else rng.choice(("#0066cc", "#258fb8", "#e05a2b", ink))
    header_ground, header_ink = _band(rng, background, ink, accent, hue)
    footer_ground, footer_ink = _band(rng, background, ink, accent, hue)
    code_dark = dark or rng.random() < 0.45
    body_font = rng.choice(SANS if rng.random() < 0.75 else SERIF)
    heading_font = body_font if rng.random() < 0.65 else rng.choice(SANS + SERIF)
    container = rng.choice((720, 860, 960, 1080, 1140, 1140, 1170, 1200, 1240))
    boxed = rng.random() < 0.45
    return {
        "background": background,
        "surface": surface if boxed else background,
        "ink": ink,
        "heading": _heading_ink(rng, ink, accent, hue, dark),
        "muted": _hsl(hue, tint * 0.5, rng.uniform(0.45, 0.66)),
        "border": _hsl(hue, tint, 0.3 if dark else rng.uniform(0.78, 0.94)),
        "accent": accent,
        "link": link,
        "header_ground": header_ground,
        "header_ink": header_ink,
        "footer_ground": footer_ground,
        "footer_ink": footer_ink,
        "code_ground": _hsl(hue, 0.15, rng.uniform(0.07, 0.2) if code_dark else 0.955),
        "code_ink": "#d8d8d8" if code_dark else "#383a42",
        "body_font": body_font,
        "heading_font": heading_font,
        "mono_font": rng.choice(MONO),
        "size": rng.choice((13, 14, 14, 15, 16, 16, 16, 17, 18, 19, 21)),
        "leading": rng.choice((1.35, 1.5, 1.6, 1.7, 1.8, 2.0)),
        "container": container,
        "column": rng.choice((560, 620, 680, 720, 760, 820, 900, 1000, 1200)),
        "sidebar": rng.choice(("none", "none", "right", "right", "left")),
        "sidebar_width": rng.choice((220, 260, 300, 320, 360)),
        "header": rng.choice(HEADERS),
        "sticky": rng.random() < 0.35,
        "radius": rng.choice((0, 0, 3, 4, 6, 10, 18)),
        "shadow": rng.choice(
            ("none", "none", "0 1px 3px #0003", "0 4px 18px #0002", "0 0 9px #0004")
        ),
        "boxed": boxed,
        "centred": rng.random() < 0.3,
        "uppercase": rng.random() < 0.1,
        "heading_weight": rng.choice((300, 400, 500, 600, 700, 700, 700, 900)),
        "heading_scale": rng.choice((0.85, 1.0, 1.0, 1.15, 1.4)),
        "gap": rng.choice((12, 18, 24, 30, 30, 40, 56)),
        "justify": rng.random() < 0.08,
    }
