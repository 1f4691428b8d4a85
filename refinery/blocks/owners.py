"""What owners say in their pages about the use of these, and whether it is obeyed.

An archive has no host to ask for its files, so only pages and their headers are read.
"""

from __future__ import annotations

from dataclasses import replace

from datatrove.data import Document as TroveDocument

from crawler.consent.page_signals import PageSignals
from crawler.consent.policy import Policy
from crawler.consent.robots_agents import trainers
from crawler.consent.signals import Signals
from crawler.consent.statement import consent_data
from crawler.discovery.page_scan import ScanTask
from crawler.items import Document
from crawler.outcomes import Rejection
from refinery.blocks.documents import SAID
from settings.tables.consent import Consent


class Owners:
    """consent: as in a job file."""

    def __init__(self, consent: Consent) -> None:
        self._policy = Policy.of(consent)
        self._rules = Signals.shipped().rules
        self._trainers = tuple(trainers() if consent.agents is None else consent.agents)

    def task(self, document: TroveDocument) -> ScanTask:
        """What to look for in a page that is to be read; takes the headers from its metadata."""
        said = tuple((name, value) for name, value in document.metadata.pop(SAID, ()))
        return ScanTask(headers=said, others=self._trainers, follows=False)

    def judged(self, found: Document, signals: PageSignals) -> tuple[Document, Rejection | None]:
        """The document with what its page says, and why it must not be kept; it is empty then."""
        said = signals.with_licence(found.licence).found
        found = replace(found, consent=consent_data(self._rules, (), said))
        rejection = self._policy.rejection(said, found.fetched_at)
        return (found, None) if rejection is None else (replace(found, text=""), rejection)
