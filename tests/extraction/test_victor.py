"""Victor: blocks, features, labels, the CRF, and the shipped model."""

from __future__ import annotations

from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from corpus_commons.markup.dom import parse
from extraction import extractor
from extraction.methods.victor import Labelling, Victor
from extraction.methods.victor.binning import Binning
from extraction.methods.victor.blocks import cut
from extraction.methods.victor.crf import LABELS, OTHER, Crf, load
from extraction.methods.victor.extractor import assembled
from extraction.methods.victor.features import features
from extraction.methods.victor.labels import block_labels, segments
from extraction.methods.victor.tokens import count

HEADER, PARAGRAPH, LIST, CONTINUATION = range(4)

ARTICLE = """<html><head><title>T</title></head><body>
<div id=nav><a href=/>Home</a> | <a href=/n>News</a> | <a href=/c>Contact</a></div>
<h1>The harbour opens again</h1>
<p>After <a href=/y>nine years</a> of work the old harbour of the town opened its gates on Monday,
and some four thousand people came to see the first ship leave.</p>
<p>The mayor thanked the builders, who had raised the walls by two metres. Nobody could say what
the next flood would bring, she added, but the town was ready for it.</p>
<ul><li>Boats leave at nine, at noon and at four every day of the summer.</li>
<li>Tickets are sold on the quay and cost five crowns for a child.</li></ul>
<div><a href=/a>Terms</a> <a href=/b>Privacy</a> Copyright 2007 All rights reserved</div>
</body></html>"""


def column(html: str, name: str) -> list[int]:
    """One feature of all blocks of a page."""
    table = features(cut(parse(html)), Binning(linear=10, logarithmic=12))
    return table.classes[:, table.names.index(name)].tolist()


def labelled(html: str, labels: list[int]) -> Labelling:
    blocks = cut(parse(html))
    return Labelling(blocks, np.array(labels), np.eye(len(LABELS))[labels])


class TestBlocks:
    def test_a_page_is_cut_at_every_tag_also_at_inline_ones(self) -> None:
        assert cut(parse("<p>One <b>bold</b> word.</p>")).texts == ["One", "bold", "word."]

    def test_blank_and_hidden_text_is_no_block(self) -> None:
        page = "<p> </p><script>x()</script><p style='display:none'>no</p><p>yes</p>"
        assert cut(parse(page)).texts == ["yes"]


class TestTokens:
    def test_characters_and_tokens_are_counted_by_kind(self) -> None:
        counts = count(["Room 12b, floor 3: $5!"])
        assert counts.alpha.tolist() == [2]  # Room floor
        assert counts.num.tolist() == [2]  # 3 5
        assert counts.mixed.tolist() == [1]  # 12b
        assert counts.other.tolist() == [1]  # $
        assert counts.kinds.tolist() == [[10, 4, 3, 4, 1]]

    def test_a_sentence_is_started_by_a_capital_and_finished_by_a_full_stop(self) -> None:
        counts = count(["It rains.", "it rains", "It rains. And", "..."])
        assert counts.not_started.tolist() == [False, True, False, True]
        assert counts.not_finished.tolist() == [False, True, True, True]

    def test_runs_are_stretches_of_words(self) -> None:
        assert count(["a b | c 4 d"]).runs.tolist() == [3]

    @given(st.lists(st.text(max_size=30), max_size=8))
    def test_any_texts_are_counted_one_by_one(self, texts: list[str]) -> None:
        together = count(texts)
        for i, text in enumerate(texts):
            alone = count([text])
            assert together.kinds[i].sum() == len(text)
            for name in ("alpha", "num", "mixed", "other", "runs", "sentences", "not_finished"):
                assert getattr(together, name)[i] == getattr(alone, name)[0], name


class TestBinning:
    def test_the_number_of_bins_is_a_setting(self) -> None:
        many = np.arange(10_000)
        for bins in (3, 5, 12):
            binning = Binning(linear=bins, logarithmic=bins, document=bins)
            assert np.unique(binning.count(many)).tolist() == list(range(bins))
            assert np.unique(binning.page_count(many)).tolist() == list(range(bins))
            assert np.unique(binning.share(many, 9_999)).tolist() == list(range(bins))

    def test_a_share_of_nothing_is_in_the_lowest_bin(self) -> None:
        assert Binning(linear=10).share(np.array([0, 3]), np.array([0, 3])).tolist() == [0, 9]


