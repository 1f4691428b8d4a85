"""The same corpus on a cluster of Ray that loses a node, and by Slurm."""

from __future__ import annotations

import logging
import os
import threading
import time
from pathlib import Path

import pytest
import ray
from archive_samples import archive
from extracted import content
from ray.cluster_utils import Cluster

from refinery.executors import Place
from refinery.extraction import Choices, extract
from refinery.warc.addresses import archives

pytestmark = pytest.mark.timeout(300)

# What a user's machine would have: they run the script once for each task of its array.
_SBATCH = """#!/bin/bash
for script; do :; done
last=$(sed -n 's/^#SBATCH --array=0-\\([0-9]*\\).*/\\1/p' "$script")
export SLURM_NODELIST=here
for task in $(seq 0 "$last"); do
  SLURM_ARRAY_TASK_ID=$task bash "$script" > /dev/null 2>&1 || true
done
echo Submitted batch job 1
"""
_SRUN = """#!/bin/bash
while [[ $1 == -* ]]; do [[ $1 == -n ]] && shift; shift; done
exec "$@"
"""
_SCONTROL = """#!/bin/bash
echo here
"""


def sources(folder: Path, count: int, pages: int) -> dict[str, int | None]:
    names = (f"{number}.example" for number in range(count))
    return archives(str(archive(folder / f"{name}.warc.gz", pages, host=name)) for name in names)


def test_a_node_of_a_ray_cluster_dies_and_nothing_is_lost(tmp_path: Path) -> None:
    given = sources(tmp_path, 3, 6)
    whole, out = tmp_path / "whole", tmp_path / "ray"
    extract(given, whole, Choices(), Place(processes=2))
    head = {"num_cpus": 1, "include_dashboard": False}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    try:
        node = cluster.add_node(num_cpus=1)

        def kill() -> None:
            while not list(out.glob("manifest-*")):
                time.sleep(0.05)
            cluster.remove_node(node, allow_graceful=False)

        killing = threading.Thread(target=kill)
        killing.start()
        extracted = extract(given, out, Choices(), Place(ray=cluster.address))
        killing.join()
    finally:
        ray.shutdown()
        cluster.shutdown()
        logging.getLogger().setLevel(logging.WARNING)
    assert (extracted.outcome.done, extracted.outcome.tasks) == (3, 3)
    assert content(out) == content(whole)


def test_slurm_gets_a_task_for_each_archive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, script in (("sbatch", _SBATCH), ("srun", _SRUN), ("scontrol", _SCONTROL)):
        (tmp_path / name).write_text(script)
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    given = sources(tmp_path, 2, 2)
    extracted = extract(given, tmp_path / "out", Choices(), Place(slurm="cpu"))
    assert extracted.outcome.is_submitted
    assert extracted.documents == 4
    script = next((tmp_path / "out/.state/extract-warc").glob("*/launch_script.slurm")).read_text()
    assert "#SBATCH --partition=cpu\n" in script
    assert "#SBATCH --array=0-1\n" in script
