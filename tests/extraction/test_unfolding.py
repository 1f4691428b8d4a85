"""Labels of kept text that unfolds."""

from __future__ import annotations

import pytest
from structured import ARTICLE, OTHER, PROSE, UNLIKELY, kept_of

from extraction.methods.boosted_blocks.page_judgement import Likeness


@pytest.mark.parametrize(
    "label",
    [
        "<details open><summary>{}</summary>",
        "<div role=button aria-expanded=false><b>{}</b></div><div hidden>",
        "<h4><button aria-controls=p>{}</button></h4><div id=p>",
    ],
)
@pytest.mark.parametrize("of", [OTHER, ARTICLE])
def test_what_unfolds_keeps_its_label(label: str, of: Likeness) -> None:
    for text, chance in (("When is it open?", 0.03), ("The mill at night", 0.3)):
        html = label.format(text) + f"<p>{PROSE}"
        assert kept_of(html, {text: chance}, of) == [text, "…"]


@pytest.mark.parametrize(
    ("label", "chance"),
    [("The mill at night", UNLIKELY), ("Read more", 0.4), ("When is it open?", 0.01)],
)
def test_what_is_improbable_or_short_is_dropped(label: str, chance: float) -> None:
    html = f"<div aria-expanded=true>{label}</div><p>{PROSE}"
    assert kept_of(html, {label: chance}, OTHER) == ["…"]


def test_a_tab_is_no_label_nor_is_one_without_kept_text() -> None:
    label = "When is it open?"
    tab = f"<div role=tab aria-controls=p>{label}</div><div id=p><p>{PROSE}</div>"
    alone = f"<p>{PROSE}</p><div aria-expanded=false>{label}</div><p>No"
    assert kept_of(tab, {label: 0.03}, OTHER) == kept_of(alone, {label: 0.03}, OTHER) == ["…"]
