"""Of a robots.txt the group that is for us is read, and all of it in linear time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from protego import Protego

from crawler.politeness.robots_file import (
    LARGEST,
    MOST_PATTERNS,
    group_for,
    named_groups,
    sitemaps,
    text_of,
    usages,
)
from tests.cpu_time import bounded_time

AGENT = "my-bot"
FIELDS = (
    "User-agent: |user-agent:|USER AGENT :|useragent |User  agent |User  agent:|user-agent: x |"
    "Disallow: |Allow: |disalow |Crawl-delay: |Request-rate: |Sitemap: |site-map |Sitemaps :|"
    "Host: |Unknown: |\u00a0user-agent\t|# |"
).split("|")
VALUES = (
    "*|my-bot|My|my*|*bot*|bot|my-bot-2|m|**|b*|other|other: x|other:x|/|/a|/a$|/*b|2|1/10|"
    "http://example.com/s.xml| # Disallow: /|"
).split("|")
lines = st.tuples(st.sampled_from(FIELDS), st.sampled_from(VALUES)).map("".join)
files = st.lists(lines, max_size=14).map("\r\n".join)


def rules_for(agent: str, text: str) -> Protego:
    return Protego.parse(group_for(agent, text))


@given(files, st.sampled_from((AGENT, "M", "bot", "a.bot")))
def test_the_rules_are_those_that_protego_finds_in_the_whole_file(text: str, agent: str) -> None:
    expected, found = Protego.parse(text), rules_for(agent, text)
    for path in ("", "a", "b", "ab", "other", "my-bot"):
        url = f"http://example.com/{path}"
        assert found.can_fetch(url, agent) == expected.can_fetch(url, agent)
    assert found.crawl_delay(agent) == expected.crawl_delay(agent)
    assert found.request_rate(agent) == expected.request_rate(agent)


@given(files)
def test_the_sitemaps_are_those_that_protego_finds(text: str) -> None:
    assert sitemaps(text) == list(Protego.parse(text).sitemaps)


def test_several_groups_for_one_name_are_one() -> None:
    rules = rules_for(
        AGENT,
        "User-agent: my-bot\nDisallow: /a\n\nUser-agent: *\nDisallow: /\n\n"
        "User-agent: other\nUser-agent: MY-BOT/2.0\nDisallow: /b\nCrawl-delay: 3",
    )
    allowed = [rules.can_fetch(f"http://example.com/{path}", AGENT) for path in "abc"]
    assert allowed == [False, False, True]
    assert rules.crawl_delay(AGENT) == 3


@pytest.mark.parametrize("names", [("my-bot", "other"), ("other", "my-bot"), ("a", "my-bot", "b")])
def test_a_group_is_for_all_whom_it_names(names: tuple[str, ...]) -> None:
    agents = "".join(f"User-agent: {name}\n" for name in names)
    rules = rules_for(AGENT, f"{agents}Disallow: /a\nUser-agent: other\nDisallow: /b")
    allowed = [rules.can_fetch(f"http://example.com/{path}", AGENT) for path in "ab"]
    assert allowed == [False, True]


BEHIND_A_NAME = (
    "|/1.2| 1.2|/1.2 (+https://example.com/bot)| (+mailto:bot@example.com)|"
    "; +https://example.com/bot|, others|\tbot| (ours) # comment"
).split("|")


@pytest.mark.parametrize("behind", BEHIND_A_NAME)
@pytest.mark.parametrize("name", ["my-bot", "AI2Bot", "archive.org_bot", "Kangaroo Bot"])
def test_what_follows_a_name_is_no_part_of_it(name: str, behind: str) -> None:
    text = f"User-agent: {name.upper()}{behind}\nDisallow: /a"
    group = "User-agent: *\nDisallow: /a"
    assert named_groups([name, "other"], text) == [((name,), group)]
    assert group_for("my-bot", text) == (group if name == "my-bot" else "")


@pytest.mark.parametrize("behind", [" (all)", "/1", " # all", " all"])
def test_what_follows_the_sign_for_everybody_is_no_part_of_it(behind: str) -> None:
    text = f"User-agent: *{behind}\nDisallow: /a"
    assert group_for(AGENT, text) == "User-agent: *\nDisallow: /a"
    assert named_groups(["all"], text) == []


@pytest.mark.parametrize(
    "value", ["my-bot-2", "my-bot.org", "my-bot2", "a my-bot", "Mozilla/5.0 (my-bot)", "(my-bot)"]
)
def test_a_name_that_goes_on_or_comes_later_is_anothers(value: str) -> None:
    text = f"User-agent: {value}\nDisallow: /a"
    assert group_for(AGENT, text) == ""
    assert named_groups([AGENT], text) == []


def test_only_so_many_patterns_are_obeyed_but_every_other_rule() -> None:
    numbers = range(MOST_PATTERNS + 1)
    patterns = "".join(f"Disallow: /*-{number}$\n" for number in numbers)
    others = "".join(f"Disallow: /{number}\n" for number in numbers)
    text = f"User-agent: b\n{patterns}User-agent: my-bot\n{patterns}User-agent: c\n{patterns}"
    rules = rules_for(AGENT, f"{text}User-agent: my-bot\n{others}Allow: /7*\n")
    last = MOST_PATTERNS
    paths = ("a-0", f"a-{last - 1}", f"a-{last}", str(last), "7")
    allowed = [rules.can_fetch(f"http://example.com/{path}", AGENT) for path in paths]
    assert allowed == [False, False, True, False, False]


def test_what_is_for_others_is_not_kept() -> None:
    others = "User-agent: a\nDisallow: /a\n\n"
    ours = "User-agent: *\nDisallow: /"
    assert group_for(AGENT, others + ours + "\n" + others * 3) == ours


def test_of_what_the_groups_of_others_share_no_more_is_kept_than_twice_the_file() -> None:
    agents = [f"a{number}" for number in range(20)]
    shared = "".join(f"User-agent: {agent}\n" for agent in agents) + "Allow: /\n" * 50_000
    own = "".join(f"User-agent: {agent}\nDisallow: /{agent}\n" for agent in agents)
    groups = named_groups(agents, shared + own)
    assert groups
    assert sum(len(group) for _, group in groups) < 2.1 * LARGEST


def test_of_lines_on_the_use_of_pages_only_the_first_and_short_ones_are_kept() -> None:
    lines = [f"Content-Usage: /{number} train-ai=n" for number in range(200)]
    long = "Content-Signal: " + "ai-train=no," * 1_000
    assert usages("\n".join([long, *lines])).split("\n") == lines[:100]


NAMES = "".join(f"User-agent: a{number}\n" for number in range(13_000))
RULES = "".join(f"Allow: /{number}\n" for number in range(13_000))
HOSTILE = {
    "blank lines": "\n" * 512_000,
    "names and rules": NAMES + RULES,
    "our name and rules": "User-agent: *\nUser-agent: my-bot\nUser-agent: my\n" * 4_000 + RULES,
    "white space": "User-agent" + " " * 512_000 + ":",
    "colons": "User-agent " + ": " * 250_000,
    "asterisks": "User-agent: " + "*" * 512_000,
    "slashes": "User-agent: " + "a/" * 250_000,
    "words": "User-agent: " + "a " * 250_000,
    "sitemaps": "Sitemap" + " " * 512_000 + ":",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_reading_is_linear(text: str) -> None:
    with bounded_time():
        assert rules_for(AGENT, text).can_fetch("http://example.com/", AGENT)
        assert sitemaps(text) == []


def test_half_a_megabyte_is_read() -> None:
    body = b"#\n" * 300_000
    assert len(text_of(body)) == 511_999
