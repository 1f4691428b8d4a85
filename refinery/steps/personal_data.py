"""``mask-personal-data``: addresses and numbers of persons become placeholders."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Final, Literal, NamedTuple, get_args

from datatrove.data import Document
from datatrove.pipeline.formatters.pii import PIIFormatter

from refinery.steps.base import Judge, Step, Task
from settings.values import Many

Kind = Literal["email", "ip", "iban", "phone"]

MASKED: Final = "masked"
"""The key of the metadata with the numbers of masked places, by kind."""

_DATATROVE: Final = PIIFormatter()
_PHONE: Final = re.compile(
    r"(?<![\w.,/+-])(?<!\d )(?:"
    r"(?:\+|00)[1-9]\d{0,2}(?:[ ./-]?\(?\d{1,4}\)?){2,6}"  # international
    r"|\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}"  # North American
    r"|0\d{1,4}[ /-]\d{3,4}[ -]?\d{2,5}(?:[ -]?\d{2,4})?"  # national, after a trunk prefix
    r")(?![\w/-]|[.,]\d)"
)
_IBAN: Final = re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b")


class _Pattern(NamedTuple):
    regex: re.Pattern[str]
    is_one: Callable[[str], bool]


def _is_phone(text: str) -> bool:
    return 7 <= sum(map(str.isdigit, text)) <= 15


def _is_iban(text: str) -> bool:
    """Whether the check digits are right (ISO 13616): the number modulo 97 is 1.

    >>> _is_iban("DE89 3704 0044 0532 0130 00"), _is_iban("DE88 3704 0044 0532 0130 00")
    (True, False)
    """
    plain = text.replace(" ", "")
    moved = plain[4:] + plain[:4]
    return int("".join(str(int(sign, 36)) for sign in moved)) % 97 == 1


_PATTERNS: Final[dict[str, _Pattern]] = {
    "email": _Pattern(_DATATROVE.emails_replacer.regex, bool),
    "iban": _Pattern(_IBAN, _is_iban),
    "ip": _Pattern(_DATATROVE.ip_replacer.regex, _DATATROVE.ip_replacer.validator),
    "phone": _Pattern(_PHONE, _is_phone),
}


class MaskPersonalData(Step):
    """Replaces e-mail addresses, public IPv4 addresses, IBANs with right check digits, and what is
    written as a phone number by `[email]`, `[ip]`, `[iban]`, `[phone]`. Names are not masked. Drops
    nothing; the texts of what other steps drop are masked, too.
    """

    use: Literal["mask-personal-data"] = "mask-personal-data"
    """The step's name."""
    kinds: Many[Kind] = get_args(Kind)
    """What is masked."""

    def judge(self, task: Task) -> Judge:
        patterns = [(kind, _PATTERNS[kind]) for kind in _PATTERNS if kind in self.kinds]

        def judge(_: int, document: Document) -> None:
            found = Counter(document.metadata.get(MASKED) or {})
            for kind, pattern in patterns:
                document.text, count = _masked(document.text, kind, pattern)
                found[kind] += count
            document.metadata[MASKED] = {kind: count for kind, count in found.items() if count}

        return judge


def _masked(text: str, kind: str, pattern: _Pattern) -> tuple[str, int]:
    count = 0

    def replaced(match: re.Match[str]) -> str:
        nonlocal count
        if not pattern.is_one(match[0]):
            return match[0]
        count += 1
        return f"[{kind}]"

    return pattern.regex.sub(replaced, text), count
