"""What rules of robots.txt take is known, and bounded."""

from __future__ import annotations

import gc
import tracemalloc

import pytest

from crawler.politeness.robots_file import RulesCache, group_for, weight_of

SHAPES = {
    "short": "Allow: /{}",
    "usual": "Disallow: /some/longer/path/that/is/usual/{}/",
    "ends": "Allow: *{}$",
    "wildcards": "Disallow: /*a*b*c{}",
    "many wildcards": "Disallow: /" + "*a" * 240 + "{}",
    "beyond ASCII": "Disallow: /" + "\u00e9" * 100 + "{}",
    "index": "Allow: /{}/index.html",
}


def group(shape: str, rules: int = 1_000) -> str:
    return "User-agent: *\n" + "\n".join(shape.format(number) for number in range(rules))


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
def test_rules_take_no_more_than_is_counted(shape: str) -> None:
    text = group(shape)
    tracemalloc.start()
    try:
        rules = RulesCache().of(text)
        rules.can_fetch("http://example.com/" + "a" * 300, "my-bot")
        gc.collect()
        taken = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert weight_of(text) / 10 < taken < weight_of(text)


def test_rules_that_were_forgotten_are_read_again() -> None:
    one, other = group("Disallow: /{}"), group("Disallow: /a{}")
    read = RulesCache(weight_of(one) + weight_of(other))
    rules, forgotten = read.of(one), read.of(other)
    assert read.of(one) is rules
    read.of(group("Allow: /{}"))
    assert read.bytes <= weight_of(one) + weight_of(other)
    assert read.of(one) is rules
    assert read.of(other) is not forgotten
    assert not read.of(other).can_fetch("http://example.com/a7", "my-bot")


def test_the_rules_of_one_group_are_kept_however_many_they_are() -> None:
    read, text = RulesCache(1), group("Disallow: /{}")
    assert read.of(text) is read.of(text)
    assert read.bytes == weight_of(text)


def test_origins_of_one_text_share_their_rules() -> None:
    read, text = RulesCache(), "User-agent: *\nDisallow: /a"
    assert read.of(group_for("my-bot", text)) is read.of(group_for("my-bot", text + " # b"))
