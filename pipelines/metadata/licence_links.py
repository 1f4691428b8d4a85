"""Finds the licence of the page itself, in links and statements; that of a picture is another.

It is worse to call a protected page free than to overlook a licence. So a link to Creative Commons
alone says nothing: a statement, its place or its badge must.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

import numpy as np

from corpus_commons.markup.classes import nearest
from corpus_commons.markup.dom import Dom
from corpus_commons.markup.tags import UNSEEN
from pipelines.metadata.creative_commons import NAME, named

_DATA: Final[dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("licences.toml").read_text(encoding="utf-8")
)
_RELATIONS: Final = frozenset(_DATA["relations"].split())

# How far before and after a link to look: in characters, and in nodes.
_FAR = 100
_MOST_NODES = 40
_NEAR = 4
_MOST_ANCESTORS = 5
_LONGEST_TEXT = 2000
_LONGEST_TARGET = 20_000
# A page with more of them is about licences, or hostile.
_MOST_LINKS = 100


def _words(name: str) -> str:
    return rf"(?:(?<!\w)(?:{'|'.join(_DATA[name])})(?!\w)|{_DATA[f'unspaced_{name}']})"


# All are searched in lower case.
_HOST = re.compile(rf"\b(?:{_DATA['hosts']})\b")
_CREDIT = re.compile(rf"{_words('credits')}|{_HOST.pattern}")
_STATEMENT = re.compile(rf"{_words('subjects')}[^.!?。]{{0,60}}?{_words('grants')}[\W_]*$")
_LICENCES: Final = _DATA["licences"].split()
_CAPTION = re.compile(_DATA["captions"])
_PLACE = re.compile(_DATA["places"])
# Whoever stands after "by" made something that the page uses.
_NOTICE = re.compile(rf"(?!.*\bby\b).*(?:{_DATA['notices']})")
_OF_MEDIA = re.compile(_DATA["media"])
_HOME = "creativecommons.org/"
_ADDRESS = re.compile(r"\s*https?://.*")
_SENTENCE = re.compile(r"[.](?!\w)|[|•。]")


def marked(dom: Dom) -> Iterator[str]:
    """Targets of what is marked as the page's licence: by ``rel``, microdata or RDFa."""
    for node in islice(_marked(dom), _MOST_LINKS):
        is_credited = dom.tags[node] == "a" and _is_credit(dom, node)
        if not is_credited and not _is_of_media(dom, node):
            values = dom.attributes[node]
            target = values.get("href") or values.get("resource")
            address = _ADDRESS.match(values.get("content") or "")
            yield (target or (address[0] if address else ""))[:_LONGEST_TARGET]


def stated(dom: Dom) -> Iterator[str]:
    """Targets of links after a statement such as "content available under", and names after one."""
    # Stack Exchange has one for each of its posts; the question's is the first.
    for _, target in dom.attribute("data-se-share-sheet-license-url"):
        yield unquote(target[:_LONGEST_TARGET])
    for node in _links_in_lines(dom):
        if _is_stated(dom, node) and not _is_credit(dom, node):
            yield _target(dom, node)
    yield from islice(_names(dom), _MOST_LINKS)


def placed(dom: Dom) -> Iterator[str]:
    """Targets of links to Creative Commons that are badges, or stand where a page has its licence.

    There are none on a page that credits anything else with such a link.
    """
    targets = dom.attribute("href").where(lambda target: _HOME in target).tolist()
    links = [node for node in targets[:_MOST_LINKS] if dom.tags[node] == "a"]
    if not any(_is_credit(dom, node) for node in links):
        for node in links:
            if not _has_text(dom, node) or _is_placed(dom, node):
                yield _target(dom, node)


def _marked(dom: Dom) -> Iterator[int]:
    for attribute in ("rel", "itemprop", "property"):
        for node, names in dom.attribute(attribute):
            if not _RELATIONS.isdisjoint(names.lower().split()):
                yield node


def _names(dom: Dom) -> Iterator[str]:
    """Names of Creative Commons' licences in statements without a link."""
    for node in np.flatnonzero(dom.has_text).tolist():
        text = dom.texts[node]
        if ("CC" in text or "Commons" in text) and dom.tags[dom.parents[node]] not in UNSEEN:
            line = " ".join(text[:_LONGEST_TEXT].split())
            name = NAME.search(line)
            before = line[: name.start()].lower()[-_FAR:] if name else ""
            if name and _STATEMENT.search(before) and not _CREDIT.search(before):
                yield named(name)


