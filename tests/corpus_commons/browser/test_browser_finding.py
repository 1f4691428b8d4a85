"""Which browser is found, on machines that have one, the other, or none."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpus_commons.browser import finding, has_browser, system_browser


def install(folder: Path, name: str) -> Path:
    folder.mkdir(exist_ok=True)
    program = folder / name
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    return program


@pytest.fixture(autouse=True)
def bare_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.delenv("PLAYWRIGHT_BROWSERS_PATH", raising=False)
    monkeypatch.setattr(finding, "_FOLDERS", (tmp_path / "cache",))
    return tmp_path


def test_the_headless_shell_is_preferred_to_the_whole_browser(bare_machine: Path) -> None:
    whole = install(bare_machine / "bin", "chromium")
    assert system_browser() == str(whole)
    shell = install(bare_machine / "bin", "chromium-headless-shell")
    assert system_browser() == str(shell)
    assert has_browser()


def test_a_machine_without_any_has_none() -> None:
    assert system_browser() is None
    assert not has_browser()


def test_that_of_playwright_will_do(bare_machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (bare_machine / "cache" / "chromium_headless_shell-1200").mkdir(parents=True)
    assert system_browser() is None
    assert has_browser()
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(bare_machine / "elsewhere"))
    assert not has_browser()
    (bare_machine / "elsewhere" / "chromium-1200").mkdir(parents=True)
    assert has_browser()
