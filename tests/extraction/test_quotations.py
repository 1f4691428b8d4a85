"""Posts of a thread that others quote."""

from __future__ import annotations

import numpy as np
import pytest
from structured import ARTICLE, NEVER, OTHER, SURE, UNLIKELY, view_of

from extraction.methods.boosted_blocks.decoding import Policy
from extraction.methods.boosted_blocks.structures import decide_structures

ASKED = "Why was the plane moved into the paint hangar yesterday evening?"
ANSWER = "Perhaps to get its new colours, which it was promised last year."
POST = f"<div><div><p>{ASKED}</p></div></div>"
NAMED = "<p>Mary wrote:</p>"
QUOTATION = f"<blockquote>{NAMED}<p>{ASKED}</p></blockquote>"
# As likely as a post that others quote more often is found to be.
LESS = 0.7


def kept_of(quotation: str, of=OTHER, *, of_post: float = LESS, post: str = POST) -> list[str]:
    """What is kept of a thread in which the first post is less likely than all that follows."""
    page = view_of(f"<main>{post}<div><div>{quotation}<p>{ANSWER}</p></div></div></main>")
    chances = np.full(len(page), SURE)
    chances[page.texts.index(ASKED)] = of_post
    kept = decide_structures(chances, page, Policy(), of)
    return [page.texts[block] for block in np.flatnonzero(kept)]


@pytest.mark.parametrize(
    "quotation",
    [
        QUOTATION,
        f"<div class='bbCodeBlock bbCodeQuote'>{NAMED}<div>{ASKED}</div></div>",
        f"<div class='quotebox'>{NAMED}<blockquote>{ASKED}</blockquote></div>",
        f"<div component='post/parent/content'>{NAMED}<p>{ASKED}</p></div>",
        f"<blockquote>{NAMED}<p>3 May 2019, 10:15</p><p>{ASKED}</p></blockquote>",
        f"<blockquote><p>John wrote:</p>{QUOTATION}</blockquote>",
        f"<blockquote>{NAMED}<p>{ASKED}<p class=bbCodeBlock-expandLink>Click it</blockquote>",
    ],
)
def test_a_post_keeps_its_place_and_the_attribution_goes_with_the_quotation(quotation: str) -> None:
    assert kept_of(quotation) == [ASKED, ANSWER]


def test_a_quotation_keeps_what_else_it_says() -> None:
    more = "<p>And who paid for it, and when, and in which currency of theirs?</p>"
    quotation = f"<blockquote>{NAMED}<p>{ASKED}</p>{more}</blockquote>"
    assert kept_of(quotation) == [ASKED, "Mary wrote:", more[3:-4], ANSWER]
    assert kept_of(f"<blockquote>{NAMED}<p>Well.</p><p>{ASKED}</p></blockquote>") == (
        [ASKED, "Mary wrote:", "Well.", ANSWER]
    )


def test_what_is_not_on_the_page_is_quoted() -> None:
    quotation = QUOTATION.replace("plane", "helicopter")
    assert kept_of(quotation)[1:3] == ["Mary wrote:", ASKED.replace("plane", "helicopter")]


@pytest.mark.parametrize("chance", [UNLIKELY, NEVER])
def test_noise_is_not_preferred_to_a_quotation(chance: float) -> None:
    assert kept_of(QUOTATION, of_post=chance) == ["Mary wrote:", ASKED, ANSWER]


def test_hidden_text_is_not_preferred_to_a_quotation() -> None:
    hidden = POST.replace("<div>", "<div hidden>", 1)
    assert kept_of(QUOTATION, post=hidden) == ["Mary wrote:", ASKED, ANSWER]


def test_an_article_quotes_others_who_may_be_repeated_by_its_readers() -> None:
    assert kept_of(QUOTATION, ARTICLE) == ["Mary wrote:", ASKED, ANSWER]


def test_the_body_of_a_post_may_be_ready_to_be_quoted() -> None:
    assert kept_of(QUOTATION, post=POST.replace("<div>", "<div class=js-selectToQuote>")) == (
        [ASKED, ANSWER]
    )
