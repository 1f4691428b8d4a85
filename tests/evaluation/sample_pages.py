"""Small labelled pages, and the files that hold them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import zstandard

HOSTILE = "<script>alert('x')</script> & \"quoted\""


def record(identifier: str, html: str, gold: str, **more: Any) -> dict[str, Any]:
    return {"id": identifier, "html": html, "gold_text": gold, **more}


def sample() -> list[dict[str, Any]]:
    """Five pages; the methods of trick_methods misbehave on ``bad``."""
    return [
        record(
            "plain", "<p>the red fox</p>", "the red fox", genre="article", lang="en", split="dev",
            url="https://example.org/fox", meta={"fold": 1},
        ),
        record(
            "noisy", "<nav>menu</nav><p>the blue fox</p>", "the blue fox", genre="product",
            lang="en", split="test", meta={"fold": 2}, without=["menu"], **{"with": ["Blue Fox"]},
        ),
        record(
            "forum", "<p>first post</p><p>second post</p>", "first post\n\nsecond post",
            genre="forum", lang="de", split="test", meta={"fold": 2}, without=["login"],
        ),
        record("bad", "<p>trigger of a failure</p>", "trigger of a failure", split="test"),
        record(
            HOSTILE, f"<p>{HOSTILE.replace('<', '&lt;')}</p>", f"gold {HOSTILE}", split="test",
            genre=HOSTILE, url=f"javascript:alert(1)//{HOSTILE}",
        ),
    ]  # fmt: skip


def write_set(folder: Path, records: list[dict[str, Any]], name: str = "sample") -> Path:
    """The records as ``NAME.jsonl.zst`` in ``folder``."""
    path = folder / f"{name}.jsonl.zst"
    lines = b"".join(orjson.dumps(each) + b"\n" for each in records)
    path.write_bytes(zstandard.compress(lines))
    return path
