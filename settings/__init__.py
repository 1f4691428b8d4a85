"""What is to be crawled and how: the job file, and the Scrapy settings that follow from it."""

from __future__ import annotations

from settings.job import Job
from settings.loading import load_job, make_job, parse_job
from settings.problems import JobError, Problem

__all__ = ["Job", "JobError", "Problem", "load_job", "make_job", "parse_job"]
