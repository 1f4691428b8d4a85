"""Labels, the journal, agreement, and the data set that they make."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from io import FileIO
from pathlib import Path

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from labelling_tool import SENTENCES, desk_of, stories, story
from sklearn.metrics import cohen_kappa_score

from annotate.agreement import kappa
from annotate.dataset import record
from annotate.desk import Choices
from annotate.journal import Journal, JournalError
from annotate.labels import BLOCK_LABELS, Label, spans_of
from annotate.opinions import Machine
from annotate.sources import SourcePage, open_pages
from corpus_commons.file_lock import is_held
from corpus_commons.terminal.commands import EXIT_FINE, EXIT_UNUSABLE, EXIT_USAGE
from crawler.items import Document, Page
from crawler.lease import Lease
from evaluation.datasets import open_dataset
from extraction.__main__ import main as extraction
from extraction.methods.boosted_blocks import BoostedBlocks
from extraction.methods.boosted_blocks.model import load
from genre_crawler.command_line import main
from genre_model.commands import main as genre_model
from genre_model.html.classifier import HtmlClassifier
from pipelines.corpus.layout import Layout
from pipelines.corpus.manifest import Manifest
from pipelines.corpus.shards import Line, Rotation, ShardSeries
from pipelines.corpus.warc import WarcSeries
from pipelines.corpus.writer import CorpusWriter, FrameLimits

KEPT = {"by": "Ada", "done": True}


def label(**fields: object) -> Label:
    return Label.from_fields({"page": "1", "by": "Ada", "at": "2026-01-01T00:00:00Z", **fields})


@pytest.fixture(scope="module")
def machine() -> Machine:
    return Machine()


@given(st.lists(st.sampled_from(BLOCK_LABELS), max_size=12))
@settings(max_examples=30)
def test_spans_say_what_the_labels_of_all_blocks_say(labels: list[str]) -> None:
    spans = list(spans_of(labels))
    assert label(spans=spans, blocks="x", count=len(labels)).block_labels() == labels


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=2, max_size=20))
@settings(max_examples=30)
def test_kappa_is_that_of_a_well_known_library(pairs: list[tuple[str, str]]) -> None:
    first, second = ([pair[side] for pair in pairs] for side in (0, 1))
    found = kappa(first, second)
    if found is None:
        assert len({*first, *second}) == 1
    else:
        assert found == pytest.approx(cohen_kappa_score(first, second))


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"by": " "}, "a name must have 1 to 40"),
        ({"by": "a\x1b[31m"}, "printable"),
        ({"page_type": "blog"}, "page_type must be one of article, documentation"),
        ({"genre": 3}, "genre must be one of article, list-view, neither"),
        ({"spans": [[0, 9, "kept"]], "blocks": "x", "count": 3}, "up to 3"),
        ({"spans": [[2, 1, "kept"]], "blocks": "x", "count": 3}, "ascending"),
        ({"spans": [[0, 1, "<b>"]], "blocks": "x", "count": 3}, "must be one of other, kept"),
        ({"spans": "all", "blocks": "x"}, "must be a list"),
    ],
)
def test_a_wrong_label_is_refused_by_the_name_of_its_field(
    fields: dict[str, object], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        label(**fields)


def test_a_line_that_was_torn_by_a_crash_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl.journal"
    with Journal(path) as journal:
        journal.save(label(page_type="forum"))
        journal.save(label(page_type="product"))
    whole = path.read_bytes()
    path.write_bytes(whole + whole[:50])
    with Journal(path) as journal:
        assert journal.of_page("1")["Ada"].page_type == "product"
        journal.save(label(page_type="media", by="Bea"))
    with Journal(path) as journal:
        assert [one.page_type for one in journal.of_page("1").values()] == ["product", "media"]


def test_a_journal_has_one_writer(tmp_path: Path) -> None:
    with Journal(tmp_path / "a.journal"), pytest.raises(JournalError, match="in use by another"):
        Journal(tmp_path / "a.journal")


def test_a_journal_that_cannot_be_read_is_not_in_use(tmp_path: Path) -> None:
    path = tmp_path / "a.journal"
    os.mkfifo(path)
    # Somebody reads it, else to open it would wait.
    with FileIO(os.open(path, os.O_RDWR)):
        with pytest.raises(OSError, match="not seekable"):
            Journal(path)
        assert not is_held(path)


def test_a_file_that_was_not_made_here_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "gold.jsonl").write_text("{}\n")
    with pytest.raises(JournalError, match="was not made here"):
        Journal.beside(tmp_path / "gold.jsonl")


def test_the_most_frequent_answer_counts_and_lines_of_other_pages_stay(
    tmp_path: Path, machine: Machine
) -> None:
    out = tmp_path / "labels.jsonl"
    with desk_of(stories(tmp_path / "two.jsonl", 2), out, machine=machine) as desk:
        blocks = desk.blocks(0, "Ada")
        first = blocks["texts"].index("Home")
        for person, page_type, spans in (
            ("Ada", "article", [[first, first + 1, "kept"]]),
            ("Bea", "article", [[first, first + 2, "kept"]]),
            ("Cem", "listing", [[first + 1, first + 2, "kept"]]),
        ):
            said = {"by": person, "page_type": page_type, "spans": spans, "done": True}
            desk.save(0, {**said, "blocks": blocks["blocks"]})
        desk.save(1, {"by": "Ada", "spans": [], "blocks": desk.blocks(1, "")["blocks"]})
        assert desk.write() == 1, "the second page is not done"
        assert [round(one.share, 2) for one in desk.agreements()[:2]] == [1.0, 0.89]
        labelled = desk.works[0].page.id
    (page,) = open_dataset(out)
    assert (page.genre, page.gold_text) == ("article", "Home\nSport")
    assert page.meta == {"annotators": ["Ada", "Bea", "Cem"]}

    # The next day, other pages are labelled into the same file.
    lines = (tmp_path / "two.jsonl").read_bytes().splitlines(keepends=True)
    others = [line for line in lines if orjson.loads(line)["id"] != labelled]
    (tmp_path / "others.jsonl").write_bytes(b"".join(others))
    with desk_of(tmp_path / "others.jsonl", out, machine=machine) as desk:
        desk.save(0, {**KEPT, "spans": [], "blocks": desk.blocks(0, "")["blocks"]})
        assert desk.write() == 2
    assert [(page.id == labelled, bool(page.gold_text)) for page in open_dataset(out)] == [
        (False, False),
        (True, True),
    ]


def test_labels_of_victor_become_tagged_gold(tmp_path: Path, machine: Machine) -> None:
    out = tmp_path / "labels.jsonl"
    choices = Choices(victor=True)
    with desk_of(stories(tmp_path / "one.jsonl", 1), out, choices, machine) as desk:
        blocks = desk.blocks(0, "Ada")
        start = blocks["texts"].index("A new bridge 0")
        names = ("header", "paragraph", "continuation", "list")
        spans = [[start + n, start + n + 1, name] for n, name in enumerate(names)]
        desk.save(0, {**KEPT, "spans": spans, "blocks": blocks["blocks"]})
        desk.write()
    (page,) = open_dataset(out)
    one, two, three = (f"{sentence} (0)" for sentence in SENTENCES)
    assert page.gold_tagged == f"<h>A new bridge 0\n<p>{one} {two}\n<l>{three}"


def test_who_says_the_kind_of_a_page_does_not_take_back_its_main_content(
    tmp_path: Path, machine: Machine
) -> None:
    out = tmp_path / "labels.jsonl"
    with desk_of(stories(tmp_path / "one.jsonl", 1), out, machine=machine) as desk:
        blocks = desk.blocks(0, "Ada")
        desk.save(0, {**KEPT, "spans": list(blocks["machine"]), "blocks": blocks["blocks"]})
        desk.save(0, {**KEPT, "page_type": "article", "genre": "neither"})
        desk.write()
    fields = orjson.loads(out.read_bytes())
    assert (fields["genre"], fields["goce"]) == ("article", None)
    assert SENTENCES[0] in fields["gold_text"]


@pytest.mark.parametrize(
    ("url", "html", "site"),
    [
        ("https://news.example.co.uk/1", "<base href=//example.org/>", "example.co.uk"),
        (None, "<link rel=canonical href=https://www.example.org/1>", "example.org"),
        (None, "<p>Nothing tells.", "page 1"),
    ],
)
def test_the_site_is_that_of_the_url_or_what_the_page_says(
    url: str | None, html: str, site: str, machine: Machine
) -> None:
    page = SourcePage("page 1", html, url)
    fields = record(page, [label(page_type="forum", done=True)], machine.blocks)
    assert (fields["url"], fields["site"]) == (url, site)


def test_labels_of_other_blocks_are_refused(tmp_path: Path, machine: Machine) -> None:
    with (
        desk_of(stories(tmp_path / "p.jsonl", 1), tmp_path / "o.jsonl", machine=machine) as desk,
        pytest.raises(ValueError, match="labels of other blocks"),
    ):
        desk.save(0, {**KEPT, "spans": [], "blocks": "0123"})


def test_the_pages_of_a_corpus_are_its_documents_with_their_html(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = fetched_page()
    document = Document.of(page, "The text.")
    document.screenshot = f"screenshots/{page.id}.jpg"
    write_documents(tmp_path, document)
    with pytest.raises(ValueError, match=r"has no warc/: crawl with outputs\.warc"):
        list(open_pages(tmp_path))

    warc = WarcSeries(Layout(tmp_path, "worker"), rotation=Rotation(bytes=10**9))
    warc.write(page)
    warc.write(replace(page, url="https://example.com/rejected"))
    warc.complete()
    (found,) = open_pages(tmp_path)
    assert (found.id, found.url, found.html) == (document.id, page.url, story(1))
    assert found.screenshot is None, "the file is gone"

    foreign_shard(tmp_path, "without-url", b'{"id": "x", "text": "", "metadata": {}}\n')
    assert list(open_pages(tmp_path)) == [found]
    foreign_shard(tmp_path, "damaged", b"{}\n")
    words = ["corpus", "annotate", str(tmp_path), "--out", str(tmp_path / "labels.jsonl")]
    assert main(words) == EXIT_UNUSABLE
    assert 'line 1: "id" must be a non-empty string' in capsys.readouterr().err


def test_a_page_of_a_corpus_that_was_rendered_is_labelled_so(tmp_path: Path) -> None:
    page = replace(fetched_page(), rendered_html="<p>Brought by a script.")
    write_documents(tmp_path, Document.of(page, "The text."))
    warc = WarcSeries(Layout(tmp_path, "worker"), rotation=Rotation(bytes=10**9))
    warc.write(page)
    warc.complete()
    assert [found.html for found in open_pages(tmp_path)] == ["<p>Brought by a script."]


def test_a_page_of_a_corpus_that_is_xml_has_its_blocks(tmp_path: Path, machine: Machine) -> None:
    xhtml = b'<html xmlns="http://www.w3.org/1999/xhtml"><script src="a.js"/><p>Text.</p></html>'
    page = replace(fetched_page(), headers=(("content-type", "application/xhtml+xml"),), html=xhtml)
    write_documents(tmp_path, Document.of(page, "Text."))
    warc = WarcSeries(Layout(tmp_path, "worker"), rotation=Rotation(bytes=10**9))
    warc.write(page)
    warc.complete()
    (found,) = open_pages(tmp_path)
    assert machine.blocks(found).texts == ["Text."]


def test_a_page_that_was_visited_again_is_its_latest_version(tmp_path: Path) -> None:
    visits = [fetched_page(number) for number in range(3)]
    shots = tmp_path / "screenshots"
    shots.mkdir()
    versions = []
    for page in visits[:2]:
        version = Document.of(page, "The text.")
        version.screenshot = f"screenshots/{page.fetched_at.minute}.jpg"
        (tmp_path / version.screenshot).touch()
        versions.append(version)
    # Shards are in the order of their writers, not of time.
    write_documents(tmp_path, *reversed(versions))
    warc = WarcSeries(Layout(tmp_path, "worker"), rotation=Rotation(bytes=10**9))
    for page in visits:
        warc.write(page)
    warc.complete()
    (found,) = open_pages(tmp_path)
    assert (found.html, found.screenshot) == (story(1), shots / "1.jpg")


def fetched_page(number: int = 1) -> Page:
    """The same page as it was fetched in the minute of that number."""
    url, fetched = "https://example.com/a", datetime(2026, 5, 1, 0, number, tzinfo=UTC)
    lease = Lease(url, "example.com", 0, 0, 1, 1, 0.0)
    html = story(number).encode()
    return Page(lease, url, 200, (("content-type", "text/html"),), html, fetched)


def write_documents(corpus: Path, *documents: Document) -> None:
    async def acknowledge(_: Sequence[str]) -> None:
        """Nobody waits for it."""

    async def write() -> None:
        async with CorpusWriter(
            corpus, "worker", acknowledge, on_failure=print, frames=FrameLimits(documents=1),
            rotation=Rotation(bytes=10**9), level=1,
        ) as writer:  # fmt: skip
            for document in documents:
                await writer.add(document, ack=document.id)

    asyncio.run(write())


def foreign_shard(corpus: Path, writer: str, line: bytes) -> None:
    series = ShardSeries(Layout(corpus, writer), "documents", Manifest(writer))
    series.append([Line(line, "2026-05-01T12:00:00.000Z")])
    series.complete()


def test_a_data_set_with_a_page_twice_is_refused_by_its_line(tmp_path: Path) -> None:
    file = tmp_path / "pages.jsonl"
    file.write_text('{"id": "a", "html": "<p>"}\n' * 2)
    with pytest.raises(ValueError, match="line 2: it is the second page with the id a"):
        list(open_pages(file))


def test_what_has_no_pages_is_refused_with_what_would_be_right(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"a folder of \.html files, a \.jsonl"):
        open_pages(tmp_path)


@pytest.mark.parametrize(
    ("count", "options", "why"),
    [
        (1, ["--write"], "--write: there are no labels in {out}.journal"),
        (1, ["--task", "kinds", "--victor"], "--victor labels blocks; it needs --task content"),
        (0, [], "there is no page to label"),
        (0, ["--write"], "--write: there are no labels in {out}.journal"),
    ],
)
def test_a_start_that_fails_leaves_neither_a_data_set_nor_a_journal(
    tmp_path: Path, count: int, options: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    pages, out = stories(tmp_path / "pages.jsonl", count), tmp_path / "labels.jsonl"
    assert main(["annotate", str(pages), "--out", str(out), *options]) == EXIT_USAGE
    assert capsys.readouterr().err == f"genre-crawler annotate: {why.format(out=out)}\n"
    assert list(tmp_path.iterdir()) == [pages]


def test_a_start_that_fails_keeps_the_labels(tmp_path: Path, machine: Machine) -> None:
    pages, out = stories(tmp_path / "pages.jsonl", 1), tmp_path / "labels.jsonl"
    with desk_of(pages, out, machine=machine) as desk:
        desk.save(0, {**KEPT, "page_type": "article"})
    journal = out.with_name("labels.jsonl.journal")
    saved = journal.read_bytes()
    broken = tmp_path / "broken.jsonl"
    broken.write_text("[]")
    assert main(["annotate", str(broken), "--out", str(out)]) == EXIT_USAGE
    assert journal.read_bytes() == saved != b""
    assert main(["annotate", str(pages), "--out", str(out), "--write"]) == EXIT_FINE
    assert out.exists()


def test_what_is_labelled_trains_models_as_it_is(tmp_path: Path, machine: Machine) -> None:
    """The loop: label, train, use; the evaluation and the genre model read the same file."""
    out, model = tmp_path / "labels.jsonl", tmp_path / "model.zst"
    with desk_of(stories(tmp_path / "pages.jsonl", 24), out, machine=machine) as desk:
        for number in range(24):
            blocks = desk.blocks(number, "Ada")
            start = blocks["texts"].index(next(t for t in blocks["texts"] if "A new" in t))
            page_type, genre = (("article", "article"), ("forum", "list-view"))[number % 2]
            said = {"page_type": page_type, "genre": genre}
            spans = [[start, start + 4, "kept"]]
            desk.save(number, {**KEPT, **said, "spans": spans, "blocks": blocks["blocks"]})
        assert desk.write() == 24
        html = desk.works[0].page.html
    assert all(SENTENCES[2] in page.gold_text for page in open_dataset(out))

    extraction(
        ["train", "boosted-blocks", "--data", str(out), "--out", str(model), "--trees", "80"]
    )
    found = BoostedBlocks(load(model)).extract(html)
    assert SENTENCES[0] in found.text
    assert "Sport" not in found.text
    assert set(found.page_type_scores) == {"article", "forum"}

    kinds = tmp_path / "kinds.zst"
    words = ["--data", str(out), "--group-by", "site", "--cross-validate", "2", "--rounds", "3"]
    assert genre_model(["train-html", *words, "--no-svm", "--out", str(kinds)]) == 0
    assert HtmlClassifier.from_file(kinds).predict([html])
    assert orjson.loads(kinds.with_suffix(".json").read_bytes())["folder"]["genre"]["pages"] == 24
