"""``python -m evaluation genre``."""

from __future__ import annotations

import json
from pathlib import Path

from evaluation.commands import main


def test_missing_predictions_exit_with_3(tmp_path: Path) -> None:
    labels = "".join(f'{{"id": "{n}", "genre": "article"}}\n' for n in range(3))
    (tmp_path / "labels.jsonl").write_text(labels)
    line = {"by": "html", "genre": "article", "genre_scores": {"article": 0.9, "list-view": 0.1}}
    line |= {"page_type": "article", "page_type_scores": {"article": 0.9}}
    predictions = tmp_path / "genres.jsonl"
    for predicted, code in ((2, 3), (3, 0)):
        rows = (json.dumps({"id": str(n)} | line) + "\n" for n in range(predicted))
        predictions.write_text("".join(rows))
        told = ["--data", str(tmp_path), "--predictions", str(predictions)]
        assert main(["genre", *told]) == code
