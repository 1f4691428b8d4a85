"""``[schedule]``: when the job is run again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from settings.quantities import duration_text
from settings.values import Cron, Finding, Interval, Moment, Seconds, Table, TimeZone


class Schedule(Table):
    """When `genre-crawler schedule` runs the job. With neither `every` nor `cron` it never does."""

    every: Interval = None
    """From the start of one run to the start of the next. The first starts at once, and the others
    keep its pace, however long each takes."""
    cron: Cron = None
    """Instead of `every`: minute, hour, day of the month, month and day of the week, as in
    [crontab](https://manpages.debian.org/cron/crontab.5). When the clocks change, a run at a fixed
    time is neither left out nor repeated, as by Debian's cron."""
    timezone: TimeZone = "UTC"
    """Where the times of `cron` and `until` hold."""
    until: Moment = None
    """No run starts from then on; a date is its first moment."""
    jitter: Annotated[Seconds, Field(ge=0, le=86_400)] = 0.0
    """The most by which a start is delayed, by chance, so that jobs of one time do not all start
    together. The delay of each start is always the same, also after a restart."""
    on_overlap: Literal["skip", "wait"] = "skip"
    """What becomes of a start for which it is time while the job still runs: it is left out
    (`skip`), or follows as soon as that run ends (`wait`; one run, however many times passed)."""

    def contradictions(self) -> Iterator[Finding]:
        if self.every is not None and self.cron is not None:
            yield ("cron",), f'is "{self.cron}", but there is also every; keep one of the two'
        if self.every is not None and self.jitter >= self.every:
            yield (
                ("jitter",),
                f'is "{duration_text(self.jitter)}"; it must be less than every, '
                f'"{duration_text(self.every)}"',
            )
        if not self.is_set and self.model_dump(exclude_defaults=True):
            yield (), 'has neither every nor cron; add one, such as every = "6h"'

    @property
    def is_set(self) -> bool:
        """Whether the job is ever run by a schedule."""
        return self.every is not None or self.cron is not None
