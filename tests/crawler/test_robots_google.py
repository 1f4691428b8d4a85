"""robots.txt as Google's parser reads it: its published cases in our words, for our own rules.

Left out is what is Google's alone: lines cut at 16,664 bytes, and unknown lines between the names
of a group, which end its names for us, as for protego.
"""

from __future__ import annotations

import pytest

from crawler.consent.robots_agents import statements
from crawler.politeness.robots_file import LARGEST, RulesCache, group_for, named_groups, text_of

SITE = "http://foo.bar"
GROUPS = """allow: /foo/bar/

user-agent: FooBot
disallow: /
allow: /x/
user-agent: BarBot
disallow: /
allow: /y/


allow: /w/
user-agent: BazBot

user-agent: FooBot
allow: /z/
disallow: /
"""


def is_allowed(text: str, agent: str, path: str) -> bool:
    group = group_for(agent, text)
    return not group or RulesCache().of(group).can_fetch(SITE + path, agent)


def rules(*lines: str) -> str:
    return "\n".join(["user-agent: FooBot", *lines])


@pytest.mark.parametrize(
    ("text", "agent", "path", "allowed"),
    [
        # What a line is.
        ("", "FooBot", "/x/y", True),
        (rules("disallow: /"), "FooBot", "/x/y", False),
        ("foo: FooBot\nbar: /", "FooBot", "/x/y", True),
        ("user-agent FooBot\ndisallow /", "FooBot", "/x/y", False),
        ("USER-AGENT: FooBot\nALLOW: /x/\nDISALLOW: /", "FooBot", "/x/y", True),
        ("uSeR-aGeNt: FooBot\nAlLoW: /x/\ndIsAlLoW: /", "FooBot", "/a/b", False),
        # What a group is, and for whom.
        (GROUPS, "FooBot", "/x/b", True),
        (GROUPS, "FooBot", "/z/d", True),
        (GROUPS, "FooBot", "/y/c", False),
        (GROUPS, "BarBot", "/y/c", True),
        (GROUPS, "BarBot", "/w/a", True),
        (GROUPS, "BarBot", "/z/d", False),
        (GROUPS, "BazBot", "/z/d", True),
        (GROUPS, "FooBot", "/foo/bar/", False),
        ("User-agent: BarBot\nSitemap: /s\nUser-agent: *\nDisallow: /", "BarBot", "/", False),
        ("user-agent: *\nallow: /\nuser-agent: FooBot\ndisallow: /", "FooBot", "/x/y", False),
        ("user-agent: *\nallow: /\nuser-agent: FooBot\ndisallow: /", "BarBot", "/x/y", True),
        ("user-agent: FooBot\nallow: /\nuser-agent: BarBot\ndisallow: /", "QuxBot", "/x", True),
        ("User-agent: *\nDisallow: /x/\nUser-agent: FooBot\nDisallow: /y/", "FooBot", "/x/p", True),
        ("User-agent: *\nDisallow: /\nUser-agent: Foo Bar\nAllow: /x/", "Foo", "/x/y", True),
        # The longest rule decides, and of equal ones the one that allows.
        (rules("disallow: /x/"), "FooBot", "/x/y", False),
        (rules("disallow: /X/"), "FooBot", "/x/y", True),
        (rules("disallow: /x/page.html", "allow: /x/"), "FooBot", "/x/page.html", False),
        (rules("allow: /x/page.html", "disallow: /x/"), "FooBot", "/x/page.html", True),
        (rules("allow: /x/page.html", "disallow: /x/"), "FooBot", "/x/", False),
        (rules("disallow: ", "allow: "), "FooBot", "/x/page.html", True),
        (rules("disallow: /", "allow: /"), "FooBot", "/x/page.html", True),
        (rules("disallow: /x", "allow: /x/"), "FooBot", "/x", False),
        (rules("disallow: /x", "allow: /x/"), "FooBot", "/x/", True),
        (rules("allow: /page", "disallow: /*.html"), "FooBot", "/page.html", False),
        (rules("allow: /page", "disallow: /*.html"), "FooBot", "/page", True),
        (rules("allow: /x/page.", "disallow: /*.html"), "FooBot", "/x/page.html", True),
        (rules("allow: /x/page.", "disallow: /*.html"), "FooBot", "/x/y.html", False),
        # Special characters and encodings.
        (rules("Disallow: /foo/bar/quz", "Allow: /foo/*/qux"), "FooBot", "/foo/bar/quz", False),
        (rules("Disallow: /foo/bar/quz", "Allow: /foo/*/qux"), "FooBot", "/foo//quz", True),
        (rules("Disallow: /foo/bar$", "Allow: /foo/bar/qux"), "FooBot", "/foo/bar", False),
        (rules("Disallow: /foo/bar$", "Allow: /foo/bar/qux"), "FooBot", "/foo/bar/baz", True),
        (rules("# Disallow: /", "Disallow: /foo/quz#qux"), "FooBot", "/foo/bar", True),
        (rules("# Disallow: /", "Disallow: /foo/quz#qux"), "FooBot", "/foo/quz", False),
        (rules("Disallow: /", "Allow: /foo/bar/\u30c4"), "FooBot", "/foo/bar/%E3%83%84", True),
        (rules("Disallow: /", "Allow: /foo/bar/%E3%83%84"), "FooBot", "/foo/bar/%E3%83%84", True),
        (
            rules("Disallow: /", "Allow: /a?b=c&d=http://foo.bar?e"),
            "FooBot",
            "/a?b=c&d=http://foo.bar?e",
            True,
        ),
        # The examples of its documentation.
        (rules("disallow: /", "allow: /fish"), "FooBot", "/fish.html?id=anything", True),
        (rules("disallow: /", "allow: /fish"), "FooBot", "/catfish", False),
        (rules("disallow: /", "allow: /fish*"), "FooBot", "/fishheads/yummy.html", True),
        (rules("disallow: /", "allow: /fish/"), "FooBot", "/fish", False),
        (rules("disallow: /", "allow: /*.php"), "FooBot", "/index?f=filename.php/", True),
        (rules("disallow: /", "allow: /*.php"), "FooBot", "/windows.PHP", False),
        (rules("disallow: /", "allow: /*.php$"), "FooBot", "/filename.php?parameters", False),
        (rules("disallow: /", "allow: /fish*.php"), "FooBot", "/fishheads/catfish.php?a", True),
        # An index page is its folder.
        (rules("Allow: /a/index.html", "Disallow: /"), "FooBot", "/a/", True),
        (rules("Allow: /a/index.html", "Disallow: /"), "FooBot", "/a/index.htm", False),
    ],
)
def test_a_page_is_allowed_as_by_googles_parser(
    text: str, agent: str, path: str, allowed: bool
) -> None:
    assert is_allowed(text, agent, path) is allowed
    # The group of an agent by its name alone says the same, unless none names it.
    groups = named_groups([agent], text)
    if groups:
        found = list(statements(groups, SITE + path, RulesCache()))
        assert bool(found) is not allowed


@pytest.mark.parametrize("within", [0, 11, 40])
def test_a_file_is_cut_after_500_kib_before_the_line_that_goes_on(within: int) -> None:
    head = rules("disallow: /a\n").encode()
    filled = head + b"#" * (LARGEST - len(head) - 1 - within) + b"\n"
    text = text_of(filled + b"disallow: /beyond/" + b"b" * 100)
    assert LARGEST == 500 * 1024
    assert not is_allowed(text, "FooBot", "/a")
    assert is_allowed(text, "FooBot", "/beyond/" + "b" * 100)
    assert is_allowed(text, "FooBot", "/c")
