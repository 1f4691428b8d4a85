"""URL patterns: sound ones pass, those that a hostile URL could keep busy do not."""

from __future__ import annotations

import re

import pytest

from settings.patterns import checked
from tests.cpu_time import bounded_time


@pytest.mark.parametrize(
    "pattern",
    [
        "/news/",
        r"^https://([a-z]+\.)?example\.com/(en|de)/",
        r"/\d{4}/\d{2}/[^/]+/?$",
        r"[?&](page|p)=\d+",
        r"(?>/[^/]+)+\.html$",
        r"(?:[a-z]++/)+$",
        r"[(+*)]+\(",
        r"[]+)]+x",
        r"(?i)\.PDF$",
        r"(ab){2,5}",
        r"(?:/[^/]+){3}$",
        r"(?>[a-z]+-?){8}",
        r"/[0-9a-f]{32}/.*{",
        r"a{3}(?:b|c)?d*",
        r"(?=.*news).*\d",
    ],
)
def test_usual_patterns_pass(pattern: str) -> None:
    assert checked(pattern) == pattern


@pytest.mark.parametrize(
    "pattern",
    ["(a+)+$", "(a|a)*$", "(?:a*)*$", "((a+)b?)*$", "(a{1,})+$", "(a+){2,30}$", "(?P<x>a+)+?$",
     "(?:(?:(?:a+)))+$", "(a|ab|b)+$", r"(\w+\s?)*$", "([^/]+/?)*$", "(a+){30}$", "(a|aa){30}$"],
)  # fmt: skip
def test_patterns_with_exponential_cost_are_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match=r"must not repeat a group .* \(\?>\.\.\.\)"):
        checked(pattern)


def test_the_way_out_that_the_message_names_is_fast() -> None:
    hostile = "a" * 4000 + "!"
    with bounded_time():
        assert not re.search(checked("^(?>a|aa)+$"), hostile)


@pytest.mark.parametrize(
    ("pattern", "right"),
    [
        ("", '".\\*" matches every URL'),
        ("a" * 501, "at most 500 characters"),
        ("(", "must be a regular expression"),
        ("*.html", "nothing to repeat"),
        ("a.*b.*c.*d.*e.*f", "at most 4 open-ended repeats .*, not 5"),
        ("(a+){6}$", "as often as their group is repeated, not 6"),
        ("(?:(?:a+-?){1,3}b?){2}$", "not 6"),
        ("a{99999999999999999999}", "must be a regular expression"),
    ],
)
def test_other_patterns_are_refused_with_what_is_right(pattern: str, right: str) -> None:
    with pytest.raises(ValueError, match=right):
        checked(pattern)
