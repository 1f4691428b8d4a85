"""Blocks of datatrove's pipelines, one module each.

from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.writers import JsonlWriter
from refinery.blocks import PageExtractor, WarcReader

LocalPipelineExecutor([WarcReader("a.warc.gz"), PageExtractor(), JsonlWriter("texts")]).run()
"""

from __future__ import annotations

from refinery.blocks.job_filter import JobFilter
from refinery.blocks.page_extractor import PageExtractor
from refinery.blocks.shard_reader import ShardReader
from refinery.blocks.shard_writer import ShardWriter
from refinery.blocks.site_learner import SiteJoiner, SiteLearner
from refinery.blocks.warc_reader import WarcReader

__all__ = [
    "JobFilter",
    "PageExtractor",
    "ShardReader",
    "ShardWriter",
    "SiteJoiner",
    "SiteLearner",
    "WarcReader",
]
