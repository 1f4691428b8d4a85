"""How many processes read pages: as many as there are cores that may be used."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from corpus_commons.cores import usable_cores


@pytest.fixture
def many_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(32)), raising=False)


@pytest.mark.usefixtures("many_cores")
@pytest.mark.parametrize(
    ("limits", "cores"),
    [
        ({"cpu.max": "100000 100000\n"}, 1),
        ({"cpu.max": "150000 100000\n"}, 2),
        ({"cpu.max": "1000 100000\n"}, 1),
        ({"cpu.max": "6400000 100000\n"}, 32),
        ({"cpu.max": "max 100000\n"}, 32),
        ({"cpu/cpu.cfs_quota_us": "250000\n", "cpu/cpu.cfs_period_us": "100000\n"}, 3),
        ({"cpu/cpu.cfs_quota_us": "-1\n", "cpu/cpu.cfs_period_us": "100000\n"}, 32),
        ({"cpu.max": "no numbers"}, 32),
        ({}, 32),
    ],
)
def test_the_quota_of_a_container_bounds_the_cores(
    tmp_path: Path, limits: dict[str, str], cores: int
) -> None:
    (tmp_path / "cpu").mkdir()
    for name, text in limits.items():
        (tmp_path / name).write_text(text)
    assert usable_cores(tmp_path) == cores


def test_the_cores_are_those_that_the_process_may_use(tmp_path: Path) -> None:
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})
    try:
        assert usable_cores(tmp_path) == 1
    finally:
        os.sched_setaffinity(0, allowed)
