"""A training folder belongs to one run; no other run resumes from it."""

from __future__ import annotations

from pathlib import Path

import pytest

from genre_model.training.run_folder import claim, fingerprint

RUN = {"recipe": {"epochs": 1}, "network": {"window": (64, 32)}, "data": "a"}


@pytest.mark.parametrize(
    "kept", ["fold-0.npz", "state/phase-0/latest.json", "phase-1/latest.json", "network.npz"]
)
def test_another_runs_work_is_neither_resumed_nor_replaced(tmp_path: Path, kept: str) -> None:
    folder = tmp_path / "run"
    claim(folder, RUN)
    (folder / kept).parent.mkdir(parents=True, exist_ok=True)
    (folder / kept).touch()
    claim(folder, RUN)
    with pytest.raises(ValueError, match=r"\(recipe\.epochs: 1 there, 2 asked, data\)"):
        claim(folder, RUN | {"recipe": {"epochs": 2}, "data": "b"})
    claim(folder, RUN)


def test_folds_of_an_unknown_run_are_not_resumed(tmp_path: Path) -> None:
    (tmp_path / "fold-0.npz").touch()
    with pytest.raises(ValueError, match="choose another folder"):
        claim(tmp_path, RUN)


def test_a_folder_in_which_nothing_was_trained_may_be_claimed_by_another_run(
    tmp_path: Path,
) -> None:
    claim(tmp_path, RUN)
    claim(tmp_path, RUN | {"data": "b"})


def test_a_fingerprint_is_of_the_content(tmp_path: Path) -> None:
    one, same, other = (tmp_path / name for name in "abc")
    one.write_bytes(b"x")
    same.write_bytes(b"x")
    other.write_bytes(b"y")
    assert fingerprint(one) == fingerprint(same) != fingerprint(other)
