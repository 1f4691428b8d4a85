"""Synthetic pages: reproducible, of every kind, well-formed, labelled."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from corpus_commons.kinds import GENRES, PAGE_TYPES
from genre_model.commands import main
from genre_model.training.synthesis.frameworks import FRAMEWORKS, missing_sheets
from genre_model.training.synthesis.generator import MAKERS, Maker, Page, page
from genre_model.training.synthesis.pictures import KINDS, draw_picture
from genre_model.training.synthesis.text import LANGUAGES, Text

PLACES = {"packages": Path("packages"), "pictures": Path("pictures")}
by_maker = pytest.mark.parametrize("maker", MAKERS, ids=[maker.name for maker in MAKERS])


def make(seed: int, maker: Maker | None = None) -> Page:
    return page(Random(seed), maker=maker, **PLACES)


def test_the_same_seed_gives_the_same_page_and_another_seed_another():
    assert make(7) == make(7)
    assert make(7).html != make(8).html


def test_every_page_type_is_made_and_the_shares_add_up_to_one():
    assert {maker.page_type for maker in MAKERS} == set(PAGE_TYPES)
    assert {maker.genre for maker in MAKERS} == {*GENRES, None}
    assert sum(maker.share for maker in MAKERS) == pytest.approx(1)


@by_maker
def test_pages_of_every_kind_parse_with_their_content_marked(maker: Maker):
    for seed in range(6):
        made = make(seed, maker)
        tree = LexborHTMLParser(made.html)
        assert (made.page_type, made.genre) == (maker.page_type, maker.genre)
        assert tree.body is not None
        assert tree.css("[data-main]")
        assert len(tree.body.text(strip=True)) > 20


def test_lists_mark_their_entries_and_articles_have_none():
    lists = [maker for maker in MAKERS if maker.genre == "list-view"]
    article = next(maker for maker in MAKERS if maker.name == "article")
    for seed in range(6):
        for maker in lists:
            assert LexborHTMLParser(make(seed, maker).html).css("[data-item]")
        assert not LexborHTMLParser(make(seed, article).html).css("[data-item]")


def test_about_half_of_the_pages_use_a_framework():
    styles = [make(seed).style for seed in range(80)]
    assert 20 < styles.count("own") < 60
    assert {*styles} <= {"own", *(each.name for each in FRAMEWORKS)}


@pytest.mark.parametrize("lang", LANGUAGES)
@settings(max_examples=20)
@given(seed=st.integers(0, 10_000))
def test_text_needs_no_escaping_in_any_language(lang: str, seed: int):
    text = Text(Random(seed), lang)
    written = [text.paragraph(5, 20), text.title(), text.name(), text.site(), text.date()]
    assert all(written)
    assert not set('<>&"') & set("".join(written))


@pytest.mark.parametrize("kind", KINDS)
def test_pictures_are_reproducible_and_not_flat(kind: str):
    picture = draw_picture(kind, 1)
    assert picture.tobytes() == draw_picture(kind, 1).tobytes()
    assert picture.tobytes() != draw_picture(kind, 2).tobytes()
    assert len(set(picture.resize((40, 40)).convert("L").tobytes())) > 5


def test_missing_style_sheets_are_named(tmp_path: Path):
    missing = missing_sheets(tmp_path)
    assert FRAMEWORKS[0].sheets[0] in missing
    sheet = tmp_path / "node_modules" / FRAMEWORKS[0].sheets[0]
    sheet.parent.mkdir(parents=True)
    sheet.touch()
    assert FRAMEWORKS[0].sheets[0] not in missing_sheets(tmp_path)


def test_missing_style_sheets_are_told_with_what_installs_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    packages, out = str(tmp_path / "packages"), tmp_path / "out"
    assert main(["synthesize", "--out", str(out), "--packages", packages]) == 2
    told = capsys.readouterr().err
    assert f"style sheets are missing in {packages}" in told
    assert f"npm install --prefix {packages} --ignore-scripts bootstrap" in told
    assert not out.exists()


@pytest.mark.parametrize("option", ["--pages", "--workers"])
def test_numbers_below_one_are_refused(option: str, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit):
        main(["synthesize", "--out", "out", "--packages", "packages", option, "0"])
    assert f"{option}: must be at least 1" in capsys.readouterr().err
