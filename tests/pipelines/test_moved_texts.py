"""Texts that move between pages: each is kept where it stands now."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from versioned_site import WORDS, Site

from crawler.outcomes import Rejection, Unchanged
from crawler.recrawl.revisits import history_of
from pipelines.corpus.verification import EXIT_SOUND, verify


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path / "corpus")


def test_a_text_that_moves_to_another_page_is_kept_there(site: Site) -> None:
    site.visit(1, WORDS)
    duplicate = site.visit(2, WORDS)
    assert isinstance(duplicate, Rejection)
    assert duplicate.reason == "duplicate"
    site.visit(1, WORDS + "Then it stopped, and nobody in the town knew why.")
    assert site.visit(2, WORDS) is None


def test_a_text_whose_page_is_gone_is_kept_elsewhere(site: Site) -> None:
    site.visit(1, WORDS)
    assert isinstance(site.visit(2, WORDS), Rejection)
    site.miss(1)
    assert isinstance(site.visit(2, WORDS), Unchanged)
    site.miss(1)
    assert site.visit(2, WORDS) is None


@pytest.mark.parametrize("is_gone", [True, False])
def test_a_text_that_another_worker_has_seen_go_is_kept_elsewhere(
    site: Site, *, is_gone: bool
) -> None:
    site.visit(1, WORDS)
    assert isinstance(site.visit(2, WORDS), Rejection)
    site.worker = "another"
    if is_gone:
        assert [site.miss(1), site.miss(1)] == [False, True]
    else:
        assert site.visit(1, WORDS + "Then it stopped, and nobody in the town knew why.") is None
    site.worker = "worker"
    assert site.visit(2, WORDS) is None
    assert isinstance(site.visit(3, WORDS), Rejection)
    assert verify(site.folder).exit_code == EXIT_SOUND


def test_a_page_remembered_by_another_release_is_not_known_to_have_lost_its_text(
    site: Site,
) -> None:
    site.visit(1, WORDS)
    site.histories = {
        url: replace(found, fingerprint="of another release").text()
        for url, text in site.histories.items()
        if (found := history_of(text))
    }
    assert site.histories
    assert isinstance(site.visit(2, WORDS), Rejection)


def test_a_page_of_which_another_worker_has_kept_the_text_is_no_copy(site: Site) -> None:
    site.visit(1, WORDS)
    site.worker = "another"
    assert site.visit(2, WORDS) is None
    site.worker = "worker"
    assert isinstance(site.visit(2, WORDS), Unchanged)
    assert isinstance(site.visit(2, "short"), Rejection)
