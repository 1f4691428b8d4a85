"""The names of sites and their channels at the end of Chinese titles.

A site's Chinese name is never its Latin domain, so the address does not tell it; but it ends in a
word such as "network", "channel" or "news".
"""

from __future__ import annotations

import re

_CHINESE = re.compile(r"[\u3400-\u9fff]")
_SEPARATOR = re.compile(r"\s*(?:[_|｜丨]|--+|——|\s[-–—]\s|(?<=[^\x00-\x7f])-(?=[^\x00-\x7f]))\s*")
_SITE = re.compile(
    r"(?:[网網]站?|[频頻]道|新[闻聞]|中心|[报報]|在[线線]|社[区區]|[论論][坛壇]|[电電][视視]台|"
    r"[资資][讯訊]|[贴貼]吧)$"
)
# In characters. Shorter titles are those of home pages.
_LONGEST_SITE = 14
_LONGEST_CHANNEL = 10
_SHORTEST_TITLE = 5


def without_channel(title: str) -> str:
    """The title without the name of a site at its end, and those of channels before it.

    >>> without_channel("胶卷成最后的记忆_图片频道_新华网"), without_channel("首页_新华网")
    ('胶卷成最后的记忆', '首页_新华网')
    """
    if not _CHINESE.search(title):
        return title
    head, *parts = _SEPARATOR.split(title)
    ends = [found.start() for found in _SEPARATOR.finditer(title)]
    if not parts or len(parts[-1]) > _LONGEST_SITE or not _SITE.search(parts.pop()):
        return title
    longest = min(_LONGEST_CHANNEL, len(head) - 1)
    while parts and len(parts[-1]) <= longest:
        parts.pop()
    own = title[: ends[len(parts)]]
    return own if len(own) >= _SHORTEST_TITLE else title
