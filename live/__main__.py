"""``python -m live``, which has no other command than ``live``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final

from corpus_commons.terminal.commands import Entry, Group
from corpus_commons.terminal.commands import main as run_command

COMMANDS: Final = Group(
    {"live": Entry("live.command", "watch and steer all workers of a job in Redis")},
    summary="Watch and steer all workers of a job in Redis.",
    extra="crawl",
)


def main(argv: Sequence[str] | None = None) -> int:
    words = sys.argv[1:] if argv is None else argv
    return run_command("python -m", COMMANDS, ["live", *words])


if __name__ == "__main__":
    sys.exit(main())
