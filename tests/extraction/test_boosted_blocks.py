"""Boosted blocks: counts, decoding, labels, and the shipped model on pages of several kinds."""

from __future__ import annotations

import subprocess
import sys
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
import zstandard
from bridge_article import ARTICLE, SENTENCE
from hypothesis import given
from hypothesis import strategies as st

from corpus_commons.markup.naming import MAX_NAME_CHARACTERS
from extraction import extractor, parse
from extraction.methods.boosted_blocks.batch import FAR, Batch
from extraction.methods.boosted_blocks.block_trees import told
from extraction.methods.boosted_blocks.characters import CharacterClass, count
from extraction.methods.boosted_blocks.decoding import Policy, decide
from extraction.methods.boosted_blocks.extractor import SHIPPED_MODEL
from extraction.methods.boosted_blocks.features import columns, matrix
from extraction.methods.boosted_blocks.labels import block_labels
from extraction.methods.boosted_blocks.lexicon import Lexicon, words_of_name
from extraction.methods.boosted_blocks.lexicon_fitting import Vocabulary, Weighing, evidence_of
from extraction.methods.boosted_blocks.model import load, policy_for
from extraction.methods.boosted_blocks.naming import NAMES
from extraction.methods.boosted_blocks.page_judgement import genre_scores
from extraction.methods.boosted_blocks.view import all_blocks


class TestCharacters:
    def test_counts_stay_within_their_text(self) -> None:
        counted = count(["One. Two", "3 euros, €4", "!"])
        assert counted.words.tolist() == [2, 3, 0]
        assert counted.numbers.tolist() == [0, 2, 0]
        assert counted.sentences.tolist() == [1, 0, 1]
        assert counted.counts[1, CharacterClass.CURRENCY] == 1

    def test_scripts_without_spaces_count_in_word_equivalents(self) -> None:
        (words,) = count(["今天天气很好。我们去公园散步"]).words
        assert 7 < words < 9

    @given(st.lists(st.text(min_size=1, max_size=40), min_size=1, max_size=8))
    def test_every_character_is_counted_once(self, texts: list[str]) -> None:
        texts = [text.encode("utf-8", "replace").decode().replace("\0", " ") for text in texts]
        counted = count(texts)
        assert counted.counts.sum(axis=1).tolist() == [len(text) for text in texts]
        assert (counted.words >= counted.capitalised).all()


SHOP = "".join(
    f'<li class="product-card"><a href="/{n}">Chair {n}</a> <b>€ {n}9</b> <button>Buy'
    for n in range(40)
)


def batch_of(*pages: str) -> Batch:
    return Batch([all_blocks(parse(html)) for html in pages])


def names_in(html: str) -> list[list[str]]:
    """The names of every element that has any."""
    names = parse(html).names
    by_node: dict[int, list[str]] = {}
    for node, use in zip(*map(np.ndarray.tolist, names.uses()), strict=True):
        by_node.setdefault(node, []).append(names.names[use])
    return [by_node[node] for node in sorted(by_node)]