def _links_in_lines(dom: Dom) -> list[int]:
    """The links before which their line has any text."""
    links = dom.elements("a")
    before = np.cumsum(dom.has_text)
    found: list[int] = links[before[links] > before[dom.containers[links]]].tolist()
    return found


def _is_stated(dom: Dom, link: int) -> bool:
    # Before most links stands nothing, or another link of a menu; that is found out fast.
    nearest_text = next(filter(None, dom.texts[link - 1 : link - _NEAR : -1]), "")
    if not nearest_text.strip():
        return False
    words = f"{nearest_text[-_FAR:]}{_text(dom, link)}{_target(dom, link)[:_FAR]}".lower()
    is_about_licence = any(word in words for word in _LICENCES)
    return is_about_licence and _STATEMENT.search(_on_line_before(dom, link)) is not None


def _is_placed(dom: Dom, link: int) -> bool:
    """Whether a link stands in a footer or the like, after nothing but a notice of copyright."""
    before = _SENTENCE.split(_on_line_before(dom, link))[-1].strip()
    is_notice = not before or _NOTICE.match(before) or _NOTICE.match(_text(dom, link))
    return bool(is_notice) and any(
        dom.tags[node] == "footer" or _PLACE.search(_names_of(dom, node))
        for node in nearest(dom, link, _MOST_ANCESTORS)
    )


def _on_line_before(dom: Dom, link: int) -> str:
    line = int(dom.containers[link])
    nodes = (node for node in _nodes_before(dom, link) if dom.containers[node] == line)
    return _folded("".join(dom.texts[node][-_FAR:] for node in nodes)[-_FAR:])


def _is_credit(dom: Dom, link: int) -> bool:
    """Whether a link is in the caption of a picture, or beside the words of a credit.

    A link without text that is alone in a figure is not a caption but the licence's badge.
    """
    before = "".join(dom.texts[node][-_FAR:] for node in _nodes_before(dom, link))
    if _CREDIT.search(_folded(before[-_FAR:])):
        return True
    after = _after(dom, link)
    if _has_text(dom, link):
        return bool(_HOST.search(after)) or _is_in_caption(dom, link)
    return bool(_CREDIT.search(after)) or _is_below_picture(dom, link)


def _nodes_before(dom: Dom, link: int) -> range:
    """The nodes before a link from the start of its line, or the nearest of them."""
    return range(max(int(dom.containers[link]), link - _MOST_NODES), link)


def _after(dom: Dom, link: int) -> str:
    """What follows a link in its sentence."""
    line, end = int(dom.containers[link]), int(dom.ends[link])
    nodes = range(end, min(int(dom.ends[line]), end + _MOST_NODES))
    after = "".join(dom.texts[node][:_FAR] for node in nodes)[:_FAR]
    return _SENTENCE.split(_folded(after))[0]


def _is_in_caption(dom: Dom, link: int) -> bool:
    return any(
        dom.tags[node] in {"figure", "figcaption"} or _CAPTION.search(_names_of(dom, node))
        for node in nearest(dom, link, _MOST_ANCESTORS)
    )


def _is_below_picture(dom: Dom, badge: int) -> bool:
    around = nearest(dom, badge, _MOST_ANCESTORS)
    figure = next((node for node in around if dom.tags[node] == "figure"), badge)
    return "img" in dom.tags[figure:badge]


def _is_of_media(dom: Dom, node: int) -> bool:
    """Whether an item of microdata or RDFa, such as a picture, has the property."""
    return any(
        _OF_MEDIA.search((dom.attributes[outer].get(name) or "")[-_FAR:].lower())
        for outer in nearest(dom, node, _MOST_ANCESTORS)
        for name in ("itemtype", "typeof", "about", "resource")
        if outer != node or name == "about"
    )


def _names_of(dom: Dom, node: int) -> str:
    """The classes and the id of an element."""
    values = (dom.attributes[node].get(name) or "" for name in ("class", "id"))
    return " ".join(value[: 2 * _FAR] for value in values).lower()


def _target(dom: Dom, link: int) -> str:
    return (dom.attributes[link].get("href") or "")[:_LONGEST_TARGET]


def _has_text(dom: Dom, link: int) -> bool:
    """Whether a link has words; those in a drawing are not shown."""
    return "svg" not in dom.tags[link : dom.ends[link]] and bool(
        dom.has_text[link : dom.ends[link]].any()
    )


def _text(dom: Dom, link: int) -> str:
    end = min(int(dom.ends[link]), link + _MOST_NODES)
    return _folded("".join(dom.texts[link:end])[:_FAR])


def _folded(text: str) -> str:
    return " ".join(text.lower().split())