class TestFeatures:
    def test_containers_are_all_elements_round_a_block(self) -> None:
        page = "<h2>a</h2><p>b <a href=x><b>c</b></a> d</p><ul><li>e</ul>"
        assert column(page, "container.p") == [0, 1, 1, 1, 0]
        assert column(page, "container.a") == [0, 0, 1, 0, 0]
        assert column(page, "container.class-bold") == [0, 0, 1, 0, 0]
        assert column(page, "container.class-headers") == [1, 0, 0, 0, 0]
        assert column(page, "container.class-lists") == [0, 0, 0, 0, 1]

    def test_splits_count_the_tags_since_the_block_before(self) -> None:
        page = "<body>a<br>b<br><br>c<hr>d <i>e</i> f"
        assert column(page, "split.br") == [0, 2, 3, 0, 0, 0]  # <br> counts as two tags
        assert column(page, "split.hr") == [0, 0, 0, 2, 0, 0]
        assert column(page, "split.class-italic") == [0, 0, 0, 0, 1, 1]

    def test_twins_have_the_same_words(self) -> None:
        page = "<p>Reply</p><p>Text</p><p>[Reply]</p>"
        assert column(page, "twins") == [1, 0, 1]
        assert column(page, "first-twin") == [1, 0, 0]

    def test_groups_share_a_cell_or_a_division_and_links_do_not_count(self) -> None:
        page = (
            "<div>one two three <div>four <a href=x>five</a></div> six</div>"
            "<table><tr><td>seven<td>eight nine ten</table>"
        )
        words = column(page, "div-group.word-rel")
        assert words[0] == words[3] == 4  # four of ten words
        assert words[1] == words[2] == 1
        assert column(page, "td-group.word-rel")[4:] == [1, 3]
        assert set(column(page, "document.max-div-group")) == {4}

    @pytest.mark.parametrize(
        ("name", "yes", "no"),
        [
            ("regexp.url", "see www.example.org", "see example"),
            ("regexp.date", "on 12 March 2007", "on the 12th floor"),
            ("regexp.time", "at 10:45 pm", "ten to one"),
            ("looks-like-bullet", "1. first", "first"),
            ("looks-like-bullet", "• first", "•first"),
        ],
    )
    def test_patterns(self, name: str, yes: str, no: str) -> None:
        found, missed = column(f"<p>{yes}</p><p>{no}</p>", name)
        assert found > 0
        assert missed == 0

    def test_position_runs_over_the_page(self) -> None:
        positions = column("".join(f"<p>{i}</p>" for i in range(10)), "position")
        assert positions == list(range(10))


class TestLabels:
    def test_gold_is_split_at_its_tags(self) -> None:
        assert segments("<h> A\n\n<L> b <p>") == [("h", " A\n\n"), ("l", " b "), ("p", "")]
        assert segments("no mark") == [("p", "no mark")]
        assert segments("") == []

    def test_the_first_block_of_a_segment_has_its_mark_and_the_rest_continues_it(self) -> None:
        texts = ["Home", "Rain", "It", "rained", "all day.", "wet", "dry", "Imprint"]
        gold = "<h> Rain <p> It rained all day. <l> wet <l> dry"
        assert block_labels(texts, gold).tolist() == [
            OTHER, HEADER, PARAGRAPH, CONTINUATION, CONTINUATION, LIST, LIST, OTHER,
        ]  # fmt: skip

    def test_a_block_without_words_is_main_content_between_main_content(self) -> None:
        texts = ["|", "One", "•", "two.", "|", "Menu"]
        labels = block_labels(texts, "<p> One <p> two.")
        assert labels.tolist() == [OTHER, PARAGRAPH, CONTINUATION, PARAGRAPH, OTHER, OTHER]

    def test_without_gold_nothing_is_main_content(self) -> None:
        assert block_labels(["a", "b"], "").tolist() == [OTHER, OTHER]
        assert block_labels([], "<p> a").tolist() == []


def tiny_crf(seed: int, window: int = 1) -> Crf:
    generator = np.random.default_rng(seed)
    return Crf(
        ("a", "b"),
        (2, 3),
        generator.normal(size=(5, 2 * window + 1, len(LABELS))),
        generator.normal(size=(len(LABELS), len(LABELS))),
        Binning(),
    )


class TestCrf:
    def test_decoding_agrees_with_trying_every_sequence(self) -> None:
        crf = tiny_crf(1)
        classes = np.array([[0, 2], [1, 1], [1, 0], [0, 1]], dtype=np.int32)
        emissions = crf.emissions(classes)
        scores = {
            labels: sum(emissions[t, label] for t, label in enumerate(labels))
            + sum(crf.transitions[pair] for pair in pairwise(labels))
            for labels in product(range(len(LABELS)), repeat=len(classes))
        }
        assert tuple(crf.best_labels(emissions).tolist()) == max(scores, key=scores.__getitem__)
        total = sum(map(np.exp, scores.values()))
        expected = np.zeros((len(classes), len(LABELS)))
        for labels, score in scores.items():
            expected[range(len(classes)), labels] += np.exp(score) / total
        assert crf.marginals(emissions) == pytest.approx(expected)

    def test_the_window_ends_at_the_ends_of_the_page(self) -> None:
        crf = tiny_crf(2)
        alone = crf.emissions(np.array([[1, 2]], dtype=np.int32))
        assert alone[0] == pytest.approx(crf.weights[1, 1] + crf.weights[4, 1])

    def test_a_class_never_seen_in_training_counts_as_the_highest_seen(self) -> None:
        crf = tiny_crf(3)
        seen, unseen = (crf.emissions(np.array([[1, c]], dtype=np.int32)) for c in (2, 9))
        assert seen == pytest.approx(unseen)

    def test_a_page_without_blocks(self) -> None:
        crf = tiny_crf(4)
        emissions = crf.emissions(np.zeros((0, 2), dtype=np.int32))
        assert crf.best_labels(emissions).shape == (0,)
        assert crf.marginals(emissions).shape == (0, len(LABELS))

    @settings(max_examples=20)
    @given(st.integers(0, 1000), st.integers(1, 300), st.floats(0.1, 500))
    def test_marginals_are_probabilities_however_large_the_weights(
        self, seed: int, n: int, scale: float
    ) -> None:
        crf = tiny_crf(seed)
        emissions = np.random.default_rng(seed).normal(scale=scale, size=(n, len(LABELS)))
        marginals = crf.marginals(emissions)
        assert np.isfinite(marginals).all()
        assert marginals.sum(axis=1) == pytest.approx(np.ones(n))

    def test_a_saved_model_is_read_back(self, tmp_path: Path) -> None:
        crf = tiny_crf(5)
        crf.save(tmp_path / "m.npz")
        again = load(tmp_path / "m.npz")
        assert (again.names, again.sizes, again.binning) == (crf.names, crf.sizes, crf.binning)
        assert again.weights == pytest.approx(crf.weights, abs=2e-3)
        assert again.transitions == pytest.approx(crf.transitions)


