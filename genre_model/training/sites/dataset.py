"""Photographs the pages of static sites into a folder of labelled pages.

    OUT/labels.jsonl     one line per page: id, repo, path, page_type, goce, subtype, ...
    OUT/shots/ID.jpg     320 pixels wide (1280 CSS px / 4), at most 960 high
    OUT/html.jsonl.zst   one line per page: id and the DOM, without scripts
    OUT/pictures/        the pictures that stand for missing ones

Labels come last, so a site is done once it is in labels.jsonl; what an interrupted run left of
another site is written again.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import zstandard
from playwright.async_api import Error as BrowserError

from corpus_commons.counts import number_of
from corpus_commons.durable_files import replace_file
from corpus_commons.json_text import dumps
from genre_model.page_files import html_lines
from genre_model.samples import labels_file, read_samples
from genre_model.training.sites.camera import (
    Photograph,
    SiteCamera,
    UnstyledError,
    site_camera,
)
from genre_model.training.sites.static_site import StaticSite
from genre_model.training.sites.structure import Label, label_of
from genre_model.training.synthesis.pictures import make_pictures

_TABS: Final = 3
_MOST_READ: Final = 3_000
_LEAST_WORDS: Final = 40

Report = Callable[[str], None]


@dataclass(frozen=True)
class Selection:
    """How many pages a site gives at most: in all, and with the same label by the same rule."""

    pages: int = 24
    alike: int = 5


@dataclass(frozen=True)
class Candidate:
    path: str
    label: Label


def candidates(site: StaticSite, selection: Selection) -> tuple[list[Candidate], int]:
    """Labelled pages of a site, as many kinds as there are; the same ones for the same folder.

    Also how many of those looked at have no label.
    """
    pages = sorted(site.pages(), key=lambda path: hashlib.sha256(path.encode()).digest())
    chosen: list[Candidate] = []
    taken: Counter[Label] = Counter()
    unlabelled = 0
    for path in _front_first(pages)[:_MOST_READ]:
        if len(chosen) == selection.pages:
            break
        label = label_of(path, site.read(path))
        if label is None:
            unlabelled += 1
        elif taken[label] < selection.alike:
            taken[label] += 1
            chosen.append(Candidate(path, label))
    return chosen, unlabelled


def photograph(site: StaticSite, out: Path, selection: Selection, report: Report) -> int:
    """Add a site's pages to the folder, unless it has them already; returns their number."""
    (out / "shots").mkdir(parents=True, exist_ok=True)
    if done := _pages_by_site(out)[site.name]:
        report(f"{site.name}: done before")
        return done
    chosen, unlabelled = candidates(site, selection)
    if chosen:
        make_pictures(out / "pictures")
    stock = sorted((out / "pictures").glob("*.jpg"))
    shots, failed = asyncio.run(_shots(site, chosen, stock))
    _save(site, out, shots)
    if unlabelled:
        failed["without a label"] = unlabelled
    reasons = ", ".join(f"{count} {reason}" for reason, count in failed.most_common())
    report(
        f"{site.name}: {number_of(len(shots), 'page')}"
        + (f"; not kept: {reasons}" if reasons else "")
    )
    return len(shots)


async def _shots(
    site: StaticSite, chosen: Sequence[Candidate], stock: Sequence[Path]
) -> tuple[list[tuple[Candidate, Photograph]], Counter[str]]:
    shots: list[tuple[Candidate, Photograph]] = []
    failed: Counter[str] = Counter()

    async def work(camera: SiteCamera, left: Iterator[Candidate]) -> None:
        for candidate in left:
            try:
                shot = await camera.shoot(candidate.path)
            except UnstyledError:
                failed["without style sheet"] += 1
            except BrowserError:
                failed["not rendered"] += 1
            else:
                if shot.words < _LEAST_WORDS:
                    failed["with too few words"] += 1
                else:
                    shots.append((candidate, shot))

    if chosen:
        left = iter(chosen)
        async with site_camera(site, stock) as camera:
            await asyncio.gather(*(work(camera, left) for _ in range(_TABS)))
    return sorted(shots, key=lambda pair: pair[0].path), failed


def _save(site: StaticSite, out: Path, shots: Sequence[tuple[Candidate, Photograph]]) -> None:
    labels: list[bytes] = []
    pages: dict[str, str] = {}
    ranks: defaultdict[str, int] = defaultdict(int)
    for candidate, shot in shots:
        name = hashlib.sha256(f"{site.name}/{candidate.path}".encode()).hexdigest()[:14]
        (out / "shots" / f"{name}.jpg").write_bytes(shot.jpeg)
        pages[name] = shot.html
        ranks[candidate.label.page_type] += 1
        label = _line(name, site, candidate, shot) | {"rank": ranks[candidate.label.page_type]}
        labels.append(dumps(label) + b"\n")
    if labels:
        _add_html(out / "html.jsonl.zst", pages)
        known = out / "labels.jsonl"
        before = known.read_bytes() if known.exists() else b""
        end = b"" if before.endswith(b"\n") or not before else b"\n"
        replace_file(known, before + end + b"".join(labels))


def _line(name: str, site: StaticSite, candidate: Candidate, shot: Photograph) -> dict[str, Any]:
    return {
        "id": name,
        "repo": site.name,
        "path": candidate.path,
        "page_type": candidate.label.page_type,
        "goce": candidate.label.genre,
        "subtype": candidate.label.rule,
        "lang": shot.lang,
        "width": shot.width,
        "height": shot.height,
        "words": shot.words,
    }


def _add_html(path: Path, pages: dict[str, str]) -> None:
    """Add pages to the file; they replace those that an interrupted run left."""
    merged = _html(path) | pages
    lines = (dumps({"id": name, "html": html}) for name, html in merged.items())
    replace_file(path, zstandard.compress(b"".join(line + b"\n" for line in lines)))


def check_folder(out: Path) -> None:
    """Raises ValueError, naming file and line, if pages cannot be added to what is there."""
    _pages_by_site(out)
    _html(out / "html.jsonl.zst")


def _pages_by_site(out: Path) -> Counter[str | None]:
    """The number of pages by site; pages of other tools may have none."""
    pages = read_samples(out) if labels_file(out).exists() else []
    return Counter(page.said("repo") for page in pages)


def _html(path: Path) -> dict[str, str]:
    return dict(html_lines(path)) if path.exists() else {}


def _front_first(pages: Sequence[str]) -> list[str]:
    return sorted(pages, key=lambda path: path != "index.html")
