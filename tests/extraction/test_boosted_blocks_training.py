"""Training boosted blocks: the output of the command, and its errors."""

from __future__ import annotations

import logging
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import orjson
import pytest
import zstandard
from bridge_article import ARTICLE, SENTENCE

from corpus_commons.markup.dom import parse
from corpus_commons.terminal.command_error import EXIT_FAILED
from evaluation.results import PageKey, SavedResults
from extraction.__main__ import main
from extraction.methods.boosted_blocks import BoostedBlocks
from extraction.methods.boosted_blocks.batch import Batch
from extraction.methods.boosted_blocks.features import matrix
from extraction.methods.boosted_blocks.fitting import fit_classifier
from extraction.methods.boosted_blocks.lexicon_fitting import Vocabulary
from extraction.methods.boosted_blocks.model import load
from extraction.methods.boosted_blocks.page_judgement import mean_block
from extraction.methods.boosted_blocks.samples import feature_names, samples
from extraction.methods.boosted_blocks.view import all_blocks

if TYPE_CHECKING:
    from pathlib import Path


def write_pages(file: Path, pages: list[dict[str, object]]) -> Path:
    lines = b"".join(orjson.dumps(page, option=orjson.OPT_APPEND_NEWLINE) for page in pages)
    file.write_bytes(zstandard.compress(lines))
    return file


def lines_of(file: Path) -> list[bytes]:
    return zstandard.decompress(file.read_bytes()).splitlines()


