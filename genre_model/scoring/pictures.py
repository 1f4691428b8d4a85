"""Pictures of the scores: a confusion matrix, and a contact sheet of the worst mistakes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from corpus_commons.counts import number_of
from genre_model.page_files import MAX_SCREENSHOT, PageError, read_bounded
from genre_model.scoring.judgement import Judgement
from genre_model.scoring.scores import Scores
from genre_model.screenshot import ScreenshotError, decode

_font = ImageFont.load_default
_INK, _FAINT, _PAPER, _FRAME = (30, 34, 40), (110, 116, 124), (255, 255, 255), (205, 210, 216)
# The confusion matrix: sizes, the colours of right and wrong answers, and from which share of the
# true class the text in a cell is white.
_CELL: Final = (108, 60)
_LEFT, _TOP, _EDGE = 190, 118, 24
_RIGHT, _WRONG = (32, 110, 180), (208, 92, 40)
_DARK: Final = 0.55
# The contact sheet.
_COLUMNS: Final = 6
_THUMBNAIL: Final = (220, 330)
_CAPTION, _GAP, _HEADER = 58, 16, 56
_TRUE, _ANSWER = (20, 120, 60), (190, 50, 30)


def confusion_picture(scores: Scores, title: str) -> Image.Image:
    """Rows are true classes, columns are predictions; blue is right, orange is wrong."""
    count = len(scores.labels)
    size = (_LEFT + count * _CELL[0] + _EDGE, _TOP + count * _CELL[1] + _EDGE)
    picture = Image.new("RGB", size, _PAPER)
    draw = ImageDraw.Draw(picture)
    draw.text((_EDGE, 16), title, _INK, _font(20))
    figures = f"{number_of(scores.pages, 'page')}, accuracy {scores.accuracy.value:.3f}"
    figures += f", macro F1 {scores.macro_f1.value:.3f}"
    draw.text((_EDGE, 46), figures, _FAINT, _font(15))
    draw.text((_LEFT, _TOP - 42), "answer", _FAINT, _font(14))
    draw.text((_EDGE, _TOP - 22), "true", _FAINT, _font(14))
    for i, label in enumerate(scores.labels):
        middle = _TOP + (i + 0.5) * _CELL[1]
        draw.text((_LEFT - 10, middle - 8), label, _INK, _font(15), anchor="rm")
        support = int(scores.confusion[i].sum())
        draw.text(
            (_LEFT - 10, middle + 11),
            number_of(support, "page"),
            _FAINT,
            _font(12),
            anchor="rm",
        )
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
    draw.text((_GAP, 16), title, _INK, _font(20))
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
        return Image.fromarray(decode(read_bounded(path, MAX_SCREENSHOT), *_THUMBNAIL))
    except (PageError, ScreenshotError):
        return None


def _caption(draw: ImageDraw.ImageDraw, mistake: Mistake, left: int, top: int) -> None:
    font, small = _font(14), _font(11)
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
