"""What holds for every test."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
from collections.abc import Generator, Iterator
from importlib import import_module
from multiprocessing import util
from pathlib import Path
from typing import TYPE_CHECKING

import forked_workers as forks
import pytest
from hypothesis import settings
from scrapy.utils.reactor import install_reactor

from corpus_commons.browser import system_browser
from corpus_commons.cores import usable_cores
from genre_model.network.tensorflow_runtime import for_training

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# A disk takes milliseconds for each of the many files that are synchronised, memory none. All tests
# together fill less than half of this room.
_MEMORY = Path("/dev/shm")  # noqa: S108 - the folders in it have unguessable names
_ROOM = 2 * 2**30
_LONGEST_NAME = 100
if "TMPDIR" not in os.environ and _MEMORY.is_dir() and shutil.disk_usage(_MEMORY).free > _ROOM:
    os.environ["TMPDIR"] = str(_MEMORY)
    tempfile.tempdir = None

# It is collected for examples in docstrings, and a second one is no module of the same name.
collect_ignore_glob = ["*/conftest.py"]

# How long an example takes says more about what else the machine does than about the code;
# pytest's own time limit ends what hangs.
settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")

# Scrapy's, before a test imports what would install Twisted's own choice.
install_reactor("twisted.internet.asyncioreactor.AsyncioSelectorReactor")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """For tests of our own pages."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - few tests need it

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=system_browser())
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def forked_workers() -> Iterator[None]:
    """Worker processes are forks of this one, which has loaded what page workers need."""
    from pipelines.reading.page_reader import PageReader  # noqa: PLC0415 - few tests need it

    PageReader().warm()
    forks.end_server()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(util, "spawnv_passfds", forks.start)
        yield
    forks.end_server()


@pytest.fixture
def fresh_workers(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """They are new programs, here and in loaded programs."""
    monkeypatch.setenv(forks.FRESH, "1")
    forks.end_server()
    yield
    forks.end_server()


def pytest_xdist_auto_num_workers() -> int:
    """For ``-n auto``: more than there are cores, as crawls mostly wait for servers and clocks."""
    return usable_cores() * 2


def pytest_make_parametrize_id(val: object) -> str | None:
    """Long values are named by their beginning: a name goes to all processes, and to their
    environment, which has no room for a page of a megabyte.
    """
    if isinstance(val, str | bytes) and len(val) > _LONGEST_NAME:
        return ascii(val[:_LONGEST_NAME])
    return None


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """What is loaded and collected stays: it is not searched for garbage, then or by a test."""
    gc.disable()
    try:
        if not session.config.pluginmanager.hasplugin("dsession"):
            _load()
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What is made for a module is made once: the tests that use it run in one process."""
    for item in items:
        if isinstance(item, pytest.Function) and "module" in _scopes(item):
            item.add_marker(pytest.mark.xdist_group(item.module.__name__))


def _load() -> None:
    """What takes long, which a process that only hands tests to others need not have."""
    # It looks through all modules that are loaded, which soon are thousands.
    import_module("scrapy.core.downloader.handlers.http11")
    # Tests that train share their process with others, and this has to be said before any
    # operation.
    for_training()


def _scopes(test: pytest.Function) -> set[str]:
    """Of the fixtures that the test uses."""
    return {made[-1].scope for made in test._fixtureinfo.name2fixturedefs.values()}
