"""``python -m annotate PAGES --out labels.jsonl``: the same as ``genre-crawler annotate``."""

from __future__ import annotations

import sys

from annotate.command import main

if __name__ == "__main__":
    sys.exit(main())
