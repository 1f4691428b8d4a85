"""What counts as a change of a text."""

from __future__ import annotations

import pytest

from pipelines.versions.fingerprint import Fingerprint
from tests.cpu_time import bounded_time

STORY = """The old bridge

The bridge over the river was built in the year 1931 by two brothers from the town.

Posted 3 hours ago · 1,234 views · 12 comments

It carries 4,000 cars on every day of the week, and the council wants to repair it in spring.

Related stories

New trams for the northern quarter

A museum of salt opens its doors

The town's oldest baker retires

Where to swim this summer"""


def changed(old: str, new: str) -> bool:
    return Fingerprint.of(old).difference(Fingerprint.of(new)).is_change


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("year 1931", "year 1932", id="number"),
        pytest.param("two brothers", "two sisters", id="word"),
        pytest.param("in spring.", "in spring. It is closed until then.", id="sentence"),
    ],
)
def test_a_correction_in_a_sentence_is_a_change(old: str, new: str) -> None:
    assert changed(STORY, STORY.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("3 hours ago", "2 days ago", id="age"),
        pytest.param("1,234 views", "1.2k views", id="views"),
        pytest.param("12 comments", "13 comments", id="comments"),
        pytest.param("\n\nRelated", "\n\nAdvertisement\n\nRelated", id="advert"),
        pytest.param("A museum of salt opens its doors", "Rain until Sunday", id="related"),
        pytest.param(" over the river", "  over the\u00a0river", id="white space"),
    ],
)
def test_what_surrounds_it_is_none(old: str, new: str) -> None:
    assert STORY.replace(old, new) != STORY
    assert not changed(STORY, STORY.replace(old, new))


@pytest.mark.parametrize(
    "age",
    ["an hour ago", "vor 3 Stunden", "il y a 2 jours", "hace 5 minutos", "há 2 horas", "3 ore fa",
     "2 uur geleden", "5 minut temu", "3 часа назад", "5分钟前", "3時間前", "2시간 전"],
)  # fmt: skip
def test_ages_are_known_in_many_languages(age: str) -> None:
    form = "Reported {} by our own correspondent, who was there when the bridge was opened."
    assert not changed(form.format(age), form.format("3 hours ago"))


@pytest.mark.parametrize("piece", ["1", "123'"])
def test_a_text_of_nothing_but_digits_is_read_in_linear_time(piece: str) -> None:
    with bounded_time():
        Fingerprint.of((piece * 60_000)[:60_000])


def test_a_list_changes_when_a_fifth_of_it_is_new() -> None:
    entries = [f"Entry {number} of the list" for number in range(40)]
    for new, is_change in ((1, False), (3, False), (16, True), (40, True)):
        later = [f"New {number}" for number in range(new)] + entries[new:]
        assert changed("\n".join(entries), "\n".join(later)) is is_change, new


def test_chinese_sentences_count_exactly() -> None:
    text = "这座桥建于一九三一年，由镇上的两兄弟建造，至今每天都有四千辆汽车通过。"
    assert changed(text, text.replace("四千", "五千"))


def test_a_new_title_is_a_change() -> None:
    old, new = (Fingerprint.of(STORY, title) for title in ("The bridge", "The broken bridge"))
    assert old.difference(new).is_change


def test_an_empty_text_is_a_text() -> None:
    assert not changed("", " ")
    assert changed("", STORY)


@pytest.mark.parametrize("text", ["", "x", "é" * 47, "A" * 46, "!" * 47])
def test_what_is_no_fingerprint_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a fingerprint"):
        Fingerprint.read(text)
