"""Genre-oriented content extraction: one algorithm for articles, one for list views.

B.-D. Nguyen-Hoang, B.-T. Pham-Hong, Y. Jin, P. T. V. Le: Genre-Oriented Web Content Extraction
with Deep Convolutional Neural Networks and Statistical Methods, sections 3.3.2 and 3.3.3.

The paper leaves details of its two algorithms open. Each is a field of ArticleReading or
ListViewReading. ``LITERAL_ARTICLE`` and ``LITERAL_LIST_VIEW`` are the literal readings of the
paper; the defaults were chosen by measurement (docs/explanation/methods/goce.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from corpus_commons.markup.dom import Dom
from corpus_commons.markup.measures import Counts, Measures
from corpus_commons.markup.tags import BLOCK_LEVEL
from corpus_commons.markup.tree import BoolArray
from extraction.methods.base import DomExtractor
from extraction.page.segmentation import segment
from extraction.result import Extraction

Unit = Literal["words", "characters"]
Counted = Literal["visible", "all"]

# Genres and page types for the list-view algorithm; all others use the article algorithm.
LIST_VIEW_GENRES = frozenset(("list-view", "forum", "collection", "listing"))

# Elements that divide a page. Paragraphs, headings, lists, quotations and figures only divide a
# text, so they belong to the section they are in.
SECTIONS = frozenset(
    "article aside body details dialog div fieldset footer form frameset header html main nav "
    "noscript search section table tbody td tfoot th thead tr".split()
)


@dataclass(frozen=True, slots=True)
class ArticleReading:
    """A reading of Algorithm 1.

    children: what counts as the children of an element.
        ``elements``: all its child elements.
        ``nodes``: its child elements and its text nodes.
        ``blocks``: the child elements that are block-level, or contain such an element.
        ``sections``: the child elements that are one of SECTIONS, or contain one; all other text of
        the element is one more child, and the algorithm ends at the element if that stands out.
    empty_children: whether children without text count for the deviation, and as an only child.
    unit: the unit of a text's length.
    counted: which text has a length: ``visible`` text, or ``all`` text including scripts and hidden
        text. Only visible text is ever kept.
    """

    children: Literal["elements", "nodes", "blocks", "sections"] = "sections"
    empty_children: bool = True
    unit: Unit = "words"
    counted: Counted = "visible"


@dataclass(frozen=True, slots=True)
class ListViewReading:
    """A reading of Algorithm 2.

    class_name: the ``whole`` attribute, its ``first`` class (often the name of a component,
        followed by its state or number), or ``each`` class as an identifier of its own.
    classless: the identifier of elements without a class: the empty name, shared by all elements at
        the same depth (``pool``) or by those with the same tag (``tag``), or none (``skip``).
    repeated: whether only identifiers that occur at least twice are considered.
    unit: the unit of the text length L.
    counted: as in ArticleReading.
    top: how many identifiers are kept by R, the paper's n.
    """

    class_name: Literal["whole", "first", "each"] = "first"
    classless: Literal["pool", "tag", "skip"] = "pool"
    repeated: bool = False
    unit: Unit = "words"
    counted: Counted = "visible"
    top: int = 15


LITERAL_ARTICLE = ArticleReading(children="elements", counted="all")
LITERAL_LIST_VIEW = ListViewReading(class_name="whole", counted="all")


class GoceArticle(DomExtractor):
    """Algorithm 1: descend into the child whose text is by far the longest (section 3.3.2)."""

    name = "goce-article"

    def __init__(self, reading: ArticleReading | None = None) -> None:
        self.reading = reading or ArticleReading()

    def extract_dom(self, dom: Dom, *, url: str | None, genre: str | None) -> Extraction:
        lengths = _own_lengths(dom, self.reading.unit, self.reading.counted)
        return _extraction(self, dom, [article_node(dom, lengths, self.reading)])


class GoceListView(DomExtractor):
    """Algorithm 2: keep all elements that look like the items of the list (section 3.3.3)."""

    name = "goce-list-view"

    def __init__(self, reading: ListViewReading | None = None) -> None:
        self.reading = reading or ListViewReading()

    def extract_dom(self, dom: Dom, *, url: str | None, genre: str | None) -> Extraction:
        lengths = _own_lengths(dom, self.reading.unit, self.reading.counted)
        return _extraction(self, dom, list_items(dom, lengths, self.reading))


class Goce(DomExtractor):
    """The algorithm for the page's genre; the one for articles if the genre is unknown.

    The article algorithm loses less on list views than the other one on articles.
    """

    name = "goce"

    def __init__(self) -> None:
        self.article = GoceArticle()
        self.list_view = GoceListView()
        # Their extractions are reported under this method's name.
        self.article.name = self.list_view.name = self.name

    def extract_dom(self, dom: Dom, *, url: str | None, genre: str | None) -> Extraction:
        algorithm = self.list_view if genre in LIST_VIEW_GENRES else self.article
        return algorithm.extract_dom(dom, url=url, genre=genre)


def article_node(dom: Dom, own_lengths: Counts, reading: ArticleReading) -> int:
    """The node that Algorithm 1 ends at.

    own_lengths: for every node, the length of its own text; 0 for elements.
    """
    lengths = dom.subtree_sums(own_lengths).tolist()
    is_child = _is_child(dom, own_lengths, reading).tolist()
    ends = dom.ends.tolist()
    node = 0
    while True:
        children = []
        child, end = node + 1, ends[node]
        while child < end:
            if is_child[child]:
                children.append(child)
            child = ends[child]
        sizes = [lengths[child] for child in children]
        if reading.children == "sections" and (own := lengths[node] - sum(sizes)):
            children.append(node)
            sizes.append(own)
        if not children or not _stands_out(sizes):
            return node
        largest = children[sizes.index(max(sizes))]
        if largest == node:
            return node
        node = largest


def _is_child(dom: Dom, own_lengths: Counts, reading: ArticleReading) -> BoolArray:
    """The nodes that count as a child of their parent in this reading."""
    if reading.children == "elements":
        is_child = ~dom.is_text
    elif reading.children == "nodes":
        is_child = ~dom.is_text | (own_lengths > 0)
    else:
        divides = dom.has_tag(SECTIONS if reading.children == "sections" else BLOCK_LEVEL)
        is_child = dom.subtree_sums(divides.astype(np.int32)) > 0
    if not reading.empty_children:
        is_child = is_child & (dom.subtree_sums(own_lengths) > 0)
    return is_child


def _stands_out(sizes: list[int]) -> bool:
    """Whether the largest exceeds the second by more than the sample standard deviation."""
    if len(sizes) == 1:
        return True
    second, largest = sorted(sizes)[-2:]
    return largest - second > float(np.std(sizes, ddof=1))


def list_items(dom: Dom, own_lengths: Counts, reading: ListViewReading) -> list[int]:
    """The elements with the identifier that Algorithm 2 chooses; none on a page without text.

    own_lengths: for every node, the length of its own text; 0 for elements.
    Of equal identifiers the first on the page wins.
    """
    elements, identifiers = _identified(dom, reading)
    o = np.bincount(identifiers)
    length = np.bincount(identifiers, weights=dom.subtree_sums(own_lengths)[elements])
    if reading.repeated:
        length[o < 2] = 0
    if not length.any():
        return []
    r = 2 * o * length / (o + length)
    top = np.argsort(-r, kind="stable")[: reading.top]
    winner = top[np.argmax(length[top] / o[top])]
    chosen: list[int] = elements[identifiers == winner].tolist()
    return chosen


def _identified(dom: Dom, reading: ListViewReading) -> tuple[Counts, Counts]:
    """Elements and the number of each one's identifier, which is its depth and class name.

    Identifiers are numbered in order of first occurrence.
    """
    elements: list[int] = []
    identifiers: list[int] = []
    number_of: dict[tuple[int, str, str], int] = {}
    nodes = np.flatnonzero(~dom.is_text)
    for node, depth in zip(nodes.tolist(), dom.depths[nodes].tolist(), strict=True):
        for name, tag in _names(dom, node, reading):
            elements.append(node)
            identifiers.append(number_of.setdefault((depth, name, tag), len(number_of)))
    return np.array(elements, dtype=np.int64), np.array(identifiers, dtype=np.int64)


def _names(dom: Dom, node: int, reading: ListViewReading) -> list[tuple[str, str]]:
    """Class name and tag of an element's identifiers; the tag is mostly empty."""
    classes = (dom.attributes[node].get("class") or "").split()
    if not classes:
        if reading.classless == "skip":
            return []
        return [("", dom.tags[node] if reading.classless == "tag" else "")]
    if reading.class_name == "first":
        return [(classes[0], "")]
    if reading.class_name == "whole":
        return [(" ".join(classes), "")]
    # A class that is written twice counts once.
    return [(name, "") for name in dict.fromkeys(classes)]


def _own_lengths(dom: Dom, unit: Unit, counted: Counted) -> Counts:
    measures = Measures(dom, None if counted == "visible" else dom.is_text)
    return measures.own_words if unit == "words" else measures.own_characters


def _extraction(method: DomExtractor, dom: Dom, chosen: list[int]) -> Extraction:
    """The text under the chosen nodes; the rest of the page is not segmented."""
    kept = dom.covered(np.array(chosen, dtype=np.int32))
    segmentation = segment(dom, dom.visible & kept)
    return method.extraction(segmentation, segmentation.block_of >= 0)
