"""Web2Text: the collapsed DOM, its features, the decoding, the labels and the extractor."""

from __future__ import annotations

import itertools
import pickle
import subprocess
import sys
from importlib import import_module

import numpy as np
import pytest
from forking import error_in_a_fork
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from web2text_pages import MENU, STORY

from corpus_commons.markup.dom import parse
from extraction.interface import Extractor
from extraction.methods.web2text import Web2Text
from extraction.methods.web2text.cdom import CollapsedDom, collapse
from extraction.methods.web2text.decoding import log_softmax, marginals, viterbi
from extraction.methods.web2text.features import BLOCK_FEATURES, EDGE_FEATURES, page_features
from extraction.methods.web2text.labels import gold_labels
from extraction.methods.web2text.properties import branch_properties, leaf_properties
from extraction.registry import extractor

PAGE = """
<body>
  <div class="menu"><a href="/">Home</a> <a href="/news">News</a></div>
  <div><div class="story">
    <h1>A fine day</h1>
    <p>It was a <i>very</i> fine day in May. Everybody was out on the street?</p>
    <p>Write to editor@example.org, © 2004.</p>
  </div></div>
  <form><input name="q"><select><option>Never a block</option></select></form>
  <script>var hidden = "text";</script>
</body>
"""


def page(html: str) -> CollapsedDom:
    return collapse(parse(html))


def tags(cdom: CollapsedDom) -> list[str]:
    return [cdom.dom.tags[branch] for branch in cdom.branches]


def block_feature(cdom: CollapsedDom, name: str) -> list[float]:
    return page_features(cdom).blocks[:, BLOCK_FEATURES.index(name)].tolist()


def edge_feature(cdom: CollapsedDom, name: str) -> list[float]:
    return page_features(cdom).edges[:, EDGE_FEATURES.index(name)].tolist()


class TestCollapsedDom:
    def test_leaves_are_the_visible_text_nodes_with_text_outside_form_fields(self) -> None:
        assert page(PAGE).texts == [
            "Home",
            "News",
            "A fine day",
            "It was a",
            "very",
            "fine day in May. Everybody was out on the street?",
            "Write to editor@example.org, © 2004.",
        ]

    def test_an_element_with_one_child_is_merged_with_it(self) -> None:
        cdom = page(PAGE)
        assert tags(cdom) == ["body", "div", "div", "p"]
        assert cdom.dom.attributes[cdom.branches[2]]["class"] == "story"

    def test_parents_are_the_nearest_branches(self) -> None:
        cdom = page(PAGE)
        assert cdom.leaf_parents.tolist() == [1, 1, 2, 3, 3, 3, 2]
        assert cdom.branch_parents.tolist() == [-1, 0, 0, 2]
        assert cdom.branch_depths.tolist() == [0, 1, 1, 2]

    def test_the_common_ancestor_of_neighbours_is_the_deepest_branch_that_holds_both(self) -> None:
        assert page(PAGE).common_ancestors.tolist() == [1, 0, 2, 3, 3, 2]

    def test_a_node_has_the_tags_of_all_elements_merged_into_it(self) -> None:
        cdom = page("<body><ul><li><p><b>One</b></p></li><li>Two</li></ul></body>")
        of_leaves, of_branches = cdom.chain_has("li")
        assert of_leaves.tolist() == [True, True]
        assert of_branches.tolist() == [False]
        assert cdom.chain_has("b")[0].tolist() == [True, False]
        assert cdom.chain_has("body")[1].tolist() == [True]
        assert cdom.chain_has("table")[0].tolist() == [False, False]

    def test_leaves_of_one_path_of_tags_and_classes_share_a_number(self) -> None:
        paths = page('<p>a</p><p>b</p><p class="x">c</p><div><p>d</p></div>').paths
        assert paths[0] == paths[1]
        assert len(set(paths.tolist())) == 3

    @pytest.mark.parametrize(("html", "leaves"), [("", 0), ("<p>alone</p>", 1), ("<br><hr>", 0)])
    def test_a_page_with_fewer_than_two_leaves_has_its_root_as_the_only_branch(
        self, html: str, leaves: int
    ) -> None:
        cdom = page(html)
        assert len(cdom.leaves) == leaves
        assert cdom.branches.tolist() == [0]
        assert cdom.leaf_parents.tolist() == [0] * leaves
        assert cdom.common_ancestors.tolist() == []


