"""A formula is kept once, as TeX if the page has it."""

from __future__ import annotations

import pytest

from extraction import extract

MATHML = "<mrow><mi>E</mi><mo>=</mo><msup><mi>c</mi><mn>2</mn></msup></mrow>"
TEX = '<annotation encoding="application/x-tex">E=c^2</annotation>'
DRAWN = "<span aria-hidden='true'><span>E</span><span>=</span><span>c2</span></span>"


def written(formula: str, method: str = "all-text") -> str:
    return extract(f"<body><p>It is <i>{formula}</i>.</p>", method=method).text


@pytest.mark.parametrize(
    "formula",
    [
        f"<math><semantics>{MATHML}{TEX}</semantics></math>",
        f"<span><math><semantics>{MATHML} {TEX}</semantics></math></span>{DRAWN}",
        f"{DRAWN}<span><math><semantics>{MATHML}{TEX}</semantics></math></span>",
        f"<math alttext='E=c^2'><semantics>{MATHML}{TEX}"
        "<annotation-xml encoding='MathML-Content'><apply><ci>E</ci></apply></annotation-xml>"
        "</semantics></math>",
        f"<math><semantics>{MATHML}<annotation encoding='LaTeX'>E=c^2</annotation>"
        "<annotation encoding='StarMath 5.0'>E = c ^ 2</annotation></semantics></math>",
    ],
    ids=["mathml", "katex", "mathjax", "latexml", "two sources"],
)
def test_of_several_forms_the_tex_is_kept(formula: str) -> None:
    assert written(formula) == "It is E=c^2."


@pytest.mark.parametrize(
    "formula",
    [
        "<math><mi>E</mi></math>",
        f"<span><math><mi>E</mi></math></span>{DRAWN}",
        "<math><semantics><mi>E</mi><annotation encoding='text/plain'>F</annotation></semantics>",
        "<math><semantics><mi>E</mi><annotation encoding=TeX> </annotation></semantics></math>",
        "<math><semantics><mi>E</mi><annotation-xml><ci>F</ci></annotation-xml></semantics></math>",
    ],
    ids=["bare", "drawn", "plain text", "empty", "content"],
)
def test_without_tex_what_is_shown_is_kept(formula: str) -> None:
    assert written(formula) == "It is E."


def test_a_rendered_formula_without_mathml_is_kept() -> None:
    assert "c2" in written(DRAWN)
    assert "c2" in written(f"<math><mi>E</mi></math> and {DRAWN}")


@pytest.mark.parametrize("indent", ["", "\n  "])
def test_a_formula_that_style_hides_for_a_picture_is_written_once_too(indent: str) -> None:
    formula = indent.join(
        (
            "<span style='display: none'>",
            f"<math><semantics>{MATHML}{TEX}</semantics></math>",
            "</span>",
            "<img src=x aria-hidden=true>",
        )
    )
    assert written(formula, "boosted-blocks").count("E=c^2") == 1
    assert "E =" not in written(formula, "boosted-blocks")


def test_an_empty_semantics_holds_nothing() -> None:
    assert written("E<math><semantics></semantics></math>") == "It is E."
