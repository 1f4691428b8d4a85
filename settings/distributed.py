"""Scrapy settings for one of many workers, with the frontier in Redis."""

from __future__ import annotations

from settings.base import *  # noqa: F403 - settings are what a module holds

LOG_COLOR = False  # logs are collected, not read on a terminal
MEMUSAGE_LIMIT_MB = 2048  # several workers share a machine, and a lost one is replaced
MEMUSAGE_WARNING_MB = 1536
MEMUSAGE_CHECK_INTERVAL_SECONDS = 15.0  # a container may be OOM-killed within a minute
