"""Pages that keep their content from whoever is no person, has not agreed, or has not logged in."""

from __future__ import annotations

from typing import Final

import numpy as np

from corpus_commons.empty_pages.page_text import PageText
from corpus_commons.empty_pages.phrases import normalised, phrases
from corpus_commons.empty_pages.verdict import Emptiness, Reason
from corpus_commons.markup.tree import BoolArray
from corpus_commons.markup.words import count_words

# What only the challenges themselves have, not the pages that a service protects: Cloudflare,
# Imperva, HUMAN, DataDome, Akamai, AWS, DDoS-Guard, Yandex, Alibaba, Google.
_CHALLENGES: Final = (
    "_cf_chl_opt", "cf-challenge", "cf_captcha_kind", "cf-im-under-attack", "_incapsula_resource",
    "px-captcha", "captcha-delivery.com", "sec-if-cpt-container", "awswafcookiedomainlist",
    "challenge.js?awswaf", "ddos-guard/js-challenge", "/showcaptcha", "/checkcaptcha", "x5secdata",
    "_____tmd_____", "/sorry/index", "errors/validatecaptcha", "sucuri_cloudproxy_js",
)  # fmt: skip
_CHALLENGE_WORDS: Final = 150
# Widgets that also protect the forms of pages with content.
_WIDGETS: Final = (
    "g-recaptcha", "h-captcha", "hcaptcha.com", "cf-turnstile", "geetest", "funcaptcha",
    "arkoselabs", "smartcaptcha", "captcha",
)  # fmt: skip
_NOTICE_WORDS: Final = 60
_SAYING_WORDS: Final = 100
_LOGIN_WORDS: Final = 60
# What may stand beside a form for a password: a heading and a button.
_BESIDE_LOGIN: Final = 8
# The first words of a page, in characters.
_BEGINNING: Final = 120
# Words of a box that asks for consent, and of what may stand beside it.
_CONSENT_WORDS: Final = 15
_BESIDE_CONSENT: Final = 30
# A text about consent names it at least once in so many words; Google's question, once in 34.
_WORDS_A_TERM: Final = 40
_MOST_CONTROLS: Final = 8
_CONTROL_LENGTH: Final = 40


def challenge(page: PageText) -> Emptiness | None:
    """A page that tests whether its visitor is a person."""
    if page.words > _CHALLENGE_WORDS:
        return None
    if found := next((mark for mark in _CHALLENGES if mark in page.marks), None):
        return Emptiness(Reason.CHALLENGE, f"a test for persons: {found}")
    if page.asks_for_text:
        return None
    named = _named(page, "challenge-whole")
    if named and (page.words <= _NOTICE_WORDS or any(mark in page.marks for mark in _WIDGETS)):
        return Emptiness(Reason.CHALLENGE, f"says: {named}")
    if page.words <= _SAYING_WORDS and phrases("challenge").are_in(page.normalised):
        return Emptiness(Reason.CHALLENGE, f"says: {page.text}"[:200])
    return None


def login(page: PageText) -> Emptiness | None:
    """A page that asks for a password, and has nothing else."""
    if page.words > _LOGIN_WORDS:
        return None
    demand = phrases("login")
    named = _named(page, "login-whole") if page.asks_for_password else None
    if named is None and any(demand.are_in(normalised(heading)) for heading in page.headings):
        named = page.headings[-1]
    if named:
        return Emptiness(Reason.LOGIN_WALL, f"says: {named}")
    said = page.normalised if page.asks_for_password else page.normalised[:_BEGINNING]
    if demand.are_in(said):
        return Emptiness(Reason.LOGIN_WALL, f"says: {page.text}"[:200])
    if page.asks_for_password and page.words_of(page.content & ~_in_login_form(page)) <= (
        _BESIDE_LOGIN
    ):
        return Emptiness(Reason.LOGIN_WALL, "nothing but a form for a password")
    return None


def consent(page: PageText) -> Emptiness | None:
    """A page that consists of a question for consent, to cookies mostly."""
    if not _is_about_consent(page.text, beside=_BESIDE_CONSENT):
        return None
    for control in _accepting(page)[:_MOST_CONTROLS]:
        box = _box(page, control)
        if box is not None and page.words_of(page.content & ~box) <= _BESIDE_CONSENT:
            text = page.text_of(page.content & box)
            return Emptiness(Reason.CONSENT_WALL, f"asks: {text}"[:200])
    return None


def _accepting(page: PageText) -> list[int]:
    """The controls that accept."""
    dom, accept = page.dom, phrases("accept-whole")
    found = []
    for tag in ("button", "a", "input"):
        for node in dom.elements(tag).tolist():
            if tag == "input":
                text = dom.attributes[node].get("value") or ""
            else:
                text = "".join(dom.texts[node : dom.ends[node]]).strip()
            if 0 < len(text) <= _CONTROL_LENGTH and accept.are(text):
                found.append(node)
    return found


def _box(page: PageText, control: int) -> BoolArray | None:
    """The smallest element around a control that asks for consent; None if it holds more."""
    dom, node = page.dom, control
    within = np.zeros(len(dom), dtype=np.bool_)
    while (node := int(dom.parents[node])) >= 0:
        inside = np.zeros(len(dom), dtype=np.bool_)
        inside[node : dom.ends[node]] = True
        text = page.text_of(page.content & inside)
        if count_words(text) >= _CONSENT_WORDS:
            is_box = _is_about_consent(text) and not _has_more(page, inside & ~within)
            return inside if is_box else None
        within = inside
    return None


def _has_more(page: PageText, nodes: BoolArray) -> bool:
    """Whether these nodes say much that is not about consent, as a page does around a small bar."""
    text = page.text_of(page.said & nodes)
    return count_words(text) > _BESIDE_CONSENT and not _is_about_consent(text)


def _is_about_consent(text: str, beside: int = 0) -> bool:
    """Whether the text is about consent, but for so many words beside it."""
    terms = phrases("consent").times_in(normalised(text))
    return terms > 0 and count_words(text) - beside <= terms * _WORDS_A_TERM


def _in_login_form(page: PageText) -> BoolArray:
    dom = page.dom
    fields = dom.attribute("type").where(lambda kind: kind.lower() == "password")
    forms = dom.nearest(dom.has_tag({"form"}))[fields]
    return dom.covered(np.unique(forms[forms >= 0]))


def _named(page: PageText, table: str) -> str | None:
    """The title or the heading, if it is one of these phrases."""
    return next((heading for heading in page.headings if phrases(table).are(heading)), None)
