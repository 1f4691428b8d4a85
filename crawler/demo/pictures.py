"""Generated pictures: SVG scenes, imitated photographs as PNG, and round portraits.

A picture is a pure function of its name (``KIND-ANYTHING.svg``), so none is stored.
"""

from __future__ import annotations

import math
import random
import re
import struct
import zlib
from collections.abc import Callable
from functools import lru_cache
from typing import Final

import numpy as np

_NAME: Final = re.compile(r"([a-z]+)-([\w-]{1,40})\.(svg|png)")
_WIDTH, _HEIGHT = 960, 540
_PHOTO_WIDTH, _PHOTO_HEIGHT = 400, 260

_SKIES: Final = (
    ("#f7d9a8", "#e58f65", "#3f5d7d"),
    ("#cfe6ee", "#7fb2c8", "#1f4e5f"),
    ("#fbe9d7", "#d9a5a0", "#5b4b6b"),
    ("#dfeee0", "#94b8a0", "#2f5a4b"),
    ("#1f2d4a", "#45598a", "#0d1730"),  # night, last: no photographs
)


@lru_cache(maxsize=256)
def picture(name: str) -> tuple[str, bytes] | None:
    """The content type and bytes of the picture ``name``; None if there is none.

    >>> picture("sea-morning.svg")[0], picture("sea-morning.jpg")
    ('image/svg+xml', None)
    """
    match = _NAME.fullmatch(name)
    if not match or match[1] not in _MOTIFS:
        return None
    # Seeded with the name, so that the picture is the same in every process.
    chance = random.Random(name)  # noqa: S311
    if match[3] == "png":
        return "image/png", _photo(chance)
    if match[1] == "portrait":
        return "image/svg+xml", _portrait(match[2], chance)
    return "image/svg+xml", _scene(chance, _MOTIFS[match[1]])


def _scene(chance: random.Random, motif: Callable[[random.Random, str], str]) -> bytes:
    light, middle, dark = chance.choice(_SKIES)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        f'width="{_WIDTH}" height="{_HEIGHT}"><defs><linearGradient id="s" x2="0" y2="1">'
        f'<stop stop-color="{light}"/><stop offset="1" stop-color="{middle}"/>'
        f'</linearGradient></defs><rect width="{_WIDTH}" height="{_HEIGHT}" fill="url(#s)"/>',
        f'<circle cx="{chance.randint(120, 840)}" cy="{chance.randint(90, 190)}" '
        f'r="{chance.randint(34, 70)}" fill="#fff" opacity=".55"/>',
    ]
    parts += [
        _ridge(chance, 270 + 70 * layer, 46 - 10 * layer, dark, 0.25 + 0.2 * layer)
        for layer in range(3)
    ]
    return "".join([*parts, motif(chance, dark), "</svg>"]).encode()


