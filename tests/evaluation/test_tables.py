"""Averages over pages, and their tables."""

from __future__ import annotations

import io
import math
from typing import Any

import orjson
import pytest
from rich.console import Console

from evaluation.metrics import Confusion
from evaluation.pages import Gold
from evaluation.results import PageKey, Result
from evaluation.scoring import Scored, score, score_all
from evaluation.summary import Summary, summarise
from evaluation.tables import Table, as_markdown, show, tables

METRICS = ("words", "lcs")


def gold(text: str | None = "a b", genre: str = "article", **more: tuple[str, ...]) -> Gold:
    snippets = {"must_have": (), "must_not_have": (), **more}
    return Gold(text, genre, "en", None, **snippets)


def key(number: int, set_name: str = "s") -> PageKey:
    return PageKey(set_name, str(number))


def scored(
    number: int, f1: float, *, method: str = "m", set_name: str = "s", **more: Any
) -> Scored:
    scores = ((1.0, f1, f1), (0.5, 0.5, 0.5))
    made = Scored(key(number, set_name), method, scores, 0.01, None)
    return made._replace(**more)


GOLDS = {
    key(1): gold(),
    key(2): gold(),
    key(3): gold(genre="forum"),
    key(1, "other"): gold(genre="unknown"),
}


def summary() -> Summary:
    scores = [
        scored(3, 0.0, seconds=5.0, failure="timeout"),
        scored(1, 1.0, decisions=Confusion(tp=1, fp=1, tn=1)),
        scored(2, 0.5, decisions=Confusion(tp=1, fn=1), seconds=0.03),
        scored(1, 0.0, set_name="other", seconds=None, failure="crash"),
        scored(1, 0.9, method="n"),
        scored(2, 0.9, method="n"),
        scored(3, 0.9, method="n"),
    ]
    return summarise(scores, GOLDS, ("n", "m"), METRICS, ("genre", "set"))


def test_averages_are_macro_means_over_pages_and_failures_are_zeros() -> None:
    cell = summary().cells["all"]["all"]["m"]
    assert cell.pages == 4
    assert cell.scores["words"].f1 == pytest.approx(1.5 / 4)
    assert cell.scores["lcs"].precision == pytest.approx(0.5)
    low, high = cell.scores["words"].f1_interval
    assert 0 <= low < 1.5 / 4 < high <= 1
    assert (cell.timeouts, cell.failures) == (1, 1)


def test_times_count_timeouts_at_their_limit_and_leave_out_crashes() -> None:
    cell = summary().cells["all"]["all"]["m"]
    assert cell.median_seconds == pytest.approx(0.03)
    assert cell.p95_seconds == pytest.approx(0.03 + 0.9 * (5 - 0.03))


def test_snippet_rates_are_means_over_the_pages_that_name_snippets() -> None:
    snippets = summary().cells["all"]["all"]["m"].snippets
    assert snippets.with_rate == pytest.approx(0.75)
    assert snippets.without_rate == pytest.approx(0.5)
    assert snippets.pages == 2


def test_groups_come_with_the_largest_first_and_only_with_methods_that_ran() -> None:
    cells = summary().cells
    assert list(cells) == ["all", "genre", "set"]
    assert [(group, len(found)) for group, found in cells["genre"].items()] == [
        ("article", 2),
        ("forum", 2),
        ("unknown", 1),
    ]
    assert cells["genre"]["article"]["m"].scores["words"].f1 == pytest.approx(0.75)
    assert list(cells["set"]["other"]) == ["m"]


def test_the_order_in_which_scores_come_does_not_matter() -> None:
    scores = [scored(n, 1 / n, method=m) for n in (1, 2, 3) for m in ("m", "n")]
    golds = {key(n): gold() for n in (1, 2, 3)}
    forwards = summarise(scores, golds, ("m", "n"), METRICS)
    assert forwards == summarise(scores[::-1], golds, ("m", "n"), METRICS)


def test_the_summary_is_json_without_gaps() -> None:
    made = orjson.loads(orjson.dumps(summary().as_dict()))
    cell = made["cells"]["genre"]["forum"]["m"]
    assert set(cell) == {
        "pages", "gold_pages", "scores", "snippets", "median_seconds", "p95_seconds", "timeouts",
        "failures",
    }  # fmt: skip
    assert set(cell["scores"]["words"]) == {"precision", "recall", "f1", "f1_interval"}
    none = dict.fromkeys(("with_rate", "without_rate", "precision", "recall", "f1"))
    assert cell["snippets"] == none | {"pages": 0}
    assert (made["methods"], made["metrics"], made["pages"]) == (["n", "m"], list(METRICS), 4)


def test_there_is_a_table_for_all_pages_and_one_for_each_metric_and_dimension() -> None:
    made = tables(summary())
    assert [table.title for table in made] == [
        "all pages, words",
        "all pages, lcs",
        "F1 by genre (pages), words",
        "F1 by genre (pages), lcs",
        "F1 by set (pages), words",
        "F1 by set (pages), lcs",
    ]
    first = made[0]
    row = dict(zip(first.columns, first.rows[1], strict=True))
    assert row["method"] == "m"
    assert (row["F1"], row["precision"], row["recall"]) == ("0.375", "1.000", "0.375")
    assert (row["with ↑"], row["without ↓"]) == ("0.750", "0.500")
    assert (row["median ms"], row["timeouts"], row["failures"]) == ("30.0", "1", "1")
    assert made[4].columns == ("method", "s (3)", "other (1)")
    assert made[4].rows == (("n", "0.900", "–"), ("m", "0.500", "0.000"))
    assert made[4].best == {(0, 1), (1, 2)}


