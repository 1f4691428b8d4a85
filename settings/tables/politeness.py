"""``[politeness]``: how the crawler behaves towards the hosts that it visits."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import Field

from settings.values import Contact, Seconds, Table, UserAgent


class Politeness(Table):
    """How the crawler behaves towards the hosts that it visits."""

    contact: Contact | None = None
    """Where site owners can reach you: an e-mail address or a URL. It is sent with every request,
    and required for everything but loopback addresses."""
    user_agent: UserAgent = "genre-crawler"
    """Who you say you are. robots.txt is searched for the product name that it begins with."""
    delay: Annotated[Seconds, Field(ge=0, le=86_400)] = 1.0
    """Time between two visits to a host, across all workers; a longer Crawl-delay is obeyed."""
    longest_delay: Annotated[Seconds, Field(ge=0, le=86_400)] = 300.0
    """The most that a host may ask for by Crawl-delay or Retry-After; more is cut to this."""
    concurrency_per_host: Annotated[int, Field(ge=1, le=100)] = 1
    """How many visits to one host may be under way at once, across all workers."""
    concurrency: Annotated[int, Field(ge=1, le=1_000)] = 32
    """How many fetches of one worker may be under way at once."""
    robots: bool = True
    """Obey robots.txt. Turn this off only on your own sites."""
    nofollow: bool = True
    """Do not follow links marked `nofollow`, nor any link of a page marked so."""

    def full_user_agent(self) -> str:
        """The User-Agent header, with the contact.

        >>> Politeness(contact="crawl@example.com").full_user_agent()
        'genre-crawler (+mailto:crawl@example.com)'
        """
        if self.contact is None or self.contact in self.user_agent:
            return self.user_agent
        contact = self.contact if "://" in self.contact else f"mailto:{self.contact}"
        return f"{self.user_agent} (+{contact})"

    def robots_agent(self) -> str:
        """The crawler's product name in robots.txt."""
        return re.split("[/ (]", self.user_agent, maxsplit=1)[0]
