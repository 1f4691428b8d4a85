"""``near-duplicates``: one document of each cluster of near copies, by datatrove's MinHash."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final, Literal

import numpy as np
from datatrove.pipeline.dedup.minhash import (
    MinhashConfig,
    MinhashDedupBuckets,
    MinhashDedupCluster,
    MinhashDedupSignature,
)
from pydantic import Field

from refinery.steps import ranking
from refinery.steps.base import Judge, OverallStep, Task, Work
from refinery.steps.plain_folder import PlainFolder
from refinery.steps.words import Words

_TABLES, _SIGNATURES, _PAIRS, _CLUSTERS = "tables", "signatures", "pairs", "clusters"
_PAIR: Final = np.dtype([("number", "<u4"), ("cluster", "<u4")])


class NearDuplicates(OverallStep):
    """Keeps one document of each cluster of near copies. They are found by MinHash with datatrove's
    parameters, those of FineWeb: two documents that have three quarters of their 5-grams in common
    are found with a probability of .77, with 85 % of .99. Case, marks and
    accents do not count, and any number is as any other: of tables that differ in their numbers
    alone, one is kept.
    """

    use: Literal["near-duplicates"] = "near-duplicates"
    """The step's name."""
    keep: ranking.Best = "longest"
    """Which one is kept: the longest, or the one that was fetched last."""
    words: Annotated[int, Field(ge=1, le=20)] = 5
    """The words of an n-gram."""
    buckets: Annotated[int, Field(ge=1, le=100)] = 14
    """Documents that agree in one of so many buckets are near copies."""
    hashes: Annotated[int, Field(ge=1, le=100)] = 8
    """The hashes that must agree in a bucket. Fewer find copies that are less alike."""

    def prepare(self, work: Work) -> None:
        state = work.state
        config = MinhashConfig(
            n_grams=self.words, num_buckets=self.buckets, hashes_per_bucket=self.hashes
        )
        work.over_documents(
            ranking.IdTable(state),
            ranking.RankingTable(state / _TABLES, ranking.id_of, ranking.value_by(self.keep)),
            MinhashDedupSignature(str(state / _SIGNATURES), config, language=Words()),
        )
        pairs = MinhashDedupBuckets(
            str(state / _SIGNATURES), str(state / _PAIRS), config=config, lines_to_buffer=1000
        )
        work.alone(_PAIRS, self.buckets, pairs)
        clusters = MinhashDedupCluster(
            PlainFolder(str(state / _PAIRS)),
            str(state / _CLUSTERS),
            config=config,
            save_cluster_id=True,
            lines_to_buffer=1000,
        )
        work.alone(_CLUSTERS, 1, clusters)
        rows = _in_clusters(ranking.tables(state / _TABLES), state / _CLUSTERS)
        ranking.drop_all_but(rows, 1, state)

    def judge(self, task: Task) -> Judge:
        return ranking.judge_copies(task.state, task.rank, "near-duplicate")


def _in_clusters(rows: ranking.Table, folder: Path) -> ranking.Table:
    """The rows of documents in clusters, grouped by these."""
    found = []
    paths = sorted(folder.glob("*.clusters"))
    # The rows of a task lie together, one for each document.
    tasks = np.array([int(path.stem) for path in paths], dtype=np.uint32)
    begins = np.searchsorted(rows["rank"], tasks)
    for path, begin in zip(paths, begins, strict=True):
        pairs = np.fromfile(path, dtype=_PAIR)
        in_clusters = rows[begin + pairs["number"]]
        in_clusters["group"] = pairs["cluster"]
        found.append(in_clusters)
    return np.concatenate(found) if found else rows[:0]
