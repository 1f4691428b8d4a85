"""Checks the settings of Scrapy that were given on the command line."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from scrapy.settings import SETTINGS_PRIORITIES, Settings, default_settings
from scrapy.utils.misc import load_object

from crawler.exit_codes import CrawlError
from settings import base

_GIVEN: Final = SETTINGS_PRIORITIES["cmdline"]
_DEFAULTS: Final[dict[str, Any]] = {**vars(default_settings), **vars(base)}
_KNOWN: Final = frozenset({"FRONTIER", *filter(str.isupper, _DEFAULTS)})
# The prefix of scrapy-playwright's settings, which it does not list.
_PLAYWRIGHT: Final = "PLAYWRIGHT_"
_ALMOST: Final = 0.85
_IMPORT_PATH: Final = re.compile(r"[a-z]\w*(?:\.\w+)+")
# Settings that may be a name instead of an import path.
_NAMES: Final = frozenset({"REFERRER_POLICY"})
# What a job says, with its keys.
_OF_JOB: Final = {
    "BOT_NAME": "name",
    "CLOSESPIDER_TIMEOUT": "limits.total_time",
    "CONCURRENT_REQUESTS": "politeness.concurrency",
    "CONCURRENT_REQUESTS_PER_DOMAIN": "politeness.concurrency_per_host",
    "DEPTH_LIMIT": "scope.depth",
    "DOWNLOAD_DELAY": "politeness.delay",
    "DOWNLOAD_MAXSIZE": "limits.page_size",
    "DOWNLOAD_TIMEOUT": "limits.page_time",
    "ROBOTSTXT_OBEY": "politeness.robots",
    "USER_AGENT": "politeness.user_agent",
}
# With 0 of any of these, nothing would ever be fetched.
_PLACES: Final = frozenset({"CONCURRENT_ITEMS", "REACTOR_THREADPOOL_MAXSIZE"})


def check_given(settings: Settings) -> None:
    """Raises CrawlError that names the first wrong setting and what would be right."""
    for name, value in settings.items():
        if (settings.getpriority(name) or 0) < _GIVEN or not isinstance(value, str):
            continue
        problem = _problem(settings, name, value)
        if problem:
            raise CrawlError(f"-s {name}={value}: {problem}")


def _problem(settings: Settings, name: str, value: str) -> str | None:
    if name in _OF_JOB:
        return f"set {_OF_JOB[name]} in the job instead"
    if name in _SPECIAL:
        return _SPECIAL[name](value)
    return _misspelling(name) or _type_problem(settings, name)


def _misspelling(name: str) -> str | None:
    """What is wrong with a name that is almost a setting's; any other may be of a component that
    the user adds.
    """
    if name in _KNOWN or name.startswith(_PLAYWRIGHT):
        return None
    close = get_close_matches(name.upper().replace("-", "_"), _KNOWN, n=1, cutoff=_ALMOST)
    return f"there is no such setting; did you mean {close[0]}?" if close else None


def _type_problem(settings: Settings, name: str) -> str | None:
    """What is wrong with a value that must have the type of the default."""
    default = _DEFAULTS.get(name)
    if isinstance(default, str) and _IMPORT_PATH.fullmatch(default) and name not in _NAMES:
        return _import_problem(settings.get(name))
    read: Callable[[str], float]
    if isinstance(default, bool):
        read, right = settings.getbool, "0 or 1"
    elif isinstance(default, int) and name in vars(base):
        read, right = settings.getint, "a whole number"
    elif isinstance(default, int | float):
        # Scrapy's integer defaults may also be fractions.
        read, right = settings.getfloat, "a number"
    else:
        return None
    try:
        found = read(name)
    except ValueError:
        return f"must be {right}"
    return "must be 1 or more" if name in _PLACES and found < 1 else None


def _import_problem(path: str) -> str | None:
    try:
        load_object(path)
    except (ImportError, ValueError, NameError) as error:
        return f"cannot be imported: {error}"
    return None


def _reactor(value: str) -> str | None:
    return None if value == base.TWISTED_REACTOR else f"must be {base.TWISTED_REACTOR}"


def _log_level(value: str) -> str | None:
    known = value in logging.getLevelNamesMapping()
    return None if known else "must be DEBUG, INFO, WARNING, ERROR or CRITICAL"


def _log_file(value: str) -> str | None:
    try:
        Path(value).open("ab").close()
    except OSError as error:
        return f"cannot be written: {error.strerror}"
    return None


_SPECIAL: Final[dict[str, Callable[[str], str | None]]] = {
    "LOG_LEVEL": _log_level,
    "LOG_FILE": _log_file,
    "TWISTED_REACTOR": _reactor,
}