class TestProperties:
    def test_counts_of_a_leaf(self) -> None:
        leaves = leaf_properties(page(PAGE))
        assert leaves.words[5] == 10
        assert leaves.sentences[5] == 2
        assert leaves.stopwords.tolist()[3] == 3
        assert leaves.final_question.tolist() == [0, 0, 0, 0, 0, 1, 0]
        assert leaves.email.tolist() == leaves.copyright.tolist() == [0, 0, 0, 0, 0, 0, 1]
        assert leaves.digits[6] == 4
        assert leaves.linked.tolist() == [4, 4, 0, 0, 0, 0, 0]

    def test_a_branch_sums_its_leaves(self) -> None:
        cdom = page(PAGE)
        leaves = leaf_properties(cdom)
        branches = branch_properties(cdom, leaves)
        assert branches.words[0] == leaves.words.sum()
        assert branches.words[3] == leaves.words[3:6].sum()
        assert branches.linked.tolist() == [8, 8, 0, 0]
        assert branches.inputs.tolist() == [1, 0, 0, 0]
        assert branches.final_question.tolist() == [0, 0, 0, 1]

    def test_positions_run_from_the_first_leaf_to_the_last(self) -> None:
        leaves = leaf_properties(page(PAGE))
        assert leaves.start[0] == 0
        assert leaves.end[-1] == 1
        assert (np.diff(leaves.start) > 0).all()
        assert (leaves.end > leaves.start).all()


class TestFeatures:
    def test_there_are_128_of_blocks_and_25_of_edges(self) -> None:
        assert len(BLOCK_FEATURES) == 128
        assert len(EDGE_FEATURES) == 25
        # The authors' list contains one tag twice.
        assert len(set(BLOCK_FEATURES)) == 127

    def test_a_row_for_every_block_and_every_pair_of_neighbours(self) -> None:
        features = page_features(page(PAGE))
        assert features.blocks.shape == (7, 128)
        assert features.edges.shape == (6, 25)

    def test_of_the_block(self) -> None:
        cdom = page("<p>Buy</p><p>Buy</p><p>The Second, in 2004!</p>")
        assert block_feature(cdom, "has_duplicate") == [1, 1, -1]
        assert block_feature(cdom, "has_10_duplicates") == [-1, -1, -1]
        assert block_feature(cdom, "same_path_share") == [1, 1, 1]
        assert block_feature(cdom, "has_stopword") == [-1, -1, 1]
        assert block_feature(cdom, "contains_year") == [-1, -1, 1]
        assert block_feature(cdom, "capital_share") == [1, 1, 0.5]
        assert block_feature(cdom, "tag_p") == [1, 1, 1]
        assert block_feature(cdom, "tag_a") == [-1, -1, -1]

    def test_of_its_ancestors(self) -> None:
        cdom = page(PAGE)
        assert block_feature(cdom, "parent_tag_p") == [-1, -1, -1, 1, 1, 1, -1]
        assert block_feature(cdom, "parent_link_density") == [1, 1, 0, 0, 0, 0, 0]
        assert block_feature(cdom, "has_grandparent") == [1] * 7
        assert block_feature(cdom, "root_body_share") == [1] * 7
        assert block_feature(cdom, "root_contains_input") == [1] * 7

    def test_of_an_ancestor_that_is_not_there_all_are_zero(self) -> None:
        features = page_features(page("<p>one</p><p>two</p>")).blocks
        start = BLOCK_FEATURES.index("has_grandparent")
        assert (features[:, start : BLOCK_FEATURES.index("root_body_share")] == 0).all()

    def test_of_the_edges(self) -> None:
        cdom = page(PAGE)
        assert edge_feature(cdom, "distance_2") == [1, -1, -1, 1, 1, -1]
        assert edge_feature(cdom, "distance_3") == [-1, -1, 1, -1, -1, 1]
        assert edge_feature(cdom, "distance_4") == [-1, 1, -1, -1, -1, -1]
        assert edge_feature(cdom, "block_break") == [0, 1, 1, 0, 0, 1]
        assert edge_feature(cdom, "common_ancestor_link_density")[0] == 1

    def test_a_line_break_is_a_block_break(self) -> None:
        assert edge_feature(page("<p>one<br>two <b>three</b></p>"), "block_break") == [1, 0]

    @given(st.text(alphabet='<>/ap div1.é中&;"= \n', max_size=80))
    @settings(max_examples=200)
    def test_they_are_finite_for_any_page(self, html: str) -> None:
        features = page_features(page(html))
        assert np.isfinite(features.blocks).all()
        assert np.isfinite(features.edges).all()
        assert len(features.edges) == max(0, len(features.blocks) - 1)


