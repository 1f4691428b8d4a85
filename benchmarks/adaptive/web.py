"""The webs of the benchmark: sites made with front-end packages, and real pages as they are.

Every site has an address of its own on this machine. Which pages belong to the training part and
which to the test part depends on the registered domain that their texts are from, so no text and no
site is in both; nor are the random choices of sites.
"""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final
from urllib.parse import urlsplit

import orjson
from markupsafe import Markup

from benchmarks.adaptive.views import COMPLETE, SCRIPTED, SCROLLED, page_html
from benchmarks.sample import evenly
from corpus_commons.kinds import GENRE_OF_TYPE
from corpus_commons.markup.sites import registered_domain
from crawler.urls import address as url_address
from extraction.labelled import LabelledPage

Answers = dict[tuple[str, str], tuple[str, bytes]]
"""Content type and body by address and path."""

PAGES_A_SITE: Final = 12
_SECTIONS: Final = 4  # of these pages, so many are lists of others
_LONGEST: Final = 60  # paragraphs
_HTML, _JSON, _CSS, _JS = (
    "text/html; charset=utf-8",
    "application/json",
    "text/css",
    "text/javascript",
)
_STYLE: Final = (
    b"body { max-width: 60rem; margin: 0 auto; font-family: sans-serif } nav li { display: inline }"
)
_WORD: Final = re.compile(r"[a-z]+")
_MOUNTS: Final = "root app __next main-view content view site page-body z-mount app-root".split()
_CLASSES: Final = "post entry item box c12 card body-text x-7f col feed stack wrap".split()
_PATHS: Final = (
    "/{slug}",
    "/story/{slug}",
    "/blog/2024/05/{slug}",
    "/p/{number}",
    "/news/{number}-{slug}.html",
)
_FOLDERS: Final = ("/topics/{slug}", "/section/{slug}", "/category/{number}", "/browse?of={slug}")


@dataclass(frozen=True, slots=True)
class Truth:
    """What is known of a page. text: its main text. genre: the paper's; None if neither fits.

    site: what it is of, the name of a technique or "real". scripted: whether it needs scripts.
    """

    text: str
    genre: str | None
    site: str
    scripted: bool = False


@dataclass(slots=True)
class Web:
    """answers: of its server. truths: of the pages to crawl, by address and path."""

    answers: Answers = field(default_factory=dict)
    truths: dict[tuple[str, str], Truth] = field(default_factory=dict)

    def add(self, address: str, path: str, html: str, truth: Truth) -> None:
        asked = urlsplit(url_address(f"http://{address}{path}").url)
        path = asked.path + (f"?{asked.query}" if asked.query else "")
        self.answers[address, path] = (_HTML, html.encode("utf-8", "replace"))
        self.truths[address, path] = truth


@dataclass(frozen=True, slots=True)
class _Story:
    title: str
    paragraphs: tuple[str, ...]

    @property
    def teaser(self) -> str:
        return " ".join(" ".join(self.paragraphs).split()[:30])

    @property
    def slug(self) -> str:
        return "-".join(_WORD.findall(self.title.lower())[:6]) or "story"


def of_part(pages: Sequence[LabelledPage], part: str) -> list[LabelledPage]:
    """The pages of ``train`` or ``test``."""
    return [page for page in pages if (_digest(_domain(page)) % 2 == 0) == (part == "train")]


def mixed_web(
    pages: Sequence[LabelledPage],
    scripts: Mapping[str, bytes],
    part: str,
    sites: int,
    *,
    scrolled: bool = False,
) -> Web:
    """A fifth of the pages need scripts: those of a quarter of the made sites.

    sites: how many are made. To the others' pages come as many real ones as it takes.
    scrolled: whether some of those that need scripts go on when their end is seen.
    """
    chance = Random(f"adaptive-{part}")
    stories = [story for page in pages if (story := _story(page))]
    chance.shuffle(stories)
    web = Web()
    needing = sites // 4
    scripted = (*SCRIPTED, SCROLLED) if scrolled else SCRIPTED
    views = [
        *(scripted[number % len(scripted)] for number in range(needing)),
        *(COMPLETE[number % len(COMPLETE)] for number in range(sites - needing)),
    ]
    for number, view in enumerate(views):
        _add_site(web, _address(number), view, stories, scripts, chance=Random(f"{part}-{number}"))
    wanted = max(0, 5 * needing * PAGES_A_SITE - sites * PAGES_A_SITE)
    _add_real(web, evenly(pages, wanted), first=sites)
    return web


