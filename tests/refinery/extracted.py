"""What stands in an extracted corpus."""

from __future__ import annotations

from pathlib import Path

from pipelines.corpus.folder import shards


def texts(corpus: Path) -> dict[str, str]:
    """The texts of the documents, by URL."""
    return {
        line["metadata"]["url"]: line["text"]
        for shard in shards(corpus)
        if shard.kind == "documents"
        for line in shard.documents()
    }


def content(corpus: Path) -> dict[str, bytes]:
    """All files, but for what is remembered of the run."""
    files = (path for path in corpus.rglob("*") if path.is_file())
    return {
        str(path.relative_to(corpus)): path.read_bytes()
        for path in files
        if not any(part.startswith(".") for part in path.relative_to(corpus).parts)
    }
