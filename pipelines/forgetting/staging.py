"""Replaces files of a folder, all or none: whenever the process is killed.

New files are made in a folder of their own, which nobody reads. Once they are complete, a journal
says which files they replace: from then on they do, even if that takes another process.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Annotated

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from corpus_commons.durable_files import make_folder, replace_file, sync_directory
from pipelines.corpus.errors import DamagedError
from pipelines.corpus.layout import FORGETTING, JOURNAL

# A journal is not trusted: it must not name files outside its folder, but for its job's reports.
_File = Annotated[
    str,
    Field(pattern=r"^((?!/)(?!(.*/)?\.\.(/|$)).+|\.\./report\.html|\.\./reports/[^/]+\.html)$"),
]


class _Journal(BaseModel):
    """replaced: by the names of the new files. removed: paths, as those are."""

    model_config = ConfigDict(strict=True, regex_engine="python-re")

    replaced: dict[Annotated[str, Field(pattern=r"^[0-9]+$")], _File]
    removed: list[_File]


class Staging:
    """What is to be replaced or removed in a folder. Raises OSError.

    What an earlier process has left is discarded, unless it had come to its journal: call
    ``finish`` first.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._place = folder / FORGETTING
        shutil.rmtree(self._place, ignore_errors=True)
        self._replaced: dict[str, str] = {}
        self._removed: list[str] = []

    def replacement(self, path: Path) -> Path:
        """Where to write what replaces the file at ``path``, in the folder or a job's report."""
        make_folder(self._place)
        name = f"{len(self._replaced):06d}"
        self._replaced[name] = Path(os.path.relpath(path, self._folder)).as_posix()
        return self._place / name

    def remove(self, path: Path) -> None:
        """Have a file removed."""
        self._removed.append(path.relative_to(self._folder).as_posix())

    def commit(self) -> None:
        """Replace and remove the files."""
        if not self._replaced and not self._removed:
            return
        make_folder(self._place)
        for name in self._replaced:
            with (self._place / name).open("rb") as file:
                os.fsync(file.fileno())
        sync_directory(self._place)
        journal = {"replaced": self._replaced, "removed": self._removed}
        replace_file(self._folder / JOURNAL, orjson.dumps(journal))
        finish(self._folder)


def finish(folder: Path) -> bool:
    """Do what a journal says, if there is one; returns whether there was.

    Raises OSError, and DamagedError for a journal that this program did not write.
    """
    path = folder / JOURNAL
    if not path.exists():
        return False
    try:
        journal = _Journal.model_validate_json(path.read_bytes())
    except ValidationError as error:
        raise DamagedError(f"{path} is not a journal of this program: {error}") from error
    changed = {folder}
    for name in journal.removed:
        target = folder / name
        target.unlink(missing_ok=True)
        changed.add(target.parent)
    for name, file in journal.replaced.items():
        staged = folder / FORGETTING / name
        # Reports are beside the folder, which may be a link to another disk.
        report = file.removeprefix("../") if file.startswith("../") else None
        target = folder.parent / report if report else folder / file
        # It is not there if an earlier process has done it.
        if staged.exists() and report:
            replace_file(target, staged.read_bytes())
        elif staged.exists():
            staged.replace(target)
        changed.add(target.parent)
    for parent in changed:
        sync_directory(parent)
    path.unlink()
    sync_directory(folder)
    shutil.rmtree(folder / FORGETTING, ignore_errors=True)
    return True