class TestTraining:
    @pytest.fixture
    def data(self, tmp_path: Path) -> Path:
        pages = [
            {
                "id": str(number),
                "html": ARTICLE.replace("bridge", f"bridge {number}"),
                "gold_text": f"A new bridge {number}\n"
                + "\n".join(f"{n}. {SENTENCE * 3}" for n in range(8)).replace(
                    "bridge", f"bridge {number}"
                ),
                "url": f"http://site{number}.com/a",
                "genre": ("article", "forum", None)[number % 3],
            }
            for number in range(12)
        ]
        return write_pages(tmp_path / "pages.jsonl.zst", pages)

    def test_the_command_writes_a_model_that_extracts(self, data: Path, tmp_path: Path) -> None:
        out = tmp_path / "model.zst"
        main(["train", "boosted-blocks", "--data", str(data), "--out", str(out), "--trees", "80"])
        extraction = BoostedBlocks(load(out)).extract(ARTICLE)
        assert "The council met" in extraction.text
        assert "Sport" not in extraction.text
        assert set(extraction.page_type_scores) == {"article", "forum"}

    def test_only_words_on_several_sites_have_weights(self, data: Path, tmp_path: Path) -> None:
        out = tmp_path / "model.zst"
        main(["train", "boosted-blocks", "--data", str(data), "--out", str(out), "--trees", "1"])
        lexicon = load(out).lexicon
        assert lexicon.near["post"] > 0 > lexicon.far.get("menu", 0) + lexicon.near["menu"]

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            (
                b'{"id": "1", "html": "<p>x", "gold_text": "x"}',
                'too few sites to hold any of them out (1, such as "1")',
            ),
            (b'{"id": "1"}', "line 1: not a page"),
            (b"", "there is no page with text to train on"),
        ],
    )
    def test_unusable_pages_are_a_one_line_error(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, message: str
    ) -> None:
        file = tmp_path / "pages.jsonl.zst"
        file.write_bytes(zstandard.compress(content))
        with pytest.raises(SystemExit) as stopped:
            main(["train", "boosted-blocks", "--data", str(file), "--out", str(tmp_path / "m")])
        assert stopped.value.code == 2
        assert message in capsys.readouterr().err

    def test_page_types_that_may_be_misspelt_are_told(
        self, data: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        lines = b"\n".join(lines_of(data)).replace(b'"forum"', b'"Forum"')
        data.write_bytes(zstandard.compress(lines))
        out = tmp_path / "model.zst"
        main(["train", "boosted-blocks", "--data", str(data), "--out", str(out), "--trees", "1"])
        [warning] = [one.getMessage() for one in caplog.records if one.levelname == "WARNING"]
        assert warning == "unknown page types, with their number of pages: Forum (4)"

    def test_the_site_of_a_page_without_a_url_is_what_the_page_says(self, tmp_path: Path) -> None:
        page = {"html": "<p>A bridge", "gold_text": "A bridge"}
        declared = "<link rel=canonical href=https://example.net/2><p>A bridge"
        pages = [
            page | {"id": "1", "url": "https://www.example.org/1", "html": declared},
            page | {"id": "2", "html": declared},
            page | {"id": "3"},
        ]
        found = samples([write_pages(tmp_path / "pages.jsonl.zst", pages)], Vocabulary())
        assert [sample.site for sample in found] == ["example.org", "example.net", "3"]

    def test_a_page_is_read_with_its_names_and_without(self, data: Path) -> None:
        vocabulary = Vocabulary()
        named, nameless = next(samples([data], vocabulary)).forms
        word = vocabulary["post"]
        assert named.evidence.near[:, word].sum() > 0
        assert nameless.evidence.near[:, word].sum() == 0
        columns = zip(feature_names(), named.rows.T, nameless.rows.T, strict=True)
        changed = {name for name, one, other in columns if (one != other).any()}
        assert {"name-nav", "page.name-post"} <= changed
        assert all("name-" in name for name in changed)

    def test_of_articles_a_short_form_is_made_and_of_some_one_with_a_discussion(
        self, data: Path
    ) -> None:
        pages = list(samples([data], Vocabulary()))
        articles = [page for page in pages if page.page_type == "article"]
        assert not any(page.made for page in pages if page.page_type != "article")
        for page in articles:
            short, *talks = page.made
            assert 0 < short.labels.sum() < page.labels.sum()
            for talk in talks:
                assert talk.labels.sum() in {page.labels.sum(), short.labels.sum()}
                assert len(talk.texts) > len(short.texts)
        assert {len(page.made) for page in articles} == {1, 2}

    def test_trees_learn_from_what_was_made_of_articles_too(self, data: Path) -> None:
        vocabulary = Vocabulary()
        pages = list(samples([data], vocabulary))
        wholes = [replace(page, made=()) for page in pages]
        both, without = (
            fit_classifier(its, vocabulary, trees=2, seed=1) for its in (pages, wholes)
        )
        assert both.blocks != without.blocks
        assert both.articles == without.articles

    def test_page_types_are_learned_if_there_are_two(self, data: Path, tmp_path: Path) -> None:
        pages = [orjson.loads(line) | {"genre": None} for line in lines_of(data)]
        untyped, out = write_pages(tmp_path / "untyped.jsonl.zst", pages), tmp_path / "model.zst"
        options = f"--data {untyped} --out {out} --trees 20 --untyped article"
        main(f"train boosted-blocks {options}".split())
        extraction = BoostedBlocks(load(out)).extract(ARTICLE)
        assert extraction.page_type_scores == {} == extraction.genre_scores

    def test_a_page_of_no_known_type_is_not_taken_for_another_than_an_article(
        self, tmp_path: Path
    ) -> None:
        listing = "<ul>" + "<li><a href=/x>Another town, another bridge</a>" * 9 + "</ul>"
        pages = [
            {
                "id": f"{genre} {number}",
                "html": html,
                "gold_text": SENTENCE * 3,
                "url": f"http://{genre}-{number}.com/",
                "genre": genre,
            }
            for genre, html, count in (
                ("article", ARTICLE, 25),
                ("listing", listing, 25),
                (None, ARTICLE, 75),
            )
            for number in range(count)
        ]
        data, out = write_pages(tmp_path / "pages.jsonl.zst", pages), tmp_path / "model.zst"
        main(["train", "boosted-blocks", "--data", str(data), "--out", str(out), "--trees", "1"])
        model, page = load(out), Batch([all_blocks(parse(ARTICLE))])
        assert model.trees.articles is not None
        rows = mean_block(matrix(page, model.features), page.words)
        assert model.trees.articles.predict(rows[None])[0] > 0.5

    def test_cross_validation_gives_every_page_a_text(self, data: Path, tmp_path: Path) -> None:
        texts = tmp_path / "texts.jsonl"
        options = f"--trees 80 --cross-validate 3 --texts {texts}"
        main(f"train boosted-blocks --data {data} {options}".split())
        records = [orjson.loads(line) for line in texts.read_bytes().splitlines()]
        assert {record["id"] for record in records} == {str(number) for number in range(12)}
        assert all("The council met" in record["text"] for record in records)
        assert all(record["seconds"] is None for record in records)
        assert all(
            sum(record["page_type_scores"].values()) == pytest.approx(1) for record in records
        )
        saved = SavedResults([texts])
        pages = {PageKey(record["set"], record["id"]) for record in records}
        assert {result.page for result in saved.of(pages, saved.methods)} == pages

    def test_only_pages_of_a_known_type_count_for_type_accuracy(
        self, data: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        pages = [orjson.loads(line) | {"genre": None} for line in lines_of(data)]
        untyped = write_pages(tmp_path / "untyped.jsonl.zst", pages)
        with caplog.at_level(logging.INFO):
            options = f"--data {data} {untyped} --trees 20 --cross-validate 2"
            main(f"train boosted-blocks {options}".split())
        by_set = dict(re.findall(r"^(pages|untyped): (.*)$", caplog.text, re.MULTILINE))
        assert "page type right on" in by_set["pages"]
        assert "page type" not in by_set["untyped"]

    def test_a_full_disk_is_told_with_the_file_of_the_texts(
        self, data: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        options = "--trees 1 --cross-validate 2 --texts /dev/full"
        with pytest.raises(SystemExit) as stopped:
            main(f"train boosted-blocks --data {data} {options}".split())
        assert stopped.value.code == EXIT_FAILED
        assert "/dev/full: No space left on device\n" in capsys.readouterr().err

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ("--cross-validate 0", "--cross-validate: must be at least 2"),
            ("--cross-validate 1", "--cross-validate: must be at least 2"),
            ("--cross-validate -3", "--cross-validate: must be at least 2"),
            ("--trees 0", "--trees: must be at least 1"),
            ("--seed -1", "--seed: must be a whole number, 0 or more, not '-1'"),
            ("--tell-genre", "need --cross-validate"),
            ("--texts {folder}/texts.jsonl", "need --cross-validate"),
            ("--page-types {folder}/types.jsonl", "need --cross-validate"),
            ("--out {folder}/no/model.zst", "no: no such folder"),
            ("--out {folder}", "is a folder"),
        ],
    )
    def test_contradictory_options_are_refused_before_the_data_are_read(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], options: str, message: str
    ) -> None:
        told = f"--data {tmp_path}/none --out {tmp_path}/m {options.format(folder=tmp_path)}"
        with pytest.raises(SystemExit) as stopped:
            main(f"train boosted-blocks {told}".split())
        assert stopped.value.code == 2
        assert message in capsys.readouterr().err
        assert list(tmp_path.iterdir()) == []
