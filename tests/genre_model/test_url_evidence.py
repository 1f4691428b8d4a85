"""What URLs say of the types of their pages, beside what their HTML says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_commons.kinds import PAGE_TYPES
from corpus_commons.terminal.command_error import EXIT_FAILED
from genre_model.commands import main
from genre_model.html import HtmlClassifier
from genre_model.prediction import Prediction
from genre_model.scoring.prediction_file import read_predictions
from genre_model.training.url import UrlPage, fit_url
from genre_model.url import UrlEvidence
from genre_model.url.terms import terms

GENRES = {"article": 0.5, "list-view": 0.5}
UNDECIDED = Prediction.of(GENRES, dict.fromkeys(PAGE_TYPES, 1 / len(PAGE_TYPES)))
EVIDENCE = UrlEvidence(("article", "forum"), {"in thread": (-1.0, 2.0), "in news": (1.0, 0.0)})


class TestTerms:
    @pytest.mark.parametrize(
        ("url", "expected"),
        [
            ("https://www.example.org", {"front page"}),
            ("https://www.example.org/?utm_source=news", {"front page"}),
            ("https://blog.example.co.uk/", {"host blog", "front page"}),
            ("https://example.org/threads/42", {"folder threads", "in threads"}),
            ("https://example.org/Threads.aspx?id=42", {"end threads", "in threads"}),
            ("https://example.org/2026/11/25/", {"folder of a year"}),
            ("https://example.org/en/42-a/", {"end a", "in a"}),
            ("https://example.org/%D0%BD%D0%BE%D0%B2/1", {"folder нов", "in нов"}),
        ],
    )
    def test_are_words_by_where_they_stand(self, url: str, expected: set[str]) -> None:
        assert terms(url) == expected

    @pytest.mark.parametrize(
        "url", ["", "threads/42", "file:///threads/42", "ftp://example.org/threads/", "http://[::1"]
    )
    def test_other_addresses_have_none(self, url: str) -> None:
        assert terms(url) == frozenset()

    @given(st.text())
    def test_any_text_can_be_asked(self, text: str) -> None:
        terms(text)
        assert not any(term.endswith(" ") for term in terms(f"https://example.org/{text}"))

    def test_a_long_url_is_read_at_its_beginning(self) -> None:
        found = terms("https://example.org/first/" + "a/" * 100_000 + "last")
        assert "in first" in found
        assert "in last" not in found


class TestRevise:
    def test_a_known_term_moves_the_page_type_and_the_genre(self) -> None:
        found = EVIDENCE.revise(UNDECIDED, "https://example.org/thread/1")
        assert found.page_type == "forum"
        assert found.genre == "list-view"
        assert sum(found.page_type_scores.values()) == pytest.approx(1)

    def test_types_of_which_urls_do_not_speak_keep_their_odds(self) -> None:
        found = EVIDENCE.revise(UNDECIDED, "https://example.org/thread/1").page_type_scores
        assert found["media"] == found["other"] > found["article"]

    def test_terms_add_up(self) -> None:
        once = EVIDENCE.revise(UNDECIDED, "https://example.org/thread/1")
        both = EVIDENCE.revise(UNDECIDED, "https://example.org/news/thread/1")
        assert both.page_type_scores["article"] > once.page_type_scores["article"]

    @pytest.mark.parametrize("url", ["https://example.org/unknown", "", "mailto:thread"])
    def test_a_url_without_known_terms_says_nothing(self, url: str) -> None:
        assert EVIDENCE.revise(UNDECIDED, url) == UNDECIDED

    def test_the_threshold_is_that_of_the_classifier(self) -> None:
        assert EVIDENCE.revise(UNDECIDED, "https://a.org/news/", 0.99).page_type is None

    def test_scores_of_other_types_are_refused(self) -> None:
        other = Prediction.of(GENRES, {"article": 1.0})
        with pytest.raises(ValueError, match="without \\['forum'\\]"):
            EVIDENCE.revise(other, "https://example.org/thread/1")


class TestShipped:
    PAGE = "<title>A page</title><p>" + "Some words of a page that could be anything. " * 20

    def asked(self, url: str | None) -> Prediction:
        (found,) = HtmlClassifier.shipped().predict([self.PAGE], [url])
        return found

    def test_without_its_url_a_page_is_judged_by_its_html(self) -> None:
        assert [self.asked(None)] == HtmlClassifier.shipped().predict([self.PAGE])

    @pytest.mark.parametrize(
        ("url", "page_type"),
        [
            ("https://www.example.org/forum/viewtopic.php?t=2", "forum"),
            ("https://docs.example.org/en/latest/tutorial/", "documentation"),
            ("https://www.example.com/products/blue-mug", "product"),
            ("https://www.example.com/collections/mugs", "collection"),
            ("https://www.example.com/blog/best-mugs", "article"),
        ],
    )
    def test_its_url_makes_a_type_more_probable(self, url: str, page_type: str) -> None:
        before, after = (self.asked(its).page_type_scores[page_type] for its in (None, url))
        assert after > before

    def test_every_page_needs_a_url_or_none(self) -> None:
        with pytest.raises(ValueError, match="argument 2 is shorter"):
            HtmlClassifier.shipped().predict([self.PAGE, self.PAGE], ["https://example.org/"])


class TestFiles:
    def test_weights_are_read_as_they_were_written(self, tmp_path: Path) -> None:
        EVIDENCE.save(tmp_path / "url.zst")
        assert UrlEvidence.load(tmp_path / "url.zst") == EVIDENCE

    def test_a_file_of_something_else_is_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "url.zst"
        UrlEvidence(("article", "forum"), {"in thread": (1.0,)}).save(path)
        with pytest.raises(ValueError, match=r"url\.zst does not contain weights of the terms"):
            UrlEvidence.load(path)


def page(url: str, page_type: str, site: str) -> UrlPage:
    return UrlPage(terms(url), site, page_type)


class TestFit:
    pages = tuple(
        page(f"https://{kind[0]}{number}.org/{folder}/x", kind, f"{kind}{number}")
        for kind, folder in (("article", "news"), ("forum", "thread"), ("product", "item"))
        for number in range(20)
    )

    def test_what_a_term_says_holds_for_other_sites(self) -> None:
        fitted = fit_url(self.pages)
        found = fitted.revise(UNDECIDED, "https://another.org/item/y").page_type_scores
        assert max(found, key=found.__getitem__) == "product"

    def test_a_term_of_a_single_site_is_not_learnt(self) -> None:
        own = [page("https://own.org/ours/x", "forum", "own")] * 50
        assert "in ours" not in fit_url([*self.pages, *own]).weights
        assert "in ours" in fit_url([*self.pages, *own, replace(own[0], site="two")]).weights

    def test_frequent_types_are_no_evidence(self) -> None:
        """Words that all types share say nothing, however often a type is seen."""
        common = [
            page("https://a.org/common/", kind, f"{kind}{number}")
            for kind, count in (("article", 90), ("forum", 10))
            for number in range(count)
        ]
        assert fit_url(common).weights["in common"] == pytest.approx((0, 0), abs=0.02)


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """Pages whose URLs tell their types, and predictions by HTML that do not."""
    kinds = ("article", "forum") * 20
    lines, predictions = [], []
    for number, kind in enumerate(kinds):
        url = f"https://site-{number}.com/{kind}-{number}/"
        lines.append({"id": f"w{number}", "url": url, "genre": kind, "html": "<p>"})
        predictions.append(UNDECIDED.to_json(f"w{number}"))
    paths = {"wcxb": tmp_path / "wcxb.jsonl", "html-wcxb": tmp_path / "html.jsonl"}
    paths["wcxb"].write_bytes(b"\n".join(map(orjson.dumps, lines)))
    paths["html-wcxb"].write_bytes(b"".join(predictions))
    return paths | {"oof-wcxb": tmp_path / "oof.jsonl", "out": tmp_path / "url.zst"}


def run(files: dict[str, Path], *more: str) -> int:
    return main(["train-url", *(f"--{name}={path}" for name, path in files.items()), *more])


class TestCommand:
    def test_predictions_with_urls_are_better_on_sites_that_were_not_learnt_from(
        self,
        files: dict[str, Path],
        capsys: pytest.CaptureFixture[str],
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        assert run(files) == 0
        assert f"wrote {files['out']}" in caplog.text
        out = capsys.readouterr().out
        assert "HTML and URL" in out
        found = read_predictions(files["oof-wcxb"])
        assert len({its.fold for its in found.values()}) == 5
        assert [found[f"w{number}"].prediction.page_type for number in range(4)] == [
            "article",
            "forum",
            "article",
            "forum",
        ]
        assert "in forum" in UrlEvidence.load(files["out"]).weights

    def test_additional_pages_are_learnt_from(self, files: dict[str, Path], tmp_path: Path) -> None:
        more = tmp_path / "more.jsonl"
        lines = [
            {"id": f"m{n}", "url": f"https://m{n}.net/thema/", "genre": "forum", "html": ""}
            for n in range(3)
        ]
        more.write_bytes(b"\n".join(map(orjson.dumps, lines)))
        assert run(files, f"--additional={more}") == 0
        assert "in thema" in UrlEvidence.load(files["out"]).weights

    def test_a_full_disk_is_told_with_the_file_of_the_predictions(
        self, files: dict[str, Path], capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert run(files | {"oof-wcxb": Path("/dev/full")}) == EXIT_FAILED
        assert "/dev/full: No space left on device\n" in capsys.readouterr().err

    def test_pages_without_predictions_are_refused(
        self, files: dict[str, Path], capsys: pytest.CaptureFixture[str]
    ) -> None:
        files["html-wcxb"].write_bytes(UNDECIDED.to_json("another"))
        assert run(files) == 2
        assert "at least two folds" in capsys.readouterr().err
