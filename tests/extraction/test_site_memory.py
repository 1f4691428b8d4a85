"""The memory of a site: what it counts, what it leaves out, its bounds and its bytes."""

from __future__ import annotations

import contextlib
import sys
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction import SiteMemory, SiteMemoryError, extract
from extraction.methods.boosted_blocks.log_odds import log_odds
from extraction.page_marks import MOST_BLOCKS, Blocks, PageMarks, key_of
from extraction.site_index import Known
from extraction.site_memory import CAPACITY

MENU, FOOTER, STORY = (10, 1), (20, 2), 3


def blocks(*pairs: tuple[int, int]) -> Blocks:
    """Blocks of ten words with these hashes of text and place."""
    texts, places = np.array(pairs, dtype=np.uint32).reshape(-1, 2).T
    return Blocks(texts, places, np.full(len(pairs), 10, dtype=np.float32))


def chances(page: Blocks) -> np.ndarray:
    """Stories are likely content, the rest is not."""
    return np.where(page.places == STORY, 0.9, 0.1)


def marks(name: str, page: Blocks) -> PageMarks:
    return PageMarks.of(key_of(name, ()), page, log_odds(chances(page)))


def known(memory: SiteMemory, name: str, page: Blocks) -> Known:
    return memory.known(key_of(name, ()), page, chances(page))


def story(number: int) -> Blocks:
    """A page of a site: its menu, a text of its own where stories are, its footer."""
    return blocks(MENU, (100 + number, STORY), FOOTER)


def test_shares_are_of_the_other_pages() -> None:
    memory = SiteMemory(marks(f"/{n}", story(n)) for n in range(4))
    found = known(memory, "/0", story(0))
    assert found.pages == 3
    assert found.text.tolist() == [1, 0, 1]
    assert found.repeated.tolist() == [1, 0, 1]


def test_a_place_is_known_by_how_much_of_what_stands_there_is_repeated() -> None:
    memory = SiteMemory(marks(f"/{n}", blocks(MENU, (7, STORY), (n, STORY))) for n in range(3))
    assert known(memory, "/9", blocks(MENU, (99, STORY))).repeated.tolist() == [1, 3 / 7]


def test_a_place_is_known_by_how_likely_the_blocks_there_are_on_other_pages() -> None:
    pages = [blocks(MENU, (n, STORY), (n + 10, STORY)) for n in range(3)]
    memory = SiteMemory(marks(f"/{n}", page) for n, page in enumerate(pages))
    found = known(memory, "/0", blocks(MENU, (0, STORY), (5, 9)))
    assert found.in_place.tolist() == [2, 4, 0]
    assert found.odds.tolist() == pytest.approx([-2.2, 2.2, 0], abs=0.05)


def test_a_page_that_is_alone_is_known_by_no_other() -> None:
    memory = SiteMemory([marks("/0", story(0))])
    assert known(memory, "/0", story(0)).pages == 0
    assert known(SiteMemory(), "/0", story(0)).pages == 0


def test_copies_of_a_page_say_nothing_about_it() -> None:
    memory = SiteMemory([marks("/0?print", story(0)), marks("/1", story(1))])
    found = known(memory, "/0", story(0))
    assert (found.pages, found.text.tolist()) == (1, [1, 0, 1])


def test_a_site_with_one_long_text_on_every_page_is_not_stripped_of_it() -> None:
    notice = [(1000 + line, STORY) for line in range(20)]
    pages = [blocks(MENU, (n, 7), *notice) for n in range(5)]
    memory = SiteMemory(marks(f"/{n}", page) for n, page in enumerate(pages))
    assert known(memory, "/0", pages[0]).pages == 0


def test_threads_may_share_a_memory() -> None:
    pages = [story(number) for number in range(2 * CAPACITY)]
    memory, before = SiteMemory(), sys.getswitchinterval()

    def look_and_add(number: int) -> None:
        number %= len(pages)
        known(memory, f"/{number}", pages[number])
        memory.add(marks(f"/{number}", pages[number]))

    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as threads:
            list(threads.map(look_and_add, range(1_500)))
    finally:
        sys.setswitchinterval(before)
    every = SiteMemory(marks(f"/{number}", page) for number, page in enumerate(pages))
    assert memory.to_bytes() == every.to_bytes()
    assert deepcopy(memory).to_bytes() == every.to_bytes()


def test_pages_of_another_template_say_nothing() -> None:
    other = blocks(*((1, place) for place in range(50, 60)))
    memory = SiteMemory([marks("/other", other)])
    assert known(memory, "/0", story(0)).pages == 0


def test_adding_a_page_again_replaces_it() -> None:
    memory = SiteMemory([marks("/0", story(0)), marks("/0", story(5))])
    assert len(memory) == 1
    assert known(memory, "/1", story(5)).pages == 0


def test_the_fragment_is_no_part_of_a_url() -> None:
    assert key_of("http://a/b#c", ()) == key_of("http://a/b", ["x"]) != key_of(None, ["x"])


