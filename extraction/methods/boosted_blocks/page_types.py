"""Of which type a page is taken to be, which decides how uncertain blocks are treated.

The method's own judgement of a page, from its blocks, is mostly right where it finds an article, or
is sure of another type. Otherwise, the HTML classifier is right more often: it reads the page's
names, links, metadata and URL.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from extraction.methods.boosted_blocks.page_judgement import ARTICLE
from genre_model.html.classifier import HtmlClassifier

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from extraction.methods.base import Parsed

    Scores = Mapping[str, float]

# A page that is at least so likely an article, or any type, is taken for what the method's own
# judgement says.
_LIKELY: Final = 0.5
_SURE: Final = 0.8


def page_types(pages: Sequence[Parsed], own: Sequence[Scores]) -> list[Scores]:
    """The probabilities of every page's types, from those of the method's own judgement.

    The classifier is only asked about pages of which the method is not sure, which are hardly
    articles, and which come without its scores.
    """
    known = [_known(page, its) for page, its in zip(pages, own, strict=True)]
    asked = iter(_asked([page for page, its in zip(pages, known, strict=True) if its is None]))
    return [next(asked) if its is None else its for its in known]


def _asked(pages: Sequence[Parsed]) -> list[Scores]:
    if not pages:
        return []
    found = HtmlClassifier.shipped().predict(
        [page.dom for page in pages], [page.url for page in pages]
    )
    return [prediction.page_type_scores for prediction in found]


def _known(page: Parsed, own: Scores) -> Scores | None:
    """What is to be taken for true; None if the classifier has to be asked."""
    if page.genre is not None:
        return {page.genre: 1.0}
    # A model without page types knows no policies.
    if not own or own.get(ARTICLE, 0.0) >= _LIKELY or max(own.values()) >= _SURE:
        return own
    return page.page_type_scores
