"""A statement: one thing that an owner says about the use of a page, and where."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final, Literal, Self

Answer = Literal["no", "yes"]

PAGE: Final = "page"
HEADER: Final = "header"
# Files of a host are named by their path, which tells them from the page itself.
ROBOTS_TXT: Final = "/robots.txt"
TDMREP: Final = "/.well-known/tdmrep.json"
AI_TXT: Final = "/ai.txt"
_LONGEST_TEXT: Final = 200


@dataclass(frozen=True, slots=True)
class Statement:
    """signal: one of ``signals.toml``. says: whether the use that it is about is allowed.

    where: ``page``, ``header``, or the path of a host's file.
    text: the words themselves, cut.
    since: when it comes into force, ISO 8601; empty if it is in force.
    """

    signal: str
    says: Answer
    where: str
    text: str
    since: str = ""

    @classmethod
    def of(cls, signal: str, says: Answer, where: str, text: str, since: str = "") -> Self:
        return cls(
            signal, says, where, " ".join(text[: 2 * _LONGEST_TEXT].split())[:_LONGEST_TEXT], since
        )

    @classmethod
    def from_data(cls, data: Mapping[str, str]) -> Self:
        """Raises KeyError or TypeError for data that ``as_data`` did not write."""
        return cls(**{name: data[name] for name in cls.__slots__})  # type: ignore[arg-type]

    def as_data(self) -> dict[str, str]:
        return {name: getattr(self, name) for name in self.__slots__}

    @property
    def is_of_host(self) -> bool:
        """Whether a file of the host says it, and not the page or its response."""
        return self.where.startswith("/")

    def holds(self, moment: datetime) -> bool:
        """Whether it is in force at ``moment``, which is timezone-aware.

        >>> from datetime import UTC
        >>> soon = Statement("unavailable-after", "no", PAGE, "", "2030-01-01T00:00:00+00:00")
        >>> [soon.holds(datetime(year, 6, 1, tzinfo=UTC)) for year in (2029, 2030)]
        [False, True]
        """
        return not self.since or datetime.fromisoformat(self.since) <= moment


@dataclass(frozen=True, slots=True)
class FileRead:
    """When a file of a host was read, and with what status; 0 if it could not be had."""

    path: str
    status: int
    read_at: str


def consent_data(
    rules: str, files: Iterable[FileRead], found: Iterable[Statement]
) -> dict[str, Any]:
    """``metadata.consent``: the version of the rules, the files that were read, what was found."""
    return {
        "rules": rules,
        "files": [asdict(file) for file in files],
        "found": [statement.as_data() for statement in found],
    }


def statements_in(consent: Mapping[str, Any] | None) -> list[Statement]:
    """The statements in ``metadata.consent``; none if it is null.

    Raises KeyError or TypeError for what ``consent_data`` did not make.
    """
    return [Statement.from_data(one) for one in (consent or {}).get("found", ())]
