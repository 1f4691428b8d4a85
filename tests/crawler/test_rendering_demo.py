"""The demo crawl with every page rendered: what ``make crawl`` makes of the demo site."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import loaded_program
import pytest
from loaded_program import ROOT

from corpus_commons.browser import has_browser
from crawler.demo import DemoSite, Timings
from crawler.demo.expectations import Expectation, expectations
from pipelines.corpus.folder import shards
from pipelines.corpus.layout import CORPUS, Kind

pytestmark = [
    pytest.mark.skipif(not has_browser(), reason="no Chromium is installed: make browser"),
    pytest.mark.timeout(300),
]

JOB = ROOT / "examples" / "demo.toml"
# What the crawl calls the classes of expected.json, where a page leaves a line.
REASONS = {
    "duplicate": "duplicate",
    "empty": "empty",
    "not_html": "not-html",
    "soft_error": "soft-error",
    "too_large": "too-large",
    "too_short": "too-short",
}
# By its name no page: links to it are not followed.
PASSED_BY = {"/files/harbour-map.pdf"}


@dataclass
class Corpus:
    """Lines by the path of their page."""

    documents: dict[str, dict[str, Any]]
    rejects: dict[str, dict[str, Any]]

    def pairs(self) -> list[tuple[Expectation, dict[str, Any]]]:
        """Each page that should be a document, with the one that it is."""
        found = (one for one in expectations().values() if one.outcome == "document")
        return [(one, self.documents[one.url]) for one in found if one.url in self.documents]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    folder = tmp_path_factory.mktemp("demo")
    job = folder / "job.toml"
    with DemoSite(timings=Timings(slow=0.3, crawl_delay=0)) as site:
        text = JOB.read_text(encoding="utf-8").replace("http://127.0.0.1:8000", site.base)
        job.write_text(f'{text}\n[outputs]\nfolder = "{folder}/out"\n', encoding="utf-8")
        words = ["run", str(job), "-s", "LOG_LEVEL=ERROR"]
        done = loaded_program.run("crawler", *words, seconds=280)
    assert done.returncode == 0, done.stderr[-3000:]
    found = folder / "out" / CORPUS
    return Corpus(lines(found, "documents"), lines(found, "rejects"))


def lines(folder: Path, kind: Kind) -> dict[str, dict[str, Any]]:
    found = {}
    for shard in shards(folder):
        if shard.kind == kind:
            for line in shard.documents():
                parts = urlsplit(line["metadata"]["url"])
                found[parts.path + (f"?{parts.query}" if parts.query else "")] = line
    return found


def test_every_page_is_a_document_or_a_reject_with_its_reason(corpus: Corpus) -> None:
    expected = expectations()
    documents = {url for url, one in expected.items() if one.outcome == "document"}
    rejects = {
        url: REASONS[one.reason]
        for url, one in expected.items()
        if one.reason in REASONS and url not in PASSED_BY
    }
    found = {url: line["metadata"]["reject_reason"] for url, line in corpus.rejects.items()}
    # Of two pages with one text either may come first.
    for url in sorted(set(rejects) & set(corpus.documents)):
        assert found.pop(expected[url].same_as) == "duplicate"
        documents.remove(expected[url].same_as)
        documents.add(url)
        del rejects[url]
    assert set(corpus.documents) == documents
    assert found == rejects


def test_every_document_was_rendered_and_has_its_language(corpus: Corpus) -> None:
    assert corpus.pairs()
    for expected, line in corpus.pairs():
        assert line["metadata"]["rendered"], expected.url
        assert line["metadata"]["language"] == expected.language, expected.url


def test_the_genre_is_right_where_the_crawl_is_sure(corpus: Corpus) -> None:
    """One in twenty may be wrong: the models are trained anew now and then."""
    labelled = [(one, line["metadata"]["genre"]) for one, line in corpus.pairs() if one.genre]
    sure = [(one.genre, genre) for one, genre in labelled if genre is not None]
    assert len(sure) >= 0.8 * len(labelled)
    assert sum(genre == right for right, genre in sure) >= 0.95 * len(sure)


def test_the_text_is_kept_and_the_clutter_is_not(corpus: Corpus) -> None:
    """All but one in twenty of the sentences, of which expected.json has three a page."""
    kept, cluttered = [], []
    for expected, line in corpus.pairs():
        kept += [sentence in line["text"] for sentence in expected.must]
        cluttered += [sentence in line["text"] for sentence in expected.must_not]
    assert len(kept) > 100
    assert sum(kept) >= 0.95 * len(kept)
    assert len(cluttered) > 100
    assert sum(cluttered) <= 0.05 * len(cluttered)


def test_a_page_whose_encoding_is_declared_wrongly_is_read(corpus: Corpus) -> None:
    line, expected = corpus.documents["/odd/encoding"], expectations()["/odd/encoding"]
    assert all(sentence in line["text"] for sentence in expected.must)
    assert "\ufffd" not in line["text"] + line["metadata"]["title"]


def test_what_a_script_writes_is_read(corpus: Corpus) -> None:
    [rendered] = [line for one, line in corpus.pairs() if one.needs_rendering]
    assert rendered["text"]
