"""On manuals, what lies between kept text, or ends its container, is kept."""

from __future__ import annotations

import pytest
from structured import (
    ARTICLE,
    CELLS,
    LIKELY,
    LISTING,
    OTHER,
    PROSE,
    SURE,
    TABLE,
    UNLIKELY,
    kept_of,
)

from extraction.methods.boosted_blocks.page_judgement import Likeness


class TestWhatLiesBetween:
    def test_on_documentation_it_is_kept(self) -> None:
        html = f"<p>{PROSE}</p>{LISTING}{TABLE}<p>{PROSE}</p>"
        chances = dict.fromkeys([*CELLS, "print(1)"], UNLIKELY)
        assert kept_of(html, chances) == ["…", "print(1)", *CELLS, "…"]
        assert kept_of(html, chances, ARTICLE) == ["…", "…"]

    @pytest.mark.parametrize("of", [OTHER, ARTICLE])
    def test_on_any_page_whose_heading_has_the_number_of_a_section_it_is_kept(
        self, of: Likeness
    ) -> None:
        html = f"<h3>A.4.3 Limits</h3><p>{PROSE}</p>{LISTING}{TABLE}<p>{PROSE}</p>"
        chances = dict.fromkeys([*CELLS, "print(1)"], UNLIKELY)
        assert kept_of(html, chances, of) == ["A.4.3 Limits", "…", "print(1)", *CELLS, "…"]

    def test_what_is_improbable_is_dropped(self) -> None:
        html = f"<main><p>{PROSE}</p><p>Share</p><p>{PROSE}</p></main>"
        assert kept_of(html, {"Share": 0.05}) == ["…", "…"]

    @pytest.mark.parametrize("chance", [0.01, 0.03])
    def test_a_table_or_listing_may_be_less_probable(self, chance: float) -> None:
        chances = dict.fromkeys([*CELLS, "print(1)"], chance)
        for structure, texts in ((TABLE, CELLS), (LISTING, ["print(1)"])):
            kept = kept_of(f"<main><p>{PROSE}</p>{structure}<p>{PROSE}</p></main>", chances)
            assert kept == ["…", *(texts if chance > 0.02 else []), "…"]

    def test_a_box_is_judged_by_all_that_it_says(self) -> None:
        box = "<div><h4>News</h4><p>Read our letter<p>Each week in your mail</div>"
        html = f"<main><p>{PROSE}</p>{box}<p>{PROSE}</p></main>"
        assert kept_of(html, {"News": UNLIKELY}) == ["…", "…"]

    def test_boxes_without_elements_for_text_must_be_likelier(self) -> None:
        html = f"<main><p>{PROSE}</p><div>Share</div><p>{PROSE}</p></main>"
        assert kept_of(html, {"Share": UNLIKELY - 0.05}) == ["…", "…"]
        assert kept_of(html, {"Share": UNLIKELY}) == ["…", "Share", "…"]
        in_paragraph = html.replace("div>", "p>")
        assert kept_of(in_paragraph, {"Share": UNLIKELY - 0.05}) == ["…", "Share", "…"]

    def test_a_list_of_links_is_dropped(self) -> None:
        items = "<li><a href=a>Other page</a><li><a href=b>Last page</a>"
        html = f"<main><p>{PROSE}</p><ul>{items}</ul><p>{PROSE}</p></main>"
        chances = {"Other page": UNLIKELY, "Last page": UNLIKELY}
        assert kept_of(html, chances) == ["…", "…"]
        without_links = html.replace("<a href", "<b title").replace("</a>", "</b>")
        assert kept_of(without_links, chances) == ["…", *chances, "…"]

    def test_a_table_with_lists_of_links_must_be_likelier_than_another(self) -> None:
        names = ["Modules", "Directives", "mod_cache", "mod_disk", "CacheRoot", "CacheFile"]
        items = [f"<li><a href={name}>{name}</a>" for name in names[2:]]
        table = (
            f"<table><tr><th>Modules<th>Directives"
            f"<tr><td><ul>{''.join(items[:2])}</ul><td><ul>{''.join(items[2:])}</ul></table>"
        )
        html = f"<main><p>{PROSE}</p>{table}<p>{PROSE}</p></main>"
        assert kept_of(html, dict.fromkeys(names, 0.12)) == ["…", *names, "…"]
        assert kept_of(html, dict.fromkeys(names, 0.08)) == ["…", "…"]

    def test_what_ends_the_container_is_kept_and_what_follows_it_is_not(self) -> None:
        html = f"<main><p>{PROSE}<p>{PROSE}{LISTING}</main><footer><p>print(2)</footer>"
        chances = {"print(1)": UNLIKELY, "print(2)": UNLIKELY}
        assert kept_of(html, chances) == ["…", "…", "print(1)"]

    def test_the_container_holds_the_heading_of_the_page(self) -> None:
        long = f"<section><p>{PROSE}<p>{PROSE}<p>{PROSE}</section>"
        examples = "<section><h2>Examples</h2><p>print(1)</section>"
        html = f"<main><h1>Title</h1>{long}{examples}</main><footer><p>print(2)</footer>"
        chances = dict.fromkeys(["Examples", "print(1)", "print(2)"], UNLIKELY)
        assert kept_of(html, chances) == ["Title", "…", "…", "…", "Examples", "print(1)"]

    def test_a_term_keeps_all_of_its_definition(self) -> None:
        html = f"<main><dl><dt>exit()<dd><p>{PROSE}<p>New in 3.7<dt>end()<dd>Ends.</dl></main>"
        chances = {"exit()": SURE, "New in 3.7": UNLIKELY, "end()": LIKELY, "Ends.": UNLIKELY}
        assert kept_of(html, chances) == ["exit()", "…", "New in 3.7", "end()", "Ends."]

    def test_a_definition_keeps_all_of_its_terms(self) -> None:
        html = f"<main><dl><dt>close()<dt>exit()<dd><p>{PROSE}<dt>end()<dd>Ends.</dl></main>"
        chances = dict.fromkeys(["close()", "exit()", "end()"], 0.04)
        assert kept_of(html, chances) == ["close()", "exit()", "…"]
        assert kept_of(html, chances, ARTICLE) == ["…"]
        likely = dict.fromkeys(["close()", "exit()", "end()"], 0.3)
        assert kept_of(html, likely, OTHER) == ["close()", "exit()", "…"]

    def test_hidden_text_is_not_among_it(self) -> None:
        html = f"<p>{PROSE}</p><p hidden>Folded</p><p>{PROSE}</p>"
        assert kept_of(html, {"Folded": UNLIKELY}) == ["…", "…"]
