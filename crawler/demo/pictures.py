"""Generated pictures: SVG scenes and portraits from templates, imitated photographs as PNG.

A picture is a pure function of its name (``KIND-ANYTHING.svg``), so none is stored.
"""

from __future__ import annotations

import io
import math
import re
from random import Random
from typing import Final

import numpy as np
from jinja2 import Environment
from PIL import Image

_NAME: Final = re.compile(r"([a-z]+)-([\w-]{1,40})\.(svg|png)")
_PHOTO: Final = (400, 260)

_SKIES: Final = (
    ("#f7d9a8", "#e58f65", "#3f5d7d"),
    ("#cfe6ee", "#7fb2c8", "#1f4e5f"),
    ("#fbe9d7", "#d9a5a0", "#5b4b6b"),
    ("#dfeee0", "#94b8a0", "#2f5a4b"),
    ("#1f2d4a", "#45598a", "#0d1730"),  # night, last: no photographs
)


def draw_picture(name: str, templates: Environment) -> tuple[str, bytes] | None:
    """The content type and bytes of the picture ``name``; None if there is none.

    ``templates`` has one in ``pictures/`` for each kind.
    """
    match = _NAME.fullmatch(name)
    if not match or f"pictures/{match[1]}.svg" not in templates.list_templates():
        return None
    # Seeded with the name, so that the picture is the same in every process.
    chance = Random(name)  # noqa: S311
    if match[3] == "png":
        return "image/png", _photo(chance)
    whole = "portrait" if match[1] == "portrait" else "scene"
    svg = templates.get_template(f"pictures/{whole}.svg").render(
        chance=chance, skies=_SKIES, skyline=_skyline, motif=match[1], name=match[2]
    )
    return "image/svg+xml", svg.strip().encode()


def _skyline(chance: Random, count: int, top: float, swell: float) -> list[float]:
    """Heights of a ridge: three waves of random phase over ``count`` columns."""
    phases = [chance.uniform(0, math.tau) for _ in range(3)]
    return [
        top
        + swell * math.sin(math.tau * column / count * 1.3 + phases[0])
        + swell / 2 * math.sin(math.tau * column / count * 3.7 + phases[1])
        + swell / 5 * math.sin(math.tau * column / count * 11 + phases[2])
        for column in range(count)
    ]


def _photo(chance: Random) -> bytes:
    """A PNG of hills before a sky, with a little grain."""
    width, height = _PHOTO
    tones = [np.frombuffer(bytes.fromhex(tone[1:]), np.uint8) for tone in chance.choice(_SKIES[:4])]
    light, middle, dark = (tone.astype(np.float64) for tone in tones)
    sky = light + (middle - light) * np.linspace(0, 1, height)[:, None]
    ridges = np.array([_skyline(chance, width, height * share, 16) for share in (0.5, 0.66, 0.82)])
    below = (np.arange(height)[:, None, None] > ridges.T).sum(axis=2)
    depth = np.array([0, 0.35, 0.65, 0.95])[below][:, :, None]
    grain = np.frombuffer(chance.randbytes(below.size), dtype=np.int8).reshape(below.shape) / 24
    pixels = sky[:, None] * (1 - depth) + dark * depth + grain[:, :, None]
    out = io.BytesIO()
    Image.fromarray(pixels.clip(0, 255).astype(np.uint8)).save(out, "PNG")
    return out.getvalue()
