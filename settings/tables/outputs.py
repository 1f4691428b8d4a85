"""``[outputs]``: what the crawl leaves behind, and where."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from settings.values import Bytes, FolderPath, Seconds, Table


class Outputs(Table):
    """What the crawl leaves behind, and where."""

    folder: FolderPath = None
    """The job's folder: frontier, shards, rejects and report. If not set, it is `runs/` and the
    job's name. Relative paths start where the command is run."""
    shard_size: Annotated[Bytes, Field(ge=1_000, le=10**11)] = 256_000_000
    """The largest size of a shard's file on disk. A shard that the next documents would make larger
    is closed, and another begun; only a single frame (at most 100 documents or about 8 MB of JSONL)
    may be larger by itself."""
    shard_time: Annotated[Seconds, Field(ge=1, le=86_400)] = 900.0
    """The longest time that a shard stays open."""
    compression_level: Annotated[int, Field(ge=1, le=19)] = 3
    """The Zstandard level of shards and rejects: 1 is fastest, 19 smallest."""
    keep_rejects: bool = True
    """Keep the text of rejected pages beside the reason, if they were read."""
    warc: bool = False
    """Keep what was fetched, and what scripts made of it, as WARC files."""
    screenshots: bool = False
    """Keep the screenshots of rendered pages."""
    log: Literal["text", "json"] = "text"
    """How the log is written: lines for people, or JSON objects for programs, the summary among
    them, as with `GENRE_CRAWLER_LOG=json` in the environment."""
