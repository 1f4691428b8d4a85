"""The policy: which statement, if any, keeps a page out of a corpus.

Any honoured no decides, whatever else says yes, and wherever. Only TDMRep replaces what a file says
by what a header says, and that by what a page says.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from crawler.consent import tdmrep
from crawler.consent.signals import Signals
from crawler.consent.statement import Statement
from crawler.outcomes import CONSENT, Rejection
from settings.tables.consent import Consent


@dataclass(frozen=True, slots=True)
class Policy:
    """honoured: the signals whose no is obeyed, in the order in which they are judged."""

    honoured: tuple[str, ...]

    @classmethod
    def of(cls, table: Consent) -> Self:
        """The policy of a job: the signals that it names, or else those of its preset."""
        signals = Signals.shipped()
        if table.honour is None:
            return cls(signals.honoured_by(table.preset))
        return cls(tuple(name for name in signals.signals if name in table.honour))

    def objection(self, found: Iterable[Statement], moment: datetime) -> Statement | None:
        """The statement that keeps the page out; None if none does.

        moment: timezone-aware, for statements that come into force later.
        """
        noes = [one for one in tdmrep.effective(found) if one.says == "no" and one.holds(moment)]
        ordered = (one for name in self.honoured for one in noes if one.signal == name)
        return next(ordered, None)

    def rejection(self, found: Iterable[Statement], moment: datetime) -> Rejection | None:
        """The rejection of a page to which its owner objects; None if nobody does."""
        objection = self.objection(found, moment)
        if objection is None:
            return None
        return Rejection(CONSENT, f"{objection.signal} in {objection.where}: {objection.text}")
