"""What is said of a page without content."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from corpus_commons.markup.controls import without_controls


class Reason(StrEnum):
    """Why a page has no content."""

    NO_TEXT = "no-text"
    SHELL = "shell"
    JAVASCRIPT_REQUIRED = "javascript-required"
    CHALLENGE = "captcha"
    CONSENT_WALL = "consent-wall"
    LOGIN_WALL = "login-wall"
    SOFT_ERROR = "soft-404"
    PARKED = "parked"
    NO_CONTENT = "no-content"


@dataclass(frozen=True, slots=True)
class Emptiness:
    """Why a page has no content.

    detail: for the user; what on the page says so, without commands for the user's terminal.
    rendering_helps: whether the page may have content after a browser has run its scripts.
    """

    reason: Reason
    detail: str
    rendering_helps: bool = False

    def __post_init__(self) -> None:
        [plain] = without_controls([self.detail])
        object.__setattr__(self, "detail", plain)
