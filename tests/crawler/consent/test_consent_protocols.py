"""What each protocol says, by the examples of its specification."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from protego import Protego

from corpus_commons.markup import parse
from crawler.consent import ai_txt, aipref, content_signals, robots_agents, robots_tags, rsl, tdmrep
from crawler.consent.page_signals import PageSignals
from crawler.consent.path_patterns import matches, path_of
from crawler.consent.statement import HEADER, PAGE, ROBOTS_TXT, TDMREP, Statement
from crawler.consent.trainers import trainers
from crawler.politeness.robots_file import RulesCache, group_for, named_groups

SITE = "https://provider.com"
Said = dict[str, str]


def said(statements: object) -> Said:
    return {one.signal: one.says for one in statements}  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("pattern", "path", "fits"),
    [
        ("/", "/any", True),
        ("/fish", "/fish.html", True),
        ("/fish", "/Fish.asp", False),
        ("/fish*", "/fishheads/yummy.html", True),
        ("/fish/", "/fish", False),
        ("/fish/", "/fish/?id=anything", True),
        ("/*.php", "/folder/filename.php?parameters", True),
        ("/*.php$", "/filename.php/", False),
        ("/*.php$", "/a.php/filename.php", True),
        ("/fish*.php", "/fishheads/catfish.php?parameters", True),
        ("/this/path/exactly$", "/this/path/exactly", True),
        ("/this/path/exactly$", "/this/path/exactly/not", False),
        ("/a*a$", "/a", False),
        ("/caf\u00e9", "/caf%C3%A9", True),
        ("/%7euser", "/~user", True),
        ("/path/foo-%24", "/path/foo-%24", True),
    ],
)
def test_a_pattern_fits_as_in_robots_txt(pattern: str, path: str, fits: bool) -> None:
    assert matches(pattern, path_of(SITE + path)) is fits


AIPREF = """User-Agent: *
Allow: /
Disallow: /never/
Content-Usage: train-ai=n
Content-Usage: /ai-ok/ train-ai=y

