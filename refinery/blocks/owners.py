"""What owners say in their pages about the use of these, and whether it is obeyed.

An archive has no host to ask for its files, so only pages and their headers are read.
"""

from __future__ import annotations

from dataclasses import replace

from datatrove.data import Document as TroveDocument

from crawler.consent.page_signals import PageSignals
from crawler.consent.policy import Policy
from crawler.consent.signals import Signals
from crawler.consent.statement import consent_data
from crawler.consent.trainers import trainers_for
from crawler.discovery.page_scan import ScanRules, ScanTask
from crawler.html import Html
from crawler.items import Document
from crawler.outcomes import Rejection
from refinery.blocks.documents import SAID, SERVED
from settings.tables.consent import Consent


class Owners:
    """consent: as in a job file."""

    def __init__(self, consent: Consent) -> None:
        self._policy = Policy.of(consent)
        self._rules = Signals.shipped().rules
        self._scan = ScanRules(trainers=trainers_for(consent))

    def task(self, document: TroveDocument) -> ScanTask:
        """What to look for in a page that is to be read; takes the headers, and the page as served
        if it was rendered, from its metadata.
        """
        said = tuple((name, value) for name, value in document.metadata.pop(SAID, ()))
        html = document.metadata.pop(SERVED, None)
        served = None if html is None else Html(html)
        return ScanTask(self._scan, headers=said, served=served, follows=False)

    def judged(
        self, known: Document, read: Document, signals: PageSignals
    ) -> tuple[Document, Rejection | None]:
        """What is kept of a page, with what it says of its use; if that is a no, only what was
        known of it before it was read, and the rejection.
        """
        said = signals.with_licence(read.licence).found
        rejection = self._policy.rejection(said, read.fetched_at)
        kept = read if rejection is None else known
        return replace(kept, consent=consent_data(self._rules, (), said)), rejection
