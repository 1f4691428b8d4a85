"""``genre-crawler``, or ``python -m genre_crawler``."""

from __future__ import annotations

import sys

from corpus_commons.terminal.interruption import interrupted


def main() -> int:
    """Run the command line of the process; Ctrl-C ends it quietly from the first import on."""
    try:
        from genre_crawler import command_line  # noqa: PLC0415

        return command_line.main()
    except KeyboardInterrupt:
        return interrupted()


if __name__ == "__main__":
    sys.exit(main())