def served_web(pages: Sequence[LabelledPage], number: int) -> Web:
    """Real pages as they came from their servers."""
    web = Web()
    _add_real(web, evenly(pages, number), first=0)
    return web


def _add_real(web: Web, pages: Sequence[LabelledPage], first: int) -> None:
    by_domain: defaultdict[str, list[LabelledPage]] = defaultdict(list)
    for page in pages:
        by_domain[_domain(page)].append(page)
    for number, own in enumerate(by_domain.values(), start=first):
        for count, page in enumerate(own):
            parts = urlsplit(page.url or f"https://example.com/page/{count}")
            path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            genre = GENRE_OF_TYPE.get(page.genre or "")
            web.add(_address(number), path, page.html, Truth(page.gold_text, genre, "real"))


def _add_site(
    web: Web,
    address: str,
    view: str,
    stories: list[_Story],
    scripts: Mapping[str, bytes],
    *,
    chance: Random,
) -> None:
    needs = view not in COMPLETE
    own = chance.sample(stories, PAGES_A_SITE + 20)
    path, folder = chance.choice(_PATHS), chance.choice(_FOLDERS)
    placed = [
        {
            "title": one.title,
            "teaser": one.teaser,
            "path": path.format(slug=one.slug, number=number),
        }
        for number, one in enumerate(own, start=chance.randrange(10, 9000))
    ]
    site = {
        "name": " ".join(own[0].title.split()[:2]),
        "titled": chance.random() < 0.7,
        "notice": chance.random() < (0.5 if needs else 0.1),
        "furnished": chance.random() < (0.7 if needs else 0.95),
        "waiting": chance.choice(["", "text", "spinner", "skeleton"]),
        "sections": [story.slug.split("-")[0] for story in own[:6]],
        "popular": placed[-6:],
        "imprint": " ".join(own[1].teaser.split() * chance.randrange(1, 4)),
    }
    names = {
        "mount": chance.choice(_MOUNTS),
        **{name: chance.choice(_CLASSES) for name in ("story", "list", "line")},
    }
    for number in range(PAGES_A_SITE):
        story, is_section = own[number], number < _SECTIONS
        chosen = chance.sample(placed, chance.randrange(10, 20)) if is_section else []
        place = folder if is_section else path
        at = place.format(slug=story.slug, number=number) if is_section else placed[number]["path"]
        content: dict[str, Any] = {
            "title": story.title,
            "line": f"By the editors of {site['name']}",
            "paragraphs": [] if is_section else story.paragraphs,
            "entries": chosen,
        }
        api = f"/api/{number}.json"
        data = orjson.dumps({**content, "remarks": [one.teaser for one in own[-4:]]})
        web.answers[address, api] = (_JSON, data)
        # What ends a script must not stand in one.
        safe = Markup(data.decode().replace("<", "\\u003c"))  # noqa: S704 - made for scripts
        page = {**content, "api": api, "json": safe}
        html = page_html(view, page=page, site=site, names=names)
        web.add(address, at, html, _truth(content, view, needs=needs))
    web.answers[address, "/site.css"] = (_CSS, _STYLE)
    for file, body in scripts.items():
        web.answers[address, file] = (_CSS if file.endswith(".css") else _JS, body)


def _truth(content: Mapping[str, Any], view: str, *, needs: bool) -> Truth:
    entries = (f"{one['title']}\n{one['teaser']}" for one in content["entries"])
    text = "\n".join((content["title"], *content["paragraphs"], *entries))
    return Truth(text, "list-view" if content["entries"] else "article", view, needs)


def _story(page: LabelledPage) -> _Story | None:
    """The text of an article of some length; None for others."""
    lines = [line.strip() for line in page.gold_text.splitlines() if line.strip()]
    if page.genre not in ("article", "documentation") or len(page.gold_text.split()) < 150:
        return None
    title = " ".join(lines[0].split()[:12])
    return _Story(title, tuple(line for line in lines[1:] if line != title)[:_LONGEST])


def _address(number: int) -> str:
    return f"127.0.{1 + number // 250}.{1 + number % 250}"


def _domain(page: LabelledPage) -> str:
    return registered_domain(page.url or "") or page.id


def _digest(text: str) -> int:
    return hashlib.blake2b(text.encode(), digest_size=4).digest()[0]