class TestAssembling:
    def test_labels_begin_blocks_and_continuations_join_them(self) -> None:
        html = "<h1>Title</h1><p>One <b>bold</b> word.</p><p>More.</p><div>x</div><li>Item"
        made = assembled(
            labelled(
                html,
                [HEADER, PARAGRAPH, CONTINUATION, CONTINUATION, CONTINUATION, OTHER, LIST],
            ),
            "victor",
        )
        assert [(block.text, block.kind) for block in made.blocks] == [
            ("Title", "heading"),
            ("One bold word.\nMore.", "paragraph"),
            ("Item", "list-item"),
        ]
        assert made.text == "Title\n\nOne bold word.\n\nMore.\n\nItem"

    def test_a_label_may_begin_a_block_inside_a_line_of_the_layout(self) -> None:
        made = assembled(
            labelled("<p>One<br>Two<br>Three</p>", [LIST, LIST, CONTINUATION]), "victor"
        )
        assert [block.text for block in made.blocks] == ["One", "Two\nThree"]

    def test_no_label_begins_a_block_inside_a_word(self) -> None:
        html = "<p><b>D</b>rop <i>by</i>, <b>o</b><b> n</b></p>"
        made = assembled(labelled(html, [LIST, LIST, LIST, LIST, LIST, LIST]), "victor")
        assert [block.text for block in made.blocks] == ["Drop", "by,", "o", "n"]
        assert made.text == "Drop by, o n"

    def test_a_continuation_at_the_beginning_is_a_paragraph(self) -> None:
        made = assembled(labelled("<p>One</p>", [CONTINUATION]), "victor")
        assert [(block.text, block.kind) for block in made.blocks] == [("One", "paragraph")]

    def test_words_of_dropped_nodes_leave_and_spaces_stay(self) -> None:
        made = assembled(
            labelled("<p>One <a href=x>ad</a> two</p>", [PARAGRAPH, OTHER, CONTINUATION]), "victor"
        )
        assert made.text == "One two"
        assert [block.text for block in made.blocks] == ["One two"]


class TestVictor:
    def test_the_article_stays_and_the_menus_go(self) -> None:
        extraction = Victor().extract(ARTICLE)
        assert "The mayor thanked the builders" in extraction.text
        assert "After nine years of work" in extraction.text
        assert "Contact" not in extraction.text
        assert "Privacy" not in extraction.text
        assert extraction.method == "victor"
        assert 0.5 < (extraction.confidence or 0) <= 1
        assert all(0.5 < (block.probability or 0) <= 1 for block in extraction.blocks)

    def test_the_shipped_model_is_small(self) -> None:
        import extraction.methods.victor as package  # noqa: PLC0415 - only to find its folder

        assert (Path(package.__file__).parent / "model.npz").stat().st_size < 200_000

    @pytest.mark.parametrize("html", ["", " ", b"\x00\xff\xfe", "<p>", "plain", "<table><td>"])
    def test_pages_with_little_or_nothing(self, html: str | bytes) -> None:
        extraction = Victor().extract(html)
        assert isinstance(extraction.text, str)

    @settings(max_examples=40)
    @given(
        st.lists(
            st.sampled_from(
                ["<p>", "</p>", "<b>", "</b>", "<pre>", "</pre>", "<table><tr><td>", "<br>", "<li>",
                 "\ud800", "A sentence, rather long. ", "x", " ", "\n", "<a href=y>", "</a>"]
            ),
            max_size=40,
        )
    )  # fmt: skip
    @example(["<p>", "<pre>", "\ud800", "<a href=y>", "<a href=y>", "\ud800"])
    def test_blocks_and_text_hold_the_same_words(self, pieces: list[str]) -> None:
        extraction = extractor("victor").extract("".join(pieces))
        in_blocks = " ".join(block.text for block in extraction.blocks)
        assert in_blocks.split() == extraction.text.split()
