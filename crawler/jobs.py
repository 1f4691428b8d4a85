"""The job that a command line names: a job file, or nothing but a file of seeds."""

from __future__ import annotations

import re
from pathlib import Path

from settings import Job, load_job, parse_job

_NOT_A_NAME = re.compile(r"[^a-z0-9-]+")


def job_of(
    *,
    job: Job | str | Path | None = None,
    seeds: str | Path | None = None,
    contact: str | None = None,
) -> Job:
    """The job of a file, or one with all defaults for the URLs in the file ``seeds``.

    Raises settings.JobError for a file that is no job, ValueError if it is unclear which is meant.
    """
    if (job is None) == (seeds is None):
        raise ValueError("name a job with -a job=FILE, or a file of URLs with -a seeds=FILE")
    if isinstance(job, Job):
        return job
    if job is not None:
        return load_job(job)
    path = Path(str(seeds))
    name = _NOT_A_NAME.sub("-", path.stem.lower()).strip("-") or "seeds"
    text = f"name = {_quoted(name)}\n[seeds]\nfiles = [{_quoted(str(path.absolute()))}]\n"
    if contact:
        text += f"[politeness]\ncontact = {_quoted(contact)}\n"
    return parse_job(text, source=str(path))


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
