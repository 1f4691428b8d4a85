"""The job that a folder belongs to, so that one that is renamed does not begin anew in it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from corpus_commons.durable_files import make_folder
from crawler.frontier.errors import FrontierOwnerError

OWNER: Final = ".job"


def check_owner(folder: Path, owner: str, job: str) -> None:
    """Raises FrontierOwnerError if the folder belongs to another job."""
    if owner != job:
        raise FrontierOwnerError(
            f"{folder} holds the URLs of the job {owner!r}, not of {job!r}; choose another "
            f"outputs.folder, or name the job {owner!r} again"
        )


def claim_folder(folder: Path, job: str) -> None:
    """Record that the folder belongs to a job whose frontier is elsewhere.

    Raises FrontierOwnerError if it belongs to another, OSError if it cannot be written.
    """
    make_folder(folder)
    path = folder / OWNER
    owner = path.read_text(encoding="utf-8") if path.exists() else ""
    if not owner:
        # All workers that start at once write the same.
        path.write_text(job, encoding="utf-8")
    check_owner(folder, owner or job, job)
