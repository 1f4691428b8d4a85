"""CleanEval's public layouts: pages in one folder, gold text in another.

The final run (https://sigwac.org.uk/cleaneval/) has ``finalrun-input/N.html`` and
``GoldStandard/N.txt``, its development set ``en-original/N.html`` and ``en-cleaned/N-cleaned.txt``,
and Web2Text's copy ``orig/N.html`` and ``clean/N.txt``. A gold file begins with a ``URL:`` line and
marks each segment with ``<h>``, ``<p>`` or ``<l>``; a page may be wrapped in
``<text id="URL" title="…" encoding="…">``. Some 60 pages of the final run have no gold text; they
are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from corpus_commons.markup.encoding import decode
from evaluation.datasets.files import read_bytes, read_text
from extraction.labelled import LabelledPage

LAYOUT = "finalrun-input/ and GoldStandard/ (CleanEval)"

_FOLDERS = (
    ("finalrun-input", "GoldStandard"),
    ("en-original", "en-cleaned"),
    ("orig", "clean"),
)
_GOLD_SUFFIXES = (".txt", "-cleaned.txt")

_URL_LINE = re.compile(r"\A\s*URL:?[^\S\n]*(\S*)[^\n]*\n?")
_SEGMENT_BREAK = re.compile(r"</?[phl]>|\n[^\S\n]*\n", re.IGNORECASE)
# Rules made of underscores, which come from the text browser, not from the page.
_RULE_LINE = re.compile(r"^[^\S\n]*_{3,}+(?:[^\S\n]|_)*+$", re.MULTILINE)
_RULE = re.compile(r"[-_*=]{5,}")
_WRAPPER = re.compile(rb"\A\s*<text\s([^>]*)>[^\S\n]*\n?", re.IGNORECASE)
_WRAPPER_END = re.compile(rb"</text>\s*\Z", re.IGNORECASE)
_ATTRIBUTE = re.compile(rb'(\w+)="([^"]*)"')


def fits(path: Path) -> bool:
    return bool(_folders(path))


def read(path: Path) -> Iterator[LabelledPage]:
    """The pages that have gold text, by number."""
    pages, gold = _folders(path)
    for page in sorted(pages.glob("*.html"), key=lambda file: (len(file.stem), file.stem)):
        for suffix in _GOLD_SUFFIXES:
            gold_file = gold / f"{page.stem}{suffix}"
            if gold_file.is_file():
                yield _labelled(page, gold_file)
                break


def plain_text(tagged: str) -> str:
    r"""The text of CleanEval's gold: one segment per line, without markers and rules.

    >>> plain_text("<h>Title\n\n<p>One line\n   and more.\n_____\n<l> * item")
    'Title\nOne line and more.\n* item'
    """
    segments = _SEGMENT_BREAK.split(_RULE_LINE.sub("\n\n", tagged))
    lines = (" ".join(_RULE.sub("", segment).split()) for segment in segments)
    return "\n".join(line for line in lines if line)


def _folders(path: Path) -> tuple[Path, ...]:
    """The folders of pages and of gold text in ``path``; none if it is not a CleanEval folder."""
    for names in _FOLDERS:
        folders = tuple(path / name for name in names)
        if all(folder.is_dir() for folder in folders):
            return folders
    return ()


def _labelled(page: Path, gold_file: Path) -> LabelledPage:
    gold = read_text(gold_file)
    url_line = _URL_LINE.match(gold)
    tagged = gold[url_line.end() :] if url_line else gold
    body, attributes = _unwrapped(read_bytes(page))
    url = (url_line[1] if url_line else "") or attributes.get("id")
    title = attributes.get("title")
    return LabelledPage(
        id=page.stem,
        html=decode(body, attributes.get("encoding")),
        gold_text=plain_text(tagged),
        url=url or None,
        gold_tagged=tagged,
        meta={"title": title} if title else {},
    )


def _unwrapped(page: bytes) -> tuple[bytes, dict[str, str]]:
    """A page without its wrapper, and the wrapper's attributes."""
    wrapper = _WRAPPER.match(page)
    if not wrapper:
        return page, {}
    attributes = {
        name.decode().lower(): value.decode(errors="replace")
        for name, value in _ATTRIBUTE.findall(wrapper[1])
    }
    return _WRAPPER_END.sub(b"", page[wrapper.end() :]), attributes
