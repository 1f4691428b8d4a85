"""ai.txt: rules of robots.txt's form for data sets, as Spawning's generator writes them.

https://site.spawning.ai/spawning-ai-txt (2023; there is no versioned specification). Media are
told apart by extensions: ``Disallow: *.txt`` keeps text, and so pages, out of data sets.
"""

from __future__ import annotations

from typing import Final

from protego import Protego

from crawler.consent.statement import AI_TXT, Statement
from crawler.urls import origin_of

SIGNAL: Final = "ai-txt"
# Extensions by which the generator's rules mean text.
_OF_TEXT: Final = ("txt", "htm", "html")


def of_rules(rules: Protego, url: str, agent: str) -> list[Statement]:
    """What the rules of an ``ai.txt`` for us say about a page of text."""
    origin = origin_of(url)
    asked = (url, *(f"{origin}/page.{extension}" for extension in _OF_TEXT))
    refused = next((one for one in asked if not rules.can_fetch(one, agent)), None)
    if refused is None:
        return [Statement.of(SIGNAL, "yes", AI_TXT, "allowed")]
    what = "the page" if refused == url else f"*.{refused.rpartition('.')[2]}"
    return [Statement.of(SIGNAL, "no", AI_TXT, f"Disallow: {what}")]
