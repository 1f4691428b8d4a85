"""A confusion matrix as a picture: counts, shaded by their share of the true class."""

from __future__ import annotations

from typing import Final

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from genre_model.scoring.scores import Scores

_CELL: Final = (108, 60)
_LEFT, _TOP, _EDGE = 190, 118, 24
_INK, _FAINT, _PAPER = (30, 34, 40), (110, 116, 124), (255, 255, 255)
_RIGHT, _WRONG = (32, 110, 180), (208, 92, 40)
_DARK: Final = 0.55


def confusion_picture(scores: Scores, title: str) -> Image.Image:
    """Rows are true classes, columns are predictions; blue is right, orange is wrong."""
    count = len(scores.labels)
    size = (_LEFT + count * _CELL[0] + _EDGE, _TOP + count * _CELL[1] + _EDGE)
    picture = Image.new("RGB", size, _PAPER)
    draw = ImageDraw.Draw(picture)
    draw.text((_EDGE, 16), title, _INK, _font(20))
    figures = f"{scores.pages} pages, accuracy {scores.accuracy.value:.3f}"
    figures += f", macro F1 {scores.macro_f1.value:.3f}"
    draw.text((_EDGE, 46), figures, _FAINT, _font(15))
    draw.text((_LEFT, _TOP - 42), "answer", _FAINT, _font(14))
    draw.text((_EDGE, _TOP - 22), "true", _FAINT, _font(14))
    for i, label in enumerate(scores.labels):
        middle = _TOP + (i + 0.5) * _CELL[1]
        draw.text((_LEFT - 10, middle - 8), label, _INK, _font(15), anchor="rm")
        support = int(scores.confusion[i].sum())
        draw.text((_LEFT - 10, middle + 11), f"{support} pages", _FAINT, _font(12), anchor="rm")
        x = _LEFT + (i + 0.5) * _CELL[0]
        draw.text((x, _TOP - 14), label, _INK, _font(14), anchor="mm")
        for j in range(count):
            _cell(draw, (i, j), int(scores.confusion[i, j]), support)
    return picture


def _cell(draw: ImageDraw.ImageDraw, where: tuple[int, int], pages: int, support: int) -> None:
    row, column = where
    left, top = _LEFT + column * _CELL[0], _TOP + row * _CELL[1]
    share = pages / support if support else 0.0
    shade = _shade(_RIGHT if row == column else _WRONG, share)
    box = (left + 1, top + 1, left + _CELL[0] - 2, top + _CELL[1] - 2)
    draw.rectangle(box, fill=shade)
    if not pages:
        return
    ink = _PAPER if share > _DARK else _INK
    middle = (left + _CELL[0] / 2, top + _CELL[1] / 2)
    draw.text((middle[0], middle[1] - 9), str(pages), ink, _font(17), anchor="mm")
    draw.text((middle[0], middle[1] + 13), f"{share:.0%}", ink, _font(12), anchor="mm")


def _shade(colour: tuple[int, int, int], share: float) -> tuple[int, int, int]:
    """A shade between nearly white and the colour; small shares are raised to be visible."""
    weight = 0.04 + 0.96 * np.sqrt(share) if share else 0.03
    red, green, blue = (round(255 + (c - 255) * float(weight)) for c in colour)
    return red, green, blue


def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)
