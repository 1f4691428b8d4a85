"""Corrects the probabilities of a page's blocks by what is known of the other pages of its site.

The trees judge a page by itself, and make the same mistake on all pages of a template. What other
pages say about a block's text and place therefore corrects their log odds in a linear model: few
weights, because few sites with several labelled pages are there to learn from, and what the trees
learned from all others must stay.
"""

from __future__ import annotations

import re
import zlib
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from extraction.site_memory import Blocks, PageMarks, key_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corpus_commons.markup.attribute import Attribute
    from corpus_commons.markup.dom import Dom
    from extraction.methods.boosted_blocks.decoding import Floats
    from extraction.methods.boosted_blocks.view import PageView
    from extraction.site_memory import Hashes, Known, SiteMemory

# A place is the block's container and its ancestors, up to this many elements.
_LEVELS: Final = 4
# Names with digits are those of single elements: post-123.
_NUMBERED = re.compile(r"\S*\d\S*")
_DIGITS: Final = str.maketrans("123456789", "0" * 9)
_FACTORS: Final = tuple(np.uint32(factor) for factor in (0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D))
# The names of these tell what kind of page it is, which several templates share.
_ROOTS: Final = frozenset(("html", "body"))
# Probabilities are not trusted beyond these.
_LEAST, _MOST = 0.003, 0.997
# So many pages in agreement count as one unit of evidence; more count little more.
_SEVERAL: Final = 5
_MOST_EVIDENCE: Final = 1.3
# A text of this many words is more than a label.
_LONG: Final = 6

NO_BLOCKS: Final = Blocks(
    np.empty(0, dtype=np.uint32), np.empty(0, dtype=np.uint32), np.empty(0, dtype=np.float32)
)


class PageOnSite(NamedTuple):
    """A page, and the memory of its site.

    headings: for every block, whether it is one.
    """

    memory: SiteMemory
    key: int
    blocks: Blocks
    headings: npt.NDArray[np.bool_]

    def marks(self, probabilities: Floats) -> PageMarks:
        return PageMarks.of(self.key, self.blocks, probabilities)

    def known(self, probabilities: Floats) -> Known:
        return self.memory.known(self.key, self.blocks, probabilities)

    def corrected(
        self, probabilities: Floats, known: Known, article: float, weights: Sequence[float]
    ) -> Floats:
        """The probabilities of the blocks, given the other pages of the site.

        article: the probability that the page is an article. weights: of the ``evidence``.
        """
        if not known.pages:
            return probabilities
        columns = evidence(self, probabilities, known, article)
        corrected: Floats = 1 / (1 + np.exp(-(log_odds(probabilities) + columns @ weights)))
        return corrected


def of_site(memory: SiteMemory | None, view: PageView, url: str | None) -> PageOnSite | None:
    """The page with the memory of its site, if there is one."""
    if memory is None:
        return None
    return PageOnSite(memory, key_of(url, view.texts), blocks_of(view), headings(view))


def evidence(
    page: PageOnSite, probabilities: Floats, known: Known, article: float
) -> npt.NDArray[np.float64]:
    """What the linear model adds to the log odds, up to its weights: (blocks, columns)."""
    odds = log_odds(probabilities)
    has_place = ~np.isnan(known.place_probability)
    of_place = np.where(has_place, log_odds(np.nan_to_num(known.place_probability)), odds)
    pages, with_place, with_text = (
        _amount(share * known.pages) for share in (np.ones(len(odds)), known.place, known.text)
    )
    other_text = known.place - known.both
    return np.column_stack(
        [
            (page.blocks.words >= _LONG) * with_text * article,
            with_text * article,
            pages,
            pages * odds,
            ~has_place * pages,
            ~has_place * pages * odds,
            with_place * (of_place - odds),
            with_place * other_text,
            known.text > 0,
            with_text,
            with_text * odds,
            with_text * known.both,
            page.headings * pages,
            page.headings * other_text,
        ]
    )


# What is known before training: an article does not repeat sentences of other articles. Labelled
# sites have hardly any that do, but for short labels, such as "Pros" and "Cons".
PRIOR: Final = (-3.0, *[0.0] * 13)


def headings(view: PageView) -> npt.NDArray[np.bool_]:
    """For every block, whether it is a heading."""
    return np.array([kind == "heading" for kind in view.segmentation.kinds], dtype=np.bool_)


def blocks_of(view: PageView) -> Blocks:
    """The hashes of the texts and the places of a page's blocks."""
    texts = [zlib.crc32(_normalised(text)) for text in view.texts]
    return Blocks(np.array(texts, dtype=np.uint32), _places(view), view.words)


def _normalised(text: str) -> bytes:
    """The text without differences in case, white space and numbers."""
    return " ".join(text.lower().split()).translate(_DIGITS).encode("utf-8", "surrogatepass")


def _places(view: PageView) -> Hashes:
    builds = _builds(view.dom)
    parents = view.dom.parents
    nodes = view.containers
    places = np.zeros(len(view), dtype=np.uint32)
    for _ in range(_LEVELS):
        places = places * _FACTORS[0] + np.where(nodes >= 0, builds[nodes], 0)
        nodes = np.where(nodes >= 0, parents[nodes], -1)
    return places.astype(np.uint32)


def _builds(dom: Dom) -> Hashes:
    """For every node, a hash of its tag, its class and its id."""
    tags, codes = dom.tag_codes
    builds: Hashes = np.array([zlib.crc32(tag.encode()) for tag in tags], dtype=np.uint32)[codes]
    names = np.zeros_like(builds)
    for attribute, factor in zip(("class", "id"), _FACTORS[1:], strict=True):
        _add_names(names, dom.attribute(attribute), factor)
    names[dom.has_tag(_ROOTS)] = 0
    return builds + names


def _add_names(names: Hashes, attribute: Attribute, factor: np.uint32) -> None:
    values = [
        zlib.crc32(" ".join(sorted(_NUMBERED.sub("", value).split())).encode("utf-8", "replace"))
        for value in attribute.values
    ]
    names[attribute.nodes] += np.array(values, dtype=np.uint32)[attribute.codes] * factor


def log_odds(probabilities: Floats) -> Floats:
    """The logarithms of the odds, within limits."""
    limited = np.clip(probabilities, _LEAST, _MOST)
    odds: Floats = np.log(limited / (1 - limited))
    return odds


def _amount(pages: Floats) -> Floats:
    """How much evidence so many pages are: 1 for _SEVERAL."""
    amount: Floats = np.minimum(np.log1p(pages) / np.log1p(_SEVERAL), _MOST_EVIDENCE)
    return amount
