"""A long run of trials is resumed where it was stopped."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.faults.progress import Progress, ProgressError
from benchmarks.faults.trials import Trial

OPTIONS = {"kills": 20, "per_crawl": 5, "only": ("crawler", "fleet")}
TRIAL = Trial("kill -9 of the crawler", moments=[0.5, 2.0], problems=["one"], documents=7)


def test_what_was_concluded_is_known_to_the_next_run(tmp_path: Path) -> None:
    Progress(tmp_path, OPTIONS).add("crawler", 3, TRIAL)
    resumed = Progress(tmp_path, OPTIONS)
    assert resumed.known("crawler", 3) == TRIAL
    assert resumed.known("crawler", 4) is resumed.known("fleet", 3) is None


def test_a_line_that_was_cut_off_is_no_trial(tmp_path: Path) -> None:
    progress = Progress(tmp_path, OPTIONS)
    progress.add("crawler", 0, TRIAL)
    progress.add("crawler", 1, TRIAL)
    file = tmp_path / "trials.jsonl"
    file.write_bytes(file.read_bytes()[:-5])
    resumed = Progress(tmp_path, OPTIONS)
    assert resumed.known("crawler", 1) is None
    resumed.add("crawler", 1, TRIAL)
    assert [json.loads(line)["number"] for line in file.read_text().splitlines()] == [0, 1]


def test_other_options_are_refused_by_name(tmp_path: Path) -> None:
    Progress(tmp_path, OPTIONS)
    with pytest.raises(ProgressError, match="--per-crawl is 6, but was 5;") as refused:
        Progress(tmp_path, {**OPTIONS, "per_crawl": 6})
    assert "--kills" not in str(refused.value)
