"""The Scrapy settings that depend on the job."""

from __future__ import annotations

from typing import Any

from settings.base import DEFAULT_REQUEST_HEADERS
from settings.job import Job


def scrapy_settings(job: Job) -> dict[str, Any]:
    """Settings that override ``settings.local`` or ``settings.distributed``.

    Not included: limits of pages and bytes, which the frontier counts across all workers, and the
    depth, which the frontier tracks.
    """
    politeness, limits = job.politeness, job.limits
    return {
        "BOT_NAME": job.name,
        "USER_AGENT": politeness.full_user_agent(),
        "DEFAULT_REQUEST_HEADERS": _headers(job),
        "ROBOTSTXT_OBEY": politeness.robots,
        "DOWNLOAD_DELAY": politeness.delay,
        "CONCURRENT_REQUESTS": politeness.concurrency,
        "CONCURRENT_REQUESTS_PER_DOMAIN": politeness.concurrency_per_host,
        "DOWNLOAD_MAXSIZE": limits.page_size,
        "DOWNLOAD_WARNSIZE": limits.page_size,
        "DOWNLOAD_TIMEOUT": limits.page_time,
        "CLOSESPIDER_TIMEOUT": limits.total_time or 0.0,
    }


def _headers(job: Job) -> dict[str, str]:
    own = {"Accept-Language": job.filters.accept_language(), "From": job.politeness.sender()}
    return DEFAULT_REQUEST_HEADERS | {name: value for name, value in own.items() if value}
