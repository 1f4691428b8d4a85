"""Articles with a made discussion below, so that the trees learn what readers' comments are.

Labelled pages have few comments, in elements that are named so. On the web, a discussion can be
many times as long as its article, and its names are in any language. What tells it then is that
posts repeat, each with an author, a date and perhaps a button, beside a field to write in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from html import escape
from random import Random
from typing import TYPE_CHECKING, Final, Self

import numpy as np
from selectolax.lexbor import LexborHTMLParser

from corpus_commons.markup.nameless import made_up
from extraction.methods.boosted_blocks.node_tree import node_tree
from extraction.methods.boosted_blocks.view import all_blocks

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corpus_commons.markup.dom import Dom
    from corpus_commons.markup.tree import BoolArray
    from extraction.labelled import LabelledPage
    from extraction.methods.boosted_blocks.arrays import Singles

# The paragraphs of several discussions.
Talks = Sequence[Sequence[str]]

_LEAST_CHARACTERS: Final = 12
# An article is in the deepest of these elements that has this share of the words of its content.
_CONTAINERS: Final = frozenset(("article", "body", "div", "main", "section", "td"))
_MOST_OF_CONTENT: Final = 0.9
# The discussion may stand farther outside by up to so many elements.
_STEPS_OUT: Final = 2
# The number of posts is the exponential of a number with this mean and deviation, within bounds.
_LOG_POSTS: Final = (2.2, 0.9)
_LEAST_POSTS, _MOST_POSTS = 3, 80
_MOST_PARAGRAPHS: Final = 3
_ELEMENTS: Final = (
    *(("ul", "li"), ("ol", "li"), ("div", "div"), ("div", "div")),
    *(("section", "article"), ("section", "div")),
)
_NAMES: Final = tuple(
    "comment reply post message entry item talk response feedback kommentar opinion".split()
)
_DATES: Final = (
    *("[%Y-%m-%d %H:%M]", "%d.%m.%Y, %H:%M", "%B %d, %Y at %I:%M %p", "%d/%m/%Y %H:%M"),
    *("%H:%M, %d %b %Y", "%Y-%m-%d", "%b %d, %Y"),
)
_BUTTONS: Final = ("Reply", "reply", "Like", "Report abuse", "Antworten", "odpowiedz", "回复", "")
_FIRST_YEAR, _LAST_YEAR = 2004, 2025


def talks_of(pages: Iterable[LabelledPage]) -> Talks:
    """The paragraphs of the forums among the pages."""
    forums = (page.gold_text.splitlines() for page in pages if page.genre == "forum")
    long = ([line for line in lines if len(line) >= _LEAST_CHARACTERS] for lines in forums)
    return [lines for lines in long if lines]


def discussed(
    page: LabelledPage, labels: BoolArray, words: Singles, talks: Talks
) -> LabelledPage | None:
    """The page with a discussion below its article; always the same one. None if there is no place.

    labels: for every block, whether it is content. words: the number of its words.
    talks: what is said. Raises MarkupError.
    """
    tree = node_tree(page.html)
    if tree is None or not talks:
        return None
    random = Random(page.id)  # noqa: S311 - reproducible, not secret
    around = _around_content(tree.dom, np.where(labels, words, 0))
    made = LexborHTMLParser(_Style.chosen(random).discussion(random, talks)).css_first("body > *")
    if not around or made is None:
        return None
    tree.nodes[random.choice(around[-1 - _STEPS_OUT :])].insert_child(made)
    return replace(page, html=tree.html)


def _around_content(dom: Dom, words: Singles) -> list[int]:
    """The elements that hold nearly all of the content, from the outside.

    words: for every block, those of its content.
    """
    own = np.zeros(len(dom), dtype=np.float32)
    own[all_blocks(dom).firsts] = words
    inside = dom.subtree_sums(own)
    holds = (inside >= _MOST_OF_CONTENT * words.sum()) & dom.has_tag(_CONTAINERS)
    around: list[int] = np.flatnonzero(holds).tolist()
    return around


@dataclass(frozen=True)
class _Style:
    """How the template of a site draws discussions.

    named: the value of a class attribute, given what an element is.
    elements: around all posts, and of each. dates: their format.
    field: whether the field to write in is "above" or "below" the posts; empty if there is none.
    """

    named: Callable[[str], str]
    elements: tuple[str, str]
    dates: str
    button: str
    has_paragraphs: bool
    has_votes: bool
    has_heading: bool
    author_is_last: bool
    author_is_divided: bool
    field: str

    @classmethod
    def chosen(cls, random: Random) -> Self:
        base, prefix = random.choice(_NAMES), random.choice(("", "x", "op", "js", "widget-"))
        is_nameless = random.random() < 0.5

        def named(what: str) -> str:
            name = f"{prefix}{base}{what}"
            return made_up(name) if is_nameless else name

        return cls(
            named=named,
            elements=random.choice(_ELEMENTS),
            dates=random.choice(_DATES),
            button=random.choice(_BUTTONS),
            has_paragraphs=random.random() < 0.6,
            has_votes=random.random() < 0.3,
            has_heading=random.random() < 0.8,
            author_is_last=random.random() < 0.3,
            author_is_divided=random.random() < 0.5,
            field=random.choice(("above", "below", "")),
        )

    def discussion(self, random: Random, talks: Talks) -> str:
        count = round(np.exp(random.gauss(*_LOG_POSTS)))
        count = min(max(count, _LEAST_POSTS), _MOST_POSTS)
        around, _ = self.elements
        posts = "".join(self._post(random, random.choice(talks)) for _ in range(count))
        field = "<form><textarea></textarea><input type=submit></form>"
        heading = f"<h3>{count} {_word(random, talks)}</h3>" if self.has_heading else ""
        return (
            f'<div class="{self.named("s")}">{heading}'
            f"{field if self.field == 'above' else ''}"
            f'<{around} class="{self.named("-list")}">{posts}</{around}>'
            f"{field if self.field == 'below' else ''}</div>"
        )

    def _post(self, random: Random, talk: Sequence[str]) -> str:
        first = random.randrange(len(talk))
        said = [escape(line) for line in talk[first : first + random.randint(1, _MOST_PARAGRAPHS)]]
        text = (
            "".join(f"<p>{line}</p>" for line in said) if self.has_paragraphs else "<br>".join(said)
        )
        parts = [self._author(random, talk), f'<div class="{self.named("-text")}">{text}</div>']
        if self.author_is_last:
            parts.reverse()
        votes = f"<span>{random.randrange(40)}</span>" if self.has_votes else ""
        button = f"<div><a href=#>{self.button}</a></div>" if self.button else ""
        _, post = self.elements
        return f'<{post} class="{self.named("")}">{votes}{"".join(parts)}{button}</{post}>'

    def _author(self, random: Random, talk: Sequence[str]) -> str:
        name = _word(random, [talk])
        when = datetime(
            random.randint(_FIRST_YEAR, _LAST_YEAR),
            random.randint(1, 12),
            1 + random.randrange(28),
            random.randrange(24),
            random.randrange(60),
            tzinfo=UTC,
        )
        date = when.strftime(self.dates)
        if self.author_is_divided:
            return f'<div class="{self.named("-by")}"><span>{name}</span> <span>{date}</span></div>'
        return f'<p class="{self.named("-by")}"><b>{name}</b> {date}</p>'


def _word(random: Random, talks: Talks) -> str:
    return escape(random.choice(random.choice(random.choice(talks)).split() or [""]))
