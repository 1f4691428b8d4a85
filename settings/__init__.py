"""The job file, its validation, and the Scrapy settings of a crawl."""

from __future__ import annotations

from settings.job import Job
from settings.loading import load_job, make_job, parse_job
from settings.problems import JobError, Problem

__all__ = ["Job", "JobError", "Problem", "load_job", "make_job", "parse_job"]
