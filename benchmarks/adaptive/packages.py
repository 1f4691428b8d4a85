"""The front-end packages that pages load, out of the npm registry, kept in a folder."""

from __future__ import annotations

import subprocess
import tarfile
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from shutil import which
from typing import Any, Final

_TABLE: Final = Path(__file__).with_suffix(".toml")
_SECONDS: Final = 300


def scripts(folder: Path) -> dict[str, bytes]:
    """The packages' files by the path that pages load them from.

    folder: where they are kept; what is missing is downloaded by ``npm pack``. Raises SystemExit
    if that is impossible.
    """
    packages = tomllib.loads(_TABLE.read_text(encoding="utf-8"))
    return {
        f"/npm/{name}/{Path(file).name}": (folder / _folder(name, entry) / file).read_bytes()
        for name, entry in _complete(packages, folder)
        for file in entry["files"]
    }


def _complete(
    packages: Mapping[str, Mapping[str, Any]], folder: Path
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for name, entry in packages.items():
        if not (folder / _folder(name, entry)).is_dir():
            _download(name, entry, folder)
        yield name, entry


def _download(name: str, entry: Mapping[str, Any], folder: Path) -> None:
    program = which("npm")
    if program is None:
        raise SystemExit(f"{name} is not in {folder}; install npm, which downloads it")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as place:
        wanted = f"{name}@{entry['version']}"
        command = [program, "pack", "--silent", "--ignore-scripts", "--pack-destination", place]
        try:
            subprocess.run([*command, wanted], check=True, timeout=_SECONDS, capture_output=True)  # noqa: S603 - names of our own table
        except (subprocess.SubprocessError, OSError) as error:
            raise SystemExit(f"npm could not download {wanted}: {error}") from error
        (archive,) = Path(place).glob("*.tgz")
        with tarfile.open(archive) as packed:
            packed.extractall(place, filter="data")
        (Path(place) / "package").rename(folder / _folder(name, entry))


def _folder(name: str, entry: Mapping[str, Any]) -> str:
    return f"{name.replace('/', '+')}@{entry['version']}"
