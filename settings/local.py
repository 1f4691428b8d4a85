"""Scrapy settings for one machine, with the frontier in the job's folder."""

from __future__ import annotations

from settings.base import *  # noqa: F403 - settings are what a module holds