def scores(unary: np.ndarray, pairwise: np.ndarray, weight: float) -> dict[tuple[int, ...], float]:
    """The score of every labelling, by its definition."""
    blocks, pairs = log_softmax(unary), log_softmax(pairwise)
    return {
        labels: sum(blocks[i, label] for i, label in enumerate(labels))
        + weight * sum(pairs[i, 2 * a + b] for i, (a, b) in enumerate(itertools.pairwise(labels)))
        for labels in itertools.product((0, 1), repeat=len(unary))
    }


logits = st.floats(-20, 20)
chains = st.integers(1, 7).flatmap(
    lambda n: st.tuples(
        arrays(np.float64, (n, 2), elements=logits),
        arrays(np.float64, (n - 1, 4), elements=logits),
        st.floats(0, 3),
    )
)


class TestDecoding:
    @given(chains)
    def test_viterbi_finds_a_labelling_with_the_highest_score(
        self, chain: tuple[np.ndarray, np.ndarray, float]
    ) -> None:
        by_labels = scores(*chain)
        found = tuple(viterbi(*chain).tolist())
        assert by_labels[found] == pytest.approx(max(by_labels.values()))

    @given(chains)
    def test_marginals_are_sums_over_all_labellings(
        self, chain: tuple[np.ndarray, np.ndarray, float]
    ) -> None:
        weights = {labels: np.exp(score) for labels, score in scores(*chain).items()}
        total = sum(weights.values())
        expected = [
            sum(weight for labels, weight in weights.items() if labels[i]) / total
            for i in range(len(chain[0]))
        ]
        assert marginals(*chain) == pytest.approx(expected, abs=1e-9)

    def test_without_weight_every_block_decides_for_itself(self) -> None:
        unary = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]])
        pairwise = np.array([[9.0, 0, 0, 0], [9.0, 0, 0, 0]])
        assert viterbi(unary, pairwise, 0.0).tolist() == [0, 1, 0]
        assert viterbi(unary, pairwise, 1.0).tolist() == [0, 0, 0]

    def test_a_page_without_blocks_has_no_labels(self) -> None:
        assert viterbi(np.zeros((0, 2)), np.zeros((0, 4)), 1.0).tolist() == []
        assert marginals(np.zeros((0, 2)), np.zeros((0, 4)), 1.0).tolist() == []