class TestNames:
    def test_parts_of_names_match_groups(self) -> None:
        dom = parse('<p class="TopBar_navList" id="x1">')
        [bits] = set(dom.names.groups(NAMES, len(dom)).tolist()) - {0}
        groups = {name for bit, name in enumerate(NAMES.names) if bits >> bit & 1}
        assert groups == {"nav", "list"}

    def test_the_names_of_an_element_are_those_of_all_its_attributes(self) -> None:
        html = "<p role=main class='a b'>x<p id=c>y<p style='color: red'>z"
        assert names_in(html) == [["a", "b", "main"], ["c"]]

    def test_labels_for_screen_readers_and_custom_tags_are_names(self) -> None:
        html = "<post-list class=x9 aria-label='Latest posts'><a rel=tag>x</a><b>y</b>"
        assert names_in(html) == [["x9", "Latest", "posts", "post-list"], ["tag"]]

    def test_only_the_beginning_of_endless_names_is_read(self) -> None:
        [names] = names_in(f"<p class='{'main ' * 1_000_000}nav'>x")
        assert set(names) == {"main"}
        assert len(names) < 100

    def test_names_are_truncated(self) -> None:
        [[tag], [name]] = names_in(f"<x-{'y' * 9_000}>a</x-{'y' * 9_000}><p class={'z' * 9_000}>b")
        assert max(len(tag), len(name)) <= MAX_NAME_CHARACTERS

    @pytest.mark.parametrize("html", ["<p>x", "<p class='' id=' '>x"])
    def test_a_page_may_have_no_names(self, html: str) -> None:
        dom = parse(html)
        names = dom.names
        assert (names.names, names.parts) == ([], [])
        assert not names.groups(NAMES, len(dom)).any()
        assert not any(own.any() for own in names.sums(np.empty((0, 2))))

    def test_values_are_summed_over_the_names_of_an_attribute(self) -> None:
        names = parse("<p class='a b'>x<p class='b c b'>y").names
        classes = names.sums(np.array([[1.0, 0], [10, 0], [100, 1]]))[0]
        assert classes.tolist() == [[11, 0], [120, 1]]

    def test_a_name_that_is_one_word_is_its_only_part(self) -> None:
        names = parse("<p class='main main2 top-bar Nav'>x").names
        assert dict(zip(names.names, names.are_parts().tolist(), strict=True)) == {
            "main": True, "main2": False, "top-bar": False, "Nav": True,
        }  # fmt: skip


class TestAncestry:
    def test_steps_are_counted_to_the_nearest_element_of_each_group(self) -> None:
        page = batch_of("<article><div class=nav><p hidden>a</div><p>b</article>c")
        by_name = columns(page)
        assert by_name["tag-p"].tolist() == [0, 0, FAR]
        assert by_name["tag-article"].tolist() == [2, 1, FAR]
        assert by_name["name-nav"].tolist() == [1, FAR, FAR]
        assert by_name["hidden"].tolist() == [0, FAR, FAR]

    def test_what_is_far_up_does_not_count(self) -> None:
        page = batch_of(f"<main>{'<div>' * (FAR - 1)}a<div>b")
        assert columns(page)["tag-main"].tolist() == [FAR - 1, FAR]


class TestLexicon:
    def test_names_are_used_in_parts_and_as_a_whole(self) -> None:
        assert words_of_name("postBody") == {"postbody", "post", "body"}
        assert words_of_name("main-NAV-2") == {"main-nav-2", "main", "nav"}

    def test_near_and_far_names_have_separate_weights(self) -> None:
        page = batch_of("<div class=far><p class=x><b><i><u class=near>Read on")
        lexicon = Lexicon({"near": 1, "far": 9}, {"near": 9, "far": 2})
        assert lexicon.scores(page).tolist() == [[1, 2]]

    @pytest.mark.parametrize("html", [ARTICLE, "<p>one", "<i class='a b'>x<p class='b c'>y y"])
    def test_training_and_prediction_use_the_same_scores(self, html: str) -> None:
        page, vocabulary = batch_of(html), Vocabulary()
        evidence = evidence_of(page, vocabulary)
        rng = np.random.default_rng(0)
        weighing = Weighing(*rng.normal(size=(2, len(vocabulary))))
        expected = [part @ weights for part, weights in zip(evidence, weighing, strict=True)]
        found = weighing.lexicon(vocabulary).scores(page)
        assert np.allclose(found, np.column_stack(expected), atol=0.02)


class TestModelFile:
    @pytest.mark.parametrize(
        "content", [b"no model", zstandard.compress(b"{}"), zstandard.compress(b"[]")]
    )
    def test_another_file_is_refused_by_its_name(self, tmp_path: Path, content: bytes) -> None:
        file = tmp_path / "my-model.zst"
        file.write_bytes(content)
        with pytest.raises(ValueError, match=r"my-model\.zst does not contain trees over blocks"):
            load(file)


