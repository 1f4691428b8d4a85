"""``corpus consent``: what a preset does not allow by the record, and by what hosts say now."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from corpus_samples import document, write_corpus
from scrapy_command import scrapy

from crawler.consent.statement import HEADER, ROBOTS_TXT, Statement, consent_data
from tests.crawler.small_web import Web

NOARCHIVE = Statement("noarchive", "no", HEADER, "noarchive")
SIGNAL = Statement("content-signal", "no", ROBOTS_TXT, "Content-Signal: ai-train=no")


def consent(*found: Statement) -> dict[str, Any]:
    return consent_data("1", (), found)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    documents = [
        document(0, consent=consent()),
        document(1, consent=consent(NOARCHIVE)),
        document(2, consent=consent(SIGNAL)),
        document(3),
    ]
    write_corpus(tmp_path / "corpus", documents)
    return tmp_path / "corpus"


@pytest.mark.parametrize(
    ("preset", "numbers"), [("research", []), ("training", [2]), ("strict", [1, 2])]
)
def test_documents_are_judged_by_the_record(corpus: Path, preset: str, numbers: list[int]) -> None:
    done = scrapy("corpus", "consent", corpus, "--preset", preset)
    assert done.returncode == 0
    assert done.stdout.split() == [document(number).id for number in numbers]
    assert f"{len(numbers)} of 4 documents not allowed" in done.stderr
    assert "1 document has no record of consent" in done.stderr


@pytest.mark.parametrize("is_taken_back", [True, False])
def test_of_a_page_with_versions_the_last_word_of_its_owner_counts(
    tmp_path: Path, *, is_taken_back: bool
) -> None:
    words = [consent(SIGNAL), consent()] if is_taken_back else [consent(), consent(SIGNAL)]
    versions = [document(0, consent=said) for said in words]
    for number, one in enumerate(versions, start=1):
        one.version, one.fetched_at = number, one.fetched_at + timedelta(days=number)
    # A killed crawl may have left the last line twice.
    write_corpus(tmp_path / "corpus", [*versions, versions[-1]])
    done = scrapy("corpus", "consent", tmp_path / "corpus")
    assert done.stdout.split() == ([] if is_taken_back else [versions[0].id])
    assert f"{0 if is_taken_back else 1} of 1 document not allowed" in done.stderr


def test_the_reason_is_in_the_json(corpus: Path) -> None:
    [line] = scrapy("corpus", "consent", corpus, "--json").stdout.splitlines()
    assert json.loads(line) == {
        "id": document(2).id,
        "url": document(2).url,
        **SIGNAL.as_data(),
    }


def test_hosts_are_asked_again_only_with_a_contact(corpus: Path, tmp_path: Path) -> None:
    done = scrapy("corpus", "consent", corpus, "--recheck")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--contact is needed" in done.stderr
    assert scrapy("corpus", "consent", tmp_path).returncode == 2


def test_what_hosts_say_now_replaces_what_their_files_said(tmp_path: Path) -> None:
    with Web() as web, Web("127.0.0.2") as gone:
        web.answers["/robots.txt"] = (200, {}, "User-agent: *\nDisallow: /private/")
        web.answers["/ai.txt"] = (200, {"Content-Type": "text/plain"}, "User-agent: *\nAllow: /")
        gone.answers["/robots.txt"] = (500, {}, "")
        urls = [f"{web.base}/a", f"{web.base}/private/b", f"{gone.base}/c"]
        documents = [document(number, consent=consent(SIGNAL)) for number in range(3)]
        for one, url in zip(documents, urls, strict=True):
            one.url = url
        write_corpus(tmp_path / "corpus", documents)
        done = scrapy("corpus", "consent", tmp_path / "corpus", "--recheck")
    assert done.returncode == 0
    # The signal is gone; one page is forbidden to us since, and one host cannot be asked.
    assert sorted(done.stdout.split()) == sorted(one.id for one in documents[1:])
    assert "127.0.0.2: /robots.txt cannot be had: what was recorded of it counts" in done.stderr
    assert "/a" not in web.asked