def _ridge(chance: random.Random, top: int, swell: int, colour: str, opacity: float) -> str:
    heights = _heights(chance, _WIDTH // 24 + 1, top, swell)
    line = " ".join(f"{24 * column},{height:.0f}" for column, height in enumerate(heights))
    return (
        f'<polygon points="0,{_HEIGHT} {line} {_WIDTH},{_HEIGHT}" '
        f'fill="{colour}" opacity="{opacity:.2f}"/>'
    )


def _heights(chance: random.Random, count: int, top: float, swell: float) -> list[float]:
    """A skyline: three waves of random phase over ``count`` columns."""
    phases = [chance.uniform(0, math.tau) for _ in range(3)]
    return [
        top
        + swell * math.sin(math.tau * column / count * 1.3 + phases[0])
        + swell / 2 * math.sin(math.tau * column / count * 3.7 + phases[1])
        + swell / 5 * math.sin(math.tau * column / count * 11 + phases[2])
        for column in range(count)
    ]


def _sea(chance: random.Random, dark: str) -> str:
    rows = []
    for row in range(6):
        y, x = 400 + 24 * row, chance.randint(-60, 0)
        rows.append(f"M{x},{y}" + "q30,-16 60,0t60,0" * 9)
    sail = chance.randint(200, 700)
    return (
        f'<path d="{"".join(rows)}" fill="none" stroke="#fff" stroke-width="3" opacity=".5"/>'
        f'<path d="M{sail},300v90h-70zM{sail + 8},320v70h46z" fill="#fffaf0"/>'
        f'<path d="M{sail - 80},398h150l-24,26h-104z" fill="{dark}"/>'
    )


def _lighthouse(chance: random.Random, dark: str) -> str:
    x = chance.randint(240, 700)
    bands = "".join(
        f'<path d="M{x - 30 + 3 * band},{400 - 44 * band}h{60 - 6 * band}l-1.5,-22h-'
        f'{57 - 6 * band}z" fill="#b5382f"/>'
        for band in range(5)
    )
    return (
        f'<path d="M{x},150L{x - 420},60v130zM{x},150L{x + 420},70v120z" fill="#fff" '
        f'opacity=".28"/>'
        f'<path d="M{x - 34},430L{x - 17},175h34L{x + 34},430z" fill="#fdfaf2"/>{bands}'
        f'<path d="M{x - 22},175h44v-12h-44zM{x - 14},163h28v-26h-28zM{x - 18},137h36L{x},112z" '
        f'fill="{dark}"/><rect x="{x - 9}" y="141" width="18" height="20" fill="#ffe08a"/>'
    )


def _loaf(chance: random.Random, dark: str) -> str:
    x = chance.randint(330, 560)
    cuts = "".join(f"M{x - 120 + 70 * cut},372q28,-60 74,-70" for cut in range(4))
    return (
        f'<rect y="430" width="{_WIDTH}" height="110" fill="#6d4a33"/>'
        f'<ellipse cx="{x}" cy="442" rx="250" ry="22" fill="{dark}" opacity=".35"/>'
        f'<path d="M{x - 220},430q-20,-150 220,-160q240,10 220,160z" fill="#c47f3d"/>'
        f'<path d="{cuts}" fill="none" stroke="#f3d9a7" stroke-width="14" stroke-linecap="round"/>'
    )


def _cup(chance: random.Random, dark: str) -> str:
    x = chance.randint(380, 600)
    steam = "".join(f"M{x - 60 + 60 * wisp},290q-26,-36 0,-70t0,-70" for wisp in range(3))
    return (
        f'<rect y="440" width="{_WIDTH}" height="100" fill="#4f5d4a"/>'
        f'<path d="{steam}" fill="none" stroke="#fff" stroke-width="10" opacity=".6" '
        f'stroke-linecap="round"/><ellipse cx="{x}" cy="450" rx="210" ry="24" fill="#f6f1e7"/>'
        f'<path d="M{x + 130},330q90,0 70,60t-100,36" fill="none" stroke="#fdfaf2" '
        f'stroke-width="20"/><path d="M{x - 140},310h280q0,140 -90,138h-100q-90,2 -90,-138z" '
        f'fill="#fdfaf2"/><ellipse cx="{x}" cy="312" rx="132" ry="18" fill="#8a4b23"/>'
        f'<path d="M{x - 100},390h200" stroke="{dark}" stroke-width="6"/>'
    )


def _letter(chance: random.Random, dark: str) -> str:
    letter = chance.choice("RagQ&k")
    return (
        '<rect x="250" y="60" width="460" height="420" fill="#fbf7ee"/>'
        f'<text x="480" y="400" font-family="Georgia,serif" font-size="380" text-anchor="middle" '
        f'fill="{dark}">{letter.replace("&", "&amp;")}</text>'
        '<path d="M250,400h460M250,210h460M250,130h460" stroke="#b5382f" stroke-width="2"/>'
    )


def _train(chance: random.Random, dark: str) -> str:
    x = chance.randint(120, 420)
    cars = "".join(
        f'<path d="M{x + 130 * car},392h118v-58h-118z" fill="{colour}"/>'
        f'<path d="M{x + 12 + 130 * car},346h26v20h-26zM{x + 46 + 130 * car},346h26v20h-26zM'
        f'{x + 80 + 130 * car},346h26v20h-26z" fill="#fff2c9"/>'
        for car, colour in enumerate(("#b5382f", "#d9a13b", "#b5382f"))
    )
    return (
        f'<path d="M0,400h{_WIDTH}" stroke="{dark}" stroke-width="14"/>{cars}'
        f'<path d="M0,407h{_WIDTH}v20H0z" fill="none" stroke="{dark}" stroke-width="6" '
        'stroke-dasharray="60 90"/>'
    )


def _parcel(chance: random.Random, dark: str) -> str:
    tone = chance.choice(("#c9a26b", "#a9b8a0", "#d6b3a0", "#9fb3c4"))
    return (
        '<rect width="960" height="540" fill="#f2efe8"/>'
        f'<ellipse cx="480" cy="450" rx="270" ry="26" fill="{dark}" opacity=".2"/>'
        f'<rect x="270" y="160" width="420" height="290" rx="26" fill="{tone}"/>'
        f'<path d="M270,250h420M480,160v290" stroke="#fbf7ee" stroke-width="16"/>'
        f'<circle cx="480" cy="250" r="46" fill="{dark}"/>'
    )


def _nothing(chance: random.Random, dark: str) -> str:
    return ""


_MOTIFS: Final[dict[str, Callable[[random.Random, str], str]]] = {
    "cup": _cup,
    "hills": _nothing,
    "letter": _letter,
    "lighthouse": _lighthouse,
    "loaf": _loaf,
    "parcel": _parcel,
    "portrait": _nothing,
    "sea": _sea,
    "train": _train,
}


def _portrait(name: str, chance: random.Random) -> bytes:
    hue = chance.randint(0, 359)
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96">'
        f'<circle cx="48" cy="48" r="48" fill="hsl({hue},38%,52%)"/>'
        '<text x="48" y="62" font-family="sans-serif" font-size="40" text-anchor="middle" '
        f'fill="#fff">{name[0].upper()}</text></svg>'
    ).encode()


