"""Judges whether a page is without content."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from corpus_commons.empty_pages.page_text import PageText
from corpus_commons.empty_pages.placeholders import parked, soft_error
from corpus_commons.empty_pages.shells import no_text, shell
from corpus_commons.empty_pages.verdict import Emptiness, Reason
from corpus_commons.empty_pages.walls import challenge, consent, login
from corpus_commons.markup.dom import Dom

# The first that applies counts. Walls have scripts and little text, too, so shells are last.
_RULES: Final[tuple[Callable[[PageText], Emptiness | None], ...]] = (
    challenge,
    parked,
    no_text,
    soft_error,
    login,
    consent,
    shell,
)


def judge(page: PageText) -> Emptiness | None:
    """Why the page has no content; None if it may have some."""
    if page.is_long:
        return None
    return next(filter(None, (rule(page) for rule in _RULES)), None)


def no_content(dom: Dom, *, rendered: bool = False) -> Emptiness:
    """What to say of a page of which a method keeps nothing.

    rendered: whether a browser has run its scripts.
    """
    page = PageText(dom, rendered=rendered)
    hope = page.may_be_filled and not page.is_long
    return judge(page) or Emptiness(Reason.NO_CONTENT, "no main content was found", hope)


def emptiness(dom: Dom, *, rendered: bool = False) -> Emptiness | None:
    """The same of a parsed page. rendered: whether a browser has run its scripts."""
    return judge(PageText(dom, rendered=rendered))
