"""Pages that were served before, byte for byte."""

from __future__ import annotations

import pytest
from corpus_samples import page

from crawler.items import Page
from pipelines.reading.identical_pages import IdenticalPages


def test_a_page_with_the_bytes_of_a_document_is_known_by_its_id() -> None:
    known = IdenticalPages()
    assert known.judge(page(1)) is None
    known.add(page(1))
    found = known.judge(page(2))
    assert found is not None
    assert found.reason == "duplicate"
    assert page(1).id in found.detail


@pytest.mark.parametrize(
    "other",
    [
        page(2, b"<p>Hello "),
        page(2, charset="koi8-r"),
        page(2, rendered_html="<p>Hello"),
    ],
    ids=["another byte", "another encoding", "rendered by a browser"],
)
def test_what_may_read_otherwise_is_not_known(other: Page) -> None:
    known = IdenticalPages()
    known.add(page(1))
    assert known.judge(other) is None


def test_a_page_that_comes_again_is_no_duplicate() -> None:
    known = IdenticalPages()
    known.add(page(1))
    assert known.judge(page(1)) is None


def test_what_a_browser_drew_is_nobodys_original() -> None:
    known = IdenticalPages()
    known.add(page(1, rendered_html="<p>Hello"))
    assert known.judge(page(2)) is None


def test_the_last_pages_are_known() -> None:
    known = IdenticalPages(most=2)
    for number in range(3):
        known.add(page(number, str(number).encode()))
    assert [known.judge(page(9, str(number).encode())) is None for number in range(3)] == [
        True,
        False,
        False,
    ]
