"""The baselines: body text extraction, Boilerpipe's extractors and all visible text."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_commons.markup.dom import Dom
from corpus_commons.markup.measures import Measures
from corpus_commons.markup.tags import VOID
from extraction import ExtractionError, extract, extractor, parse
from extraction.methods.bte import body_text

MENU = "<ul>" + "".join(f"<li><a href=/{i}>Link {i}</a></li>" for i in range(12)) + "</ul>"
BODY = "".join(
    f"<p>Paragraph {i} of the article goes on for quite a few words, as prose on the web does, "
    "so that it is told from the links of a menu by any measure that has been proposed.</p>"
    for i in range(5)
)
HEADING = "<h1>A heading of some words</h1>"
PAGE = f"<html><head><title>Title</title></head><body>{MENU}{HEADING}{BODY}{MENU}</body></html>"


class TestBodyTextExtraction:
    def test_the_body_is_kept_and_the_menus_are_not(self) -> None:
        text = extract(PAGE, method="bte").text
        assert text.startswith("A heading of some words\n\nParagraph 0 of the article")
        assert "Paragraph 4" in text
        assert "Link" not in text

    def test_tags_inside_a_long_text_are_tolerated(self) -> None:
        html = f"<p>{'word ' * 20}</p><p><a>one</a></p><p>{'word ' * 20}</p>"
        assert "one" in extract(html, method="bte").text

    def test_tags_that_outweigh_the_words_beyond_end_the_text(self) -> None:
        html = f"<p>{'word ' * 20}</p>{'<hr>' * 9}<p>beyond</p>"
        assert "beyond" not in extract(html, method="bte").text

    def test_end_tags_that_authors_leave_out_count(self) -> None:
        written = extract("<ul><li>a b</li><li>c d</li></ul><p>x y z</p>", method="bte")
        left_out = extract("<ul><li>a b<li>c d</ul><p>x y z", method="bte")
        assert written == left_out

    def test_scripts_are_no_words(self) -> None:
        html = f"<p>Some text.</p><script>{'var x; ' * 99}</script>"
        assert extract(html, method="bte").text == "Some text."

    @pytest.mark.parametrize("html", ["", "<div></div>", "<script>x</script>", "\0"])
    def test_a_page_without_words_gives_nothing(self, html: str) -> None:
        assert extract(html, method="bte").text == ""

    # This test is not about time, and runs in parallel with others.
    @given(
        st.lists(
            st.sampled_from(
                ["<p>", "</p>", "<div>", "</div>", "<br>", "<b>", "</b>", "a ", "b c "]
            ),
            max_size=30,
        ).map("".join)
    )
    def test_no_other_stretch_has_more_words_and_fewer_tags(self, html: str) -> None:
        dom = parse(html)
        own_words = Measures(dom).own_words
        first, last = body_text(dom, own_words)
        tokens = _tokens(dom, own_words)
        best = max(
            (sum(value for _, value in tokens[i : j + 1]), i, j)
            for i in range(len(tokens))
            for j in range(i, len(tokens))
        )[0]
        if not own_words.any():
            assert (first, last) == (0, -1)
            return
        positions = [i for i, (node, value) in enumerate(tokens) if value > 0]
        begin = next(i for i in positions if tokens[i][0] == first)
        end = next(i for i in positions if tokens[i][0] == last)
        assert sum(value for _, value in tokens[begin : end + 1]) == best

    def test_time_is_linear_in_the_page(self) -> None:
        assert extract("<b>x</b> <i>y</i>" * 30_000, method="bte").text.startswith("x")


def _tokens(
    dom: Dom, own_words: np.ndarray[tuple[int], np.dtype[np.int64]]
) -> list[tuple[int, int]]:
    """(node, value) of every token as in the paper: -1 for a tag, the word count of a text node."""
    tokens: list[tuple[int, int]] = []
    for node in range(len(dom) + 1):
        closed = [i for i in range(node) if dom.ends[i] == node]
        tokens += [(i, -1) for i in closed if not dom.is_text[i] and dom.tags[i] not in VOID]
        if node < len(dom):
            tokens.append((node, int(own_words[node]) if dom.is_text[node] else -1))
    return tokens


class TestBoilerpipe:
    @pytest.mark.parametrize("kind", ["article", "default", "canola"])
    def test_the_text_is_the_librarys_own(self, kind: str) -> None:
        extractors = pytest.importorskip("boilerpy3.extractors")
        direct = getattr(extractors, f"{kind.capitalize()}Extractor")().get_content(PAGE)
        extraction = extract(PAGE, method=f"boilerpipe-{kind}")
        assert extraction.text == direct.strip()
        assert extraction.method == f"boilerpipe-{kind}"
        assert "Paragraph 2" in extraction.text

    def test_a_failure_of_the_library_is_an_error_and_not_an_empty_text(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        parser = pytest.importorskip("boilerpy3.parser")

        def fail(self: object, data: str) -> None:
            raise AssertionError("unbalanced tags")

        monkeypatch.setattr(parser.BoilerpipeHTMLParser, "feed", fail)
        why = r"boilerpipe-article: HTMLExtractionError: it cannot parse .*unbalanced tags"
        with pytest.raises(ExtractionError, match=why):
            extractor("boilerpipe-article").extract(PAGE)


class TestAllText:
    def test_everything_that_is_seen_is_kept(self) -> None:
        text = extract(PAGE, method="all-text").text
        assert "Link 3" in text
        assert "Paragraph 4" in text

    def test_nothing_that_is_hidden_is_kept(self) -> None:
        html = "<p>Seen.</p><p hidden>Not.</p><p style='display: none'>Nor this.</p>"
        assert extract(html, method="all-text").text == "Seen."
