"""A contact sheet of the most confident mistakes, as thumbnails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from genre_model.page_files import PageError, read_bounded
from genre_model.scoring.judgement import Judgement
from genre_model.screenshot import MAX_BYTES, ScreenshotError, decode

_COLUMNS: Final = 6
_THUMBNAIL: Final = (220, 330)
_CAPTION, _GAP, _HEADER = 58, 16, 56
_INK, _FAINT, _PAPER, _FRAME = (30, 34, 40), (110, 116, 124), (255, 255, 255), (205, 210, 216)
_TRUE, _ANSWER = (20, 120, 60), (190, 50, 30)


class Mistake(NamedTuple):
    """A misclassified page, with the probability of the wrong label."""

    id: str
    true: str
    answer: str
    confidence: float
    origin: str


def confident_mistakes(judgement: Judgement, count: int) -> list[Mistake]:
    """The mistakes with the highest confidence, most confident first."""
    answers = judgement.probabilities.argmax(axis=1)
    confidence = judgement.probabilities.max(axis=1)
    wrong = np.flatnonzero(answers != judgement.truth)
    order = wrong[np.argsort(-confidence[wrong], kind="stable")][:count]
    mistakes = []
    for i in order.tolist():
        sample = judgement.samples[i]
        mistakes.append(
            Mistake(
                sample.id,
                judgement.labels[judgement.truth[i]],
                judgement.labels[answers[i]],
                float(confidence[i]),
                str(sample.record.get("repo") or sample.record.get("url") or ""),
            )
        )
    return mistakes


def contact_sheet(
    mistakes: Sequence[Mistake], screenshots: Mapping[str, Path], title: str
) -> Image.Image:
    """Thumbnails of the tops of the pages, captioned with true label, prediction and confidence.

    screenshots: files by id; a page without a readable one gets an empty frame.
    """
    rows = max(1, -(-len(mistakes) // _COLUMNS))
    width = _GAP + _COLUMNS * (_THUMBNAIL[0] + _GAP)
    height = _HEADER + rows * (_THUMBNAIL[1] + _CAPTION + _GAP)
    sheet = Image.new("RGB", (width, height), _PAPER)
    draw = ImageDraw.Draw(sheet)
    draw.text((_GAP, 16), title, _INK, ImageFont.load_default(20))
    for number, mistake in enumerate(mistakes):
        row, column = divmod(number, _COLUMNS)
        left = _GAP + column * (_THUMBNAIL[0] + _GAP)
        top = _HEADER + row * (_THUMBNAIL[1] + _CAPTION + _GAP)
        thumbnail = _thumbnail(screenshots.get(mistake.id))
        if thumbnail is not None:
            sheet.paste(thumbnail, (left, top))
        box = (left, top, left + _THUMBNAIL[0] - 1, top + _THUMBNAIL[1] - 1)
        draw.rectangle(box, outline=_FRAME)
        _caption(draw, mistake, left, top + _THUMBNAIL[1] + 6)
    return sheet


def _thumbnail(path: Path | None) -> Image.Image | None:
    if path is None:
        return None
    try:
        return Image.fromarray(decode(read_bounded(path, MAX_BYTES), *_THUMBNAIL))
    except (PageError, ScreenshotError):
        return None


def _caption(draw: ImageDraw.ImageDraw, mistake: Mistake, left: int, top: int) -> None:
    font, small = ImageFont.load_default(14), ImageFont.load_default(11)
    x = float(left)
    # "->" because not every font has an arrow.
    words = ((mistake.true, _TRUE), (" -> ", _FAINT), (mistake.answer, _ANSWER))
    for word, colour in (*words, (f"  {mistake.confidence:.2f}", _INK)):
        draw.text((x, top), word, colour, font)
        x += draw.textlength(word, font)
    for line, text in enumerate((mistake.id, mistake.origin)):
        while draw.textlength(text, small) > _THUMBNAIL[0]:
            text = text[:-1]  # noqa: PLW2901 - shorten it until it fits
        draw.text((left, top + 19 + 14 * line), text, _FAINT, small)
