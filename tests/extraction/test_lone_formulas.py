"""A formula that stands alone is kept with the text around it."""

from __future__ import annotations

import pytest
from structured import ARTICLE, OTHER, PROSE, kept_of

from extraction.methods.boosted_blocks.page_judgement import Likeness


@pytest.mark.parametrize("of", [OTHER, ARTICLE])
@pytest.mark.parametrize(
    "formula",
    [
        "<div><math><mi>x</mi></math></div>",
        "<dl><dd><math><annotation encoding=TeX>a=b</annotation></math></dl>",
        "<p><script type='math/tex; mode=display'>a = b</script>",
        "<p><img class=tex alt='a = b'>",
        "<div class=katex-display><b>a</b><math></math></div>",
        r"<div>\[ a = b \]</div>",
        "<p>$$ a = b $$.",
        r"<p>\begin{align*} a = b \end{align*}",
    ],
)
def test_between_kept_text_it_is_kept(formula: str, of: Likeness) -> None:
    html = f"<p>{PROSE}that is</p>{formula}{formula}<p>{PROSE}for all x</p>"
    assert len(kept_of(html, {}, of)) == 4
    assert len(kept_of(f"{formula}<p>{PROSE}</p>{formula}<p>Share</p>", {}, of)) == 1


@pytest.mark.parametrize("text", ["<p>Share <math><mi>x</mi></math>", "<p>$$", "<p>$ 5"])
def test_another_text_is_none(text: str) -> None:
    assert len(kept_of(f"<p>{PROSE}</p>{text}<p>{PROSE}</p>", {}, ARTICLE)) == 2