User-Agent: ExampleBot
Allow: /
Content-Usage: train-ai=y
"""


@pytest.mark.parametrize(
    ("agent", "path", "says"),
    [
        ("my-bot", "/test", "no"),
        ("my-bot", "/ai-ok/test", "yes"),
        ("ExampleBot", "/test", "yes"),
        ("ExampleBot", "/ai-ok/test", "yes"),
    ],
)
def test_content_usage_of_robots_txt_is_for_a_path_and_an_agent(
    agent: str, path: str, says: str
) -> None:
    found = aipref.of_robots(group_for(agent, AIPREF), SITE + path, ROBOTS_TXT)
    assert said(found) == {"content-usage": says}


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        (["train-ai=n"], {"content-usage": "no"}),
        (["train-ai=y, search=n"], {"content-usage": "yes", "content-usage-search": "no"}),
        (["search=y", "train-ai=n"], {"content-usage": "no", "content-usage-search": "yes"}),
        (['train-ai=y, train-ai, search=n, search="n"'], {}),
        (["train-ai;allow=n, train-ai=y"], {"content-usage": "yes"}),
        (['train-ai;has;parameters="?"'], {}),
        (['train-ai=n;exceptions=("a" b)'], {}),
        (["Train-AI=n"], {}),
        (["train-ai=n,"], {}),
        (["other=(a b);c=1, train-ai=n"], {"content-usage": "no"}),
        (["train-ai=maybe"], {}),
        ([], {}),
    ],
)
def test_content_usage_is_a_dictionary_or_says_nothing(header: list[str], expected: Said) -> None:
    assert said(aipref.of_header(header)) == expected


def test_of_two_rules_for_a_path_the_one_that_forbids_is_among_the_statements() -> None:
    found = aipref.of_robots("Content-Usage: train-ai=y\nContent-Usage: train-ai=n", SITE, "")
    assert [one.says for one in found] == ["yes", "no"]


@pytest.mark.parametrize(
    ("line", "path", "expected"),
    [
        ("Content-Signal: ai-train=no", "/", {"content-signal": "no"}),
        (
            "content-signal: search=yes, ai-input=no, ai-train=no",
            "/",
            {
                "content-signal": "no",
                "content-signal-input": "no",
                "content-signal-search": "yes",
            },
        ),
        ("Content-Signal: search=yes,ai-train=no,use=reference", "/a", {"content-signal": "no"}),
        ("Content-Signal: /blog/ ai-train=no", "/blog/post", {"content-signal": "no"}),
        ("Content-Signal: /blog/ ai-train=no", "/about", {}),
        ("Content-Signal: ai-train=perhaps", "/", {}),
        ("Content-Signal:", "/", {}),
    ],
)
def test_content_signals_are_yes_or_no(line: str, path: str, expected: Said) -> None:
    found = said(content_signals.statements(line, SITE + path, ROBOTS_TXT))
    assert found.items() >= expected.items()
    assert ("content-signal" in found) == ("content-signal" in expected)


TDM_FILE = """[
  {"location": "/directory-a/", "tdm-reservation": 1},
  {"location": "/directory-b/html/", "tdm-reservation": 1,
   "tdm-policy": "https://provider.com/policies/policy.json"},
  {"location": "/directory-b/images/*.jpg", "tdm-reservation": 0}
]"""


@pytest.mark.parametrize(
    ("text", "path", "says"),
    [
        ('[{"location": "/", "tdm-reservation": 1}]', "/any", "no"),
        (TDM_FILE, "/directory-a/report.pdf", "no"),
        (TDM_FILE, "/directory-b/html/a", "no"),
        (TDM_FILE, "/directory-b/images/a.jpg", "yes"),
        (TDM_FILE, "/directory-c/", None),
        ('{"location": "/", "tdm-reservation": 1}', "/", "no"),
        ('[{"location": "/", "tdm-reservation": "1"}]', "/", "no"),
        ('[{"location": "/", "tdm-reservation": 2}]', "/", None),
        ('[{"location": "/", "tdm-reservation": true}]', "/", None),
        (
            '[{"location": "/a", "tdm-reservation": 0}, {"location": "/", "tdm-reservation": 1}]',
            "/a",
            "yes",
        ),
        ("<!doctype html><title>Not found</title>", "/", None),
        ("[1, null, [], {}]", "/", None),
    ],
)
def test_the_first_rule_of_tdmrep_that_fits_decides(text: str, path: str, says: str | None) -> None:
    found = said(tdmrep.of_file(tdmrep.rules_of(text), SITE + path))
    assert found == ({"tdmrep": says} if says else {})


def test_what_the_page_says_of_tdm_replaces_the_header_and_that_the_file() -> None:
    file = tdmrep.of_file(tdmrep.rules_of(TDM_FILE), f"{SITE}/directory-a/")
    header = tdmrep.of_header({"tdm-reservation": "0", "tdm-policy": "x"})
    page = tdmrep.of_page({"tdm-reservation": "1"})
    assert [one.where for one in tdmrep.effective([*file, *header, *page])] == [PAGE]
    assert [one.where for one in tdmrep.effective([*file, *header])] == [HEADER]
    assert [one.where for one in tdmrep.effective(file)] == [TDMREP]


def licence(inner: str, attributes: str = 'url="/"') -> str:
    return f'<rsl xmlns="https://rslstandard.org/rsl"><content {attributes}>{inner}</content></rsl>'


USAGE = '<license><{0} type="usage">{1}</{0}></license>'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (licence(USAGE.format("prohibits", "ai-all")), "no"),
        (licence(USAGE.format("prohibits", "ai-train")), "no"),
        (licence(USAGE.format("prohibits", "ai-input")), "yes"),
        (licence(USAGE.format("permits", "search ai-index")), "no"),
        (licence(USAGE.format("permits", "search, ai-train")), "yes"),
        (licence(USAGE.format("permits", "all") + USAGE.format("prohibits", "ai-train")), "no"),
        (licence('<license><payment type="attribution"/></license>'), "yes"),
        (licence('<license><payment type="crawl"><amount>1</amount></payment></license>'), "no"),
        (licence('<license><permits type="user">non-commercial</permits></license>'), "no"),
        (licence(USAGE.format("permits", "all"), 'url="/" server="https://a.test"'), "no"),
        (licence(USAGE.format("prohibits", "all"), 'url="/images/"'), None),
        (licence(USAGE.format("prohibits", "all"), 'url="https://other.test/*"'), None),
        (licence(USAGE.format("prohibits", "all"), 'url="https://provider.com/news/*"'), "no"),
    ],
)
def test_rsl_says_whether_anybody_may_train_for_nothing(text: str, says: str | None) -> None:
    found = rsl.statements(rsl.contents_of(text), f"{SITE}/news/a", ROBOTS_TXT, "l.xml")
    assert said(found) == ({"rsl": says} if says else {})


def test_the_most_specific_content_of_rsl_decides() -> None:
    text = (
        '<rsl><content url="/"><license/></content><content url="/news/">'
        f"{USAGE.format('prohibits', 'all')}</content></rsl>"
    )
    contents = rsl.contents_of(text)
    assert said(rsl.statements(contents, f"{SITE}/news/a", "", "")) == {"rsl": "no"}
    assert said(rsl.statements(contents, f"{SITE}/a", "", "")) == {"rsl": "yes"}


@pytest.mark.parametrize(
    "text", ["", "<html>", "<feed/>", '<!DOCTYPE a [<!ENTITY b "c">]><rsl>&b;</rsl>']
)
def test_what_is_no_rsl_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no RSL"):
        rsl.contents_of(text)


@pytest.mark.parametrize(
    ("lines", "allowed"),
    [
        ("Disallow: /", False),
        ("Disallow: *", False),
        ("Disallow: *.txt\nDisallow: *.pdf", False),
        ("Disallow: *.jpg\nDisallow: *.py", True),
        ("Allow: /", True),
        ("Disallow: /private/", True),
    ],
)
def test_ai_txt_means_text_by_its_extensions(lines: str, allowed: bool) -> None:
    rules = Protego.parse(group_for("my-bot", f"# Spawning AI\nUser-Agent: *\n{lines}"))
    assert said(ai_txt.of_rules(rules, f"{SITE}/a", "my-bot")) == {
        "ai-txt": "yes" if allowed else "no"
    }


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("User-agent: GPTBot\nDisallow: /", {"GPTBot"}),
        ("User-agent: gptbot/1.0\nUser-agent: CCBot\nDisallow: /a", {"GPTBot", "CCBot"}),
        ("User-agent: *\nDisallow: /", set()),
        ("User-agent: GPTBot\nDisallow: /b", set()),
        ("User-agent: GPTBot\nDisallow: /\nAllow: /a", set()),
        ("User-agent: GPTBot\nAllow: /\n\nUser-agent: CCBot\nDisallow: /", {"CCBot"}),
    ],
)
def test_an_agent_of_trainers_is_refused_by_name(text: str, named: set[str]) -> None:
    groups = named_groups(["GPTBot", "CCBot", "ClaudeBot"], text)
    found = list(robots_agents.statements(groups, f"{SITE}/a", RulesCache()))
    assert {name for one in found for name in ("GPTBot", "CCBot") if name in one.text} == named


def test_the_list_of_agents_has_those_that_owners_know() -> None:
    assert {"GPTBot", "CCBot", "Google-Extended", "ClaudeBot"} <= trainers().keys()


@pytest.mark.parametrize(
    ("header", "meta", "expected"),
    [
        ("noindex", "", {"noindex"}),
        ("NOINDEX, nofollow", "", {"noindex"}),
        ("none", "", {"noindex"}),
        ("noai, noimageai", "", {"noai", "noimageai"}),
        ("", "noai", {"noai"}),
        ("", "noarchive nosnippet", {"noarchive", "nosnippet"}),
        ("max-snippet: 0", "", {"nosnippet"}),
        ("max-snippet: -1, noarchive", "", {"noarchive"}),
        ("my-bot: noindex", "", {"noindex"}),
        ("gptbot: noindex", "", {"noindex"}),
        ("otherbot: noindex, nofollow", "", set()),
        ("googlebot: nofollow, my-bot: noarchive", "", {"noarchive"}),
        ("unavailable_after: 25 Jun 2010 15:00:00 PST", "", {"unavailable-after"}),
        (
            "unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT, noai",
            "",
            {"unavailable-after", "noai"},
        ),
        ("", "unavailable_after: 2010-09-21", {"unavailable-after"}),
        ("unavailable_after: one day", "", set()),
        ("all", "index, follow", set()),
    ],
)
def test_robots_tags_are_for_everybody_us_and_trainers(
    header: str, meta: str, expected: set[str]
) -> None:
    agents = {"my-bot", "GPTBot"}
    rules = [
        *robots_tags.rules_of_header([header]),
        *robots_tags.rules_of_page([("ROBOTS", meta)]),
    ]
    found = list(robots_tags.statements(rules, agents, HEADER))
    assert {one.signal for one in found} == expected
    dates = {one.since[:10] for one in found if one.since}
    assert dates <= {"2010-06-25", "2010-09-21"}


@pytest.mark.parametrize(
    ("head", "header", "silent"),
    [
        ('<meta name=robots content="noindex, nofollow">', [], True),
        ("<meta name=ROBOTS content=none>", [], True),
        ("<meta name=my-bot content=nofollow>", [], True),
        ("<meta name=other-bot content=nofollow>", [], False),
        ("<meta name=GPTBot content=nofollow>", [], False),
        ("<meta name=robots content=noindex>", [], False),
        ("", ["noarchive", "nofollow"], True),
        ("", ["my-bot: nofollow"], True),
        ("", ["unavailable_after: 25 Jun 2030 15:00:00 PST"], False),
        ("", ["noindex, nofollow, unavailable_after: Fri, 25 Jun 2030 15:00:00 PST"], True),
        ("", ["nofollow, max-snippet: -1"], True),
        ("", ["max-image-preview: large, nofollow"], True),
        ("", ["other-bot: nofollow"], False),
        ("", ["other-bot: noindex, nofollow"], False),
        ("", ["other-bot: nofollow, my-bot: none"], True),
    ],
)
def test_nofollow_of_a_page_is_for_us_alone(head: str, header: list[str], silent: bool) -> None:
    headers = [("x-robots-tag", value) for value in header]
    found = PageSignals.of(parse(head), SITE, headers, agent="my-bot", trainers=["GPTBot"])
    assert found.nofollow is silent


def test_a_page_is_read_with_its_headers() -> None:
    html = """<meta name=TDM-Reservation content=1><meta name=robots content=noarchive>
    <link rel="license" type="application/rsl+xml" href="/b.xml"><link rel=license href=/cc>"""
    headers = [
        ("link", '</a.xml>; rel="license"; type="application/rsl+xml", </c>; rel=next'),
        ("content-usage", "train-ai=n"),
        ("tdm-reservation", "0"),
    ]
    found = PageSignals.of(parse(html), f"{SITE}/a", headers, agent="my-bot")
    assert {(one.signal, one.says, one.where) for one in found.found} == {
        ("tdmrep", "yes", HEADER),
        ("tdmrep", "no", PAGE),
        ("noarchive", "no", PAGE),
        ("content-usage", "no", HEADER),
    }
    assert found.licences == ((HEADER, f"{SITE}/a.xml"), (PAGE, f"{SITE}/b.xml"))


def test_a_licence_counts_once_though_the_page_as_served_names_it_too() -> None:
    licence = "https://creativecommons.org/licenses/by-nc/4.0/"
    served = PageSignals().with_licence(licence)
    assert PageSignals().also(served).with_licence(licence) == served


@settings(max_examples=50)
@given(st.text(max_size=80), st.binary(max_size=80))
def test_nothing_that_was_fetched_raises(text: str, data: bytes) -> None:
    lines = data.decode("latin-1")
    list(aipref.of_header([text, lines]))
    list(aipref.of_robots(f"Content-Usage: {text}", SITE, ""))
    list(content_signals.statements(f"Content-Signal: /{text}", SITE, ""))
    tdmrep.of_file(tdmrep.rules_of(f'[{{"location": "{text}", "tdm-reservation": 1}}]'), SITE)
    list(rsl.linked([text, f"<{lines}>; rel=license; type={rsl.MEDIA_TYPE}"], SITE))
    named_groups(["GPTBot"], text)
    headers = [("x-robots-tag", text), ("link", f"<{text}>;rel=license;type=application/rsl+xml")]
    found = PageSignals.of(parse(f"<meta name=robots content='{text}'>"), SITE, headers, agent="a")
    assert all(Statement.from_data(one.as_data()) == one for one in found.found)
