"""A job's schedule as a CronJob of Kubernetes."""

from __future__ import annotations

import json
from pathlib import Path
from string import Template
from typing import Final

from crawler.schedule.export.crontab import cron_of, plain_cron
from crawler.schedule.export.errors import ExportError
from settings import Job
from settings.frontier_address import EMBEDDED
from settings.logins import without_login
from settings.quantities import duration_text

# Where the volume is in a container.
DATA: Final = Path("/data")
_TEMPLATE: Final = Path(__file__).parent / "cronjob.yaml"
# Of the name of a CronJob; the names of its Jobs are longer.
_LONGEST_NAME: Final = 52
_GRACE_SECONDS: Final = 60
_INDENT: Final = "    "


def kubernetes_manifest(
    job: Job,
    text: str,
    *,
    image: str,
    claim: str,
    workers: int = 1,
    frontier: str | None = None,
) -> tuple[str, str]:
    """The name of the CronJob, and its manifest. Raises ExportError.

    text: of the job file. image: the container image. claim: of the volume for the job's folder.
    workers: that share each run. frontier: the URL of a Redis, in which Kubernetes replaces
        ``$(REDIS_PASSWORD)``.
    """
    url = frontier or job.frontier.url
    _check(job, url, workers)
    name = f"crawl-{job.name}".replace("_", "-").replace(".", "-").rstrip("-")
    if len(name) > _LONGEST_NAME:
        raise ExportError(
            f'name is "{job.name}"; for a CronJob it must have at most '
            f"{_LONGEST_NAME - len('crawl-')} characters"
        )
    schedule = job.schedule
    cron = (
        cron_of(schedule.every) if schedule.every is not None else plain_cron(schedule.cron or "")
    )
    arguments = ["crawl", "corpus", "-a", "job=/job/job.toml", "-a", "worker=worker-$(INDEX)"]
    arguments += ["-s", f"FRONTIER={frontier}"] if frontier else []
    manifest = Template(_TEMPLATE.read_text(encoding="utf-8")).substitute(
        name=name,
        cron=_quoted(cron),
        zone=_quoted(schedule.timezone),
        # What could not start in time is left out, or without a deadline started late.
        deadline="" if schedule.on_overlap == "wait" else "\n  startingDeadlineSeconds: 300",
        workers=workers,
        grace=f"{job.limits.page_time + _GRACE_SECONDS:.0f}",
        image=_quoted(image),
        arguments="".join(f"\n                - {_quoted(word)}" for word in arguments),
        claim=_quoted(claim),
        data=DATA,
        job="".join(f"{_INDENT}{line}\n" if line else "\n" for line in text.split("\n")),
    )
    return name, manifest


def _check(job: Job, url: str, workers: int) -> None:
    schedule, folder = job.schedule, job.outputs.folder
    if schedule.until is not None:
        raise ExportError(
            "schedule.until cannot be told to Kubernetes; leave it out, and delete the CronJob then"
        )
    if schedule.jitter:
        raise ExportError(
            f'schedule.jitter is "{duration_text(schedule.jitter)}"; Kubernetes has none: leave it '
            "out, and give the jobs different times"
        )
    if job.seeds.files:
        raise ExportError("seeds.files would be missing in the container; use seeds.urls instead")
    if folder is None or not folder.is_relative_to(DATA):
        shown = "not set" if folder is None else f'"{folder}"'
        raise ExportError(f'outputs.folder is {shown}; it must be in the volume, as "{DATA}"')
    if url == EMBEDDED and workers > 1:
        raise ExportError(f"{workers} workers need a frontier in Redis, such as frontier.url")
    if without_login(job.frontier.url) != job.frontier.url:
        raise ExportError(
            "frontier.url has a password, which everybody could read in the manifest; give "
            "--frontier 'redis://:$(REDIS_PASSWORD)@redis:6379/0' and leave it out"
        )


def _quoted(text: str) -> str:
    """A string; JSON's are also YAML's."""
    return json.dumps(text)