class TestLabels:
    def test_a_block_is_content_when_more_than_two_thirds_of_it_are_in_the_gold(self) -> None:
        texts = ["one two three", "four five six", "seven eight nine ten"]
        assert gold_labels(texts, "one two five six seven eight nine").tolist() == [0, 0, 1]

    def test_a_block_without_words_follows_its_neighbours(self) -> None:
        texts = ["|", "Menu", "|", "Good", "·", "day", "!"]
        assert gold_labels(texts, "Good day").tolist() == [0, 0, 0, 1, 1, 1, 1]

    @pytest.mark.parametrize("texts", [[], ["…"], ["…", "|"]])
    def test_without_words_nothing_is_content(self, texts: list[str]) -> None:
        assert gold_labels(texts, "").tolist() == [0] * len(texts)


def test_tensorflow_is_loaded_only_with_the_networks() -> None:
    code = (
        "import sys, extraction, extraction.methods.web2text, extraction.methods.web2text.training;"
        "sys.exit('tensorflow' in sys.modules or 'keras' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0  # noqa: S603


@pytest.fixture(scope="module")
def web2text() -> Extractor:
    pytest.importorskip("tensorflow")
    return extractor("web2text")


class TestExtractor:
    """With the shipped model."""

    def test_keeps_the_story_and_drops_the_menu(self, web2text: Extractor) -> None:
        found = web2text.extract(f"<body>{MENU}{STORY}{MENU}</body>")
        assert found.text.count("The committee met on Tuesday") == 6
        assert "They were quite sure" in found.text
        assert "Section 7" not in found.text
        assert found.method == "web2text"
        assert 0.5 < found.confidence <= 1
        assert all(0 <= block.probability <= 1 for block in found.blocks)

    def test_the_same_page_gives_the_same_extraction(self, web2text: Extractor) -> None:
        html = f"<body>{MENU}{STORY}</body>"
        assert web2text.extract(html) == web2text.extract(html)

    @pytest.mark.parametrize(
        "html", ["", "   ", "<html>", b"\xff\xfe\x00", "x", "<p>a<p>b", "<a>" * 9999]
    )
    def test_any_page_gives_an_extraction(self, web2text: Extractor, html: str | bytes) -> None:
        assert isinstance(web2text.extract(html).text, str)

    def test_a_page_without_text_has_no_confidence(self, web2text: Extractor) -> None:
        found = web2text.extract("<html><body><script>x</script></body></html>")
        assert (found.text, found.blocks, found.confidence) == ("", (), None)

    @given(st.text(alphabet='<>/ap trdiv1.é中&;"= \n', max_size=60))
    @settings(max_examples=50)
    def test_any_markup_gives_an_extraction(self, web2text: Extractor, html: str) -> None:
        assert isinstance(web2text.extract(html).text, str)

    @pytest.mark.skipif(sys.platform != "linux", reason="forks")
    def test_in_a_fork_it_refuses_to_run(self, web2text: Extractor) -> None:
        sent = pickle.dumps(web2text)
        uses = (
            lambda: web2text.extract(STORY),
            Web2Text,
            lambda: pickle.loads(sent),  # noqa: S301 - our own
        )
        for use in uses:
            error = error_in_a_fork(use)
            assert error.startswith("RuntimeError: a network was loaded before a fork")
            assert error.endswith("use spawn")

    def test_a_long_page_is_labelled_as_a_whole(self, web2text: Web2Text) -> None:
        cdom = page("<body>" + STORY * 50 + "</body>")
        labels, probabilities = web2text.labels(cdom)
        assert len(labels) == len(probabilities) == len(cdom.leaves) == 900
        assert labels.mean() > 0.9


def test_stretches_of_a_long_page_give_what_the_whole_gives(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("tensorflow")
    network = import_module("extraction.methods.web2text.network")
    unary = network.unary_network(np.zeros(128, np.float32), np.ones(128, np.float32))
    rows = np.random.default_rng(1).normal(size=(50, 128)).astype(np.float32)
    whole = network.predictor(unary)(rows)
    monkeypatch.setattr(network, "STRETCH", 8)
    assert network.predictor(unary)(rows) == pytest.approx(whole, abs=1e-5)