class TestBlockTrees:
    @pytest.mark.parametrize(("html", "taken_for"), [(ARTICLE, "article"), (SHOP, "listing")])
    def test_what_looks_like_an_article_is_read_as_one(
        self, html: str, taken_for: str | None
    ) -> None:
        model, page = load(SHIPPED_MODEL), batch_of(html)
        rows, scores = matrix(page, model.features), model.lexicon.scores(page)
        untold = model.trees.probabilities(rows, scores, page.words, page.starts, [None])
        alike = model.trees.predict(told(rows, scores, taken_for))
        assert untold.tolist() == alike.tolist()
        as_article, as_other = (
            model.trees.probabilities(rows, scores, page.words, page.starts, [genre]).tolist()
            for genre in ("article", "listing")
        )
        assert as_article != as_other

    def test_the_mean_of_all_models_decides_where_the_first_is_not_certain(self) -> None:
        model, page = load(SHIPPED_MODEL), batch_of(ARTICLE + SHOP)
        rows = told(matrix(page, model.features), model.lexicon.scores(page), None)
        # Blocks that are mixed of others leave doubts.
        rows = np.random.default_rng(1).permuted(rows, axis=0)
        first, *others = answers = [trees.predict(rows) for trees in model.trees.blocks]
        certain = (first > 0.9) | (first < 0.1)
        uncertain = (first > 0.15) & (first < 0.85)
        assert others
        assert certain.any()
        assert uncertain.any()
        found = model.trees.predict(rows)
        assert found[certain].tolist() == first[certain].tolist()
        assert found[uncertain] == pytest.approx(np.mean(answers, axis=0)[uncertain])


class TestDecoding:
    @given(st.lists(st.tuples(st.floats(0.01, 0.99), st.integers(1, 50)), min_size=1, max_size=7))
    def test_no_other_set_has_a_greater_expected_f1(self, blocks: list[tuple[float, int]]) -> None:
        probabilities = np.array([p for p, _ in blocks])
        words = np.array([w for _, w in blocks], dtype=np.float32)
        words += 200
        decision = decide(probabilities, words, np.arange(len(words)))
        right = float((probabilities * words).sum())
        best = max(
            2
            * sum(probabilities[i] * words[i] for i in chosen)
            / (sum(words[i] for i in chosen) + right)
            for size in range(1, len(blocks) + 1)
            for chosen in combinations(range(len(blocks)), size)
        )
        assert decision.expected_f1 == pytest.approx(best, abs=1e-6)

    def test_only_the_most_probable_copy_is_kept(self) -> None:
        chances, words = np.array([0.8, 0.9, 0.9]), np.float32([100, 100, 100])
        decision = decide(chances, words, np.array([0, 0, 2]))
        assert decision.kept.tolist() == [False, True, True]

    def test_strictness_drops_uncertain_blocks(self) -> None:
        chances, words = np.array([0.9, 0.5]), np.float32([100, 100])
        assert decide(chances, words, np.arange(2)).kept.tolist() == [True, True]
        strict = decide(chances, words, np.arange(2), Policy(strictness=3))
        assert strict.kept.tolist() == [True, False]

    @pytest.mark.parametrize(
        ("chances", "gap", "certainty", "kept"),
        [
            ([0.9, 0.1, 0.6], 100, 0.5, [True, False, True]),
            ([0.9, 0.1, 0.6], 100, 0.8, [True, False, False]),
            ([0.9, 0.1, 0.6], 20, 0.8, [True, False, True]),
            ([0.6, 0.1, 0.9], 100, 0.8, [True, False, True]),
        ],
        ids=["sure enough", "after a gap", "no gap", "before the main part"],
    )
    def test_a_part_after_the_main_one_must_be_probable(
        self, chances: list[float], gap: int, certainty: float, kept: list[bool]
    ) -> None:
        words = np.float32([100, gap, 100])
        policy = Policy(certainty=certainty)
        assert decide(np.array(chances), words, np.arange(3), policy).kept.tolist() == kept

    def test_a_short_text_is_the_main_part_beside_a_long_column_of_teasers(self) -> None:
        chances, words = np.array([0.9, 0.1, 0.5]), np.float32([100, 100, 300])
        kept = decide(chances, words, np.arange(3), Policy(certainty=0.8)).kept
        assert kept.tolist() == [True, False, False]
        longer = np.float32([100, 100, 400])
        assert decide(chances, longer, np.arange(3), Policy(certainty=0.8)).kept.tolist()[2]

    def test_the_policy_follows_the_page_types(self) -> None:
        article, listing = policy_for({"article": 1.0}), policy_for({"listing": 1.0})
        assert article.strictness > policy_for({}).strictness > listing.strictness
        either = policy_for({"article": 0.5, "listing": 0.5})
        assert either.strictness == pytest.approx((article.strictness + listing.strictness) / 2)
        assert either.certainty == pytest.approx((article.certainty + listing.certainty) / 2)
        assert policy_for({"media": 1.0}) == policy_for({})

    def test_nothing_is_kept_of_a_menu_and_a_footer(self) -> None:
        chances, copies = np.full(12, 0.3), np.arange(12)
        assert not decide(chances, np.full(12, 10, dtype=np.float32), copies).kept.any()
        assert decide(chances, np.full(12, 100, dtype=np.float32), copies).kept.any()

    def test_a_page_with_a_single_line_is_kept(self) -> None:
        assert decide(np.array([0.1]), np.float32([3]), np.arange(1)).kept.all()
        assert extractor("boosted-blocks").extract("<p>Hello world.").text == "Hello world."

    def test_a_table_of_data_in_an_article_is_kept_whole(self) -> None:
        """The trees are unsure of all of its cells, and surest of the last long one."""
        rows = [
            ["Pratt truss", "First built in the year 1844 in Boston", "120 m", "$4,500"],
            ["Warren truss", "First built in the year 1848 in London", "7 m", "$9,000"],
            ["Suspension", "First built in the year 1801 in Pennsylvania", "2 km", "$65,000"],
            ["Stone arch", "First built by the Romans, and before them", "5 m", "$1,000"],
        ]
        lines = "".join(f"<tr><td>{'<td>'.join(row)}</tr>" for row in rows)
        page = ARTICLE.replace("<p>4.", f"<table>{lines}</table><p>4.")
        text = extractor("boosted-blocks").extract(page).text
        assert "\n".join("\t".join(row) for row in rows) in text


