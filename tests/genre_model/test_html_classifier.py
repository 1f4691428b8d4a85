"""Genre and page type from HTML, with the shipped model and with a newly trained one."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import orjson
import pytest
import zstandard

from corpus_commons.kinds import GENRES
from corpus_commons.markup import MarkupError, parse
from corpus_commons.markup.forest import Forest
from genre_model.calibration import fit_temperature
from genre_model.commands import main
from genre_model.fusion import HeadFusion
from genre_model.html.classifier import SHIPPED_MODEL, HtmlClassifier, load
from genre_model.training.html.pages import read_pages, read_wcxb
from genre_model.training.trees import cross_validated
from genre_model.trees import ASKED, BY_TYPES, TreeHead, TreesModel, save

SENTENCE = "It rained for a day, and people stayed at home, where they read of the weather. "
ARTICLE = (
    "<title>The day of rain</title><nav><a href=/>Home</a></nav><article><h1>The day of rain</h1>"
    "<p>By Ann, 3 May 2024</p>" + f"<p>{SENTENCE * 5}</p>" * 12 + "</article>"
)
ENTRY = (
    '<article class=post><h2><a href="/{n}">What happened on day {n} of it</a></h2>'
    "<time>2024-05-{n}</time><p>" + SENTENCE + '<a href="/{n}">More</a></article>'
)
LIST = "<h1>News</h1>" + "".join(ENTRY.format(n=n) for n in range(10, 24))
THREAD = "<h1>Re: rain</h1>" + "".join(
    f"<table class=postbody><tr><td>user{n}<br>Posts: {n}0<td>{SENTENCE} #{n} Quote</table>"
    for n in range(9)
)


@pytest.fixture(scope="module")
def shipped() -> HtmlClassifier:
    return HtmlClassifier.shipped()


def test_a_plain_article_and_a_plain_list(shipped):
    article, listing = shipped.predict([ARTICLE, LIST])
    assert (article.genre, article.page_type) == ("article", "article")
    assert (listing.genre, listing.page_type) == ("list-view", "listing")


def test_scores_are_probabilities_of_every_label(shipped):
    [prediction] = shipped.predict([LIST])
    model = load(SHIPPED_MODEL)
    assert tuple(prediction.genre_scores) == model.genre.labels == GENRES
    assert tuple(prediction.page_type_scores) == model.page_type.labels
    for scores in (prediction.genre_scores, prediction.page_type_scores):
        assert sum(scores.values()) == pytest.approx(1)
        assert min(scores.values()) >= 0


def test_text_bytes_and_parsed_pages_are_the_same(shipped):
    text, body, dom = shipped.predict([LIST, LIST.encode(), parse(LIST)])
    assert text == body == dom


def test_predictions_do_not_depend_on_the_batch(shipped):
    pages = [ARTICLE, LIST, "", "<p>Text"] * 8
    together = shipped.predict(pages)
    assert together == [shipped.predict([page])[0] for page in pages]
    assert together == shipped.predict(pages[::-1])[::-1]


def test_predictions_do_not_depend_on_the_size_of_batches(shipped, monkeypatch):
    pages = [ARTICLE, "", LIST, "<p>Text", ARTICLE]
    together = shipped.predict(iter(pages))
    monkeypatch.setattr("corpus_commons.markup.batches.MOST_NODES", 40)
    assert shipped.predict(pages) == together


def test_pages_may_come_as_one_tree(shipped):
    pages = [parse(page) for page in (ARTICLE, LIST)]
    assert shipped.predict_forest(Forest(pages)) == shipped.predict(pages)


def test_threads_may_share_it(shipped):
    alone = shipped.predict([ARTICLE, LIST])
    with ThreadPoolExecutor(4) as pool:
        assert all(its == alone for its in pool.map(shipped.predict, [[ARTICLE, LIST]] * 20))


@pytest.mark.parametrize("page", ["", b"", "<html>", "<img src=x>", b"\xff\xfe\x00", "\0"])
def test_pages_without_text_get_an_answer(shipped, page):
    [prediction] = shipped.predict([page])
    assert sum(prediction.page_type_scores.values()) == pytest.approx(1)


def test_no_pages_no_predictions(shipped):
    assert shipped.predict([]) == []


@pytest.mark.parametrize("page", ["<p>x", b"<p>x"])
def test_a_page_that_is_in_no_list_is_refused(shipped, page):
    with pytest.raises(TypeError, match="give a list of pages"):
        shipped.predict(page)


def test_an_unreadable_page_is_refused(shipped):
    with pytest.raises(MarkupError, match="more than"):
        shipped.predict(["x" * 10_000_001])


def test_a_high_threshold_makes_it_unsure():
    strict = HtmlClassifier.from_file(SHIPPED_MODEL, threshold=1.0)
    [prediction] = strict.predict([""])
    assert prediction.genre is None
    assert prediction.page_type is None


def test_prediction_needs_neither_tensorflow_nor_scikit_learn():
    code = (
        "import sys; from genre_model.html import HtmlClassifier;"
        "HtmlClassifier.shipped().predict(['<p>Text']);"
        "print([m for m in ('tensorflow', 'keras', 'sklearn', 'lightgbm') if m in sys.modules])"
    )
    done = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_the_shipped_model_is_small():
    assert SHIPPED_MODEL.stat().st_size < 3_000_000


def test_a_model_made_with_other_features_is_refused(tmp_path):
    head = TreeHead(GENRES, ("",))
    save(tmp_path / "model.zst", TreesModel(("one", "two"), head, head))
    with pytest.raises(ValueError, match="train it again"):
        load(tmp_path / "model.zst")


@pytest.mark.parametrize("content", [b"no model", zstandard.compress(b"{}")])
def test_a_file_that_is_no_model_is_named(tmp_path, content):
    file = tmp_path / "my-model.zst"
    file.write_bytes(content)
    with pytest.raises(ValueError, match=r"my-model\.zst does not contain trees"):
        HtmlClassifier.from_file(file)


@pytest.fixture(scope="module")
def labelled_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("labelled")
    labels, pages = [], []
    for site in range(20):
        for kind, page in (("article", ARTICLE), ("list-view", LIST), ("product", "<p>$5</p>" * 3)):
            page_id = f"{kind}{site}"
            labels.append({"id": page_id, "repo": f"site{site}", "genre": kind})
            pages.append({"id": page_id, "html": page + f"<p>Site {site}</p>" * (site % 5)})
    return written(folder, labels, pages)


def written(folder: Path, labels: list[dict], pages: list[dict]) -> Path:
    (folder / "labels.jsonl").write_bytes(b"\n".join(map(orjson.dumps, labels)))
    lines = b"\n".join(map(orjson.dumps, pages))
    (folder / "html.jsonl.zst").write_bytes(zstandard.compress(lines))
    return folder


def train(folder: Path, out: Path, *more: str) -> None:
    words = ["train-html", "--data", str(folder), "--cross-validate", "2", "--rounds", "10"]
    assert main([*words, "--out", str(out), *more]) == 0


@pytest.fixture(scope="module")
def own(labelled_folder) -> Path:
    out = labelled_folder / "own.zst"
    train(labelled_folder, out, "--oof", str(labelled_folder / "oof.jsonl"))
    return out


def test_training_on_a_folder_of_ones_own(own):
    predictions = HtmlClassifier.from_file(own).predict([ARTICLE, LIST])
    assert [p.genre_scores["article"] > 0.5 for p in predictions] == [True, False]

    scores = orjson.loads(own.with_suffix(".json").read_bytes())["folder"]
    assert scores["genre"]["pages"] == 40
    assert scores["genre, SVM on 11 features"]["pages"] == 40
    assert scores["page type"]["labels"] == ["article", "product", "listing"]


def test_every_page_has_an_out_of_fold_prediction(own):
    lines = [orjson.loads(line) for line in own.with_name("oof.jsonl").read_bytes().splitlines()]
    assert len(lines) == 60
    assert {line["fold"] for line in lines} == {"0", "1"}


def test_predictions_for_a_fold_are_calibrated_on_the_others(labelled_folder, monkeypatch):
    pages = read_pages(labelled_folder, None, group_by="repo", folds=2, seed=1, rounds=10)
    truth = pages.truth("page_type")
    first, second = truth[pages.folds == 0], truth[pages.folds == 1]
    fitted_on = []

    def fit(logits, labels):
        fitted_on.append(labels)
        return fit_temperature(logits, labels)

    monkeypatch.setattr("genre_model.training.trees.fit_temperature", fit)
    cross_validated(pages, "page_type", seed=1)
    for found, wanted in zip(fitted_on, (second, first, truth), strict=True):
        assert np.array_equal(found, wanted)


def additional_folder(folder: Path, site: str) -> Path:
    """Threads of a forum, of which the other folder has none."""
    labels = [{"id": f"t{number}", "repo": site, "genre": "forum"} for number in range(30)]
    html = [THREAD + f"<p>Thread {number}</p>" for number in range(30)]
    pages = [{"id": its["id"], "html": one} for its, one in zip(labels, html, strict=True)]
    return written(folder, labels, pages)


def test_additional_pages_are_learned_from_but_not_predicted(labelled_folder, tmp_path):
    more, oof = additional_folder(tmp_path, "elsewhere"), tmp_path / "oof.jsonl"
    model = tmp_path / "model.zst"
    words = ("--additional", str(more), "--oof", str(oof), "--no-svm")
    train(labelled_folder, model, *words)
    [found] = HtmlClassifier.from_file(model).predict([THREAD])
    assert found.page_type == "forum"
    assert len(oof.read_bytes().splitlines()) == 60


def test_a_site_is_not_in_both_folders(labelled_folder, tmp_path, capsys):
    more = additional_folder(tmp_path, "site3")
    words = ["train-html", "--data", str(labelled_folder), "--additional", str(more), "--no-model"]
    assert main(words) == 2
    assert "site site3 is in both the data and the additional pages" in capsys.readouterr().err


def test_training_twice_makes_the_same_model(labelled_folder, own, tmp_path):
    train(labelled_folder, tmp_path / "twice.zst", "--no-svm")
    assert (tmp_path / "twice.zst").read_bytes() == own.read_bytes()


def test_soft_labels_need_labels_outside_every_two_folds(labelled_folder, tmp_path, capsys):
    teach = tmp_path / "lessons.jsonl"
    words = ["train-html", "--data", str(labelled_folder), "--cross-validate", "2"]
    assert main([*words, "--no-model", "--teach", str(teach)]) == 2
    assert "--teach: pages with a known genre are needed in at least" in capsys.readouterr().err
    assert not teach.exists()


def test_pages_of_a_single_genre_are_trained_on_without_the_svm(
    labelled_folder, tmp_path, caplog, capsys
):
    lines = (labelled_folder / "labels.jsonl").read_bytes().splitlines(keepends=True)
    articles = [line for line in lines if b'"article"' in line]
    (tmp_path / "labels.jsonl").write_bytes(b"".join(articles))
    html = (labelled_folder / "html.jsonl.zst").read_bytes()
    (tmp_path / "html.jsonl.zst").write_bytes(html)
    train(tmp_path, tmp_path / "own.zst")
    assert "the paper's SVM is skipped: all training pages are of the same" in caplog.text
    assert "genre: the temperature is at its bound" in caplog.text
    told = capsys.readouterr().out
    assert told.count("genre, stripped") == 1
    assert "–" in told, "the figures of the genre without pages"
    assert "nan" not in told
    [prediction] = HtmlClassifier.from_file(tmp_path / "own.zst").predict([LIST])
    assert prediction.genre == "article"


def test_a_folder_without_labels_is_refused(tmp_path, capsys):
    assert main(["train-html", "--data", str(tmp_path)]) == 2
    assert "html.jsonl.zst" in capsys.readouterr().err


def test_a_cut_file_of_pages_is_named_with_the_line(labelled_folder, tmp_path, capsys):
    (tmp_path / "labels.jsonl").write_bytes((labelled_folder / "labels.jsonl").read_bytes())
    pages = zstandard.decompress((labelled_folder / "html.jsonl.zst").read_bytes())
    cut = tmp_path / "html.jsonl.zst"
    cut.write_bytes(zstandard.compress(pages[:-9]))
    assert main(["train-html", "--data", str(tmp_path)]) == 2
    assert f"{cut}, line 60: " in capsys.readouterr().err


def test_pages_of_wcxb_are_grouped_by_site(tmp_path):
    pages = [
        {"id": "1", "url": "https://news.example.co.uk/1", "genre": "article", "html": "a"},
        {"id": "2", "url": "https://example.co.uk/", "genre": "listing", "html": "b"},
        {"id": "3", "url": None, "genre": "service", "html": "c"},
    ]
    file = tmp_path / "wcxb.jsonl.zst"
    file.write_bytes(zstandard.compress(b"\n".join(map(orjson.dumps, pages))))
    assert [(page.site, page.genre, page.page_type) for page in read_wcxb(file)] == [
        ("example.co.uk", "article", "article"),
        ("example.co.uk", "list-view", "listing"),
        ("3", None, "service"),
    ]


@pytest.mark.parametrize("line", [b'{"id": "2", "ht', b'{"id": "2"}', b"[]"])
def test_a_line_of_wcxb_that_is_no_page_is_named(tmp_path, line):
    file = tmp_path / "wcxb.jsonl.zst"
    file.write_bytes(zstandard.compress(b'{"id": "1", "html": "<p>"}\n' + line))
    with pytest.raises(ValueError, match=r"wcxb\.jsonl\.zst, line 2: "):
        list(read_wcxb(file))


def test_answers_on_wcxb_need_wcxb(tmp_path, capsys):
    words = ["train-html", "--data", str(tmp_path), "--oof-wcxb", str(tmp_path / "oof.jsonl")]
    assert main(words) == 2
    assert "needs --wcxb" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--cross-validate", "1", "must be at least 2"),
        ("--rounds", "0", "must be at least 1"),
        ("--out", "no/such/folder/model.zst", "no/such/folder: no such folder"),
        ("--oof", ".", "must be a file, but "),
        ("--teach", "no/such/folder/lessons.jsonl", "no such folder"),
    ],
)
def test_a_wrong_option_is_named_before_anything_is_read(option, value, message, tmp_path, capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["train-html", "--data", str(tmp_path), option, value])
    assert stopped.value.code == 2
    assert message in capsys.readouterr().err


def test_pages_whose_labels_are_not_known_are_refused(tmp_path, capsys):
    pages = [{"id": str(number), "genre": "Foo", "html": ARTICLE} for number in range(8)]
    lines = b"\n".join(map(orjson.dumps, pages))
    (tmp_path / "labels.jsonl").write_bytes(lines)
    (tmp_path / "html.jsonl.zst").write_bytes(zstandard.compress(lines))
    assert main(["train-html", "--data", str(tmp_path), "--no-model"]) == 2
    assert "known genre are needed in at least two folds; 0 of 8" in capsys.readouterr().err


def test_a_file_without_pages_is_refused(tmp_path, capsys):
    (tmp_path / "none.jsonl").touch()
    assert main(["train-html", "--data", str(tmp_path / "none.jsonl"), "--no-model"]) == 2
    assert "none.jsonl: no pages to train on" in capsys.readouterr().err


def test_labels_are_those_of_the_file_not_of_the_program():
    model = load(SHIPPED_MODEL)
    renamed = replace(model.page_type, labels=tuple("abcdefghi"))
    classifier = HtmlClassifier(replace(model, page_type=renamed))
    [prediction] = classifier.predict([ARTICLE])
    assert tuple(prediction.page_type_scores) == tuple("abcdefghi")
    assert prediction.page_type == "a"


def test_words_are_used_for_page_types_only():
    model = load(SHIPPED_MODEL)
    model = replace(model, pool=HeadFusion(GENRES, {ASKED: 1.0, BY_TYPES: 0.0}, (0.0, 0.0)))
    silent = HtmlClassifier(replace(model, page_type=replace(model.page_type, words=None)))
    [with_words] = HtmlClassifier(model).predict([LIST])
    [without] = silent.predict([LIST])
    assert with_words.genre_scores == without.genre_scores
    assert with_words.page_type_scores != without.page_type_scores


def test_page_types_contribute_to_the_genre():
    model = load(SHIPPED_MODEL)

    def articles(weight: float) -> float:
        pool = HeadFusion(GENRES, {ASKED: 1.0, BY_TYPES: weight}, (0.0, 0.0))
        [prediction] = HtmlClassifier(replace(model, pool=pool)).predict([LIST])
        return prediction.genre_scores["article"]

    assert articles(2.0) < articles(1.0) < articles(0.0) < 0.5
