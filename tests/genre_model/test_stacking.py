"""What the HTML classifier and the extractor say of page types, weighed class by class."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import orjson
import pytest
import zstandard

from corpus_commons.kinds import PAGE_TYPES
from extraction.registry import extractor
from genre_model.calibration import log_loss, softmax
from genre_model.commands import main
from genre_model.html import HtmlClassifier
from genre_model.prediction import Prediction
from genre_model.stacking import Opinion, Stacking
from genre_model.training.stacking import Opinions, fit_stacking

TYPES = ("article", "forum", "media")
READ = ("article", "forum")
GENRES = {"article": 0.8, "list-view": 0.2}
SAID = Prediction.of(GENRES, {"article": 0.6, "forum": 0.3, "media": 0.1})
# The answer is the HTML classifier's, whatever the extractor says.
DEAF = Stacking(
    Opinion(TYPES, tuple(map(tuple, np.eye(3).tolist()))),
    Opinion(READ, ((0.0,) * 3,) * 2),
    (0.0,) * 3,
)
# The extractor is believed on forums.
HEARING = replace(DEAF, extractor=Opinion(READ, ((0.0,) * 3, (0.0, 2.0, 0.0))))


def test_an_extractor_that_is_believed_moves_its_type_and_the_genre() -> None:
    sure = HEARING.weigh(SAID, {"article": 0.01, "forum": 0.99})
    against = HEARING.weigh(SAID, {"article": 0.99, "forum": 0.01})
    assert sure.page_type_scores["forum"] > 0.25 > against.page_type_scores["forum"]
    assert against.page_type == "article"
    assert sum(sure.page_type_scores.values()) == pytest.approx(1)
    assert sum(sure.genre_scores.values()) == pytest.approx(1)
    assert sure.genre_scores["list-view"] > against.genre_scores["list-view"]


def test_an_extractor_without_a_weight_changes_no_type() -> None:
    found = DEAF.weigh(SAID, {"article": 0.01, "forum": 0.99})
    assert found.page_type_scores == pytest.approx(SAID.page_type_scores)


def test_pages_that_the_extractor_does_not_judge_keep_their_prediction() -> None:
    assert HEARING.weigh(SAID, {}) == SAID


def test_scores_may_come_in_any_order_but_must_be_those_of_the_weights() -> None:
    scores = {"article": 0.2, "forum": 0.8}
    assert HEARING.weigh(SAID, dict(reversed(scores.items()))) == HEARING.weigh(SAID, scores)
    with pytest.raises(ValueError, match="scores for \\['article', 'listing'\\]"):
        HEARING.weigh(SAID, {"article": 0.2, "listing": 0.8})


def test_the_shipped_weights_fit_the_shipped_models() -> None:
    [by_html] = HtmlClassifier.shipped().predict(["<p>A page with some words of text."])
    page = "<main><h1>A title</h1>" + "<p>A paragraph of plain words, and then some more.</p>" * 9
    scores = extractor("boosted-blocks").extract(page).page_type_scores
    found = Stacking.shipped().weigh(by_html, scores)
    assert tuple(found.page_type_scores) == PAGE_TYPES
    assert tuple(found.genre_scores) == tuple(by_html.genre_scores)


def test_weights_are_read_as_they_were_written(tmp_path: Path) -> None:
    HEARING.save(tmp_path / "stacking.json")
    assert Stacking.load(tmp_path / "stacking.json") == HEARING


@pytest.mark.parametrize(
    "change",
    [
        {"bias": [0, 0]},
        {"bias": ["many", 0, 0]},
        {"extractor": {"labels": ["article"], "weights": [[0, 0, 0], [0, 0, 0]]}},
        {"extractor": {"labels": ["article", "forum"], "weights": [[0, 0, 0], [0, 0]]}},
        {"html": None},
    ],
)
def test_a_file_of_something_else_is_refused(tmp_path: Path, change: dict[str, object]) -> None:
    path = tmp_path / "stacking.json"
    HEARING.save(path)
    path.write_bytes(orjson.dumps(orjson.loads(path.read_bytes()) | change))
    with pytest.raises(ValueError, match=r"stacking\.json is not a file of stacking weights"):
        Stacking.load(path)


class TestFit:
    """HTML that cannot tell forums from articles, an extractor that can and knows no media."""

    random = np.random.default_rng(1)
    truth = random.integers(0, 3, 3000)
    html = softmax(
        np.where(np.eye(3)[truth] > 0, 2.0, 0.0) * [0, 0, 1]
        + np.where(truth == 2, 0.0, 1.5)[:, None] * [1, 1, 0]
        + random.normal(0, 1, (3000, 3))
    )
    extractor = softmax(np.eye(3)[truth][:, :2] * 3 + random.normal(0, 1, (3000, 2)))
    opinions = Opinions(html, extractor, truth, np.ones(3000), TYPES, READ)
    seen = np.arange(3000) < 2000

    def test_on_unseen_pages_it_is_better_than_either(self) -> None:
        fitted = fit_stacking(self.opinions[self.seen])
        unseen = self.opinions[~self.seen]
        pooled = fitted.pool(unseen.html, unseen.extractor)
        right = (pooled.argmax(1) == unseen.truth).mean()
        assert right > (unseen.html.argmax(1) == unseen.truth).mean() + 0.1
        assert log_loss(pooled, unseen.truth) < log_loss(unseen.html, unseen.truth)

    def test_a_type_that_the_extractor_does_not_know_is_still_found(self) -> None:
        fitted = fit_stacking(self.opinions[self.seen])
        unseen = self.opinions[~self.seen & (self.truth == 2)]
        found = (fitted.pool(unseen.html, unseen.extractor).argmax(1) == 2).mean()
        assert found >= (unseen.html.argmax(1) == 2).mean()

    def test_few_pages_leave_the_answer_to_html(self) -> None:
        guesses = self.random.permutation(self.extractor)
        fitted = fit_stacking(replace(self.opinions, extractor=guesses)[self.seen])
        assert np.abs(fitted.extractor.weights).max() < 0.1

    def test_a_page_of_weight_nought_does_not_count(self) -> None:
        wrong = np.where(self.seen, self.truth, (self.truth + 1) % 3)
        silent = replace(self.opinions, truth=wrong, weights=self.seen.astype(float))
        expected = fit_stacking(self.opinions[self.seen])
        assert np.allclose(fit_stacking(silent).bias, expected.bias, atol=1e-3)


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """Both sets, each with predictions by HTML and scores by an extractor."""
    folder = tmp_path / "folder"
    folder.mkdir()
    labels, html, lines = [], [], {"": [], "-wcxb": []}
    read: dict[str, list[dict[str, object]]] = {"": [], "-wcxb": []}
    wcxb = []
    for number in range(40):
        kind = READ[number % 2]
        labels.append({"id": f"f{number}", "page_type": kind, "repo": f"r{number}"})
        html.append({"id": f"f{number}", "html": "<p>"})
        url = f"https://site-{number}.com/"
        wcxb.append({"id": f"w{number}", "url": url, "genre": kind, "html": "<p>"})
        for end, page in (("", f"f{number}"), ("-wcxb", f"w{number}")):
            lines[end].append(SAID.to_json(page))
            scores = {name: 0.9 if name == kind else 0.1 for name in READ}
            read[end].append({"id": page, "page_type_scores": scores})
    # A page that the extractor finds empty, and one of another set.
    read["-wcxb"][0]["page_type_scores"] = {}
    read["-wcxb"].append({"id": "w1", "set": "other", "page_type_scores": {"x": 1}})
    read["-wcxb"][1]["set"] = "wcxb"
    (folder / "labels.jsonl").write_bytes(b"\n".join(map(orjson.dumps, labels)))
    (folder / "html.jsonl.zst").write_bytes(zstandard.compress(b"\n".join(map(orjson.dumps, html))))
    (tmp_path / "wcxb.jsonl").write_bytes(b"\n".join(map(orjson.dumps, wcxb)))
    named = {"data": folder, "wcxb": tmp_path / "wcxb.jsonl"}
    for end in ("", "-wcxb"):
        named[f"html{end}"] = tmp_path / f"html{end}.jsonl"
        named[f"html{end}"].write_bytes(b"".join(lines[end]))
        named[f"extractor{end}"] = tmp_path / f"extractor{end}.jsonl"
        named[f"extractor{end}"].write_bytes(b"\n".join(map(orjson.dumps, read[end])))
    return named | {"out": tmp_path / "stacking.json"}


def fit(files: dict[str, Path]) -> int:
    return main(["fit-stacking", *(f"--{name}={path}" for name, path in files.items())])


def test_the_command_fits_compares_and_writes(
    files: dict[str, Path],
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    assert fit(files) == 0
    assert f"wrote {files['out']}" in caplog.text
    said = capsys.readouterr().out
    assert "page type, folder" in said
    assert "page type, wcxb" in said
    fitted = Stacking.load(files["out"])
    assert fitted.html.labels == TYPES
    # HTML says the same of all pages, so that the extractor decides.
    for kind in READ:
        scores = {name: 0.9 if name == kind else 0.1 for name in READ}
        assert fitted.weigh(SAID, scores).page_type == kind


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("extractor", b"{}", "extractor.jsonl, line 1: it has no id"),
        ("extractor", b'{"id": "f1"}', "line 1: scores must be a table"),
        ("extractor", b'{"id": "f1", "page_type_scores": {}}\n' * 2, "a second line for f1"),
        ("extractor", b"", "no page has a known type"),
        ("html-wcxb", b"", "no page has a known type"),
        ("html", b"nonsense", "html.jsonl, line 1"),
    ],
)
def test_files_that_cannot_be_used_are_named(
    files: dict[str, Path],
    name: str,
    content: bytes,
    message: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    files[name].write_bytes(content)
    assert fit(files) == 2
    assert message in " ".join(capsys.readouterr().err.split())
    assert not files["out"].exists()


def test_scores_of_different_extractors_are_refused(
    files: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    lines = files["extractor"].read_bytes().replace(b'"forum"', b'"listing"', 1)
    files["extractor"].write_bytes(lines)
    assert fit(files) == 2
    assert "others for" in capsys.readouterr().err


def test_pages_of_a_type_that_html_does_not_know_are_refused(
    files: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    lines = files["wcxb"].read_bytes().replace(b'"forum"', b'"product"', 1)
    files["wcxb"].write_bytes(lines)
    assert fit(files) == 2
    assert "there are pages of ['product']" in capsys.readouterr().err
