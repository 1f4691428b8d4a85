"""Procedural pictures: photograph-like scenes, faces, products, charts, screens."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageEnhance, ImageFilter

KINDS: dict[str, int] = {"scene": 110, "square": 60, "face": 40, "product": 60, "dark": 30,
                         "chart": 30, "screen": 30}  # fmt: skip
"""Kind -> how many are made."""

Generator = np.random.Generator
Colour = tuple[int, int, int]


def _noise(rng: Generator, width: int, height: int, octaves: int = 6) -> NDArray[np.float32]:
    """Fractal value noise in 0..1, (height, width)."""
    total = np.zeros((height, width), np.float32)
    for octave in range(octaves):
        cells = 2 ** (octave + 1)
        grid = rng.random((cells + 1, cells + 1)).astype(np.float32)
        layer = Image.fromarray(grid).resize((width, height), Image.Resampling.BICUBIC)
        total += np.asarray(layer) * 0.55**octave
    low, high = float(total.min()), float(total.max())
    return (total - low) / (high - low)


def _colour(rng: Generator, low: int = 0, high: int = 256) -> Colour:
    red, green, blue = (int(value) for value in rng.integers(low, high, 3))
    return red, green, blue


def _ramp(field: NDArray[np.float32], colours: list[Colour]) -> Image.Image:
    """`field` in 0..1 painted with the colours, evenly spaced."""
    stops = np.linspace(0, 1, len(colours))
    table = np.array(colours, np.float32)
    planes = [np.interp(field, stops, table[:, plane]) for plane in range(3)]
    return Image.fromarray(np.stack(planes, -1).astype(np.uint8))


def _scene(rng: Generator, width: int, height: int) -> Image.Image:
    """A sky, hills or a room of blurred shapes, with grain."""
    colours = [_colour(rng, 0, 120), _colour(rng, 40, 200), _colour(rng, 60, 256)]
    field = _noise(rng, width, height)
    slope = np.linspace(1, 0, height, dtype=np.float32)[:, None]
    image = _ramp(np.clip(0.55 * field + 0.45 * slope, 0, 1), colours)
    draw = ImageDraw.Draw(image)
    for layer in range(int(rng.integers(0, 4))):
        ridge = _noise(rng, width, 2, 7)[0] * height * 0.35 + height * (0.35 + 0.17 * layer)
        outline = [(x, float(ridge[x])) for x in range(0, width, 4)]
        draw.polygon([(0, height), *outline, (width, height)], fill=_colour(rng, 10, 170))
    for _ in range(int(rng.integers(0, 30))):
        x, y = rng.integers(0, width), rng.integers(0, height)
        size = width * rng.uniform(0.02, 0.5) ** 1.5
        w, h = size * rng.uniform(0.4, 1.4), size * rng.uniform(0.4, 2.0)
        box = (int(x), int(y), int(x + w), int(y + h))
        shape = draw.ellipse if rng.random() < 0.5 else draw.rectangle
        shape(box, fill=_colour(rng))
    image = image.filter(ImageFilter.GaussianBlur(float(rng.choice([0.5, 1.5, 4, 9]))))
    image = ImageEnhance.Color(image).enhance(float(rng.choice([0, 0.2, 0.35, 0.5, 0.8])))
    grain = rng.normal(0, rng.uniform(2, 14), (height, width, 1))
    return Image.fromarray(np.clip(np.asarray(image) + grain, 0, 255).astype(np.uint8))


def _dark(rng: Generator, width: int, height: int) -> Image.Image:
    return Image.eval(_scene(rng, width, height), lambda value: int(value * 0.35))


def _face(rng: Generator, width: int, height: int) -> Image.Image:
    """A blurred backdrop, shoulders, a head and hair."""
    image = _scene(rng, width, height).filter(ImageFilter.GaussianBlur(8))
    draw = ImageDraw.Draw(image)
    skin = (int(rng.integers(110, 250)), int(rng.integers(80, 200)), int(rng.integers(60, 170)))
    middle, top, size = width // 2, int(height * 0.15), int(width * 0.26)
    shoulders = (middle - 2 * size, int(height * 0.7), middle + 2 * size, int(height * 1.5))
    draw.ellipse(shoulders, fill=_colour(rng))
    hair = (middle - size - 12, top - 18, middle + size + 12, top + 2 * size)
    draw.ellipse(hair, fill=_colour(rng, 0, 120))
    draw.ellipse((middle - size, top, middle + size, top + int(2.7 * size)), fill=skin)
    for side in (-1, 1):
        x, y = middle + side * size // 2, top + size
        draw.ellipse((x - 9, y - 5, x + 9, y + 5), fill=(40, 30, 30))
    return image.filter(ImageFilter.GaussianBlur(2))


def _product(rng: Generator, width: int, height: int) -> Image.Image:
    """A shape of two or three parts on a white or pale ground, with a soft shadow."""
    pale = int(rng.integers(235, 256))
    image = Image.new("RGB", (width, height), (pale, pale, pale))
    draw = ImageDraw.Draw(image)
    shadow = (int(width * 0.2), int(height * 0.82), int(width * 0.8), int(height * 0.9))
    draw.ellipse(shadow, fill=(200, 200, 200))
    image = image.filter(ImageFilter.GaussianBlur(12))
    draw = ImageDraw.Draw(image)
    for _ in range(int(rng.integers(1, 5))):
        w, h = rng.uniform(0.15, 0.6) * width, rng.uniform(0.2, 0.7) * height
        x = width / 2 + rng.uniform(-0.12, 0.12) * width
        box = (int(x - w / 2), int(height * 0.86 - h), int(x + w / 2), int(height * 0.86))
        if rng.random() < 0.6:
            draw.rounded_rectangle(box, radius=int(rng.integers(4, 60)), fill=_colour(rng, 10, 230))
        else:
            draw.ellipse(box, fill=_colour(rng, 10, 230))
    shade = _noise(rng, width, height, 4)[..., None] * 40 - 20
    solid = np.asarray(image).astype(np.float32)
    solid += np.where(solid.min(-1, keepdims=True) < 190, shade, 0)
    return Image.fromarray(np.clip(solid, 0, 255).astype(np.uint8))


def _chart(rng: Generator, width: int, height: int) -> Image.Image:
    """Bars, lines or boxes with arrows on white, as figures in technical articles."""
    image = Image.new("RGB", (width, height), "white")
    draw = ImageDraw.Draw(image)
    left, bottom = 50, height - 40
    kind = int(rng.integers(0, 3))
    if kind < 2:
        draw.line([(left, 20), (left, bottom), (width - 20, bottom)], fill="black", width=2)
    if kind == 0:
        for x in range(left + 15, width - 40, int(rng.integers(24, 70))):
            draw.rectangle((x, int(rng.integers(30, bottom)), x + 18, bottom), fill=_colour(rng))
    elif kind == 1:
        for _ in range(int(rng.integers(1, 5))):
            path = bottom - 10 - _noise(rng, width, 2, 5)[0] * (height - 90)
            points = [(x, float(path[x])) for x in range(left, width - 20, 6)]
            draw.line(points, fill=_colour(rng, 0, 220), width=4)
    else:
        for _ in range(int(rng.integers(4, 10))):
            x, y = int(rng.integers(10, width - 160)), int(rng.integers(10, height - 80))
            draw.rectangle((x, y, x + 140, y + 60), outline=_colour(rng, 0, 200), width=3)
            draw.line((x + 140, y + 30, x + 200, y + 60), fill=(60, 60, 60), width=3)
            draw.line((x + 20, y + 28, x + 120, y + 28), fill=(90, 90, 90), width=8)
    return image


def _screen(rng: Generator, width: int, height: int) -> Image.Image:
    """A window of a program: a title bar and lines of coloured text."""
    dark = rng.random() < 0.7
    ground = _colour(rng, 10, 55) if dark else _colour(rng, 235, 256)
    image = Image.new("RGB", (width, height), ground)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, width, 26), fill=_colour(rng, 60, 200))
    ink = (150, 256) if dark else (0, 130)
    for y in range(44, height - 10, int(rng.integers(14, 24))):
        x = 16 + 24 * int(rng.integers(0, 4))
        while x < width * rng.uniform(0.2, 1.0):
            w = int(rng.integers(10, 80))
            draw.rectangle((x, y, x + w, y + 6), fill=_colour(rng, *ink))
            x += w + 10
    return image


_MAKERS: dict[str, tuple[Callable[[Generator, int, int], Image.Image], int, int]] = {
    "scene": (_scene, 720, 440),
    "square": (_scene, 440, 440),
    "face": (_face, 300, 300),
    "product": (_product, 420, 420),
    "dark": (_dark, 720, 440),
    "chart": (_chart, 640, 400),
    "screen": (_screen, 640, 400),
}


def draw_picture(kind: str, number: int) -> Image.Image:
    """The picture `number` of a kind: RGB, in the kind's size. The same in every call."""
    maker, width, height = _MAKERS[kind]
    return maker(np.random.default_rng([list(_MAKERS).index(kind), number]), width, height)


def make_pictures(folder: Path) -> None:
    """Write the missing pictures, as `KIND-NUMBER.jpg`."""
    folder.mkdir(parents=True, exist_ok=True)
    for kind, count in KINDS.items():
        for number in range(count):
            path = folder / f"{kind}-{number}.jpg"
            if not path.exists():
                draw_picture(kind, number).save(path, quality=80)
