"""What authors call their elements: the words of class, id and role, in groups of one meaning.

Groups are matched on parts of names, so that ``SiteNav`` and ``main-navigation`` both tell of
navigation. They are hints for a classifier, which learns from data how far to trust each.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

GROUPS = {
    "comment": "comment|disqus|discuss|respond|reply|replies",
    "nav": "nav|menu|dropdown",
    "header": "header|masthead|topbar|banner|hero",
    "footer": "foot|copyright|colophon|legal|disclaim",
    "sidebar": "sidebar|aside|rail|secondary|sidenav",
    "related": "relat|recommend|similar|popular|trending|latest|recent|also|more|upsell|next|prev",
    "share": "share|sharing|social|follow|twitter|facebook|addthis",
    "crumb": "crumb",
    "byline": "byline|author|writer|date|time|posted|publish|meta",
    "tags": "tag|categor|topic|label",
    "ad": "^ads?$|advert|sponsor|promo|affiliate|dfp|outbrain|taboola",
    "popup": "cookie|consent|gdpr|privacy|popup|modal|overlay|alert|notice",
    "sign-up": "newsletter|subscri|signup|login|register|paywall|account",
    "content": "content|article|entry|story|text|body|copy|markdown|prose|wysiwyg|rich",
    "main": "main|primary|page",
    "post": "post|blog|news",
    "title": "title|headline|heading",
    "media": "caption|figure|credit|image|img|photo|gallery|media|slide|carousel|swiper|video",
    "product": "product|sku|variant|offer|shop|woo",
    "price": "price|cart|buy|stock|quantity|qty|checkout|currency",
    "detail": "desc|detail|spec|feature|summary|overview|about|excerpt|intro|lead|teaser",
    "tabs": "tab|accordion|faq|question|answer|toggle|collaps|expand",
    "review": "review|rating|star|testimonial|quote",
    "list": "list|grid|card|tile|result|feed|collection|archive|item",
    "forum": "thread|message|forum|member|signature|avatar|profile|reputation|vote|badge|user",
    "widget": "widget|block|module|component|panel|box",
    "section": "section|container|wrap|inner|^rows?$|^cols?$|column",
    "search": "search|filter|sort|paginat|pager|facet",
    "form": "form|input|field|button|btn|cta|select|option",
    "code": "code|highlight|syntax",
    "toc": "^toc$|contents|anchor",
    "hidden": "hidden|^sr$|visually|screen|skip|invisible|noprint|hide",
    "reference": "reference|footnote|citation|infobox|navbox|reflist|hatnote",
}
GROUP_NAMES = tuple(GROUPS)

_ATTRIBUTES = ("class", "id", "role", "itemprop", "itemtype")
_MAX_NAME_CHARACTERS = 300
# Parts of a name: runs of small letters, a capital opening a new one.
_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_PATTERNS = tuple(re.compile(pattern) for pattern in GROUPS.values())


def groups_of(attributes: Mapping[str, str | None]) -> tuple[int, ...]:
    """The indices of the groups that an element's names speak of.

    >>> [GROUP_NAMES[g] for g in groups_of({"class": "SiteNav", "id": "x-related_posts"})]
    ['nav', 'related', 'post']
    """
    names = " ".join([attributes.get(key) or "" for key in _ATTRIBUTES if key in attributes])
    return _groups_of_names(names[:_MAX_NAME_CHARACTERS]) if names else ()


@lru_cache(maxsize=16_384)
def _groups_of_names(names: str) -> tuple[int, ...]:
    groups: set[int] = set()
    for part in _PART.findall(names):
        groups.update(_groups_of_part(part.lower()))
    return tuple(sorted(groups))


@lru_cache(maxsize=65_536)
def _groups_of_part(part: str) -> tuple[int, ...]:
    return tuple(group for group, pattern in enumerate(_PATTERNS) if pattern.search(part))
