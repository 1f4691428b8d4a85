"""The sign of a static page: what its markup promises of what scripts would add."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Final

import numpy as np

from corpus_commons.empty_pages import Emptiness, PageText
from corpus_commons.empty_pages.phrases import phrases
from corpus_commons.markup.dom import Dom
from corpus_commons.markup.json_ld import json_ld_scripts


class Sign(StrEnum):
    """The strongest sign of a page, in this order."""

    WALL = "wall"
    """Empty, but not for want of a browser: an error, a wall, a parked domain."""
    EMPTY = "empty"
    """Holds nothing without a browser."""
    NO_SCRIPTS = "no-scripts"
    """Nothing that a browser would run or load into it."""
    TEMPLATE = "template"
    """Has placeholders of a template that scripts fill, such as ``{{ title }}``."""
    SHELL = "shell"
    """The element that an application is mounted on has no text."""
    NOTICE = "notice"
    """``<noscript>`` says that scripts are needed."""
    WAITING = "waiting"
    """Something says that it is being loaded, or is shaped like what is to come."""
    HOLLOW = "hollow"
    """A place for content, such as ``<main>`` or ``<ul id="results">``, has no text."""
    DATA = "data"
    """JSON-LD holds an article body that is much longer than the page's text."""
    HYDRATED = "hydrated"
    """Was rendered on the server by a framework of the client."""
    SCRIPTED = "scripted"
    """Any other page with scripts."""


_ROOTS: Final = frozenset(
    """root app __next __nuxt ___gatsby application react-root app-root vue-app main-app svelte
    svelte-app q-app ember-app spa mount app-mount approot reactroot""".split()
)
_PLACES: Final = frozenset(
    """article articles body-content comments content content-body entries entry feed grid items
    list listing main main-content news page-content post post-body post-content posts products
    results search-results stories story text thread threads topics""".split()
)
_PLACE_TAGS: Final = frozenset({"article", "main"})
_AROUND: Final = frozenset({"body", "main"})
_BOXES: Final = frozenset({"div", "section"})
# Attributes by which scripts fill elements: Vue, Alpine, AngularJS, Knockout.
_DIRECTIVES: Final = (
    *("v-for", "v-text", "v-html", "x-for", "x-text", "x-html"),
    *("ng-repeat", "ng-bind", "ng-bind-html", "ng-view", "data-ng-repeat", "data-ng-bind"),
)
_BINDING: Final = re.compile(r"\b(?:foreach|text|html)\s*:")
_PLACEHOLDER: Final = re.compile(r"\{\{[^{}]{1,80}\}\}")
_CODE: Final = frozenset({"code", "pre", "textarea", "kbd", "samp"})
_SHAPES: Final = re.compile(
    r"(?:^|[\s_-])(?:skeleton|shimmer|spinner|loader|loading)(?:$|[\s_-])", re.I
)
_HYDRATED: Final = (
    *("data-reactroot", "data-server-rendered", "ng-version", "ng-server-context", "data-hk"),
    *("data-hydrate", "data-sveltekit-hydrate", "data-island", "q:container"),
)
_STATE: Final = frozenset({"__next_data__", "__nuxt_data__", "___gatsby", "__next", "__nuxt"})
_SHOWN: Final = frozenset({"img", "picture", "video", "audio", "canvas", "svg", "input", "object"})
_NOTICE: Final = re.compile(r"java\s?script", re.I)
_ARTICLE_BODY: Final = re.compile(r'"articleBody"\s*:\s*"((?:[^"\\]|\\.)*)"')
_LONGEST_LOADING: Final = 30
# A main text that may lack something has fewer words; more of them, if the extractor doubts it.
_VERY_FEW_WORDS: Final = 40
_FEW_WORDS: Final = 150
_DOUBTFUL: Final = 0.5
# How many times longer than the page's text an article body in JSON-LD is, and at least, in
# characters.
_TIMES_LONGER: Final = 2
_LONG_BODY: Final = 500


def sign_of(page: PageText, empty: Emptiness | None) -> Sign:
    """The sign of a page as it was served, by its markup alone. empty: why it has no content.

    Of a long page, only whether it has scripts and was rendered on the server: it has its text, and
    looking for more would take as long as all other scanning of it.
    """
    if empty is not None:
        return Sign.EMPTY if empty.rendering_helps else Sign.WALL
    if not page.may_be_filled:
        return Sign.NO_SCRIPTS
    rules = _RULES[-1:] if page.is_long else _RULES
    return next((sign for sign, holds in rules if holds(page)), Sign.SCRIPTED)


