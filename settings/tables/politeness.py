"""``[politeness]``: how the crawler behaves towards the hosts that it visits."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import Field

from settings.values import BytesLimit, Contact, Many, QuietHours, Seconds, Table, UserAgent


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
    """The most that a host may ask for by Crawl-delay or Retry-After; more is cut to this. A host
    that asks for more by Retry-After may be given up: see `frontier.host_tries`."""
    concurrency_per_host: Annotated[int, Field(ge=1, le=100)] = 1
    """How many visits to one host may be under way at once, across all workers."""
    concurrency: Annotated[int, Field(ge=1, le=1_000)] = 32
    """How many fetches of one worker may be under way at once."""
    delay_factor: Annotated[float, Field(ge=0, le=100)] = 5.0
    """How many times as long as it takes to answer a host is left alone, if that is longer than
    `delay`: a slow host is visited less. Errors of the server (5xx, 429, no answer) double the
    pause, answers halve it again; `longest_delay` is its limit. With 0, or if `delay` is 0, the
    pause is always `delay`."""
    daily_size_per_host: BytesLimit = None
    """Bytes that one host may send in a day of UTC, to all workers together: bodies as they are
    sent, before decompression, and what browsers load. Then the host is left alone until midnight;
    visits under way, and what workers have not yet reported (1 %), come on top."""
    quiet_hours: Many[QuietHours] = ()
    """Hours in which a host, and its subdomains, is not visited, such as `"example.com 08:00-18:00
    Europe/Berlin"`; `*` is any host, and without a time zone the hours are those of UTC."""
    robots: bool = True
    """Obey robots.txt. Turn this off only on your own sites. The files of hosts that `[consent]` is
    about are then not asked for either."""
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

    def sender(self) -> str | None:
        """The From header (RFC 9110, section 10.1.2): the contact, if it is an e-mail address.

        >>> Politeness(contact="crawl@example.com").sender()
        'crawl@example.com'
        """
        return self.contact if self.contact and "://" not in self.contact else None

    def robots_agent(self) -> str:
        """The crawler's product name in robots.txt."""
        return re.split("[/ (]", self.user_agent, maxsplit=1)[0]
