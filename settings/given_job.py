"""The job given on a command line: a job file, or just a file of seeds."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

from settings import Job, load_job, make_job
from settings.frontier_address import frontier_url
from settings.logins import without_any_login

_NOT_A_NAME: Final = re.compile(r"[^a-z0-9-]+")
_LONGEST_NAME: Final = 63
# As it is written for our command, and for Scrapy's.
_SEEDS: Final = "--seeds FILE (-a seeds=FILE)"


def job_of(
    *,
    job: Job | str | Path | None = None,
    seeds: str | Path | None = None,
    contact: str | None = None,
) -> Job:
    """The job in a job file, or a job with all defaults for the URLs in the file ``seeds``.

    Raises ValueError unless exactly one of the two is given; settings.JobError for an invalid job.
    """
    if job is None and seeds is None:
        raise ValueError(f"give a job file, or a file with one URL per line as {_SEEDS}")
    if job is not None and seeds is not None:
        raise ValueError(f"there are a job file, {job}, and seeds, {seeds}; give one of the two")
    if not isinstance(job, Job) and "://" in str(job):
        raise ValueError(
            f"{job} is a URL, not a job file; write it into a file, and give that as {_SEEDS}"
        )
    if job is not None and contact:
        raise ValueError(
            "a contact can only be given with seeds; a job has its own, politeness.contact"
        )
    if isinstance(job, Job):
        return job
    if job is not None:
        return load_job(job)
    source = str(seeds)
    name = _NOT_A_NAME.sub("-", Path(source).stem.lower()).strip("-")[:_LONGEST_NAME] or "seeds"
    data: dict[str, Any] = {"name": name, "seeds": {"files": [source]}}
    if contact:
        data["politeness"] = {"contact": contact}
    return make_job(data, source=source, folder=Path.cwd())


def with_frontier(job: Job, url: str | None) -> Job:
    """The job with its frontier at ``url`` (``-s FRONTIER=URL``); unchanged for None.

    Raises ValueError if it is neither "embedded" nor a Redis URL. An empty value is refused too: it
    may come from an unset variable, and the embedded frontier would start a separate crawl.
    """
    if url is None:
        return job
    try:
        frontier_url(url)
    except ValueError as error:
        raise ValueError(f"FRONTIER={without_any_login(url)} {error}") from None
    return job.model_copy(update={"frontier": job.frontier.model_copy(update={"url": url})})