def test_sets_without_snippets_have_no_columns_for_them() -> None:
    made = tables(summarise([scored(1, 1.0)], {key(1): gold()}, ("m",), METRICS))
    assert not any("with" in column for column in made[0].columns)


def test_of_pages_with_snippets_alone_only_the_snippets_are_scored() -> None:
    page = gold(None, must_have=("fox", "hen", "owl"), must_not_have=("menu", "login"))
    texts = {1: "The fox, the hen, the menu", 2: "the owl"}
    results = [Result(key(n), "m", text, 0.1, None) for n, text in texts.items()]
    scores = [score(result, page, METRICS) for result in results]
    assert [made.scores for made in scores] == [None, None]
    made = summarise(scores, {key(1): page, key(2): page}, ("m",), METRICS, ("set",))
    cell = made.cells["all"]["all"]["m"]
    assert (cell.pages, cell.gold_pages, cell.scores) == (2, 0, {})
    # Three of six wanted snippets are there, and one unwanted one.
    assert (cell.snippets.precision, cell.snippets.recall) == (3 / 4, 3 / 6)
    assert (cell.snippets.with_rate, cell.snippets.without_rate) == (0.5, 0.25)
    assert [table.title for table in tables(made)] == [
        "all pages, snippets",
        "F1 by set (pages), snippets",
    ]
    row = dict(zip(tables(made)[0].columns, tables(made)[0].rows[0], strict=True))
    assert (row["F1"], row["with ↑"], row["without ↓"]) == ("0.600", "0.500", "0.250")
    assert "with gold" not in row


def test_averages_leave_out_pages_with_snippets_alone_rather_than_count_them_as_zero() -> None:
    golds = {key(1): gold(), key(2): gold(None, must_have=("fox",))}
    scores = [scored(1, 0.5), scored(2, 0.0)._replace(scores=None)]
    made = summarise(scores, golds, ("m",), METRICS)
    assert made.cells["all"]["all"]["m"].scores["words"].f1 == 0.5
    first, _, third = tables(made)
    assert dict(zip(first.columns, first.rows[0], strict=True))["with gold"] == "1"
    assert third.title == "all pages, snippets"


def test_a_method_without_results_on_pages_with_gold_text_has_no_score() -> None:
    golds = {key(1): gold(), key(2): gold(None, must_have=("fox",))}
    scores = [scored(1, 0.5), scored(2, 0.0, method="n")._replace(scores=None)]
    made = tables(summarise(scores, golds, ("m", "n"), METRICS))[0]
    assert made.rows[1][: len(("method", "pages", "with gold", "F1"))] == ("n", "1", "0", "–")


TABLE = Table(
    "title", ("method", "F1"), (("a|b", "0.5"), ("long-name", "1.000")), frozenset({(1, 1)})
)


def test_plain_text_is_aligned() -> None:
    output = io.StringIO()
    show([TABLE], "text", Console(file=output))
    lines = output.getvalue().rstrip().splitlines()
    assert lines == ["title", "method        F1", "a|b          0.5", "long-name  1.000"]


def test_markdown_marks_the_best_and_keeps_its_columns() -> None:
    lines = as_markdown(TABLE).splitlines()
    assert lines[2:] == [
        "| method | F1 |",
        "| --- | ---: |",
        "| a\\|b | 0.5 |",
        "| long-name | **1.000** |",
    ]


@pytest.mark.parametrize("terminal", [True, False])
def test_lines_are_not_wrapped_and_names_are_not_markup(terminal: bool) -> None:
    wide = Table("t", ("method", *(["a column"] * 30)), (("[bold]x", *(["0.500"] * 30)),))
    output = io.StringIO()
    show([wide], "text", Console(file=output, force_terminal=terminal, width=40))
    assert len(output.getvalue().rstrip().splitlines()) == 3
    assert "[bold]x" in output.getvalue()
    assert ("\x1b" in output.getvalue()) == terminal


def test_a_result_is_scored_by_each_metric() -> None:
    page = gold("one two three four", must_have=("ONE two", "five"), must_not_have=("menu",))
    made = score(Result(key(1), "m", "menu two one", 0.1, None), page, METRICS)
    assert made.scores[0] == pytest.approx((2 / 3, 1 / 2, 4 / 7))
    assert made.scores[1] == pytest.approx((1 / 3, 1 / 4, 2 / 7))
    assert made.snippets == (0.0, 1.0)
    assert (made.page, made.method, made.seconds, made.failure) == (key(1), "m", 0.1, None)


def test_a_failure_scores_zero_even_where_nothing_was_wanted() -> None:
    empty = score(Result(key(1), "m", "", 0.1, None), gold(""), METRICS)
    assert empty.scores[0] == (1.0, 1.0, 1.0)
    failed = score(Result(key(1), "m", "", 0.1, "error: x"), gold(""), METRICS)
    assert failed.scores == ((0.0, 0.0, 0.0),) * 2
    assert failed.failure == "error"


def test_several_processes_score_as_one_does() -> None:
    golds = {key(number): gold(f"word{number} and more") for number in range(100)}
    results = [Result(page, "m", f"word{page.id} less", None, None) for page in golds]
    one = list(score_all(results, golds, METRICS))
    assert one == list(score_all(results, golds, METRICS, processes=2))
    assert [result for result, _ in one] == results
    assert all(math.isclose(each.scores[0][1], 1 / 3) for _, each in one)
