"""``python -m genre_model evaluate`` on synthetic predictions and on a synthetic folder."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import orjson
import pytest
from PIL import Image
from tiny_network import picture, save_tiny_network

from evaluation.commands import main as evaluation_main
from genre_model.commands import main
from genre_model.fusion import Fusion
from genre_model.prediction import Prediction
from genre_model.samples import Sample
from genre_model.scoring.judgement import column, judge
from genre_model.scoring.prediction_file import Predicted, read_predictions

# Id, genre, the predicted probability of an article, site, theme, fold.
PAGES = [
    ("p0", "article", 0.9, "site0", "chirpy", 0),
    ("p1", "article", 0.8, "site0", "chirpy", 0),
    ("p2", "list-view", 0.3, "site1", "chirpy", 1),
    ("p3", "list-view", 0.95, "site1", "own", 1),
    ("p4", "article", 0.55, "site2", "other", 0),
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    (folder / "shots").mkdir(parents=True)
    records: list[dict[str, str | None]] = [
        {"id": page, "genre": genre, "repo": repo, "theme_group": theme, "lang": "en"}
        for page, genre, _, repo, theme, _ in PAGES
    ]
    records.append({"id": "home", "genre": "home", "repo": "site2", "goce": None})
    (folder / "labels.jsonl").write_bytes(b"\n".join(map(orjson.dumps, records)))
    for seed, record in enumerate(records):
        (folder / "shots" / f"{record['id']}.jpg").write_bytes(picture(seed))
    return folder


@pytest.fixture
def predictions(tmp_path: Path) -> Path:
    lines = []
    for page, _, article, _, _, fold in [*PAGES, ("home", "", 0.5, "", "", 0)]:
        page_types = {"article": article, "listing": (1 - article) / 2, "service": 0.0}
        page_types["service"] = (1 - article) / 2
        made = Prediction.of({"article": article, "list-view": 1 - article}, page_types)
        lines.append(orjson.dumps(orjson.loads(made.to_json(page, by="html")) | {"fold": fold}))
    path = tmp_path / "predictions.jsonl"
    path.write_bytes(b"\n".join(lines))
    return path


def evaluate(*words: object) -> int:
    return main(["evaluate", *map(str, words)])


def scored(path: Path, head: str = "genre") -> dict[str, Any]:
    found: dict[str, Any] = orjson.loads(path.read_bytes())[head]
    return found


def test_prints_tables_and_writes_all_figures(
    data: Path, predictions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "scores.json"
    words = ("--data", data, "--predictions", predictions, "--threshold", "0.6")
    assert evaluate(*words, "--json", out) == 0
    genre = scored(out)["parts"]["all"]
    assert genre["pages"] == 5
    assert genre["groups"] == 3
    assert genre["accuracy"][0] == 0.8
    assert genre["confusion"] == [[3, 0], [1, 1]]
    assert genre["coverage"] == 0.8
    assert genre["sure_accuracy"] == 0.75
    assert scored(out, "page_type")["parts"]["all"]["pages"] == 6
    printed = capsys.readouterr().out
    assert "macro F1" in printed
    assert "0.800" in printed
    assert "list-view" in printed


def test_pages_with_a_theme_in_the_training_data_are_scored_separately(
    data: Path, predictions: Path, tmp_path: Path
) -> None:
    out = tmp_path / "scores.json"
    evaluate("--data", data, "--predictions", predictions, "--json", out)
    parts = scored(out)["parts"]
    assert parts["theme=seen"]["pages"] == 3
    assert parts["theme=unseen"]["pages"] == 2


def test_the_training_folder_determines_the_known_themes(
    data: Path, predictions: Path, tmp_path: Path
) -> None:
    trained = tmp_path / "trained"
    trained.mkdir()
    (trained / "labels.jsonl").write_bytes(b'{"id": "x", "genre": "article", "theme_group": "own"}')
    out = tmp_path / "scores.json"
    told = ("--data", data, "--predictions", predictions, "--trained-on", trained)
    evaluate(*told, "--json", out)
    assert scored(out)["parts"]["theme=seen"]["pages"] == 1


def test_the_values_of_a_column_are_scored_separately(
    data: Path, predictions: Path, tmp_path: Path
) -> None:
    out = tmp_path / "scores.json"
    told = ("--data", data, "--predictions", predictions, "--group-by", "repo")
    evaluate(*told, "--json", out)
    parts = scored(out)["parts"]
    assert [parts[f"repo=site{i}"]["pages"] for i in range(3)] == [2, 2, 1]


def test_a_column_to_group_by_that_no_page_has_is_refused(
    data: Path, predictions: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = ("--data", data, "--predictions", predictions)
    assert evaluate(*told, "--group-by", "repo", "--group-by", "rpeo") == 2
    assert "no page has a column rpeo; there are " in capsys.readouterr().err


def test_pages_of_one_site_are_resampled_together(
    data: Path, predictions: Path, tmp_path: Path
) -> None:
    out = tmp_path / "scores.json"
    told = ("--data", data, "--predictions", predictions, "--json", out)
    groups = {}
    for name in ("repo", "theme_group", "lang", "nothing"):
        assert evaluate(*told, "--site", name) == 0
        groups[name] = scored(out)["parts"]["all"]["groups"]
    assert groups == {"repo": 3, "theme_group": 3, "lang": 1, "nothing": 5}


def test_unknown_labels_are_reported(
    data: Path, predictions: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (data / "labels.jsonl").write_bytes(b'{"id": "p0", "genre": "Article"}')
    assert evaluate("--data", data, "--predictions", predictions) == 2
    assert "no page has a known genre or page type" in capsys.readouterr().err


def test_unwritable_outputs_are_refused_before_anything_is_read(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        evaluate("--data", data, "--json", data)
    assert stopped.value.code == 2
    assert "must be a file, but " in capsys.readouterr().err


def test_rare_values_of_a_column_are_scored_together() -> None:
    values = ["en"] * 30 + [f"rare{i}" for i in range(10)]
    samples = [Sample(str(i), "article", None, {"lang": value}) for i, value in enumerate(values)]
    made = Prediction.of({"article": 0.9, "list-view": 0.1}, {})
    judgement = judge("genre", samples, {sample.id: Predicted(made) for sample in samples})
    assert judgement is not None
    found = {part: int(where.sum()) for part, where in judgement.parts(column("lang"))}
    assert found == {"en": 30, "(smaller ones)": 10}


def test_draws_confusion_and_mistakes(data: Path, predictions: Path, tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    (data / "shots" / "p3.jpg").write_bytes(b"a broken one")
    evaluate("--data", data, "--predictions", predictions, "--pictures", folder)
    names = {"confusion-genre", "mistakes-genre", "confusion-page-type", "mistakes-page-type"}
    assert {path.stem for path in folder.glob("*.png")} == names
    for path in folder.glob("*.png"):
        with Image.open(path) as drawn:
            drawn.load()
            assert drawn.width > 300


def test_labelled_pages_without_prediction_are_reported(
    data: Path, predictions: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = predictions.read_bytes().splitlines(keepends=True)
    predictions.write_bytes(b'{"id": "p0", "error": "screenshot: broken"}\n' + b"".join(lines[1:]))
    assert evaluate("--data", data, "--predictions", predictions) == 3
    assert "1 labelled page has no prediction" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{}", "line 1: not a prediction"),
        (b"nonsense", "line 1"),
        (b"", "no labelled page has a prediction"),
        (b'{"id": "p0", "genre": "x"}', "line 1"),
    ],
)
def test_files_that_cannot_be_used_are_refused(
    data: Path, tmp_path: Path, content: bytes, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "other.jsonl"
    path.write_bytes(content)
    assert evaluate("--data", data, "--predictions", path) == 2
    assert message in capsys.readouterr().err


def test_a_page_predicted_twice_is_refused(
    data: Path, predictions: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = predictions.read_bytes()
    predictions.write_bytes(lines + b"\n" + lines)
    assert evaluate("--data", data, "--predictions", predictions) == 2
    assert "a second prediction for p0" in capsys.readouterr().err


def test_predicts_the_labelled_pages_of_a_folder(data: Path, tmp_path: Path) -> None:
    weights = save_tiny_network(tmp_path / "tiny.npz")
    (data / "shots" / "unlabelled.jpg").write_bytes(picture(99))
    out = tmp_path / "scores.json"
    told = ("--data", data, "--by", "screenshot", "--model", weights)
    assert evaluate(*told, "--json", out) == 0
    assert scored(out)["parts"]["all"]["pages"] == 5


def test_predicts_the_pages_of_a_file_with_labels_and_html(tmp_path: Path) -> None:
    """As ``annotate`` writes it."""
    pages = tmp_path / "kinds.jsonl"
    records = [
        {"id": page, "genre": genre, "repo": repo, "html": "<p>A page."}
        for page, genre, _, repo, _, _ in PAGES
    ]
    pages.write_bytes(b"\n".join(map(orjson.dumps, records)))
    out = tmp_path / "scores.json"
    for words in ((), ("--by", "html")):
        assert evaluate("--data", pages, *words, "--json", out) == 0
        assert scored(out)["parts"]["all"]["pages"] == 5


@pytest.mark.parametrize(
    ("by", "missing"),
    [("html", "html.jsonl.zst: No such file"), ("screenshot", "shots is not a folder")],
)
def test_what_the_data_lack_is_named(
    data: Path, by: str, missing: str, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree(data / "shots")
    assert evaluate("--data", data, "--by", by) == 2
    assert f"{data}/{missing}" in capsys.readouterr().err


def test_data_without_screenshots_are_classified_by_html(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree(data / "shots")
    assert evaluate("--data", data) == 2
    assert f"{data}/html.jsonl.zst: No such file" in capsys.readouterr().err


def test_the_evaluation_package_has_the_same_command(
    data: Path, predictions: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = ["genre", "--data", str(data), "--predictions", str(predictions)]
    assert evaluation_main(told) == 0
    assert "macro F1" in capsys.readouterr().out
    assert evaluation_main([*told[:-1], str(data / "none.jsonl")]) == 2


def test_fit_fusion_weighs_files_of_predictions(
    data: Path,
    predictions: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    out, unseen = tmp_path / "fusion.json", tmp_path / "fused.jsonl"
    named = ("--classifier", f"network={predictions}", "--classifier", f"html={predictions}")
    files = (*named, "--out", out, "--oof", unseen)
    assert main(["fit-fusion", "--data", *map(str, (data, *files))]) == 0
    fusion = Fusion.load(out)
    assert fusion.genre.labels == ("article", "list-view")
    # The same predictions twice, so neither is better.
    assert fusion.genre.weights["network"] == pytest.approx(fusion.genre.weights["html"], abs=1e-3)
    assert "fitted pool" in capsys.readouterr().out
    assert f"wrote {out}" in caplog.text
    # Its output is a file of predictions with folds, which can be evaluated and fused again.
    assert {predicted.fold for predicted in read_predictions(unseen).values()} <= set("01234")
    assert evaluate("--data", data, "--predictions", unseen) == 0


def test_fit_fusion_splits_no_site(data: Path, predictions: Path, tmp_path: Path) -> None:
    unseen = tmp_path / "fused.jsonl"
    # The former name of the option.
    named = ("--eye", f"network={predictions}", "--eye", f"html={predictions}")
    files = (*named, "--out", tmp_path / "fusion.json", "--oof", unseen)
    told = map(str, (data, *files, "--group-by", "theme_group"))
    assert main(["fit-fusion", "--data", *told]) == 0
    folds = {page: predicted.fold for page, predicted in read_predictions(unseen).items()}
    assert folds["p0"] == folds["p2"]
    assert len({folds[page] for page in ("p0", "p3", "p4")}) == 3


def test_fit_fusion_needs_labels_beyond_every_fold(
    data: Path, predictions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    named = ("--classifier", f"network={predictions}", "--classifier", f"html={predictions}")
    told = map(str, (data, *named, "--out", tmp_path / "fusion.json", "--group-by", "lang"))
    lines = (data / "labels.jsonl").read_bytes().replace(b'"goce":null', b'"lang":"en"')
    (data / "labels.jsonl").write_bytes(lines)
    assert main(["fit-fusion", "--data", *told]) == 2
    assert "needed in at least two folds" in capsys.readouterr().err


def test_fit_fusion_needs_pages_that_are_in_both_files(
    data: Path, predictions: Path, tmp_path: Path
) -> None:
    empty = tmp_path / "none.jsonl"
    empty.touch()
    named = ("--classifier", f"network={predictions}", "--classifier", f"html={empty}")
    files = (*named, "--out", tmp_path / "fusion.json")
    assert main(["fit-fusion", "--data", *map(str, (data, *files))]) == 2


def test_fit_fusion_needs_two_classifiers(
    data: Path, predictions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = ("--classifier", f"network={predictions}", "--out", tmp_path / "fusion.json")
    assert main(["fit-fusion", "--data", *map(str, (data, *told))]) == 2
    assert "two classifiers" in capsys.readouterr().err
