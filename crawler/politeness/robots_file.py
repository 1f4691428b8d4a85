"""The lines of a robots.txt that apply to us, found in linear time, and their parsed rules.

Protego copies every rule for every agent of its group, so a small file could take gigabytes.
Therefore it gets only our group, for the agent ``*``.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from protego import Protego

# RFC 9309: crawlers must parse at least 500 KiB.
LARGEST: Final = 512_000
# Further rules with wildcards are ignored: URLs are matched against them one by one, which blocks
# the event loop. Rules without wildcards are found by prefix, all at once.
MOST_PATTERNS: Final = 5_000
# As in Protego: a colon after the field name, or white space unless a colon comes later.
_NO_COLON: Final = r"(?!\S)(?=[^:]*+(?::\S|\Z))"
_AGENT: Final = re.compile(
    rf"(?:user[- ]?agent\s*+:|(?:user-?agent|user\s++agent){_NO_COLON})\s*+(.*)", re.IGNORECASE
)
_SITEMAP: Final = re.compile(rf"(?:sitemaps?|site-map)(?:\s*+:|{_NO_COLON})\s*+(.*)", re.IGNORECASE)
# Sites write "name/1.0", which common crawlers read as "name".
_VERSION: Final = re.compile(r"\A([\w.-]+)/\S*")
_WORD: Final = re.compile(r"(?<![\w-])")
# After a rule, an agent line begins a new group.
_RULE: Final = re.compile(r"(?:dis)?allow\s*+:", re.IGNORECASE)
_PATTERN: Final = re.compile(r"[*$]")
_NO_RULE: Final = "Disallow:"
# Not a possible agent name.
_NOBODY: Final = "/"
_LARGEST_CACHE: Final = 128_000_000
# The memory that Protego needs at most, as measured, in bytes: per line, per character (which it
# percent-encodes), per "*" (at which it splits the line) and per "$" (which makes a second rule).
_LINE_WEIGHT: Final = 700
_CHARACTER_WEIGHT: Final = 8
_WILDCARD_WEIGHT: Final = 100
_END_WEIGHT: Final = 1_000


def text_of(body: bytes) -> str:
    """The text of the file, up to LARGEST bytes."""
    return body[:LARGEST].decode("utf-8-sig", "replace")


def group_for(agent: str, text: str) -> str:
    r"""The group for ``agent``, a product name, rewritten for ``*``; empty if there is none.

    >>> group_for("my-bot", "User-agent: a\nAllow: /\n\nUser-agent: My-Bot/2\nDisallow: /a # us")
    'User-agent: *\nDisallow: /a'
    """
    lines = _lines(text)
    names = [_names(found[1]) if (found := _AGENT.fullmatch(line)) else None for line in lines]
    ours = _best(agent.lower(), (name for group in names for name in group or ()))
    return "\n".join(_ours(ours, lines, names)) if ours else ""


def _ours(
    ours: str, lines: Sequence[str], names: Sequence[tuple[str, ...] | None]
) -> Iterator[str]:
    """The lines of our groups, and the agent line after each, which ends it."""
    is_ours = is_ended = False
    patterns = 0
    for line, named in zip(lines, names, strict=True):
        if named is not None:
            is_ours = ours in named or (is_ours and not is_ended)
            is_ended = False
            if is_ours:
                yield f"User-agent: {'*' if ours in named else _NOBODY}"
        elif is_ours:
            is_ended = is_ended or _RULE.match(line) is not None
            is_pattern = _PATTERN.search(line) is not None
            patterns += is_pattern
            yield _NO_RULE if is_pattern and patterns > MOST_PATTERNS else line


def sitemaps(text: str) -> list[str]:
    r"""The sitemaps in the file, as written.

    >>> sitemaps("Sitemap: /a.xml # all\nUser-agent: *\nsite-map http://example.com/b.xml")
    ['/a.xml', 'http://example.com/b.xml']
    """
    return [found[1] for line in _lines(text) if (found := _SITEMAP.fullmatch(line)) and found[1]]


def _lines(text: str) -> list[str]:
    """The lines, without comments and blank ones."""
    stripped = (line.partition("#")[0].strip() for line in text.splitlines())
    return [line for line in stripped if line]


def _names(value: str) -> tuple[str, ...]:
    """The agent names in an agent line: its value, also without wildcards."""
    name = _VERSION.sub(r"\1", value).lower()
    return (name,) if name == "*" else (name, name.replace("*", ""))


def _best(agent: str, names: Iterable[str]) -> str | None:
    """The longest name with which a word of ``agent`` begins; the first of equal ones."""
    starts = [word.start() for word in _WORD.finditer(agent)]

    def score(name: str) -> int:
        if name == "*":
            return 1
        return len(name) * any(agent.startswith(name, start) for start in starts)

    best = max(names, key=score, default="")
    return best if score(best) else None


class RulesCache:
    """Parsed rules of groups, shared by origins with the same text.

    They take up to a hundred times the memory of their text, and parsing is quick. So the texts of
    all origins are kept elsewhere, but here only the latest parsed rules.

    most_bytes: the memory for all rules; the latest are kept even if they alone need more.
    """

    def __init__(self, most_bytes: int = _LARGEST_CACHE) -> None:
        self._most_bytes = most_bytes
        self._read: OrderedDict[str, Protego] = OrderedDict()
        self.bytes = 0

    def of(self, group: str) -> Protego:
        """The rules of a group from ``robots_file.group_for``."""
        rules = self._read.pop(group, None)
        if rules is None:
            rules = Protego.parse(group)
            self.bytes += weight_of(group)
        self._read[group] = rules
        while self.bytes > self._most_bytes and len(self._read) > 1:
            self.bytes -= weight_of(self._read.popitem(last=False)[0])
        return rules


def weight_of(group: str) -> int:
    """An upper estimate of the memory of a group's rules, in bytes."""
    lines = group.count("\n") + 1
    signs = _WILDCARD_WEIGHT * group.count("*") + _END_WEIGHT * group.count("$")
    return _LINE_WEIGHT * lines + _CHARACTER_WEIGHT * len(group) + signs
