"""``mask-personal-data``: addresses and numbers of persons become placeholders."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Final, Literal, NamedTuple, get_args

from datatrove.data import Document
from datatrove.pipeline.formatters.pii import public_ip_validator

from refinery.steps.base import Judge, Step, Task
from settings.values import Many

Kind = Literal["email", "ip", "iban", "phone"]

MASKED: Final = "masked"
"""The key of the metadata with the numbers of masked places, by kind."""

# What a page declares mostly stands in its text, too. URLs are left: by them, pages are found again
# and removed.
_DECLARED: Final = ("title", "author", "site_name", "description", "comments")
# Latin letters: scripts without spaces would take the words before an address for a part of it.
_SIGN: Final = "0-9A-Za-z_\u00c0-\u024f"
# All its parts are bounded, so that a long token takes no quadratic time.
_EMAIL: Final = re.compile(
    rf"(?<![{_SIGN}])[{_SIGN}][{_SIGN}.!#$%&'*+=?^`{{|}}~-]{{0,63}}@"
    rf"(?:[{_SIGN}](?:[{_SIGN}-]{{0,61}}[{_SIGN}])?\.){{1,8}}"
    rf"(?!(?:png|jpe?g|gif|svg|webp)\b)(?:[A-Za-z]{{2,24}}|xn--[0-9A-Za-z-]{{2,59}})(?![{_SIGN}])"
)
_IP: Final = re.compile(
    r"(?<![\w.])" + "".join(f"(?<!{word} )" for word in ("version", "release", "build", "section"))
    + r"\d{1,3}(?:\.\d{1,3}){3}(?!\w|\.\d)",
    re.IGNORECASE,
)  # fmt: skip
# Digits are taken four at a time and not parted anew: a long run could be parted in many ways.
_PHONE: Final = re.compile(
    r"(?<![\w.,/+-])(?<!ISSN )(?<!ISSN: )(?:"
    r"(?:\+|(?<!\d )00)[1-9]\d{0,2}(?:[ ./-]?\(?\d{1,4}+\)?){2,6}"  # international
    # North American; with spaces, only where it cannot be a number in groups
    r"|(?:1[ .-])?(?:\(\d{3}\)[ -]{0,2}\d{3}[ .-]|\d{3}[.-]\d{3}[.-])\d{4}"
    r"|(?<!\d )(?:1[ .-])?[2-9]\d\d [2-9]\d\d \d{4}"
    r"|(?<!\d )0[1-9](?P<mark>[ .-])\d\d(?:(?P=mark)\d\d){3}"  # French
    # national, after a trunk prefix
    r"|(?:(?<!\d )0[1-9]\d{0,3}[ /-]|\(0[1-9]\d{0,3}\)[ -]?)\d{3,4}[ -]?\d{2,5}(?:[ -]?\d{2,4})?"
    r")(?![\w/-]|[.,]\d)"
)
_SUM: Final = re.compile(r"\+\d{1,3}(?: \d{3})+")
_IBAN: Final = re.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b")
_SHORTEST_IBAN: Final = 15


class _Pattern(NamedTuple):
    """one_in: the part of a match that is one, from its first sign on; empty if it is none.

    overlaps: whether one may begin within a match that is none.
    """

    regex: re.Pattern[str]
    one_in: Callable[[str], str]
    overlaps: bool = False


def _ip(text: str) -> str:
    return text if public_ip_validator(text) else ""


def _phone(text: str) -> str:
    """All of it, if there are as many digits as in a number; a sum in groups of three has fewer.

    >>> _phone("+34 912 345 678"), _phone("+250 000 000")
    ('+34 912 345 678', '')
    """
    is_international = text.startswith(("+", "00"))
    least = 10 if _SUM.fullmatch(text) else 8 if is_international else 7
    return text if least <= sum(map(str.isdigit, text)) <= 15 else ""


def _iban(text: str) -> str:
    """The IBAN that it begins with; what follows may be words in capital letters, or numbers.

    >>> _iban("BE68 5390 0754 7034 BIC")
    'BE68 5390 0754 7034'
    """
    while text and not _is_iban(text):
        text = text.rpartition(" ")[0]
    return text


def _is_iban(text: str) -> bool:
    """Whether the check digits are right (ISO 13616): the number modulo 97 is 1.

    >>> _is_iban("DE89 3704 0044 0532 0130 00"), _is_iban("DE88 3704 0044 0532 0130 00")
    (True, False)
    """
    plain = text.replace(" ", "")
    if len(plain) < _SHORTEST_IBAN:
        return False
    moved = plain[4:] + plain[:4]
    return int("".join(str(int(sign, 36)) for sign in moved)) % 97 == 1


_PATTERNS: Final[dict[str, _Pattern]] = {
    "email": _Pattern(_EMAIL, str),
    "iban": _Pattern(_IBAN, _iban, overlaps=True),
    "ip": _Pattern(_IP, _ip),
    "phone": _Pattern(_PHONE, _phone),
}


class MaskPersonalData(Step):
    """Replaces e-mail addresses, public IPv4 addresses, IBANs with right check digits, and what is
    written as a phone number by `[email]`, `[ip]`, `[iban]`, `[phone]`, in the text, title, author,
    site name, description and comments, also of what other steps drop. URLs are left as they are,
    since pages are found again and removed by them. Names are not masked, and [some numbers are
    taken for others](../known-limits.md#data-sets). Drops nothing.
    """

    changes_texts = True

    use: Literal["mask-personal-data"] = "mask-personal-data"
    """The step's name."""
    kinds: Many[Kind] = get_args(Kind)
    """What is masked."""

    def judge(self, task: Task) -> Judge:
        patterns = [(kind, _PATTERNS[kind]) for kind in _PATTERNS if kind in self.kinds]

        def masked(text: str, found: Counter[str]) -> str:
            for kind, pattern in patterns:
                text, count = _masked(text, kind, pattern)
                found[kind] += count
            return text

        def judge(_: int, document: Document) -> None:
            metadata = document.metadata
            found = Counter(metadata.get(MASKED) or {})
            document.text = masked(document.text, found)
            for key in _DECLARED:
                if isinstance(metadata.get(key), str):
                    metadata[key] = masked(metadata[key], found)
            metadata[MASKED] = {kind: count for kind, count in found.items() if count}

        return judge


def _masked(text: str, kind: str, pattern: _Pattern) -> tuple[str, int]:
    parts, done, at = [], 0, 0
    while match := pattern.regex.search(text, at):
        at = match.start() + 1 if pattern.overlaps else match.end()
        if one := pattern.one_in(match[0]):
            parts.append(text[done : match.start()])
            done = at = match.start() + len(one)
    return f"[{kind}]".join([*parts, text[done:]]), len(parts)
