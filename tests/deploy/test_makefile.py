"""What ``make`` installs, by the programs that it would call on other machines."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


class Machine:
    """Programs in a folder that note how they are called, and otherwise do as they are told."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._notes = folder / "notes"
        self._notes.touch()

    def add(self, name: str, script: str = "") -> None:
        program = self.folder / name
        program.write_text(f'#!/bin/sh\necho "{name} $*" >>{self._notes}\n{script}\n')
        program.chmod(0o755)

    def make(self, target: str) -> list[str]:
        """The calls that ``make TARGET`` leads to, with ``$(BIN)`` on this machine."""
        subprocess.run(  # noqa: S603 - our own Makefile
            ["make", "-f", ROOT / "Makefile", target, f"BIN={self.folder}"],  # noqa: S607
            cwd=self.folder,
            env={"PATH": f"{self.folder}:{os.environ['PATH']}"},
            capture_output=True,
            check=True,
        )
        return self._notes.read_text().splitlines()


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    made = Machine(tmp_path)
    made.add("python")
    made.add("id", "echo 0")
    made.add("apt-get")
    return made


PLAYWRIGHT = "python -m playwright install"


def test_root_installs_debians_browser(machine: Machine) -> None:
    calls = machine.make("install-browser")
    assert calls[-1].endswith("chromium-headless-shell")
    assert not any(call.startswith(PLAYWRIGHT) for call in calls)


def test_where_the_system_has_no_such_package_root_installs_that_of_playwright(
    machine: Machine,
) -> None:
    machine.add("apt-get", 'case "$*" in *chromium*) exit 100;; esac')
    calls = machine.make("install-browser")
    assert calls[-1] == f"{PLAYWRIGHT} --with-deps chromium-headless-shell"
    assert any(call.endswith("fonts-noto-cjk") for call in calls)


def test_others_install_that_of_playwright_without_the_systems_libraries(machine: Machine) -> None:
    machine.add("id", "echo 1000")
    calls = machine.make("install-browser")
    assert calls[-1] == f"{PLAYWRIGHT} chromium-headless-shell"
    assert not any(call.startswith("apt-get") for call in calls)


@pytest.mark.parametrize("job", ["my.toml", "/jobs of mine/my job.toml"])
def test_the_folder_of_a_job_may_have_spaces_in_its_name(job: str) -> None:
    asked = ["make", "--dry-run", "--no-print-directory", "crawl", f"JOB={job}"]
    done = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S603
    program = shlex.split(done.stdout.splitlines()[-1])
    assert program[-4:] == ["-m", "crawler", "run", job]


@pytest.mark.parametrize("target", ["lint", "types"])
def test_style_and_types_need_the_environment_and_no_browser(target: str) -> None:
    asked = ["make", "--dry-run", "--always-make", target, "BIN=/nowhere"]
    done = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S603
    assert "--editable ." in done.stdout
    assert "browser" not in done.stdout
