"""Distillation, without any information about the test fold."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import orjson
import pytest

from corpus_commons.kinds import PAGE_TYPES
from genre_model.samples import Sample
from genre_model.training.distillation import read_teacher
from genre_model.training.targets import label_targets

SAMPLES = [
    Sample("a", "article", "article", {}),
    Sample("b", None, None, {}),
    Sample("c", "article", "article", {}),
]
FOLDS = np.array([0, 1, 2])


def line(page: str, unseen: list[int], article: float) -> bytes:
    rest = (1 - article) / (len(PAGE_TYPES) - 1)
    types = {name: article if name == "article" else rest for name in PAGE_TYPES}
    genres = {"article": article, "list-view": 1 - article}
    return orjson.dumps(
        {"id": page, "unseen": unseen, "genre_scores": genres, "page_type_scores": types},
        option=orjson.OPT_APPEND_NEWLINE,
    )


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "teacher.jsonl"
    answers = {"a": [0.6, 0.7, 0.8], "b": [0.2, 0.3, 0.1]}
    path.write_bytes(
        b"".join(
            line(page, sorted({own, other}, reverse=True), answers[page][other])
            for page, own in (("a", 0), ("b", 1))
            for other in (own, *({0, 1, 2} - {own}))
        )
    )
    return path


def test_labels_and_soft_labels_have_equal_weight(file: Path) -> None:
    targets = read_teacher(file, SAMPLES, FOLDS).teach(
        label_targets(SAMPLES), SAMPLES, FOLDS, held=None
    )
    assert targets.answers["genre"][0].tolist() == pytest.approx([0.8, 0.2])


def test_only_soft_labels_made_without_the_test_fold_are_used(file: Path) -> None:
    targets = read_teacher(file, SAMPLES, FOLDS).teach(
        label_targets(SAMPLES), SAMPLES, FOLDS, held=2
    )
    assert targets.answers["genre"][0].tolist() == pytest.approx([0.9, 0.1])
    assert targets.answers["genre"][1].tolist() == pytest.approx([0.1, 0.9])


def test_a_page_without_a_label_gets_the_soft_label_at_half_weight(file: Path) -> None:
    targets = read_teacher(file, SAMPLES, FOLDS).teach(
        label_targets(SAMPLES), SAMPLES, FOLDS, held=None
    )
    assert targets.answers["genre"][1].tolist() == pytest.approx([0.3, 0.7])
    assert targets.weights["genre"][1] == 0.5


def test_a_page_without_a_soft_label_keeps_its_label(file: Path) -> None:
    plain = label_targets(SAMPLES)
    targets = read_teacher(file, SAMPLES, FOLDS).teach(plain, SAMPLES, FOLDS, held=None)
    assert (targets.answers["genre"][2] == plain.answers["genre"][2]).all()
    assert targets.weights["page_type"][2] == plain.weights["page_type"][2]


def test_an_incomplete_file_is_refused(file: Path) -> None:
    """The final network would be trained on it, but not those of the cross-validation."""
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:5]))
    with pytest.raises(ValueError, match=r"missing, such as that of page b without folds \[1, 2\]"):
        read_teacher(file, SAMPLES, FOLDS)


def test_a_teacher_of_other_folds_is_refused(file: Path) -> None:
    """It was trained on labels of the network's test pages."""
    with pytest.raises(
        ValueError, match=r"teacher\.jsonl:4: page b was in fold 1 .* in fold 0 here"
    ):
        read_teacher(file, SAMPLES, np.array([0, 0, 2]))


@pytest.mark.parametrize("wrong", [b"{}", b"[", b'{"id": "a", "unseen": ["x"]}'])
def test_a_wrong_line_is_named(file: Path, wrong: bytes) -> None:
    file.write_bytes(line("a", [0], 0.5) + wrong + b"\n")
    with pytest.raises(ValueError, match=r"teacher\.jsonl:2: not soft labels"):
        read_teacher(file, SAMPLES, FOLDS)