def _photo(chance: random.Random) -> bytes:
    """A PNG of hills before a sky, with a little grain."""
    tones = [[int(tone[i : i + 2], 16) for i in (1, 3, 5)] for tone in chance.choice(_SKIES[:4])]
    light, middle, dark = (np.array(tone, dtype=np.float64) for tone in tones)
    down = np.linspace(0, 1, _PHOTO_HEIGHT)[:, None]
    sky = light + (middle - light) * down
    ridges = np.array(
        [_heights(chance, _PHOTO_WIDTH, _PHOTO_HEIGHT * share, 16) for share in (0.5, 0.66, 0.82)]
    )
    below = (np.arange(_PHOTO_HEIGHT)[:, None, None] > ridges.T).sum(axis=2)
    depth = np.array([0, 0.35, 0.65, 0.95])[below][:, :, None]
    grain = np.frombuffer(chance.randbytes(below.size), dtype=np.int8).reshape(below.shape) / 24
    pixels = sky[:, None] * (1 - depth) + dark * depth + grain[:, :, None]
    rows = np.zeros((_PHOTO_HEIGHT, 1 + 3 * _PHOTO_WIDTH), dtype=np.uint8)  # 0: not filtered
    rows[:, 1:] = pixels.clip(0, 255).reshape(_PHOTO_HEIGHT, -1)
    header = struct.pack(">IIBBBBB", _PHOTO_WIDTH, _PHOTO_HEIGHT, 8, 2, 0, 0, 0)
    chunks = (b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes(), 6)), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    )
