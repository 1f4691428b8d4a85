"""What is kept together: tables, listings, what is announced, footnotes, headings."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from structured import (
    ARTICLE,
    CELLS,
    DOCUMENTATION,
    LIKELY,
    LISTING,
    NEVER,
    OTHER,
    PROSE,
    SURE,
    TABLE,
    UNLIKELY,
    kept_of,
    view_of,
)

from extraction import extract
from extraction.methods.boosted_blocks.decoding import Policy
from extraction.methods.boosted_blocks.page_judgement import Likeness, likeness
from extraction.methods.boosted_blocks.structures import decide_structures
from extraction.methods.boosted_blocks.wholes import wholes


class TestTables:
    def test_a_table_is_kept_with_its_header_and_caption(self) -> None:
        chances = dict.fromkeys(CELLS, SURE) | dict.fromkeys(["Limits", "Item", "32"], UNLIKELY)
        assert kept_of(f"<p>{PROSE}</p>{TABLE}", chances, OTHER) == ["…", *CELLS]

    def test_the_caption_of_its_figure_is_its_own(self) -> None:
        table = TABLE.replace("<caption>Limits</caption>", "")
        figure = f"<figure>{table}<figcaption>Limits</figcaption></figure>"
        html = f"<p>{PROSE}</p>{figure}<p>{PROSE}</p>"
        chances = dict.fromkeys(CELLS, SURE) | {"Limits": NEVER}
        assert kept_of(html, chances, OTHER) == ["…", *CELLS[1:], "Limits", "…"]
        two = html.replace("</figure>", f"{table}</figure>")
        assert "Limits" not in kept_of(two, chances, OTHER)

    def test_a_table_is_dropped_with_its_likeliest_row(self) -> None:
        chances = dict.fromkeys(CELLS, NEVER) | {"columns": LIKELY, "1,600": LIKELY}
        assert kept_of(f"<p>{PROSE}</p>{TABLE}", chances, OTHER) == ["…"]

    @pytest.mark.parametrize("of", [OTHER, ARTICLE])
    def test_between_kept_text_it_must_only_not_be_improbable(self, of: Likeness) -> None:
        html = f"<p>{PROSE}</p>{TABLE}<p>{PROSE}</p>"
        assert kept_of(html, dict.fromkeys(CELLS, 0.35), of) == ["…", *CELLS, "…"]
        assert kept_of(html, dict.fromkeys(CELLS, UNLIKELY), of) == ["…", "…"]

    def test_a_long_table_is_kept_whole(self) -> None:
        names = [f"name {row}" for row in range(400)]
        rows = "".join(f"<tr><td>{name}<td>{row}" for row, name in enumerate(names))
        chances = dict.fromkeys(names, LIKELY) | {str(row): UNLIKELY for row in range(400)}
        kept = kept_of(f"<p>{PROSE}</p><table>{rows}</table>", chances, OTHER)
        assert len(kept) == 1 + 2 * 400

    def test_a_table_with_a_header_may_have_several_blocks_in_each_row(self) -> None:
        rows = "".join(f"<tr><td><p>f{n}(int)<p>f{n}(real)<td>Yes {n}" for n in range(3))
        table = f"<table><thead><tr><th><p>Function<p>Sum<th>Exact<tbody>{rows}</table>"
        likely = {f"f{n}({of})": SURE for n in range(3) for of in ("int", "real")}
        kept = kept_of(f"<p>{PROSE}</p>{table}", likely, OTHER)
        assert kept[:4] == ["…", "Function", "Sum", "Exact"]
        assert kept[-3:] == ["f2(int)", "f2(real)", "Yes 2"]
        without = table.replace("thead", "tbody").replace("th>", "td>")
        assert "Yes 2" not in kept_of(f"<p>{PROSE}</p>{without}", likely, OTHER)

    def test_rows_of_a_list_are_decided_one_by_one(self) -> None:
        rows = "".join(
            f"<tr><td>{n}.<td>Title {n}<tr><td colspan=2>{n} points" for n in range(1, 5)
        )
        chances = {f"{n}.": SURE for n in range(1, 5)} | {f"Title {n}": SURE for n in range(1, 5)}
        kept = kept_of(f"<table>{rows}</table>", chances, OTHER)
        assert kept == [text for n in range(1, 5) for text in (f"{n}.", f"Title {n}")]

    def test_a_layout_table_is_not_decided_as_a_whole(self) -> None:
        menu = "".join(f"<p>Link {n}" for n in range(12))
        html = f"<table><tr><td>{menu}<td><p>{PROSE}<p>{PROSE}</table>"
        assert kept_of(html, {}, OTHER) == ["…", "…"]

    def test_a_table_of_links_inside_the_content_is_dropped(self) -> None:
        cells = "".join(f"<td><a href=x{n}>Part {n}</a>" for n in range(3))
        html = f"<main><p>{PROSE}<table><tr>{cells}<tr>{cells}</table><p>{PROSE}</main>"
        assert kept_of(html, {}) == ["…", "…"]

    def test_hidden_cells_are_no_part_of_their_table(self) -> None:
        rows = "<tr><td>a<td>b<td hidden>c<tr><td>d<td>e"
        page = view_of(f"<table><caption hidden>x</caption>{rows}</table><p>f")
        caption, first, second, hidden, *others, outside = wholes(page).tolist()
        assert {first, second, *others} == {first}
        assert (caption, hidden, outside) == (-1, -1, -1)

    @given(
        st.lists(st.floats(0.01, 0.99), min_size=8, max_size=8),
        st.lists(st.floats(0.01, 0.99), min_size=3, max_size=3),
        st.lists(st.integers(1, 60), min_size=8, max_size=8),
        st.sampled_from([OTHER, ARTICLE, DOCUMENTATION]),
    )
    def test_a_table_is_all_or_nothing(
        self, cells: list[float], texts: list[float], words: list[int], of: Likeness
    ) -> None:
        said = ["word " * count for count in words]
        rows = "".join(f"<tr><td>{said[n]}<td>{said[n + 1]}" for n in range(0, 8, 2))
        page = view_of(f"<h1>A</h1><table>{rows}</table><p>{PROSE}</p>{PROSE}")
        chances = np.array([texts[0], *cells, *texts[1:]])
        kept = decide_structures(chances, page, Policy(certainty=0.5, gap=10), of)
        assert kept[1:9].all() or not kept[1:9].any()


class TestListings:
    @pytest.mark.parametrize("of", [OTHER, ARTICLE])
    def test_between_kept_text_it_must_only_not_be_improbable(self, of: Likeness) -> None:
        html = f"<p>{PROSE}</p>{LISTING}<p>{PROSE}</p>"
        assert kept_of(html, {"print(1)": 0.35}, of) == ["…", "print(1)", "…"]
        assert kept_of(html, {"print(1)": UNLIKELY}, of) == ["…", "…"]

    def test_after_the_text_it_is_judged_alone(self) -> None:
        assert kept_of(f"<p>{PROSE}</p>{LISTING}", {"print(1)": 0.35}, ARTICLE) == ["…"]


class TestWhatIsAnnounced:
    ITEMS = "<ul><li>mills<li>locks<li>ferries</ul>"

    @pytest.mark.parametrize("colon", [":", "："])
    def test_a_structure_after_a_colon_is_kept_whole(self, colon: str) -> None:
        html = f"<p>{PROSE}</p><p>{PROSE}such as{colon}</p>{self.ITEMS}<p>by hand</p>"
        items = dict.fromkeys(["mills", "locks", "ferries"], 0.06)
        assert kept_of(html, items, ARTICLE) == ["…", "…", *items]
        assert kept_of(html, items | {"locks": SURE}, ARTICLE) == ["…", "…", *items]
        assert kept_of(html, items, OTHER) == ["…", "…", *items]

    @pytest.mark.parametrize(
        "structure",
        [
            "<blockquote>mills</blockquote>",
            "<pre>mills</pre>",
            "<div class=fragment><div class=line>mills</div></div>",
            "<table><tr><td>mills</table>",
            "<dl><dd>mills</dl>",
            "<div><ol><li>mills</ol></div>",
        ],
    )
    def test_structures_are_lists_tables_quotations_and_listings(self, structure: str) -> None:
        html = f"<p>{PROSE}such as:</p>{structure}"
        assert kept_of(html, {"mills": 0.06}, ARTICLE) == ["…", "mills"]

    @pytest.mark.parametrize(
        "html",
        [
            f"<p>{PROSE}</p>{ITEMS}",
            f"<p>{PROSE}such as:</p><p>mills</p>",
            f"<p>{PROSE}such as:</p><textarea>mills</textarea>",
            f"<p>{PROSE}such as:</p><ul><li><a href=a>mills</a><li><a href=b>locks</a></ul>",
            f"<ul><li>{PROSE}such as:<li>mills</ul>",
        ],
    )
    def test_other_things_and_lists_of_links_are_not(self, html: str) -> None:
        assert kept_of(html, {"mills": 0.06, "locks": 0.06, "ferries": 0.06}, ARTICLE) == ["…"]

    def test_what_is_improbable_is_dropped(self) -> None:
        html = f"<p>{PROSE}such as:</p>{self.ITEMS}"
        assert kept_of(html, dict.fromkeys(["mills", "locks", "ferries"], 0.04), ARTICLE) == ["…"]

    @pytest.mark.parametrize("of", [OTHER, ARTICLE])
    def test_an_item_keeps_the_list_inside_it(self, of: Likeness) -> None:
        html = f"<p>{PROSE}</p><ul><li>troff, with<ul><li>eqn<li>tbl</ul><li>make</ul>"
        chances = dict.fromkeys(["eqn", "tbl"], 0.06) | {"troff, with": SURE}
        assert kept_of(html, chances, of) == ["…", "troff, with", "eqn", "tbl"]
        unsaid = html.replace("troff, with", "<p>Mary</p>troff, with")
        assert kept_of(unsaid, chances | {"Mary": SURE}, of) == ["…", "Mary", "troff, with"]

    def test_what_quotes_a_kept_post_is_not(self) -> None:
        quotation = f"<p>Mary wrote:</p><blockquote><p>{PROSE}so it was</blockquote>"
        html = f"<div><p>{PROSE}so it was</p></div><div>{quotation}<p>{PROSE}</p></div>"
        assert kept_of(html, {"Mary wrote:": SURE}, OTHER) == ["…", "Mary wrote:", "…"]


class TestFootnotes:
    NOTE = "<div><hr><h4>Footnotes</h4><h5><a id=n1 href=#t1>(1)</a></h5><p>By hand.</div>"
    MENU = "<div><a href=next>Next</a></div>"

    def page(self, note: str) -> str:
        text = f"<main><p>{PROSE}<p>{PROSE}<a id=t1 href=#n1><sup>1</sup></a></main>"
        return text + note + self.MENU

    @pytest.mark.parametrize("of", [ARTICLE, DOCUMENTATION])
    def test_a_text_keeps_what_it_and_the_note_refer_to(self, of: Likeness) -> None:
        html = self.page(self.NOTE)
        assert kept_of(html, {}, of) == ["…", "…", "Footnotes", "(1)", "By hand."]

    def test_a_page_that_is_no_text_has_none(self) -> None:
        assert kept_of(self.page(self.NOTE), {}, OTHER) == ["…", "…"]

    @pytest.mark.parametrize(
        "note",
        [
            "<ol><li id=n1><p>By hand.<p>Or not. <a href=#t1>↩</a></ol>",
            "<ol><li><a name=n1></a><p>By hand.<a href=#t1>↩</a></ol>",
            "<dl id=n1><dt><a href=#t1>1</a><dd>By hand.</dl>",
        ],
    )
    def test_in_the_forms_of_several_tools(self, note: str) -> None:
        kept = kept_of(self.page(note), {})
        assert any(text.startswith("By hand.") for text in kept)
        assert "Next" not in kept

    @pytest.mark.parametrize("note", ["<p id=n1>By hand.", "<p><a href=#t1>1</a> By hand."])
    def test_one_that_does_not_refer_back_or_is_not_referred_to_is_none(self, note: str) -> None:
        assert kept_of(self.page(note), {}) == ["…", "…"]

    def test_a_table_of_contents_before_the_text_is_none(self) -> None:
        contents = "<ul><li><a id=t1 href=#n1>On limits</a></ul>"
        html = f"{contents}<main><h2 id=n1><a href=#t1>Limits</a></h2><p>{PROSE}</main>"
        assert kept_of(html, {"Limits": SURE - 0.3}) == ["Limits", "…"]

    def test_links_may_name_the_page_by_its_canonical_address(self) -> None:
        html = self.page(self.NOTE).replace("href=#", "href=/p#")
        assert kept_of(html, {}) == ["…", "…"]
        assert "By hand." in kept_of(f"<link rel=canonical href=/p>{html}", {})

    @pytest.mark.parametrize("target", ["#", "#none", "#%ff", "other#t1"])
    def test_links_to_nowhere_are_harmless(self, target: str) -> None:
        html = self.page(self.NOTE.replace("#t1", target))
        assert kept_of(html, {}) == ["…", "…"]


class TestHeadings:
    CONTENTS = "<ul><li><a href=#a>Part one</a><li><a href=#b>Part two</a></ul>"

    @pytest.mark.parametrize("of", [ARTICLE, DOCUMENTATION])
    def test_those_right_before_kept_text_are_kept(self, of: Likeness) -> None:
        html = f"<h1>Title</h1><p>{PROSE}</p><h2>Part</h2><h3>Section</h3><p>{PROSE}</p>"
        chances = dict.fromkeys(["Title", "Part", "Section"], UNLIKELY)
        assert kept_of(html, chances, of) == ["Title", "…", "Part", "Section", "…"]

    def test_on_lists_of_things_they_are_judged_alone(self) -> None:
        html = f"<h1>Title</h1><p>{PROSE}</p><h2>Part</h2><p>{PROSE}</p>"
        assert kept_of(html, dict.fromkeys(["Title", "Part"], UNLIKELY), OTHER) == ["…", "…"]

    @pytest.mark.parametrize("of", [ARTICLE, DOCUMENTATION])
    def test_one_without_kept_text_is_dropped(self, of: Likeness) -> None:
        html = f"<main><p>{PROSE}</p><h3>More like this</h3><h3>Part</h3><p>{PROSE}</p></main>"
        chances = {"More like this": 0.05, "Part": UNLIKELY}
        assert kept_of(html, chances, of) == ["…", "Part", "…"]

    def test_documentation_keeps_its_own_before_the_table_of_contents(self) -> None:
        html = f"<h1>Title</h1>{self.CONTENTS}<p>{PROSE}</p>"
        assert kept_of(html, {}) == ["Title", "…"]
        assert kept_of(html, {}, ARTICLE) == ["…"]

    def test_a_button_in_it_is_no_heading(self) -> None:
        html = f"<h1>Title <button>Copy path</button></h1>{self.CONTENTS}<p>{PROSE}</p>"
        assert kept_of(html, {}) == ["Title", "…"]

    @pytest.mark.parametrize("title", ["Limits - Manual", "Manual: Limits", "Limits"])
    def test_it_is_known_by_the_title_of_the_page(self, title: str) -> None:
        head = f"<title>{title}</title>"
        html = f"{head}<h2>12 Limits</h2><h2>Contents</h2>{self.CONTENTS}<p>{PROSE}</p>"
        assert kept_of(html, {}) == ["12 Limits", "…"]
        assert kept_of(html.replace(head, ""), {}) == ["…"]

    def test_it_is_known_by_the_number_of_a_section(self) -> None:
        html = f"<h2>12.3. Limits</h2><h3>12.3.1. Contents</h3>{self.CONTENTS}<p>{PROSE}</p>"
        assert kept_of(html, {}) == ["12.3. Limits", "…"]

    @pytest.mark.parametrize("number", ["12.3.", "12.3", "A.9.", "Chapter 22.", "Kapitel 4."])
    @pytest.mark.parametrize("of", [OTHER, ARTICLE])
    def test_any_page_keeps_its_own_with_the_number_of_a_section(
        self, number: str, of: Likeness
    ) -> None:
        html = f"<h1>{number} Limits</h1>{self.CONTENTS}<p>{PROSE}</p>"
        assert kept_of(html, {}, of) == [f"{number} Limits", "…"]

    @pytest.mark.parametrize(
        "words", ["7 tips", "1. FC Union", "2024.4.4 is out", "George W. Bush"]
    )
    def test_other_numbers_are_none_of_a_section(self, words: str) -> None:
        html = f"<h1>{words}</h1>{self.CONTENTS}<p>{PROSE}</p>"
        assert kept_of(html, {}, ARTICLE) == ["…"]


def test_an_article_by_the_papers_genres_may_be_documentation() -> None:
    scores = {"article": 0.5, "documentation": 0.4}
    assert likeness(scores) == likeness(scores, "article") == DOCUMENTATION
    assert likeness({"article": 0.9}, "documentation") == DOCUMENTATION
    assert likeness(scores, "product") == likeness({}) == OTHER


def test_the_shipped_model_keeps_a_page_of_a_manual_whole() -> None:
    sections = "".join(
        f"""<h2>{n}. The option LIMIT_{n}</h2>
        <p>The option sets how much of the kind {n} a server accepts from each of its clients. It is
        read when the server starts, and again when its configuration is loaded anew:</p>
        <pre>server --limit-{n}=VALUE</pre>
        <table><thead><tr><th>Value<th>Meaning</thead>
        <tr><td>0<td>no limit<tr><td>{n}0<td>the default</table>
        <p>Greater values need more memory, which the operating system must be willing to give.</p>
        """
        for n in range(1, 7)
    )
    contents = "".join(f"<li><a href='#{n}'>The option LIMIT_{n}</a>" for n in range(1, 7))
    written = extract(
        "<title>Limits - Server manual</title><nav><a href=/>Home</a> <a href=/next>Next</a></nav>"
        f"<div class=document><h1>Limits</h1><ul class=toc>{contents}</ul>{sections}</div>"
        "<footer><a href=/about>About these documents</a></footer>",
        format="markdown",
    ).text
    assert written.startswith("# Limits\n")
    for n in range(1, 7):
        assert f"## {n}. The option LIMIT\\_{n}" in written or f"LIMIT_{n}" in written
        assert f"```\nserver --limit-{n}=VALUE\n```" in written
        assert f"| Value | Meaning |\n| --- | --- |\n| 0 | no limit |\n| {n}0 | the default |" in (
            written
        )
    assert "Home" not in written
    assert "About these documents" not in written
