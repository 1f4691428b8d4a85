"""Errors of building a data set."""

from __future__ import annotations


class BuildError(Exception):
    """The data set cannot be built; the message says why and what helps."""


class RequestError(BuildError):
    """It cannot be built as asked for: the same command would fail again."""
