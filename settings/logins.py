"""Keeps user names and passwords of URLs out of what people read."""

from __future__ import annotations

import re
from typing import Final

from settings.addresses import LONGEST_URL

_LOGIN: Final = re.compile(r'(?<=://)[^/@"\s]*@')
_ALL_BEFORE_HOST: Final = re.compile(r'([a-z]+:/*)?[^"\s]*@')
_PASSWORD_OPTION: Final = re.compile(r'(?<=password=)[^&"\s]*')


def without_login(text: str) -> str:
    """The text with user names and passwords of URLs replaced by asterisks.

    >>> without_login("redis://worker:secret@cache:6379/0")
    'redis://***@cache:6379/0'
    """
    return _LOGIN.sub("***@", text)


def without_any_login(text: str) -> str:
    """The same for a setting that may hold a password, even if it is not a valid URL.

    >>> without_any_login("redis:/worker:sec/ret@cache"), without_any_login("x?password=y")
    ('redis:/***@cache', 'x?password=***')
    """
    if len(text) > LONGEST_URL:
        return "***"
    return _PASSWORD_OPTION.sub("***", _ALL_BEFORE_HOST.sub(r"\1***@", text))
