"""The packages as a wheel, and as ``make setup`` installs them: of use in any folder."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"benchmarks"}
# What pyproject.toml reads.
FILES = ("pyproject.toml", "requirements.txt", "README.md", "LICENSE")
USE = "from extraction import extract; print(extract('<h1>Tides</h1><p>' + 'The sea. ' * 50).text)"


def run(*arguments: object, folder: Path, path: Path | None = None) -> str:
    """What our interpreter prints in the folder, where ``path`` is looked through for packages."""
    done = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, *map(str, arguments)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(path or "")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel's content. It is made of a copy: building leaves files behind."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    for package in {*PACKAGES, "benchmarks", "tests"}:
        shutil.copytree(
            ROOT / package, source / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    for file in FILES:
        shutil.copy(ROOT / file, source)
    options = ("--no-index", "--no-deps", "--no-build-isolation", "--wheel-dir", folder)
    run("-m", "pip", "wheel", *options, source, folder=folder)
    (wheel,) = folder.glob("genre_crawler-*.whl")
    with ZipFile(wheel) as archive:
        archive.extractall(folder / "unpacked")
    return folder / "unpacked"


def files(folder: Path) -> set[str]:
    """Of a package: code, models, style sheets, scripts, by their paths."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return {
        path.relative_to(folder).as_posix() for path in found if "__pycache__" not in path.parts
    }


def test_it_holds_the_packages_and_neither_tests_nor_benchmarks(unpacked: Path) -> None:
    found = {path.name for path in unpacked.iterdir() if path.suffix != ".dist-info"}
    assert found == PACKAGES


@pytest.mark.parametrize("package", sorted(PACKAGES))
def test_it_holds_every_file_of_a_package(package: str, unpacked: Path) -> None:
    assert files(unpacked / package) == files(ROOT / package)


def test_it_says_to_type_checkers_that_every_package_is_typed(unpacked: Path) -> None:
    assert {path.parent.name for path in unpacked.glob("*/py.typed")} == PACKAGES


def test_it_requires_what_is_in_the_requirements_and_names_the_licence(unpacked: Path) -> None:
    (metadata,) = unpacked.glob("*.dist-info/METADATA")
    lines = metadata.read_text(encoding="utf-8").splitlines()
    stated = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    wanted = [line for line in stated if not line.startswith("#")]
    assert sum(line.startswith("Requires-Dist: ") for line in lines) == len(wanted)
    assert "License-Expression: Apache-2.0" in lines


def test_the_library_works_where_only_the_wheel_is(unpacked: Path, tmp_path: Path) -> None:
    where = "import extraction; print(extraction.__file__);"
    printed = run("-c", where + USE, folder=tmp_path, path=unpacked).splitlines()
    assert Path(printed[0]).is_relative_to(unpacked)
    assert printed[1].startswith("The sea.")


def test_it_has_no_demo_site_and_says_so(unpacked: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "crawler", "demo"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(unpacked)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("the demo site only comes with the repository: ")
    assert list(tmp_path.iterdir()) == []


def is_set_up() -> bool:
    """Whether the environment has the packages of this folder, not of another checkout."""
    try:
        origin = distribution("genre-crawler").read_text("direct_url.json")
    except PackageNotFoundError:
        return False
    return bool(json.loads(origin or "{}").get("url") == ROOT.as_uri())


@pytest.mark.skipif(not is_set_up(), reason="not installed from this folder: make setup")
class TestSetUp:
    """``make setup`` installs the packages where they lie."""

    def test_the_library_and_the_program_work_in_any_folder(self, tmp_path: Path) -> None:
        assert run("-c", USE, folder=tmp_path).startswith("The sea.")
        assert "crawl a job" in run("-m", "crawler", "--help", folder=tmp_path)

    def test_scrapy_works_in_any_folder_that_is_told_of_the_settings(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        page = tmp_path / "page.html"
        page.write_text("<h1>Tides</h1><p>" + "The sea. " * 50)
        monkeypatch.setenv("SCRAPY_SETTINGS_MODULE", "settings.local")
        printed = run("-m", "scrapy", "extract", page, folder=tmp_path)
        assert printed.startswith("The sea.")
