"""``[politeness]``: how the crawler behaves towards the hosts that it visits."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import Field

from settings.values import Contact, Seconds, Table, UserAgent


class Politeness(Table):
    """How the crawler behaves towards the hosts that it visits."""

    contact: Contact | None = None
    """Where site owners reach you: an e-mail address or a URL. Needed for everything but
    loopback addresses; it is sent with every request."""
    user_agent: UserAgent = "genre-crawler"
    """Who you say you are. The product name that it begins with is what robots.txt is read for."""
    delay: Annotated[Seconds, Field(ge=0, le=86_400)] = 1.0
    """Between two visits of a host, over all workers; a longer Crawl-delay is obeyed."""
    longest_delay: Annotated[Seconds, Field(ge=0, le=86_400)] = 300.0
    """What a host may ask for by Crawl-delay or Retry-After; more is cut to this."""
    concurrency_per_host: Annotated[int, Field(ge=1, le=100)] = 1
    """Visits of one host that may be under way at once."""
    concurrency: Annotated[int, Field(ge=1, le=1_000)] = 32
    """Fetches of one worker that may be under way at once."""
    robots: bool = True
    """Obey robots.txt. Turn it off only on sites that are yours."""
    nofollow: bool = True
    """Do not follow links that say `nofollow`, nor those of pages that do."""

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
        """The product name under which robots.txt knows the crawler."""
        return re.split("[/ (]", self.user_agent, maxsplit=1)[0]