def is_poor(words: int, confidence: float | None) -> bool:
    """Whether so little was found in a page that something may be missing.

    words: of its main text. confidence: of the extractor; None if it has none.

    >>> is_poor(300, 0.9), is_poor(12, 0.9), is_poor(120, 0.3)
    (False, True, True)
    """
    is_doubtful = confidence is not None and confidence < _DOUBTFUL
    return words < _VERY_FEW_WORDS or (is_doubtful and words < _FEW_WORDS)


def _has_template(page: PageText) -> bool:
    dom = page.dom
    if any(_is_any_shown(dom, dom.attribute(name).nodes) for name in _DIRECTIVES):
        return True
    if _is_any_shown(dom, dom.attribute("data-bind").where(_BINDING.search)):
        return True
    said = page.content & ~dom.covered(np.flatnonzero(dom.has_tag(_CODE)))
    return any(_PLACEHOLDER.search(dom.texts[node]) for node in np.flatnonzero(said).tolist())


def _is_shell(page: PageText) -> bool:
    dom = page.dom
    roots = [*dom.attribute("id").where(lambda name: name.lower() in _ROOTS).tolist()]
    (body,) = dom.elements("body").tolist()[:1] or (-1,)
    roots += [
        node for node in np.flatnonzero(dom.parents == body).tolist() if "-" in dom.tags[node]
    ]
    return any(_is_hollow(dom, node) for node in roots)


def _has_notice(page: PageText) -> bool:
    return bool(_NOTICE.search(page.notice))


def _is_waiting(page: PageText) -> bool:
    dom = page.dom
    busy = dom.attribute("aria-busy").where(lambda value: value.lower() == "true")
    if _is_any_shown(dom, busy):
        return True
    shapes = dom.attribute("class").where(_SHAPES.search)
    if any(dom.visible[node] and _is_hollow(dom, node) for node in shapes.tolist()):
        return True
    loading = phrases("loading")
    texts = (dom.texts[node].strip() for node in np.flatnonzero(page.content).tolist())
    return any(
        text.endswith(("...", "…")) and loading.are(text.rstrip(".… "))
        for text in texts
        if len(text) <= _LONGEST_LOADING
    )


def _is_hollow_somewhere(page: PageText) -> bool:
    dom = page.dom
    return any(_is_hollow(dom, node) for node in _places(dom))


def _has_data(page: PageText) -> bool:
    longest = max(map(len, _bodies(page.dom)), default=0)
    return longest > max(_LONG_BODY, _TIMES_LONGER * page.characters)


def _is_hydrated(page: PageText) -> bool:
    dom = page.dom
    names = {name.lower() for name in dom.attribute("id").values}
    return bool(names & _STATE) or any(len(dom.attribute(name).nodes) for name in _HYDRATED)


_RULES: Final[tuple[tuple[Sign, Callable[[PageText], bool]], ...]] = (
    (Sign.TEMPLATE, _has_template),
    (Sign.SHELL, _is_shell),
    (Sign.NOTICE, _has_notice),
    (Sign.WAITING, _is_waiting),
    (Sign.HOLLOW, _is_hollow_somewhere),
    (Sign.DATA, _has_data),
    (Sign.HYDRATED, _is_hydrated),
)


def _places(dom: Dom) -> Iterator[int]:
    """Elements that are for content by their names, or stand where a page has its content."""
    outer = dom.has_tag(_AROUND)[dom.parents] & (dom.parents >= 0)
    yield from np.flatnonzero(outer & dom.has_tag(_BOXES)).tolist()
    yield from np.flatnonzero(dom.has_tag(_PLACE_TAGS)).tolist()
    yield from dom.attribute("id").where(lambda name: name.lower() in _PLACES).tolist()
    yield from dom.attribute("role").where(lambda role: role.lower() == "main").tolist()


def _bodies(dom: Dom) -> Iterator[str]:
    for node in json_ld_scripts(dom):
        for text in dom.texts[node + 1 : int(dom.ends[node])]:
            yield from _ARTICLE_BODY.findall(text)


def _is_any_shown(dom: Dom, nodes: np.ndarray[tuple[int], np.dtype[np.int32]]) -> bool:
    return bool(dom.visible[nodes].any())


def _is_hollow(dom: Dom, node: int) -> bool:
    """Whether nothing is to be seen in an element, neither text nor a picture."""
    inside = slice(node + 1, int(dom.ends[node]))
    if (dom.lengths[inside] * dom.visible[inside]).any():
        return False
    return not any(tag in _SHOWN for tag in dom.tags[inside])
