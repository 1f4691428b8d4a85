"""A run with the memory of sites: two passes, in which no page counts itself."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest
from sample_pages import record, write_set

from evaluation.commands import main
from evaluation.known_sites import KnownSites
from evaluation.results import OnSite, PageKey, Result
from extraction.page_marks import Blocks, PageMarks

ONE = Blocks(np.array([7], np.uint32), np.array([7], np.uint32), np.ones(1, np.float32))


def key(number: int, name: str = "s") -> PageKey:
    return PageKey(name, str(number))


def marked(page: PageKey, mark: int, site: str = "a.example", method: str = "m") -> Result:
    marks = PageMarks.of(mark, ONE, np.zeros(1)).to_bytes()
    return Result(page, method, "text", 0.1, None, OnSite(site, marks))


def known(sites: KnownSites, page: PageKey, method: str = "m") -> list[int]:
    return [PageMarks.from_bytes(marks).key for marks in sites.memory(page, method)]


def test_a_page_knows_the_others_of_its_site_but_not_itself() -> None:
    sites = KnownSites(most=20)
    for number in (3, 1, 2):
        sites.add(marked(key(number), number))
    sites.add(marked(key(4), 4, site="b.example"))
    assert [known(sites, key(number)) for number in (1, 2, 3, 4)] == [[2, 3], [1, 3], [1, 2], []]


def test_at_most_so_many_are_known_the_same_ones_whatever_the_order() -> None:
    forwards, backwards = KnownSites(most=2), KnownSites(most=2)
    results = [marked(key(number), number) for number in range(9)]
    for one, other in zip(results, reversed(results), strict=True):
        forwards.add(one)
        backwards.add(other)
    assert known(forwards, key(0)) == known(backwards, key(0)) == [1, 2]
    assert known(forwards, key(8)) == known(backwards, key(8)) == [0, 1]


def test_copies_of_a_page_with_the_same_key_are_left_out_with_it() -> None:
    sites = KnownSites(most=20)
    for number, mark in ((1, 5), (2, 5), (3, 6)):
        sites.add(marked(key(number), mark))
    assert known(sites, key(1)) == [6]


def test_sites_of_other_sets_and_marks_of_other_methods_are_not_known() -> None:
    sites = KnownSites(most=20)
    sites.add(marked(key(1), 1))
    sites.add(marked(key(2, "other"), 2))
    sites.add(marked(key(3), 3, method="n"))
    assert known(sites, key(1)) == []
    assert known(sites, key(3), "m") == [1]


def test_a_page_without_marks_or_site_knows_what_can_be_known() -> None:
    sites = KnownSites(most=20)
    sites.add(marked(key(1), 1))
    sites.add(Result(key(2), "m", "", 0.1, None, OnSite("a.example", None)))
    sites.add(marked(key(3), 3, site=""))
    sites.add(Result(key(4), "m", "", None, "crash: out of memory"))
    assert [known(sites, key(number)) for number in (1, 2, 3, 4)] == [[], [1], [], []]


def pages() -> list[dict[str, Any]]:
    """Three pages of one site, one of which has no URL but says where it is, and one of another."""
    return [
        record("1", "<p>one</p>", "knows 2", url="http://a.example.org/1", lang="en"),
        record("2", "<p>two</p>", "knows 2", url="http://www.example.org/2", lang="pl"),
        record("3", "<link rel=canonical href=//b.example.org/3><p>three</p>", "knows 2"),
        record("4", "<p>four</p>", "knows 0", url="http://example.net/4"),
    ]


def run(tmp_path: Path, *arguments: str) -> dict[str, Any]:
    data, out = write_set(tmp_path, pages()), tmp_path / "out.json"
    assert main(["extraction", "--data", str(data), "--json", str(out), *arguments]) == 0
    found: dict[str, Any] = orjson.loads(out.read_bytes())
    return found


def test_results_with_and_without_memory_stand_in_one_table(tmp_path: Path) -> None:
    saved = tmp_path / "saved.jsonl"
    methods = "trick_methods:Echo,trick_methods:Remembering"
    made = run(tmp_path, "--methods", methods, "--site-memory", "--per-page", str(saved))
    with_it = "trick_methods:Remembering + site"
    assert made["methods"] == [*methods.split(","), with_it]
    assert made["cells"]["all"]["all"][with_it]["scores"]["words"]["f1"] == 1.0
    lines = [json.loads(line) for line in saved.read_text().splitlines()]
    texts = {line["id"]: line["text"] for line in lines if line["method"] == with_it}
    assert texts == {"1": "knows 2", "2": "knows 2", "3": "knows 2", "4": "knows 0"}
    assert {line["text"] for line in lines if line["method"].endswith("ing")} == {"knows 0"}
    again = run(tmp_path, "--methods", "all", "--from", str(saved))
    assert again["cells"]["all"]["all"][with_it]["pages"] == 4


def test_a_memory_may_be_smaller(tmp_path: Path) -> None:
    saved = tmp_path / "saved.jsonl"
    arguments = ["--methods", "trick_methods:Remembering", "--per-page", str(saved)]
    run(tmp_path, *arguments, "--site-memory", "1", "--jobs", "2")
    lines = [json.loads(line) for line in saved.read_text().splitlines()]
    texts = {line["id"]: line["text"] for line in lines if line["method"].endswith("site")}
    assert texts == {"1": "knows 1", "2": "knows 1", "3": "knows 1", "4": "knows 0"}


def test_our_own_method_uses_the_memory(tmp_path: Path) -> None:
    story = "<p>The wind took the roof of station {0}, said the mayor of town {0}.</p>" * 6
    html = "<div class=box>Read more about our town</div><article>" + story + "</article>"
    records = [
        record(str(n), html.format(n), story.format(n), url=f"http://example.org/{n}")
        for n in range(4)
    ]
    data, out = write_set(tmp_path, records), tmp_path / "out.json"
    arguments = ["--methods", "boosted-blocks", "--site-memory", "--json", str(out)]
    assert main(["extraction", "--data", str(data), *arguments]) == 0
    assert orjson.loads(out.read_bytes())["methods"] == ["boosted-blocks", "boosted-blocks + site"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--methods", "all-text"], "none of all-text uses a site's memory"),
        (["--from", "saved.jsonl"], "not for results that were saved"),
    ],
)
def test_a_memory_that_nothing_would_use_is_an_error(
    tmp_path: Path, arguments: list[str], message: str, caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    caplog.set_level(logging.ERROR)
    data = write_set(tmp_path, pages())
    assert main(["extraction", "--data", str(data), "--site-memory", *arguments]) == 2
    assert message in capsys.readouterr().err + caplog.text
