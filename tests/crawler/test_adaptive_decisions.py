"""When a page is rendered: by what its kind promises, its site has shown, and the budget allows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise

import pytest

from crawler.adaptive.budget import PRICE, Budget
from crawler.adaptive.decider import Decision, GainDecider, Outcome
from crawler.adaptive.gain_memory import GainMemory, Place
from crawler.adaptive.host_table import OTHERS, HostTable
from crawler.discovery.page_scan import MainText, PageScan, ScannedPage
from crawler.discovery.signs import Sign
from crawler.frontier import Lease
from crawler.items import Page
from crawler.recrawl.history import History
from settings.tables.limits import Limits
from settings.tables.rendering import Rendering

LONG = MainText("word " * 500, 0.9)


def page(
    url: str, sign: Sign = Sign.SCRIPTED, text: MainText = LONG, last: float | None = None
) -> ScannedPage:
    """last: what rendering had brought to it before this run."""
    lease = Lease.of_none(url)
    if last is not None:
        seen = History(visited_at=1, first_seen=1, changed_at=1, gain=last)
        lease = replace(lease, history=seen.text())
    fetched = Page(lease, url, 200, (), b"", datetime(2026, 5, 1, tzinfo=UTC))
    return ScannedPage(fetched, PageScan(sign=sign), text)


def visit(
    decider: GainDecider,
    url: str,
    sign: Sign = Sign.SCRIPTED,
    *,
    gain: float | None = 0.0,
    text: MainText = LONG,
    left: int = 0,
) -> Decision:
    """Decide, and let rendering bring that; None if it fails."""
    decision = decider.decide(page(url, sign, text), left)
    if decision.renders:
        decider.learn(decision, None if gain is None else Outcome(gain, 0.2))
    return decision


def rendered(count: int, of: Callable[[int], Decision]) -> list[bool]:
    return [of(number).renders for number in range(count)]


def test_a_page_that_is_empty_is_rendered_and_one_without_scripts_never() -> None:
    decider = GainDecider()
    url = "http://example.com/story/{}"
    empty = MainText()
    assert all(rendered(9, lambda n: visit(decider, url.format(n), Sign.EMPTY, gain=1, text=empty)))
    assert not any(rendered(999, lambda n: visit(decider, url.format(n), Sign.NO_SCRIPTS)))
    assert not any(rendered(999, lambda n: visit(decider, url.format(n), Sign.WALL)))


def test_a_site_that_gains_nothing_is_explored_ever_more_seldom() -> None:
    decider = GainDecider()
    seen = rendered(2000, lambda n: visit(decider, f"http://example.com/story/{n}"))
    at = [number for number, is_rendered in enumerate(seen) if is_rendered]
    gaps = [after - before for before, after in pairwise(at)]
    assert at[0] < 10
    assert gaps == sorted(gaps)
    assert len(at) < 0.02 * 2000


def test_a_site_whose_scripts_bring_text_is_rendered_once_that_was_noticed() -> None:
    """Though its static pages look complete."""
    decider = GainDecider()
    seen = rendered(40, lambda n: visit(decider, f"http://example.com/list/{n}", gain=0.6))
    first = seen.index(True)
    assert first < 10
    assert all(seen[first:])


def test_templates_of_a_site_are_told_apart() -> None:
    decider = GainDecider()
    for number in range(30):
        visit(decider, f"http://example.com/list/{number}", gain=0.6)
        visit(decider, f"http://example.com/story/a-{number}/print", gain=0.0)
    assert visit(decider, "http://example.com/list/99", gain=0.6).renders
    assert not visit(decider, "http://example.com/story/a-99/print").renders


def test_a_site_that_changes_is_noticed_both_ways() -> None:
    decider = GainDecider()

    def begins(gain: float, most: int) -> bool:
        url = "http://example.com/story/{}"
        return any(visit(decider, url.format(n), gain=gain).renders for n in range(most))

    assert begins(0.0, 100)
    for _ in range(8):
        begins(0.7, 100)
    assert visit(decider, "http://example.com/story/1", gain=0.7).renders
    assert not all(rendered(60, lambda n: visit(decider, f"http://example.com/story/{n}")))


def test_what_one_large_site_gains_does_not_speak_for_others() -> None:
    decider = GainDecider()
    for number in range(500):
        visit(decider, f"http://big.example/story/{number}", gain=1.0)
    others = rendered(100, lambda n: visit(decider, f"http://host-{n}.example/story/1"))
    assert not any(others)


def test_pages_in_doubt_are_tried_one_by_one() -> None:
    """The answer for the first may come after ten more were fetched."""
    decider = GainDecider()
    little = MainText("A few words.", 0.9)
    doubtful = [page(f"http://example.com/story/{n}", Sign.SCRIPTED, little) for n in range(20)]
    begun = [decider.decide(one, 0) for one in doubtful]
    assert begun[0].renders
    assert sum(decision.renders for decision in begun) < 8


def test_a_page_that_gained_is_rendered_at_its_next_visit_whatever_others_of_its_site_do() -> None:
    """Otherwise its next version would be without what rendering had brought."""
    decider = GainDecider()
    for number in range(99):
        visit(decider, f"http://example.com/story/{number}", gain=0.0)
    assert not decider.decide(page("http://example.com/story/a"), 0).renders
    again = [page(f"http://example.com/story/{n}", last=2 * PRICE) for n in range(20)]
    assert all(decider.decide(one, 0).renders for one in again)


def test_a_page_that_gained_nothing_is_not_rendered_for_what_its_kind_promises() -> None:
    little = MainText("A few words.", 0.9)
    new, known = (page("http://example.com/a", Sign.SCRIPTED, little, last) for last in (None, 0.0))
    assert GainDecider().decide(new, 0).renders
    assert not GainDecider().decide(known, 0).renders


def test_what_earlier_runs_saw_of_a_site_holds_for_its_new_pages() -> None:
    decider = GainDecider()
    for number in range(5):
        decider.decide(page(f"http://example.com/story/{number}", last=0.6), 0)
    assert decider.decide(page("http://example.com/story/new"), 0).renders


def test_a_page_that_needs_a_browser_is_put_off_when_the_budget_has_nothing_left() -> None:
    decider = GainDecider(Budget(pages=1))
    visit(decider, "http://example.com/a", Sign.EMPTY, gain=1.0, text=MainText())
    assert decider.decide(page("http://example.com/b", last=0.5), 0).loses_text
    assert not decider.decide(page("http://example.com/c", last=0.0), 0).loses_text
    assert not decider.decide(page("http://example.com/d"), 0).loses_text


def test_pages_that_hold_nothing_do_not_wait_for_the_outcome_of_others() -> None:
    """They would be rejected meanwhile; but what the others bring counts once it is known."""
    decider = GainDecider()
    shells = [page(f"http://example.com/story/{n}", Sign.EMPTY, MainText()) for n in range(30)]
    begun = [decider.decide(shell, 0) for shell in shells]
    assert all(decision.renders for decision in begun)
    for decision in begun:
        decider.learn(decision, Outcome(0.0, 0.2))
    assert not decider.decide(shells[0], 0).renders


def test_a_rendering_that_fails_teaches_nothing() -> None:
    decider = GainDecider()
    shells = [
        visit(decider, f"http://example.com/{n}", Sign.SHELL, gain=None, text=MainText())
        for n in range(50)
    ]
    assert all(decision.renders for decision in shells)
    assert len({decision.expected for decision in shells}) == 1


def test_the_memory_is_bounded() -> None:
    memory = GainMemory(capacity=100)
    for number in range(1000):
        place = Place("scripted", 0.02, f"host-{number}.example", "/*")
        memory.begin(place)
        memory.end(place, 0.5)
    assert len(memory) == 100


def test_a_budget_of_pages_holds_and_goes_to_the_pages_with_the_greatest_expected_gain() -> None:
    decider = GainDecider(Budget(pages=50))
    seen: dict[Sign, list[bool]] = {Sign.SHELL: [], Sign.HOLLOW: []}
    gains = {Sign.SHELL: 0.95, Sign.HOLLOW: 0.3}
    for number in range(300):
        sign = Sign.SHELL if number % 3 == 0 else Sign.HOLLOW
        url, left = f"http://{sign}.example/{number}", 300 - number
        decision = visit(decider, url, sign, gain=gains[sign], text=MainText(), left=left)
        seen[sign].append(decision.renders)
    assert 45 < sum(map(sum, seen.values())) <= 50
    assert sum(seen[Sign.SHELL]) > 0.9 * 50
    assert sum(seen[Sign.SHELL][-20:]) > 3, "something is left for the end"


def test_a_budget_for_all_pages_that_may_be_read_withholds_none() -> None:
    """Others expect 200 pages at their beginning."""
    decider = GainDecider.of(Rendering(budget_pages=60), Limits(pages=60))
    url = "http://example.com/{}"
    assert all(
        rendered(60, lambda n: visit(decider, url.format(n), Sign.SHELL, gain=1, text=MainText()))
    )


def test_pages_that_hold_nothing_are_rendered_while_the_budget_suffices_for_those_known() -> None:
    """However many more are expected."""
    decider = GainDecider(Budget(pages=60))
    shells = [page(f"http://example.com/{n}", Sign.EMPTY, MainText()) for n in range(60)]
    assert all(decider.decide(shell, 60 - n).renders for n, shell in enumerate(shells))
    assert decider.decide(shells[0], 1).reason == "empty, budget used up"


def test_a_budget_that_does_not_suffice_goes_to_pages_that_hold_nothing_from_first_to_last() -> (
    None
):
    decider = GainDecider(Budget(pages=60))
    shells = [page(f"http://example.com/{n}", Sign.EMPTY, MainText()) for n in range(300)]
    begun = [decider.decide(shell, 300 - n).renders for n, shell in enumerate(shells)]
    assert 55 < sum(begun) <= 60
    assert sum(begun[-100:]) > 10


def test_a_budget_of_time_ends_rendering() -> None:
    decider = GainDecider(Budget(seconds=2.0))
    url = "http://example.com/{}"
    shells = [
        visit(decider, url.format(n), Sign.SHELL, gain=1, text=MainText(), left=100)
        for n in range(100)
    ]
    assert sum(decision.renders for decision in shells) == pytest.approx(10, abs=1)
    assert shells[-1].reason in ("shell, budget used up", "shell, over budget")


def test_without_a_budget_the_price_is_the_same_for_all() -> None:
    assert {Budget().price(expected, 10**6) for expected in (0.0, 0.5, 1.0)} == {PRICE}


def test_hosts_are_counted_the_most_rendered_first_and_beyond_a_number_together() -> None:
    decider = GainDecider()
    for number in range(5):
        visit(decider, f"http://shell.example/{number}", Sign.SHELL, gain=1, text=MainText())
        visit(decider, f"http://plain.example/{number}", Sign.NO_SCRIPTS)
    found = [(row.host, row.pages, row.rendered, row.changed) for row in decider.hosts()]
    assert found == [("shell.example", 5, 5, 5), ("plain.example", 5, 0, 0)]
    table = HostTable()
    for number in range(10_500):
        table.add_page(f"host-{number}.example")
    assert (table.most_rendered(1)[0].host, table.most_rendered(1)[0].pages) == (OTHERS, 500)
