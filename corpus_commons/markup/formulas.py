"""Formulas, which pages contain several times: as MathML, as TeX source, and rendered."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from corpus_commons.markup.dom import Dom
    from corpus_commons.markup.tree import IntArray

# A ``<meta>`` has the picture as its background.
_PICTURES: Final = frozenset(("img", "meta"))
_TEX_SCRIPT: Final = "math/tex"
_MATHJAX: Final = re.compile(r"\b(?:MathJax|mjx-)")
_TEX: Final = re.compile(r"(?:.*[/-])?(?:la)?tex", re.I)


def repeats(dom: Dom) -> list[int]:
    """The elements that repeat a formula.

    The TeX is kept if there is one, because in the plain text of MathML ``x²`` and ``x2`` are the
    same.
    """
    if "math" not in dom.tag_codes[0]:
        return []
    return [*_other_forms(dom), *_drawings(dom)]


def sources(dom: Dom) -> IntArray:
    """The scripts with TeX for MathJax, if that has not drawn them."""
    of_type = dom.attribute("type").where(lambda value: value.startswith(_TEX_SCRIPT))
    if not len(of_type) or len(dom.attribute("class").where(_MATHJAX.search)):
        return of_type[:0]
    return of_type[dom.has_tag({"script"})[of_type]]


def pictured(dom: Dom) -> Iterator[int]:
    """The elements with MathML for readers without pictures, followed by one of the formula.

    Wikipedia hides them, and shows the picture, which has no text.
    """
    if "math" not in dom.tag_codes[0]:
        return
    for math in dom.elements("math").tolist():
        parent, end = int(dom.parents[math]), int(dom.ends[math])
        if parent == math - 1 and dom.ends[parent] == end < len(dom) and dom.tags[end] in _PICTURES:
            yield parent


def _other_forms(dom: Dom) -> Iterator[int]:
    """The children of ``<semantics>`` except the TeX, or, without TeX, except the first one."""
    for semantics in dom.elements("semantics").tolist():
        forms = parts_of(dom, semantics)
        kept = next((form for form in forms if _is_tex(dom, form)), forms[0] if forms else -1)
        yield from (form for form in forms if form != kept)


def _is_tex(dom: Dom, form: int) -> bool:
    if dom.tags[form] != "annotation" or not dom.has_text[form : dom.ends[form]].any():
        return False
    return _TEX.fullmatch(dom.attributes[form].get("encoding") or "") is not None


def _drawings(dom: Dom) -> Iterator[int]:
    """Elements hidden from screen readers next to MathML for them, as by KaTeX and MathJax."""
    parents, ends = dom.parents.tolist(), dom.ends.tolist()
    before, after = set(), set()
    for math in dom.elements("math").tolist():
        parent = parents[math]
        is_all = parent == math - 1 and ends[parent] == ends[math]
        for formula in (math, parent) if is_all else (math,):
            before.add((parents[formula], formula))
            after.add((parents[formula], ends[formula]))
    for node in dom.attribute("aria-hidden").where(lambda value: value == "true").tolist():
        if (parents[node], ends[node]) in before or (parents[node], node) in after:
            yield node


def parts_of(dom: Dom, element: int) -> list[int]:
    """The elements right inside an element."""
    inside = slice(element + 1, int(dom.ends[element]))
    parts = (dom.parents[inside] == element) & ~dom.is_text[inside]
    found: list[int] = (np.flatnonzero(parts) + inside.start).tolist()
    return found