def test_a_full_memory_stays_under_64_kb() -> None:
    random = Random(1)
    memory = SiteMemory()
    for n in range(100):
        page = blocks(*((random.getrandbits(32), random.getrandbits(32)) for _ in range(900)))
        memory.add(marks(f"/{n}", page))
    assert memory.is_full
    assert len(memory) == CAPACITY
    assert len(memory.to_bytes()) < 64_000


def test_of_long_pages_all_keep_the_same_texts() -> None:
    random = Random(1)
    common = [(random.getrandbits(32), 1) for _ in range(2 * MOST_BLOCKS)]
    own = [[(random.getrandbits(32), 2) for _ in range(5 * MOST_BLOCKS)] for _ in range(3)]
    memory = SiteMemory(marks(f"/{n}", blocks(*common, *own[n])) for n in range(2))
    page = blocks(*common, *own[2])
    found = memory.known(key_of("/2", ()), page, np.full(len(page.texts), 0.5))
    assert found.pages == 2
    kept = page.texts <= np.quantile(page.texts, 0.05)
    assert (found.text[kept & (page.places == 1)] == 1).all()
    assert (found.text[kept & (page.places == 2)] == 0).all()


@given(st.permutations(range(40)), st.integers(1, 39))
def test_the_order_of_adding_and_merging_does_not_matter(order: list[int], cut: int) -> None:
    pages = [marks(f"/{n}", story(n)) for n in range(40)]
    left, right = (
        SiteMemory(pages[n] for n in order[:cut]),
        SiteMemory(pages[n] for n in order[cut:]),
    )
    left.merge(right)
    assert left.to_bytes() == SiteMemory(pages).to_bytes()


@given(st.lists(st.tuples(st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1)), max_size=50))
def test_bytes_come_back_as_the_same_memory(pairs: list[tuple[int, int]]) -> None:
    memory = SiteMemory([marks("/0", blocks(*pairs)), marks("/1", story(1))])
    again = SiteMemory.from_bytes(memory.to_bytes())
    assert again.to_bytes() == memory.to_bytes()
    page = story(2)
    assert known(again, "/2", page).text.tolist() == known(memory, "/2", page).text.tolist()


@pytest.mark.parametrize("data", [b"", b"nonsense", b"site2", b"site3\x01\x00\x05\x00abc"])
def test_other_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(SiteMemoryError):
        SiteMemory.from_bytes(data)


@given(st.lists(st.floats(-6.3, 6.3), max_size=50))
def test_log_odds_are_kept_to_a_twentieth(odds: list[float]) -> None:
    page = blocks(*((n, n) for n in range(len(odds))))
    again = PageMarks.from_bytes(PageMarks.of(1, page, np.array(odds)).to_bytes())
    assert again.odds.tolist() == pytest.approx(odds, abs=0.5 / 20 + 1e-9)


@given(st.binary(max_size=80))
def test_no_bytes_are_marks_by_accident(data: bytes) -> None:
    with contextlib.suppress(SiteMemoryError):
        assert PageMarks.from_bytes(data).to_bytes() == data


TEASER = "Subscribe to our newsletter and never miss a story from the editors of this site again."
PAGE = """<html><head><title>{title}</title></head><body><div class="menu"><a href=/>Home</a>
<a href=/news>News</a></div><div class="text"><h1>{title}</h1>{paragraphs}<p>{teaser}</p></div>
<div class="foot">All rights reserved</div></body></html>"""


def paragraphs(number: int) -> list[str]:
    words = Random(number)
    names = [f"word{words.randrange(500)}" for _ in range(300)]
    return [f"The {' '.join(names[start : start + 30])}, they said." for start in range(0, 300, 30)]


def page(number: int, more: tuple[str, ...] = ()) -> str:
    """more: paragraphs after its own."""
    own = paragraphs(number)
    every = "".join(f"<p>{one}</p>" for one in (*own, *more))
    return PAGE.format(title=f"Story of {own[0].split()[1]}", paragraphs=every, teaser=TEASER)


def memory_of(*pages: str) -> SiteMemory:
    memory = SiteMemory()
    for number, html in enumerate(pages):
        found = extract(html, url=f"http://site/{number}", site=memory)
        assert found.marks is not None
        memory.add(found.marks)
    return memory


def test_what_repeats_within_the_content_of_a_site_is_dropped_once_the_site_is_known() -> None:
    memory = memory_of(*map(page, range(8)))
    alone = extract(page(99), url="http://site/99")
    known_site = extract(page(99), url="http://site/99", site=memory)
    assert TEASER in alone.text
    assert TEASER not in known_site.text
    assert "they said." in known_site.text
    assert (alone.site_pages, alone.marks) == (None, None)
    assert known_site.site_pages == 8


def test_an_empty_memory_changes_nothing() -> None:
    assert extract(page(1), site=SiteMemory()).text == extract(page(1)).text


def test_methods_without_a_memory_ignore_it() -> None:
    found = extract(page(1), method="trafilatura", site=SiteMemory())
    assert found.marks is None
    assert found.site_pages is None


def test_what_one_other_story_of_the_site_tells_too_is_kept() -> None:
    told_before = tuple(paragraphs(3)[:4])
    memory = memory_of(*map(page, range(8)))
    found = extract(page(99, told_before), url="http://site/99", site=memory)
    assert all(one in found.text for one in told_before)
