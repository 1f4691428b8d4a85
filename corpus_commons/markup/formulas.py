"""Formulas, which pages contain several times: as MathML, as TeX source, rendered, and as pictures
with TeX for their text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from corpus_commons.markup.dom import Dom
    from corpus_commons.markup.tree import BoolArray, IntArray

MATH: Final = "math"
# A ``<meta>`` has the picture as its background.
_PICTURES: Final = frozenset(("img", "meta"))
_TEX_SCRIPT: Final = "math/tex"
_MATHJAX: Final = re.compile(r"\b(?:MathJax|mjx-)")
_DRAWN: Final = re.compile(r"\b(?:MathJax|mjx-|katex)")
# Of MathML, KaTeX, MathJax 2 and 3, and of scripts.
_DISPLAY: Final = re.compile(r"^block$|\bkatex-display\b|\bMathJax_Display\b|^true$|mode=display")
_DISPLAY_ATTRIBUTES: Final = ("class", "display", "type")
_TEX: Final = re.compile(r"(?:.*[/-])?(?:la)?tex", re.I)
# Jetpack and MediaWiki; QuickLaTeX.
_PICTURE_CLASS: Final = re.compile(r"(?:^|\s)(?:(?:la)?tex(?:\s|$)|ql-img-)")
# WordPress.com; CodeCogs; MimeTeX and MathTeX; Zhihu.
_PICTURE_ADDRESS: Final = re.compile(r"latex\.php|latex\.codecogs|latex\?|(?:mime|math)tex|\?tex=")


def repeats(dom: Dom) -> list[int]:
    """The elements that repeat a formula.

    The TeX is kept if there is one, because in the plain text of MathML ``x²`` and ``x2`` are the
    same.
    """
    if MATH not in dom.tag_codes[0]:
        return []
    return [*_other_forms(dom), *_drawings(dom)]


def drawn_formula(attributes: Mapping[str, str | None]) -> str:
    """The TeX that the ``<img>`` with these attributes is a picture of; empty for other pictures.

    >>> drawn_formula({"src": "/latex.php?latex=n%3D9", "alt": "n=9"})
    'n=9'
    """
    classes, address = attributes.get("class") or "", attributes.get("src") or ""
    # Most pictures have none of these, which is quickly seen.
    if not ("tex" in address or "tex" in classes or "ql-img-" in classes):
        return ""
    is_formula = _PICTURE_CLASS.search(classes) or _PICTURE_ADDRESS.search(address)
    # What screen readers are not to read repeats what they are.
    is_repeated = attributes.get("aria-hidden") == "true"
    return (attributes.get("alt") or "").strip() if is_formula and not is_repeated else ""


def formulas(dom: Dom) -> BoolArray:
    """For every node, whether it is in a formula that is marked as one."""
    if MATH not in dom.tag_codes[0] and not len(_tex_scripts(dom)):
        return np.zeros(len(dom), dtype=np.bool_)
    found = dom.has_tag({MATH})
    found[dom.attribute("class").where(_DRAWN.search)] = True
    found[sources(dom)] = True
    return dom.covered(np.flatnonzero(found))


def tex(dom: Dom) -> tuple[BoolArray, BoolArray]:
    """For every node, whether it is in the TeX of a formula; and whether that formula stands on
    lines of its own.
    """
    maths, scripts = dom.elements(MATH), sources(dom)
    if not len(maths) and not len(scripts):
        return (nowhere := np.zeros(len(dom), dtype=np.bool_)), nowhere
    annotations = [node for node in dom.elements("annotation").tolist() if _is_tex(dom, node)]
    pictures = np.intersect1d(maths, dom.attribute("alt").nodes)
    is_tex = dom.covered(np.concatenate([np.array(annotations, np.int64), pictures, scripts]))
    marked = [dom.attribute(name).where(_DISPLAY.search) for name in _DISPLAY_ATTRIBUTES]
    is_display = dom.covered(np.unique(np.concatenate(marked)))
    return is_tex & ~is_display, is_tex & is_display


def sources(dom: Dom) -> IntArray:
    """The scripts with TeX for MathJax, if that has not drawn them."""
    scripts = _tex_scripts(dom)
    if not len(scripts) or len(dom.attribute("class").where(_MATHJAX.search)):
        return scripts[:0]
    return scripts


def _tex_scripts(dom: Dom) -> IntArray:
    of_type = dom.attribute("type").where(lambda value: value.startswith(_TEX_SCRIPT))
    return of_type[dom.has_tag({"script"})[of_type]] if len(of_type) else of_type


def pictured(dom: Dom) -> Iterator[int]:
    """The elements with MathML for readers without pictures, followed by one of the formula.

    Wikipedia hides them, and shows the picture, which has no text.
    """
    if MATH not in dom.tag_codes[0]:
        return
    for math in dom.elements(MATH).tolist():
        parent = int(dom.parents[math])
        after = int(dom.ends[parent])
        # Some pages are indented.
        if after < len(dom) and dom.is_text[after] and not dom.has_text[after]:
            after += 1
        is_before_picture = after < len(dom) and dom.tags[after] in _PICTURES
        if is_before_picture and parent >= math - 2 and _is_all_of(dom, parent, math):
            yield parent


def _is_all_of(dom: Dom, element: int, math: int) -> bool:
    """Whether the element has no text outside this formula inside it."""
    around = dom.has_text[element : dom.ends[element]].sum()
    return bool(around == dom.has_text[math : dom.ends[math]].sum())


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
    for math in dom.elements(MATH).tolist():
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