class TestCopies:
    SMALL = "<div><div><p>One two three<p>Other words here</div></div>"

    def test_equal_texts_in_two_parts_of_a_page_are_copies(self) -> None:
        (page,) = batch_of(f"<main>{self.SMALL}<section>{self.SMALL}</section></main>").views
        assert page.copies.tolist() == [0, 1, 0, 1]

    def test_short_texts_far_from_each_other_are_copies_with_their_neighbours_alone(self) -> None:
        part, label = "<p>One two three<p>Four five six<p>7 8 9 10", "<p>Read it here"
        between = "".join(f"<p>Line number {n} of many" for n in range(12))
        pieces = (f"{part}{label}", between, part, "<p>x y z", label)
        (page,) = batch_of("".join(f"<div><div>{piece}</div></div>" for piece in pieces)).views
        assert page.copies[-5:].tolist() == [0, 1, 2, 19, 20]

    def test_cells_of_data_are_no_copies(self) -> None:
        row = "<tr><td><p>Adults and children</p><td><p>2 tablets</p>"
        (page,) = batch_of(f"<table>{row * 3}</table>").views
        assert page.copies.tolist() == list(range(6))

    def test_a_refrain_is_no_copy_of_itself(self) -> None:
        line = "<p>One two three"
        (page,) = batch_of(
            f"<div><div>{line}{line}<p>Other words</div><div>{line}</div></div>"
        ).views
        assert page.copies.tolist() == [0, 1, 2, 3]

    def test_short_texts_and_code_stand_for_themselves(self) -> None:
        part = "<div><div><p>Reply now</p><pre>a = b + c</pre></div></div>"
        (page,) = batch_of(part * 2).views
        assert page.copies.tolist() == [0, 1, 2, 3]


