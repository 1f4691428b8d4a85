"""Pages that stand where there is none: soft errors, domains for sale, a server's first page."""

from __future__ import annotations

import re
from typing import Final

from corpus_commons.empty_pages.page_text import PageText
from corpus_commons.empty_pages.phrases import normalised, phrases
from corpus_commons.empty_pages.verdict import Emptiness, Reason

# Longer pages may be about errors, but are not error pages; without navigation, and with it.
_ERROR_WORDS: Final = 120
_ALL_WORDS: Final = 250
# A page whose text, not its title, says that it is an error.
_NOTICE_WORDS: Final = 40
_BEGINNING: Final = 80
_ERRING: Final = (
    r"\berr(?:or|eur)|fehler|\bhttp|\bstatus|\bcode|\bpage|seite|página|pagina|strona|ошибка|błąd"
    r"|\bfout|\bfel|\bhata|错误|錯誤|エラー"
)
# 404 by itself, or beside a word that shows that it is the status.
_NUMBER: Final = re.compile(
    rf"""(?:\A|[|–—·•:»(\[!]|\s-)\s*404\s*(?:[|–—·•:»)\].!,]|-\s|\Z)
    | (?:{_ERRING})\W*404(?!\d) | (?<!\d)404\W*(?:{_ERRING})""",
    re.IGNORECASE | re.VERBOSE,
)
# What parking services write into their pages.
_PARKING: Final = (
    "sedoparking", "parkingcrew", "parking-lander", "parklogic", "bodis.com", "parking.bodis",
    "d38psrni17bvxu.cloudfront.net", "parkingpage.namecheap", "cdn.sedo.com", "dan.com/buy-domain",
    "afternic.com/forsale", "hugedomains.com/domain_profile", "domainmarket.com/buynow",
    "uniregistry.com/buy-domain", "tcadblock", "park_cloud", "domainpark",
)  # fmt: skip
_PARKING_WORDS: Final = 200
_FOR_SALE_WORDS: Final = 80


def soft_error(page: PageText) -> Emptiness | None:
    """A short page that says that it is an error, though its status is 200."""
    found = next(filter(_says_error, page.headings), None)
    if found is not None and _is_short(page):
        return Emptiness(Reason.SOFT_ERROR, f"says: {found}"[:200])
    if page.words > _NOTICE_WORDS:
        return None
    whole = next(filter(phrases("error-whole").are, page.headings), None)
    if whole is not None:
        return Emptiness(Reason.SOFT_ERROR, f"says: {whole}"[:200])
    begins = page.text[:_BEGINNING]
    return Emptiness(Reason.SOFT_ERROR, f"says: {begins}") if _says_error(begins) else None


def parked(page: PageText) -> Emptiness | None:
    """A domain without a site."""
    if page.words > _PARKING_WORDS:
        return None
    if found := next((mark for mark in _PARKING if mark in page.marks), None):
        return Emptiness(Reason.PARKED, f"a parking service: {found}")
    if page.words > _FOR_SALE_WORDS:
        return None
    said = (page.normalised, *map(normalised, page.headings))
    if any(map(phrases("parked").are_in, said)):
        return Emptiness(Reason.PARKED, f"says: {page.text}"[:200])
    return None


def _says_error(text: str) -> bool:
    return bool(_NUMBER.search(text)) or phrases("error").are_in(normalised(text))


def _is_short(page: PageText) -> bool:
    return page.words < _ERROR_WORDS or page.all_words < _ALL_WORDS
