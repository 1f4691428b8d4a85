"""Opens the record of a job's runs, where its frontier is."""

from __future__ import annotations

from typing import Final

from crawler.schedule.folder_runs import FolderRuns
from crawler.schedule.runs import PACE, Runs
from settings import Job
from settings.frontier_address import EMBEDDED

# As long as people wait for a command.
_PATIENCE: Final = 10.0


def place_of(job: Job) -> tuple[str, str]:
    """Where the record of the job's runs is: jobs with the same are one."""
    if job.frontier.url == EMBEDDED:
        return EMBEDDED, str(job.folder.resolve())
    return job.frontier.url, job.name


def runs_of(job: Job, *, patience: float = _PATIENCE, lease: float = PACE.lease) -> Runs:
    """The record of the job's runs. Raises FrontierError.

    patience: seconds for which Redis may be away. lease: as in ``Pace``.
    """
    if job.frontier.url == EMBEDDED:
        return FolderRuns(job.folder)
    from crawler.schedule.redis_runs import RedisRuns  # noqa: PLC0415 - redis may not be installed

    return RedisRuns(job.frontier.url, job.name, patience=patience, lease=lease)
