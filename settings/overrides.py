"""The Scrapy settings that a job changes."""

from __future__ import annotations

from typing import Any

from settings.base import DEFAULT_REQUEST_HEADERS
from settings.job import Job
from settings.tables.filters import Filters


def scrapy_settings(job: Job) -> dict[str, Any]:
    """Settings to put on top of ``settings.local`` or ``settings.distributed``.

    Limits over the whole crawl but the time are not among them: the frontier counts pages and
    bytes, over all workers. Nor is the depth, which it knows of every URL.
    """
    politeness, limits = job.politeness, job.limits
    return {
        "BOT_NAME": job.name,
        "USER_AGENT": politeness.full_user_agent(),
        "DEFAULT_REQUEST_HEADERS": _headers(job.filters),
        "ROBOTSTXT_OBEY": politeness.robots,
        "DOWNLOAD_DELAY": politeness.delay,
        "CONCURRENT_REQUESTS": politeness.concurrency,
        "CONCURRENT_REQUESTS_PER_DOMAIN": politeness.concurrency_per_host,
        "DOWNLOAD_MAXSIZE": limits.page_size,
        "DOWNLOAD_WARNSIZE": limits.page_size,
        "DOWNLOAD_TIMEOUT": limits.page_time,
        "CLOSESPIDER_TIMEOUT": limits.total_time or 0.0,
    }


def _headers(filters: Filters) -> dict[str, str]:
    language = filters.accept_language()
    return {**DEFAULT_REQUEST_HEADERS, **({"Accept-Language": language} if language else {})}
