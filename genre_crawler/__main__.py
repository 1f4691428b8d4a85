"""``python -m genre_crawler``."""

from __future__ import annotations

import sys

from genre_crawler.command_line import main

if __name__ == "__main__":
    sys.exit(main())
