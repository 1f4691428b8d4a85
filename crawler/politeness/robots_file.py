"""The lines of a robots.txt that apply to an agent, found in linear time, and their parsed rules.

Protego copies every rule for every agent of its group, so a small file could take gigabytes.
Therefore it gets only our group, for the agent ``*``.
"""

from __future__ import annotations

import re
from collections import OrderedDict, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, islice, takewhile
from typing import Final

from protego import Protego

# RFC 9309: crawlers must parse at least 500 KiB.
LARGEST: Final = 512_000
# Further rules with wildcards are ignored: URLs are matched against them one by one, which blocks
# the event loop. Rules without wildcards are found by prefix, all at once.
MOST_PATTERNS: Final = 5_000
# In characters. Of all groups of other agents, which may share lines, those beyond are ignored.
_MOST_NAMED: Final = 2 * LARGEST
# Further or longer lines on the use of pages are ignored, because they are read for every page.
_MOST_USAGES: Final = 100
_LONGEST_USAGE: Final = 1_000
# As in Protego: a colon after the field name, or white space unless a colon comes later.
_NO_COLON: Final = r"(?!\S)(?=[^:]*+(?::\S|\Z))"
_AGENT: Final = re.compile(
    rf"(?:user[- ]?agent\s*+:|(?:user-?agent|user\s++agent){_NO_COLON})\s*+(.*)", re.IGNORECASE
)
_LICENCE: Final = re.compile(r"license\s*+:\s*+(.*)", re.IGNORECASE)
_USAGE: Final = re.compile(r"content-(?:usage|signal)\s*+:", re.IGNORECASE)
_SITEMAP: Final = re.compile(rf"(?:sitemaps?|site-map)(?:\s*+:|{_NO_COLON})\s*+(.*)", re.IGNORECASE)
# RFC 9309, section 2.2.1: a line names an agent by its product token, and what follows, such as a
# version or a contact, is no part of it. Names in use also have digits, dots and several words
# ("AI2Bot", "archive.org_bot", "Kangaroo Bot"), so that each of the first words may end the name.
_AFTER_NAME: Final = re.compile(r"[^\w.* -]")
_MOST_WORDS: Final = 4
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
    """The text of the file, up to LARGEST bytes; half a rule would be another rule."""
    if len(body) >= LARGEST:
        body = body[:LARGEST].rpartition(b"\n")[0]
    return body.decode("utf-8-sig", "replace")


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
    return _few_patterns(_with_agents(ours, lines, names))


def _with_agents(
    ours: str, lines: Sequence[str], names: Sequence[tuple[str, ...] | None]
) -> Iterator[str]:
    is_ours = is_ended = False
    for line, named in zip(lines, names, strict=True):
        if named is not None:
            is_ours = ours in named or (is_ours and not is_ended)
            is_ended = False
            if is_ours:
                yield f"User-agent: {'*' if ours in named else _NOBODY}"
        elif is_ours:
            is_ended = is_ended or _RULE.match(line) is not None
            yield line


def _few_patterns(lines: Iterable[str]) -> Iterator[str]:
    """The lines, of those with wildcards only the first MOST_PATTERNS."""
    patterns = 0
    for line in lines:
        is_pattern = _PATTERN.search(line) is not None and not _AGENT.fullmatch(line)
        patterns += is_pattern
        yield _NO_RULE if is_pattern and patterns > MOST_PATTERNS else line


def named_groups(agents: Collection[str], text: str) -> list[tuple[tuple[str, ...], str]]:
    r"""The groups that name one of ``agents``, rewritten for ``*``: the agents, and their lines.

    Agents of the same lines share a group; those that are not named have none.

    >>> named_groups(["CCBot", "GPTBot"], "User-agent: gptbot\nDisallow: /a\nUser-agent: *")
    [(('GPTBot',), 'User-agent: *\nDisallow: /a')]
    """
    wanted = {agent.lower(): agent for agent in agents}
    lines: defaultdict[str, list[str]] = defaultdict(list)
    current: set[str] = set()
    is_ended = False
    for line in _lines(text):
        if found := _AGENT.fullmatch(line):
            current = set() if is_ended else current
            current |= wanted.keys() & set(_names(found[1]))
            is_ended = False
        else:
            is_ended = is_ended or _RULE.match(line) is not None
            for name in current:
                lines[name].append(line)
    sharing: defaultdict[str, list[str]] = defaultdict(list)
    for name, group in lines.items():
        sharing["\n".join(group)].append(wanted[name])
    return list(_few_groups(sharing))


def _few_groups(agents: Mapping[str, Sequence[str]]) -> Iterator[tuple[tuple[str, ...], str]]:
    """The groups, with their agents, up to _MOST_NAMED. agents: of each group's lines."""
    left = _MOST_NAMED
    for lines, names in agents.items():
        if len(lines) <= left:
            left -= len(lines)
            group = "\n".join(["User-agent: *", *_few_patterns(lines.split("\n"))])
            yield tuple(sorted(names)), group


def before_groups(text: str) -> str:
    """The lines before the first group, which are for no agent in particular."""
    return "\n".join(takewhile(lambda line: not _AGENT.fullmatch(line), _lines(text)))


def usages(group: str) -> str:
    r"""The lines of a group that say how pages may be used.

    >>> usages("User-agent: *\nContent-Signal: ai-train=no\nAllow: /")
    'Content-Signal: ai-train=no'
    """
    found = (line for line in group.split("\n") if _USAGE.match(line))
    return "\n".join(islice((line for line in found if len(line) <= _LONGEST_USAGE), _MOST_USAGES))


def licences(text: str) -> list[str]:
    """The licences that the file names, in whatever group, as written.

    >>> licences("License: https://example.com/license.xml # RSL")
    ['https://example.com/license.xml']
    """
    return [found[1] for line in _lines(text) if (found := _LICENCE.fullmatch(line)) and found[1]]


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
    """The names by which an agent line may mean an agent, also without wildcards.

    >>> _names("GPTBot/1.2 (+https://example.com/bot)")
    ('gptbot',)
    >>> _names("*bot by us")
    ('*bot', '*bot by', '*bot by us', 'bot', 'bot by', 'bot by us')
    """
    words = _AFTER_NAME.split(value.lower(), maxsplit=1)[0].split(maxsplit=_MOST_WORDS)
    found = list(accumulate(words[:_MOST_WORDS], "{} {}".format))
    return tuple(dict.fromkeys((*found, *(name.replace("*", "") for name in found))))


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
