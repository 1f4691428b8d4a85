"""The packages as a wheel, and as ``make setup`` installs them: of use in any folder."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
import sysconfig
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from venv import EnvBuilder
from zipfile import ZipFile

import pytest
from dockerfile import is_sent, of_dockerfile, variables

ROOT = Path(__file__).parents[2]
PACKAGES = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"benchmarks"}
# What pyproject.toml reads.
FILES = ("pyproject.toml", "setup.py", "requirements.txt", "README.md", "LICENSE")
# What pip says of a package index that it cannot reach.
OFFLINE = "connection broken by"
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
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel. It is made of a copy: building leaves files behind."""
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
    (built,) = folder.glob("genre_crawler-*.whl")
    return built


@pytest.fixture(scope="module")
def unpacked(wheel: Path) -> Path:
    """A folder with the wheel's content."""
    folder = wheel.parent / "unpacked"
    with ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


@pytest.fixture(scope="module")
def environment(wheel: Path) -> Path:
    """An environment with the wheel and what it requires, and nothing else: its programs."""
    folder = wheel.parent / "environment"
    EnvBuilder(symlinks=True).create(folder)
    pip = ("-m", "pip", "--python", folder / "bin/python", "install", "--quiet", wheel)
    try:
        run(*pip, folder=wheel.parent)
    except AssertionError as error:
        if OFFLINE in str(error):
            pytest.skip("no package index can be reached")
        raise
    return folder / "bin"


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
    required = [line for line in lines if line.startswith("Requires-Dist: ")]
    stated = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    wanted = [line for line in stated if line and not line.startswith("#")]
    assert sum('extra == "all"' not in line for line in required) == len(wanted)
    always = [line for line in required if "extra ==" not in line]
    assert not any(name in line for line in always for name in ("tensorflow", "scrapy", "lightgbm"))
    assert {"Provides-Extra: crawl", "Provides-Extra: redis"} <= set(lines)
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
    assert "demo: the demo site only comes with the repository: " in done.stderr
    assert list(tmp_path.iterdir()) == []


class TestImage:
    """``deploy/Dockerfile`` installs the wheel and all that it requires."""

    def test_the_engine_gets_all_that_the_wheel_is_made_of(self) -> None:
        assert all(map(is_sent, (*PACKAGES, *FILES)))

    def test_its_command_crawls(self, unpacked: Path, tmp_path: Path) -> None:
        (copied,) = of_dockerfile("COPY")
        shutil.copy(ROOT / copied.split()[0], tmp_path)
        (tmp_path / "job.toml").write_text(
            'name = "x"\nseeds.urls = ["http://localhost:1/"]\nlimits.processes = 1\n'
            f'rendering.mode = "never"\noutputs.folder = "{tmp_path}/data"\nlive.enabled = false\n'
        )
        # Not our own interpreter, which also finds the packages of this folder.
        EnvBuilder(symlinks=True).create(tmp_path / "environment")
        (installed,) = tmp_path.glob("environment/lib/python*/site-packages")
        (installed / "required.pth").write_text(sysconfig.get_path("purelib"))
        _, _, _, *program = ast.literal_eval(of_dockerfile("ENTRYPOINT")[0])
        command = [word.replace("/job/", "") for word in ast.literal_eval(of_dockerfile("CMD")[0])]
        done = subprocess.run(  # noqa: S603 - our own program
            [tmp_path / "environment/bin/python", *program, *command],
            cwd=tmp_path,
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(unpacked), **variables()},
            capture_output=True,
            text=True,
            check=False,
        )
        said = [json.loads(line)["message"] for line in done.stderr.splitlines()]
        assert "x: no URL could be fetched" in said


class TestEmptyEnvironment:
    """The wheel alone is the extractor: small, quick to import, and plain about what is missing."""

    @staticmethod
    def run(program: Path, *arguments: object, folder: Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(  # noqa: S603 - our own programs
            [program, *map(str, arguments)],
            cwd=folder,
            env={"PATH": os.environ["PATH"]},
            capture_output=True,
            text=True,
            check=False,
        )

    def test_it_is_small(self, environment: Path) -> None:
        files = (path for path in environment.parent.rglob("*") if not path.is_symlink())
        assert sum(path.stat().st_size for path in files) < 150_000_000

    def test_pages_are_extracted(self, environment: Path, tmp_path: Path) -> None:
        for name in ("a", "b"):
            page = tmp_path / f"site/{name}.html"
            page.parent.mkdir(exist_ok=True)
            page.write_text(f"<title>{name}</title><h1>Tides</h1><p>" + "The sea. " * 50)
        command = environment / "genre-crawler"
        done = self.run(command, "extract", "site/a.html", folder=tmp_path)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith("The sea.")
        one = ("--processes", 1)
        done = self.run(command, "extract", "site", "--json", *one, folder=tmp_path)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        assert [line["metadata"]["url"] for line in lines] == [
            (tmp_path / f"site/{name}.html").as_uri() for name in ("a", "b")
        ]
        done = self.run(
            command,
            "extract",
            "site",
            "--format",
            "markdown",
            "--out",
            "out",
            *one,
            folder=tmp_path,
        )
        assert (done.returncode, done.stdout) == (0, "")
        assert {path.name for path in (tmp_path / "out").iterdir()} == {"a.md", "b.md"}

    def test_importing_takes_few_modules(self, environment: Path, tmp_path: Path) -> None:
        code = (
            "import sys, extraction; print(sorted({'scipy', 'pydantic', 'rich'} & {*sys.modules}))"
        )
        done = self.run(environment / "python", "-c", code, folder=tmp_path)
        assert done.stdout == "[]\n"

    @pytest.mark.parametrize(
        ("arguments", "extra"),
        [
            (("extract", "--contact", "me@example.org", "http://localhost:1/"), "crawl"),
            (("crawl", "job.toml"), "crawl"),
            (("frontier", "stats", "job.toml"), "crawl"),
            (("genre", "train", "--data", "x", "--out", "y"), "genre"),
            (("train", "victor", "--data", "x", "--out", "y"), "train"),
            (("evaluate", "extraction", "--data", "x"), "train"),
            (("genre", "train-html", "--data", "x"), "train"),
            (("annotate", "x", "--out", "y"), "annotate"),
        ],
    )
    def test_what_is_missing_is_named(
        self, arguments: tuple[str, ...], extra: str, environment: Path, tmp_path: Path
    ) -> None:
        (tmp_path / "job.toml").write_text('name = "x"\n[seeds]\nurls = ["http://localhost:1/"]\n')
        done = self.run(environment / "genre-crawler", *arguments, folder=tmp_path)
        assert done.returncode in (1, 2)
        assert f"is not installed: pip install 'genre-crawler[{extra}]'\n" in done.stderr
        assert "Traceback" not in done.stderr


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
