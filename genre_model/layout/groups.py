"""Groups of lines, separated by wide gaps: the paragraphs of a text, or the entries of a list.

Entries resemble each other: a heading, a date, two lines and a link, again and again. Paragraphs
have mostly full lines, and any number of them.
"""

from __future__ import annotations

import numpy as np

from genre_model.layout.lines import Lines
from genre_model.layout.signals import Floats, Measures, mean, median, named, spread

# A gap separates two groups if it is this many times the median one.
_PARTING = (1.5, 2.5)
_FEWEST_LINES = 3
_NO_NEIGHBOUR = 9.0
_SIGNS = ("height", "first_height", "first_extent", "last_extent", "contrast", "colour")
_LAGS = (1, 2, 3, 4, 5, 6)


def group_measures(lines: Lines) -> Measures:
    """Measures of groups at two scales, of heading lines, and of the similarity of nearby lines."""
    found: Measures = {}
    for parting in _PARTING:
        found |= named(f"parted_{parting}", _groups(lines, parting))
    return found | named("headings", _headings(lines)) | named("like", _likeness(lines))


def _groups(lines: Lines, parting: float) -> Measures:
    if len(lines) < _FEWEST_LINES:
        return _of_groups(_SINGLE, np.array([0]), np.array([0]))
    gap = lines.gap.copy()
    common = max(median(gap[1:]), 1.5)
    gap[0] = 0
    first = np.concatenate([[0], np.flatnonzero(gap > parting * common)])
    last = np.append(first[1:] - 1, len(lines) - 1)
    return _of_groups(lines, first, last)


def _of_groups(
    lines: Lines, first: np.ndarray[tuple[int], np.dtype[np.intp]], last: np.ndarray
) -> Measures:
    sizes = last - first + 1
    heights = lines.bottom[last] - lines.top[first]
    pitch = np.diff(lines.top[first])
    middle = median(pitch)
    line_height = max(median(lines.height), 1.0)
    relative = lines.height[first] / line_height
    extent = lines.extent
    signs = np.stack(
        (
            np.log1p(heights),
            relative,
            extent[first],
            extent[last],
            lines.contrast[first] * 5,
            lines.colour[first] * 6,
        )
    )
    return {
        "count": float(len(sizes)),
        "size": mean(sizes),
        "size_spread": spread(sizes),
        "largest": float(sizes.max()),
        "of_1": mean(sizes == 1),
        "of_2": mean(sizes == 2),
        "of_3": mean(sizes == 3),
        "of_more": mean(sizes >= 4),
        "long": float((sizes >= 6).sum()),
        "height": mean(heights),
        "height_spread": spread(heights),
        "tallest": float(heights.max()),
        "pitch": middle,
        "pitch_spread": spread(pitch),
        "pitch_deviation": mean(np.abs(pitch - middle)) / (middle + 1),
        "headed": mean(relative > 1.3),
        "dark": mean(lines.contrast[first] > 1.15 * median(lines.contrast)),
        "coloured": mean(lines.colour[first] > mean(lines.colour) + 0.04),
        "short_end": mean(extent[last] < 0.4),
        "first_extent": mean(extent[first]),
        "last_extent": mean(extent[last]),
        "first_extent_spread": spread(extent[first]),
        "pictured": mean(lines.pictures[first]),
        "pictures": float((lines.pictures[first] > 0.3).sum()),
        **_changes(signs),
    }


def _changes(signs: Floats) -> Measures:
    """How much a group differs from the previous one, property by property."""
    if signs.shape[1] > 1:
        changes = np.abs(np.diff(signs, axis=1)).mean(axis=1)
    else:
        changes = np.full(len(_SIGNS), _NO_NEIGHBOUR)
    by_sign = dict(zip(_SIGNS, changes.tolist(), strict=True))
    return {"change": mean(changes), **named("change", by_sign)}


def _headings(lines: Lines) -> Measures:
    """Lines that are higher or darker than most: their number and regularity."""
    if len(lines) < _FEWEST_LINES:
        lines = _SINGLE
    height = lines.height
    middle = median(height)
    high = height > 1.35 * middle
    dark = (lines.contrast > 1.2 * median(lines.contrast)) & (lines.extent < 0.9)
    places = np.flatnonzero(high | dark)
    steps, distances = np.diff(places), np.diff(lines.top[places])
    return {
        "count": float(len(places)),
        "share": len(places) / len(lines),
        "step": mean(steps),
        "step_spread": spread(steps),
        "step_middle": median(steps),
        "step_longest": float(steps.max(initial=0)),
        "distance": median(distances),
        "distance_spread": spread(distances),
        "body": float(((lines.extent > 0.9) & (height <= 1.2 * middle)).sum()),
    }


def _likeness(lines: Lines) -> Measures:
    """The similarity of lines at several distances, over all their properties; 1 is equal.

    In a list with entries of three lines, every third line is similar.
    """
    if len(lines) <= 2 * _LAGS[-1]:
        return dict.fromkeys((*map(str, _LAGS), "best", "at"), 0.0)
    signs = np.stack(
        (np.log1p(lines.height), lines.extent, lines.left, lines.contrast, lines.colour), axis=1
    )
    signs = np.concatenate((signs, np.log1p(lines.gap)[:, None]), axis=1)
    signs = (signs - signs.mean(axis=0)) / (signs.std(axis=0) + 1e-3)
    alike = [mean(signs[lag:] * signs[:-lag]) for lag in _LAGS]
    best = int(np.argmax(alike))
    return {
        **{str(lag): value for lag, value in zip(_LAGS, alike, strict=True)},
        "best": alike[best],
        "at": float(_LAGS[best]),
    }


_SINGLE = Lines(*(np.zeros(1, np.float32) for _ in range(9)))
