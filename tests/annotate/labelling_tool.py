"""The tool, in this process or in one of its own, and pages for it to show."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import orjson
import uvicorn

from annotate.desk import Choices, Desk
from annotate.journal import Journal
from annotate.opinions import Machine
from annotate.server import application
from annotate.sources import open_pages
from annotate.worklist import worklist
from corpus_commons.web.door import Door, listen

SENTENCES = (
    "The council met on Monday evening and decided to rebuild the old bridge over the river.",
    "Work will begin in the spring, and the road will be closed for about three months.",
    "Neighbours welcomed the plan, though some of them asked how the money will be found.",
)
MENU = ("Home", "Sport", "Weather", "Contact us")


def story(number: int) -> str:
    """A page with a menu, a heading, three paragraphs and a footer."""
    menu = "".join(f"<li><a href=/{name}>{name}</a></li>" for name in MENU)
    text = "".join(f"<p class=t>{sentence} ({number})</p>" for sentence in SENTENCES)
    return (
        f"<!doctype html><title>Bridge {number}</title><style>body {{ font: 16px serif }}</style>"
        f"<nav><ul>{menu}</ul></nav><main><h1>A new bridge {number}</h1><article>{text}</article>"
        "</main><footer><p>All rights reserved</p></footer>"
    )


def stories(file: Path, count: int) -> Path:
    """A data set of such pages, each of a site of its own."""
    lines = (
        {"id": f"page {n}", "url": f"https://site{n}.com/a", "lang": "en", "html": story(n)}
        for n in range(count)
    )
    file.write_bytes(b"".join(orjson.dumps(one, option=orjson.OPT_APPEND_NEWLINE) for one in lines))
    return file


@contextmanager
def desk_of(
    pages: Path, out: Path, choices: Choices | None = None, machine: Machine | None = None
) -> Iterator[Desk]:
    machine = machine or Machine()
    choices = choices or Choices()
    with Journal.beside(out) as journal:
        labelled = set(journal.pages())
        works = worklist(open_pages(pages), machine, task=choices.task, most=100, labelled=labelled)
        yield Desk(works, machine, journal, out, choices)


@contextmanager
def serving(desk: Desk, port: int = 0) -> Iterator[str]:
    """The desk's server in a thread of this process; gives its address."""
    listener = listen(port)
    door = Door(listener.getsockname()[1])
    config = uvicorn.Config(application(desk, door), log_level="warning", lifespan="off")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield door.address
    finally:
        server.should_exit = True
        thread.join()


@contextmanager
def program(pages: Path, out: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """``python -m annotate`` and its address."""
    command = [sys.executable, "-m", "annotate", str(pages), "--out", str(out)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603 - our own command
        assert process.stdout is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found
        try:
            yield process, found[0]
        finally:
            process.kill()
