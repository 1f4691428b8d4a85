"""A folder for blocks of datatrove that list files by a pattern, whatever its name is."""

from __future__ import annotations

from fnmatch import fnmatch

from datatrove.io import DataFolder


class PlainFolder(DataFolder):
    """In datatrove's own, brackets in the name of the folder are part of the pattern too, so that
    it finds no files.
    """

    def list_files(
        self,
        subdirectory: str = "",
        recursive: bool = True,
        glob_pattern: str | None = None,
        include_directories: bool = False,
    ) -> list[str]:
        """glob_pattern: of names of files, in any folder."""
        found = super().list_files(subdirectory, recursive, None, include_directories)
        wanted = (glob_pattern or "*").rpartition("/")[2]
        return [path for path in found if fnmatch(path.rpartition("/")[2], wanted)]
