"""The dateline: the visible date of a page that declares none in its metadata.

On 195 pages of WCXB, the first date after a heading is the day of publication in 94 % of cases; if
it is labelled as an update, in half of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from heapq import merge
from itertools import islice, pairwise

from corpus_commons.markup.classes import classed, nearest
from corpus_commons.markup.dom import Dom
from corpus_commons.markup.tags import TEXT, UNSEEN
from pipelines.metadata.dates.languages import event_pattern
from pipelines.metadata.dates.publication import LONGEST, parsed
from pipelines.metadata.dates.written_dates import ERA, may_be_unread

# Visible characters between the heading and the date, at most.
_FAR_AFTER = 300
_FAR_BEFORE = 100
# Nodes to search on either side of a heading; a few tens are usual.
_MOST_NODES = 400
_MOST_HEADINGS = 5

# In nodes: an element that is made for a date holds little else.
_LARGEST_ELEMENT = 30
_MOST_ELEMENTS = 2000
_MOST_ANCESTORS = 4
_MOST_ANCESTORS_OF_THINGS = 8
_POSTS_TO_COMPARE = 6

# A dateline with two dates, or a time of day and an author.
_LONGEST_DATELINE = 120
# Of a text with the white space of its source.
_LONGEST_RAW = 2000
_BETWEEN = re.compile(r"\s[|/·•–—-]\s(?=[^\W\d])")
# A time of day, or a sign that separates parts.
_NO_SENTENCE = re.compile(r"\d[:h]\d\d|\s[|·•]\s")

# A label before a date, such as "Updated:".
_LONGEST_LABEL = 40
_NODES_TO_LABEL = 10

_UPDATE = event_pattern("update")
_OTHER_EVENT = event_pattern("other")
# Also the end of a date with a year of two digits.
_YEAR = re.compile(rf"\d{{4}}|(?<=\d\d\.\d\d\.)\d\d|{ERA}")
_FOR_DATES = re.compile(r"date|time|publish|posted|author|byline")
# HTML's, and GitHub's.
_WITH_DATETIME = frozenset(("time", "relative-time"))
# Near a heading; elsewhere, the titles of ages are those of comments.
_WITH_TITLE = frozenset(("span", "abbr"))
# Of SMF, in all its versions.
_ABOVE_POSTS = re.compile(r"(?<!\S)(?:keyinfo|postinfo)(?!\S)")
# MediaWiki's table of facts, and what The Events Calendar shows of an event.
_OF_THINGS = re.compile(r"(?<!\S)infobox|tribe-events")
_LONGEST_CLASS = 500
_FOR_OTHER_PAGES = re.compile(r"related|recent|card|sidebar|widget|comment|review|releas")


def by_heading(dom: Dom, language: str, *, updates: bool = False) -> Iterator[str]:
    """Texts with a date, or ``datetime`` or ``title`` with one, near an ``<h1>``.

    First those after the headings, as on most sites, then those before; nearest first.

    language: the value of ``<html lang>``.
    updates: only dates that are labelled as an update, instead of only those that are not.
    """
    headings = dom.elements("h1")[:_MOST_HEADINGS].tolist()
    for heading in headings:
        after = range(int(dom.ends[heading]), len(dom))
        yield from _near(dom, after, _FAR_AFTER, language, updates)
    for heading in headings:
        yield from _near(dom, range(heading - 1, -1, -1), _FAR_BEFORE, language, updates)


def above_first_post(dom: Dom, language: str) -> Iterator[str]:
    """The date above the first post of a thread, where the forum's software has a class for that.

    Such software may show the time of the visit, which would be taken for the date of the thread.
    """
    return _first(_in_elements(dom, classed(dom, _ABOVE_POSTS)), language)


def of_first_post(dom: Dom, language: str) -> Iterator[str]:
    """The first date in an element made for dates, if the following ones are not earlier."""
    elements = merge(classed(dom, _FOR_DATES), dom.elements("time").tolist())
    return _first(_in_elements(dom, elements), language)


def _first(texts: list[str], language: str) -> Iterator[str]:
    """The first date, if the following ones are not earlier.

    In a thread, the dates of posts ascend; descending dates belong to a list of other pages.
    """
    dates = [(found, text) for text in texts if (found := parsed(text, language))]
    days = [found.isoformat()[:10] for found, _ in dates]
    if all(day <= later for day, later in pairwise(days)):
        yield from (text for _, text in dates[:1])


def _near(dom: Dom, nodes: Iterable[int], far: int, language: str, updates: bool) -> Iterator[str]:
    """The dates among the nodes, up to a distance of ``far`` characters."""
    gone_by = 0
    for node in islice(nodes, _MOST_NODES):
        text = _shown(dom, node) or _entitled(dom, node)
        if _may_be_date(dom, node, text, updates):
            yield text
            if may_be_unread(text, language):
                # This is probably the date, in a format that is not understood: look no further.
                return
        gone_by += len(text) if dom.tags[node] == TEXT else 0
        if gone_by > far:
            return


def _in_elements(dom: Dom, elements: Iterable[int]) -> list[str]:
    """The first dates in these elements."""
    chosen = [*islice(elements, _MOST_ELEMENTS)]
    if not chosen:
        return []
    of_other_pages = set(classed(dom, _FOR_OTHER_PAGES))
    dates: list[str] = []
    seen = 0
    for node in chosen:
        end = int(dom.ends[node])
        if node < seen or end - node > _LARGEST_ELEMENT:
            continue
        if not of_other_pages.isdisjoint(nearest(dom, node, _MOST_ANCESTORS)):
            continue
        seen = end
        texts = ((inner, _shown(dom, inner)) for inner in range(node, end))
        dates += [text for inner, text in texts if _may_be_date(dom, inner, text)]
        if len(dates) >= _POSTS_TO_COMPARE:
            break
    return dates


def _shown(dom: Dom, node: int) -> str:
    """A visible text, or the ``datetime`` of an element for times; empty for any other node."""
    tag = dom.tags[node]
    if tag == TEXT:
        return "" if dom.tags[dom.parents[node]] in UNSEEN else _dateline(dom.texts[node])
    return (dom.attributes[node].get("datetime") or "").strip() if tag in _WITH_DATETIME else ""


def _dateline(text: str) -> str:
    """The text on one line; of a long one that may be a dateline, the beginning.

    If it says first when the page was updated, and then when it was published, only the latter.
    """
    line = " ".join(text[:_LONGEST_RAW].split())
    if len(line) > _LONGEST_DATELINE:
        return line
    first, *others = _BETWEEN.split(line)
    dated = next((part for part in others if _YEAR.search(part)), "")
    if dated and _UPDATE.search(first) and not _UPDATE.search(dated):
        return dated
    is_long = len(line) > LONGEST and _NO_SENTENCE.search(line) is not None
    return line[: LONGEST + 1].rpartition(" ")[0] if is_long else line


def _entitled(dom: Dom, node: int) -> str:
    """The ``title`` of an element that may show an age, such as "3 days ago"."""
    is_age = dom.tags[node] in _WITH_TITLE
    return (dom.attributes[node].get("title") or "").strip() if is_age else ""


def _may_be_date(dom: Dom, node: int, text: str, updates: bool = False) -> bool:
    """Whether the text has a year and, as ``updates`` says, is or is not labelled as an update."""
    year = _YEAR.search(text) if len(text) <= LONGEST else None
    if year is None:
        return False
    words = f"{_label(dom, node)} {text[: year.start()]}"
    if bool(_UPDATE.search(words)) is not updates or _OTHER_EVENT.search(words):
        return False
    around = nearest(dom, node, _MOST_ANCESTORS_OF_THINGS)
    classes = ((dom.attributes[outer].get("class") or "")[:_LONGEST_CLASS] for outer in around)
    return not any(map(_OF_THINGS.search, classes))


def _label(dom: Dom, node: int) -> str:
    """The nearest text before a node, if it may be the label of a date: short, and no title."""
    before = range(node - 1, max(-1, node - _NODES_TO_LABEL), -1)
    label = next((other for other in before if dom.texts[other].strip()), None)
    if label is None or "h1" in {dom.tags[outer] for outer in nearest(dom, label, _MOST_ANCESTORS)}:
        return ""
    text = dom.texts[label].strip()
    return "" if len(text) > _LONGEST_LABEL or _YEAR.search(text) else text