class TestJudgement:
    def test_a_page_has_types_and_confidence(self) -> None:
        extraction = extractor("boosted-blocks").extract(ARTICLE)
        assert sum(extraction.page_type_scores.values()) == pytest.approx(1)
        assert max(extraction.page_type_scores, key=extraction.page_type_scores.__getitem__) == (
            "article"
        )
        assert extraction.genre_scores["article"] > 0.5 > extraction.genre_scores["list-view"]

    def test_types_of_neither_genre_do_not_count(self) -> None:
        assert genre_scores({"product": 1.0}) == {}
        assert genre_scores({"product": 0.5, "forum": 0.5}) == {"article": 0, "list-view": 1}


class TestLabels:
    def test_a_menu_that_repeats_words_of_the_content_is_not_content(self) -> None:
        texts = ["Bridge plan", SENTENCE, "Bridge plan agreed", "On Tuesday"]
        assert block_labels(texts, SENTENCE).tolist() == [False, True, False, False]

    def test_a_page_without_gold_has_no_content(self) -> None:
        assert not block_labels(["a", "b"], "").any()


class TestFeatures:
    def test_a_page_without_text_has_no_blocks(self) -> None:
        assert not len(all_blocks(parse("<img src=x><script>var a;</script>")))

    def test_a_page_has_the_same_features_in_a_batch_as_alone(self) -> None:
        pages = (ARTICLE, "<p>one", SHOP, "<h1>x</h1><ul><li>a<li>b<li>c</ul>", ARTICLE)
        alone = [batch_of(html) for html in pages]
        names = tuple(columns(alone[0]))
        rows = matrix(batch_of(*pages), names)
        assert rows.tolist() == np.concatenate([matrix(one, names) for one in alone]).tolist()

    def test_every_feature_has_a_finite_value_per_block(self) -> None:
        page = batch_of(ARTICLE)
        names = tuple(columns(page))
        rows = matrix(page, names)
        assert rows.shape == (len(page), len(names))
        assert np.isfinite(rows).all()

    def test_hidden_text_is_a_candidate_and_marked(self) -> None:
        page = batch_of('<div style="display:none"><p>secret</p></div><p>open</p>')
        assert page.texts == ["secret", "open"]
        hidden = columns(page)["hidden"].tolist()
        assert hidden[0] < hidden[1]


class TestExtraction:
    def test_keeps_the_article_and_drops_what_surrounds_it(self) -> None:
        extraction = extractor("boosted-blocks").extract(ARTICLE)
        assert extraction.text.count("The council met") == 24
        assert "Sport" not in extraction.text
        assert "Terms of use" not in extraction.text
        assert extraction.method == "boosted-blocks"
        assert extraction.confidence is not None
        assert extraction.confidence > 0.8
        assert all(block.probability is not None for block in extraction.blocks)

    @pytest.mark.parametrize("html", ["", "   ", "<p>", b"\xff\xfe", "<script>x</script>"])
    def test_a_page_without_text_has_no_confidence_and_no_text(self, html: str | bytes) -> None:
        extraction = extractor("boosted-blocks").extract(html)
        assert (extraction.text, extraction.confidence) == ("", None)

    def test_works_without_class_names(self) -> None:
        bare = ARTICLE.replace(' class="main-menu"', "").replace(' class="site-footer"', "")
        text = extractor("boosted-blocks").extract(bare).text
        assert text.count("The council met") == 24
        assert "Sport" not in text

    def test_an_unsure_genre_counts_as_unknown(self) -> None:
        method = extractor("boosted-blocks")
        for html in (ARTICLE, SHOP):
            assert method.extract(html, genre="unsure") == method.extract(html)
        assert method.extract(ARTICLE, genre="other") != method.extract(ARTICLE)

    def test_loads_neither_tensorflow_nor_lightgbm(self) -> None:
        program = (
            "import sys; from extraction import extract; "
            "extract('<p>text', method='boosted-blocks'); "
            "sys.exit(bool({'tensorflow', 'lightgbm', 'sklearn'} & set(sys.modules)))"
        )
        assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0  # noqa: S603
