"""The runner gives one result per page and method, whatever the methods do."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterable, Iterator

import pytest
from trick_methods import TRIGGER, SlowStart

from evaluation.results import PageKey, Result
from evaluation.runner import Runner
from evaluation.worker import Task

pytestmark = pytest.mark.usefixtures("forked_workers")
# Only methods that hang reach this, even on a busy machine.
TIMEOUT = 1.5


def task(number: int, methods: Iterable[str], html: str = "plain") -> Task:
    key = PageKey("pages", str(number))
    names = tuple(f"trick_methods:{method}" for method in methods)
    return Task(key, html, "http://example.org/", "article", names)


def run(tasks: Iterable[Task], *, jobs: int = 1, memory: int | None = None) -> list[Result]:
    with Runner(jobs=jobs, timeout=TIMEOUT, memory_bytes=memory) as runner:
        return list(runner.run(tasks))


def by_method(results: Iterable[Result], page: int) -> dict[str, Result]:
    chosen = (result for result in results if result.page.id == str(page))
    return {result.method.partition(":")[2]: result for result in chosen}


def test_html_goes_in_as_text_with_url_and_genre() -> None:
    (result,) = run([task(1, ["Echo"])])
    assert result.text == "str http://example.org/ article"
    assert result.page == PageKey("pages", "1")
    assert result.method == "trick_methods:Echo"
    assert result.error is None
    assert result.seconds is not None
    assert 0 <= result.seconds < TIMEOUT


@pytest.mark.parametrize("hanging", ["hangs", "hangs_outside_python"])
def test_a_method_that_hangs_is_a_timeout_and_costs_only_its_own_result(hanging: str) -> None:
    methods = ["good", hanging, "process"]
    begin = time.monotonic()
    results = run([task(1, methods, TRIGGER), task(2, methods)])
    assert time.monotonic() - begin < 30
    assert len(results) == 6
    first = by_method(results, 1)
    assert first[hanging].error == "timeout: no result after 1.5 s"
    assert first[hanging].failure == "timeout"
    assert first[hanging].seconds == TIMEOUT
    assert first[hanging].text == ""
    assert [first[name].error for name in ("good", "process")] == [None, None]
    assert all(result.error is None for result in by_method(results, 2).values())


@pytest.mark.parametrize(
    ("method", "reason"),
    [
        ("exits", "crash: the process ended with status 3"),
        ("segfaults", "crash: killed by signal 11 (Segmentation fault)"),
    ],
)
def test_a_method_that_takes_its_process_down_is_a_crash(method: str, reason: str) -> None:
    results = run([task(1, [method, "good"], TRIGGER), task(2, [method, "good"])])
    assert by_method(results, 1)[method].error == reason
    assert by_method(results, 1)[method].seconds is None
    assert by_method(results, 1)["good"].text == TRIGGER
    assert by_method(results, 2)[method].text == "plain"
    assert len(results) == 4


def test_after_memory_ran_out_the_process_is_replaced() -> None:
    methods = ["process", "runs_out_of_memory"]
    results = run([task(number, methods, TRIGGER) for number in (1, 2, 3, 4, 5)])
    processes = {by_method(results, number)["process"].text for number in (1, 2, 3, 4, 5)}
    assert len(processes) == 5
    failures = {by_method(results, number)["runs_out_of_memory"].failure for number in (1, 5)}
    assert failures == {"crash"}


def test_memory_can_be_bounded() -> None:
    (result,) = run([task(1, ["hungry"], TRIGGER)], memory=8 * 2**30)
    assert result.failure == "crash"
    assert "MemoryError" in (result.error or "")


@pytest.mark.parametrize("method", ["raises", "quits"])
def test_an_exception_is_an_error_and_the_process_lives_on(method: str) -> None:
    results = run([task(1, [method, "process"], TRIGGER), task(2, ["process"], TRIGGER)])
    assert by_method(results, 1)[method].failure == "error"
    assert by_method(results, 1)[method].seconds is not None
    assert by_method(results, 1)["process"].text == by_method(results, 2)["process"].text


def test_texts_and_reasons_can_always_be_encoded() -> None:
    results = run([task(1, ["surrogates", "raises"], TRIGGER)])
    assert by_method(results, 1)["surrogates"].text == "half ? a pair"
    assert by_method(results, 1)["raises"].error == "error: ExtractionError: beyond reading: ?"


def test_one_and_two_jobs_give_the_same_results() -> None:
    methods = ["good", "exits", "raises", "hangs"]
    pages = [task(number, methods, TRIGGER if number == 3 else "plain") for number in range(12)]

    def without_times(results: list[Result]) -> set[Result]:
        return {result._replace(seconds=None) for result in results}

    one, two = run(pages), run(pages, jobs=2)
    assert len(one) == len(two) == 48
    assert without_times(one) == without_times(two)


def test_two_jobs_use_two_processes_with_one_thread_each() -> None:
    results = run([task(number, ["process", "threads"], TRIGGER) for number in range(40)], jobs=2)
    assert len({result.text for result in results if result.method.endswith("process")}) == 2
    assert {result.text for result in results if result.method.endswith("threads")} == {"1"}


def test_loading_and_the_first_call_are_not_timed() -> None:
    (result,) = run([task(1, ["SlowStart"])])
    assert result.seconds is not None
    assert result.seconds < SlowStart.SECONDS


def test_a_slow_reader_of_the_results_makes_no_timeout() -> None:
    results: list[Result] = []
    with Runner(timeout=TIMEOUT) as runner:
        for result in runner.run(task(number, ["good", "process"]) for number in range(2)):
            if not results:
                time.sleep(1.2 * TIMEOUT)
            results.append(result)
    assert [result.error for result in results] == [None] * 4


def test_pages_are_read_as_they_are_needed() -> None:
    read = 0

    def pages() -> Iterator[Task]:
        nonlocal read
        for number in range(50):
            read += 1
            yield task(number, ["good"])

    with Runner(jobs=2) as runner:
        for done, _ in enumerate(runner.run(pages()), start=1):
            assert read <= done + 2
    assert read == 50


def test_an_aborted_run_leaves_no_process_behind() -> None:
    with Runner(timeout=60) as runner:
        result = next(runner.run([task(1, ["good", "hangs"], TRIGGER)]))
        assert result.text == TRIGGER
        assert len(multiprocessing.active_children()) == 1
    assert multiprocessing.active_children() == []


def test_a_large_page_is_passed_completely() -> None:
    html = "ab " * 5_000_000
    (result,) = run([task(1, ["good"], html)])
    assert result.error is None
    assert result.text == html


def test_methods_print_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    run([task(1, ["chatters"], TRIGGER)])
    assert capfd.readouterr() == ("", "")


def test_methods_that_cannot_be_loaded_are_known_before_the_run() -> None:
    asked = [
        "all-text",
        "no-such-method",
        *(f"trick_methods:{name}" for name in ("broken", "dies_while_loading", "ImportsLate")),
        "trick_methods:no_such_name",
        "no_such_module:name",
    ]
    with Runner() as runner:
        unavailable = runner.unavailable(asked)
    assert list(unavailable) == asked[1:]
    assert "no model here" in unavailable["trick_methods:broken"]
    assert "status 4" in unavailable["trick_methods:dies_while_loading"]
    assert "a library failed" in unavailable["trick_methods:ImportsLate"]
    assert "no_such_module" in unavailable["no_such_module:name"]


def test_a_method_that_cannot_be_loaded_fails_on_every_page() -> None:
    results = run([task(number, ["broken", "good"]) for number in (1, 2)])
    assert [by_method(results, page)["broken"].failure for page in (1, 2)] == ["load", "load"]
    assert [by_method(results, page)["good"].failure for page in (1, 2)] == [None, None]
