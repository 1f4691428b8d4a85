"""What is taken for a change of a page: planted edits, and planted changes of what surrounds them.

Each page is changed twice, at the same paragraph of its main content, and the two are compared: by
their bytes, by all words of the extracted text, and by the fingerprint of the text.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from benchmarks import sample
from benchmarks.report import Report
from extraction import ExtractionError, extract
from extraction.labelled import LabelledPage
from pipelines.versions.fingerprint import Fingerprint

SUMMARY = "measure which planted changes of pages are taken for changes of their texts"

_PARAGRAPH: Final = re.compile(r"<p\b[^>]*>([^<>]{120,})</p>", re.IGNORECASE)
_WORD: Final = re.compile(r"(?<= )[a-z]{5,}(?= )")
_NUMBER: Final = re.compile(r"(?<= )\d{1,4}(?= )")

# The first lines of longer texts are no titles.
_TITLE_WORDS: Final = 12


class Place(NamedTuple):
    """A paragraph of a page: what comes before it, its text, and what follows."""

    before: str
    text: str
    after: str

    def page(self, text: str | None = None, *, beside: str = "") -> str:
        """The page with another text, or with something after the paragraph."""
        return f"{self.before}{self.text if text is None else text}</p>{beside}{self.after}"


Pair = tuple[str, str] | None
Plant = Callable[[Place, random.Random, list[str]], Pair]


def _word(place: Place, rng: random.Random, titles: list[str]) -> Pair:
    return _replaced(place, _WORD, "altered", rng)


def _number(place: Place, rng: random.Random, titles: list[str]) -> Pair:
    return _replaced(place, _NUMBER, "73519", rng)


def _replaced(place: Place, what: re.Pattern[str], by: str, rng: random.Random) -> Pair:
    found = list(what.finditer(place.text))
    if not found:
        return None
    one = rng.choice(found)
    return place.page(), place.page(place.text[: one.start()] + by + place.text[one.end() :])


def _added(place: Place, rng: random.Random, titles: list[str]) -> Pair:
    new = "<p>The council has now answered: it will publish the whole report before the summer.</p>"
    return place.page(), place.page(beside=new)


def _removed(place: Place, rng: random.Random, titles: list[str]) -> Pair:
    return place.page(), place.page("")


def _token(place: Place, rng: random.Random, titles: list[str]) -> Pair:
    one, two = (f'<input type="hidden" name="csrf" value="{rng.random()}">' for _ in range(2))
    return place.page(beside=one), place.page(beside=two)


def _clock(place: Place, rng: random.Random, titles: list[str]) -> Pair:
    return _beside(place, "<div>Tuesday, {}:{} GMT</div>", rng)


def _age(place: Place, rng: random.Random, titles: list[str]) -> Pair:
    return _beside(place, "<div>Updated {} hours ago</div>", rng)


def _counter(place: Place, rng: random.Random, titles: list[str]) -> Pair:
    return _beside(place, "<div>{} views · {} comments</div>", rng)


def _beside(place: Place, form: str, rng: random.Random) -> Pair:
    one, two = (form.format(rng.randint(10, 23), rng.randint(10, 59)) for _ in range(2))
    return place.page(beside=one), place.page(beside=two)


def _advert(place: Place, rng: random.Random, titles: list[str]) -> Pair:
    form = '<div class="ad">Advertisement <a href="/out">{}</a></div>'
    texts = ("Save 20 % on shoes", "New: the car for your city", "Learn a language in 30 days")
    one, two = (form.format(text) for text in rng.sample(texts, 2))
    return place.page(beside=one), place.page(beside=two)


def _related(place: Place, rng: random.Random, titles: list[str]) -> Pair:
    def stories() -> str:
        items = "".join(f'<li><a href="/s">{title}</a></li>' for title in rng.sample(titles, 5))
        return f'<div class="related"><h3>Related stories</h3><ul>{items}</ul></div>'

    return place.page(beside=stories()), place.page(beside=stories())


_EDITS: Final[dict[str, Plant]] = {
    "a word": _word,
    "a number in a sentence": _number,
    "a new paragraph": _added,
    "a removed paragraph": _removed,
}
_SURROUNDINGS: Final[dict[str, Plant]] = {
    "a hidden token": _token,
    "a clock": _clock,
    "an age": _age,
    "counters": _counter,
    "an advert": _advert,
    "five related stories": _related,
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    sample.add_arguments(parser)


def run(arguments: argparse.Namespace, report: Report) -> int:
    pages = sample.sample(arguments)
    first = (page.gold_text.split("\n")[0] for page in pages)
    titles = [line for line in first if line and len(line.split()) <= _TITLE_WORDS]
    columns = {
        f"{arguments.data.name}: planted": "",
        "should be a change": "",
        "pages": "d",
        "changed: bytes": ".1%",
        "all words": ".1%",
        "fingerprint": ".1%",
    }
    places = [place for page in sample.shown(pages) if (place := _place(page)) is not None]
    rows = (
        (name, "yes" if plants is _EDITS else "no", *_judged(plant, places, titles))
        for plants in (_EDITS, _SURROUNDINGS)
        for name, plant in plants.items()
    )
    report.table("changes", columns, rows)
    return 0


def _place(page: LabelledPage) -> Place | None:
    """The paragraph in the middle of those in the gold text; None if there is none."""
    found = [one for one in _PARAGRAPH.finditer(page.html) if one[1][:60] in page.gold_text]
    if not found:
        return None
    one = found[len(found) // 2]
    return Place(page.html[: one.start(1)], one[1], page.html[one.end() :])


def _judged(
    plant: Plant, places: list[Place], titles: list[str]
) -> tuple[int, float, float, float]:
    """The number of pairs, and the shares that count as changed."""
    rng = random.Random(1)
    found = [_changed(pair) for place in places if (pair := plant(place, rng, titles)) is not None]
    count = max(1, len(found))
    bytes_, words, prints = (sum(one[number] for one in found) / count for number in range(3))
    return len(found), bytes_, words, prints


def _changed(pair: tuple[str, str]) -> tuple[bool, bool, bool]:
    one, two = _texts(pair)
    old, new = Fingerprint.of(one), Fingerprint.of(two)
    return pair[0] != pair[1], old.words != new.words, old.difference(new).is_change


def _texts(pair: tuple[str, str]) -> Iterator[str]:
    for html in pair:
        try:
            yield extract(html).text
        except ExtractionError:
            yield ""
