"""Generates a page from a random source: its HTML, page type and genre.

There is a Jinja template for each kind of page in ``templates``; what the templates draw at random
(words, pictures, arrangements) comes from the functions of ``_Draft``. For the layout maps,
elements with the page's own content are marked with `data-main`, entries of a list with
`data-item`, and what is on every page of the site with `data-boiler`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import TypeVar

from jinja2 import Environment
from markupsafe import Markup

from corpus_commons.templates import templates_in
from genre_model.training.synthesis.frameworks import CODE_SHEETS, OWN, Framework, random_framework
from genre_model.training.synthesis.pictures import KINDS
from genre_model.training.synthesis.source_code import random_listing
from genre_model.training.synthesis.text import Text, random_language
from genre_model.training.synthesis.theme import random_theme

T = TypeVar("T")


@dataclass(frozen=True)
class Maker:
    """One kind of page, by the name of its template; also its share of all pages."""

    name: str
    page_type: str
    genre: str | None
    share: float


MAKERS: tuple[Maker, ...] = (
    Maker("article", "article", "article", 0.30),
    Maker("listing", "listing", "list-view", 0.25),
    Maker("service", "service", None, 0.13),
    Maker("collection", "collection", "list-view", 0.07),
    Maker("documentation", "documentation", "article", 0.07),
    Maker("product", "product", None, 0.05),
    Maker("forum", "forum", "list-view", 0.04),
    Maker("media", "media", None, 0.03),
    Maker("other", "other", None, 0.05),
    Maker("legal", "other", "article", 0.01),
)


@dataclass(frozen=True)
class Page:
    """A synthetic page. genre: None if neither fits. style: the framework."""

    html: str
    page_type: str
    genre: str | None
    lang: str
    style: str


def page(rng: Random, *, packages: Path, pictures: Path, maker: Maker | None = None) -> Page:
    """A random page by `maker`, or by a random one.

    `packages` contains node_modules with the CSS frameworks, `pictures` what `make_pictures` wrote;
    the page refers to both by file URLs. The same state of `rng` gives the same page.
    """
    made = maker or rng.choices(MAKERS, [each.share for each in MAKERS])[0]
    text = Text(rng, random_language(rng))
    framework = random_framework(rng)
    draft = _Draft(rng, framework, pictures.resolve().as_uri())
    sheets = []
    if framework is not OWN:
        modules = (packages / "node_modules").resolve().as_uri()
        chosen = rng.choice(framework.sheets), rng.choice(CODE_SHEETS)
        sheets = [f"{modules}/{sheet}" for sheet in chosen]
    html = (
        _templates()
        .get_template(f"{made.name}.html")
        .render(
            chance=draft.chance,
            cls=draft.cls,
            framework=draft.framework_class,
            listing=lambda lines: random_listing(rng, lines),
            pick=draft.pick,
            picture=draft.picture,
            rng=rng,
            sheets=sheets,
            short_of=draft.short_of,
            site=text.site(),
            text=text,
            theme=random_theme(rng),
            times=draft.times,
            weighted=draft.weighted,
        )
    )
    return Page(html, made.page_type, made.genre, text.lang, framework.name)


@cache
def _templates() -> Environment:
    return templates_in(Path(__file__).with_name("templates"))


@dataclass(frozen=True)
class _Draft:
    """What the templates of one page choose with."""

    rng: Random
    framework: Framework
    pictures: str

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def times(self, low: int, high: int) -> range:
        """For a loop of `low` to `high` rounds."""
        return range(self.rng.randint(low, high))

    def short_of(self, low: int, high: int) -> range:
        """Like `times`; fewer rounds are more likely."""
        return range(int(low + (high - low) * self.rng.random() ** 1.6))

    def pick(self, parts: Sequence[T], low: int, high: int) -> list[T]:
        """Some of the parts in random order."""
        return self.rng.sample(parts, min(len(parts), self.rng.randint(low, high)))

    def weighted(self, weights: Mapping[str, float]) -> str:
        return self.rng.choices(list(weights), list(weights.values()))[0]

    def cls(self, *roles: str) -> str:
        """The classes of the roles: our own names and the framework's."""
        names = [f"s-{role}" for role in roles]
        return " ".join(names + [each for role in roles if (each := self.framework_class(role))])

    def framework_class(self, role: str) -> str:
        return self.framework.classes.get(role, "")

    def picture(self, *kinds: str) -> Markup:
        """The URL of a random picture of one of the kinds."""
        kind = self.rng.choice(kinds)
        return Markup("{}/{}-{}.jpg").format(self.pictures, kind, self.rng.randrange(KINDS[kind]))
