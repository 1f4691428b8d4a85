"""``annotate``: label pages in the browser, and make a data set of the labels."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Final

import uvicorn

from annotate.desk import Choices, Desk
from annotate.journal import Journal
from annotate.labels import TASKS
from annotate.opinions import Machine
from annotate.server import application
from annotate.sources import open_pages
from annotate.worklist import worklist
from corpus_commons.counts import number_of
from corpus_commons.terminal.arguments import output_file, positive, whole
from corpus_commons.terminal.commands import Entry, Group, UsageError, usage_errors
from corpus_commons.terminal.commands import main as run_command
from corpus_commons.terminal.output import say
from corpus_commons.terminal.progress import watched
from corpus_commons.web.door import Door, listen
from pipelines.commands.corpus_errors import corpus_errors

COMMANDS: Final = Group(
    {"annotate": Entry("annotate.command", "label pages in the browser")},
    summary="Label pages in the browser, and make a data set of the labels.",
    extra="annotate",
)
_EXIT_CODES: Final = """exit codes:
  0    done, and the data set is made
  1    standard output cannot be written
  2    the arguments, or the files they name, cannot be used
  3    the corpus is damaged
"""
_PAGES: Final = 500
_LAST_PORT: Final = 65535


def add_arguments(parser: ArgumentParser) -> None:
    parser.epilog = _EXIT_CODES
    parser.add_argument(
        "pages",
        type=Path,
        metavar="PAGES",
        help="a folder of .html files, a .jsonl or .jsonl.zst file of pages, or a corpus with WARC",
    )
    parser.add_argument(
        "--out",
        type=output_file,
        required=True,
        metavar="FILE",
        help="the data set to make, such as labels.jsonl; its journal is beside it",
    )
    parser.add_argument(
        "--task",
        choices=TASKS,
        default=TASKS[0],
        help="label the main content, or the kinds of page (default: %(default)s)",
    )
    parser.add_argument(
        "--victor",
        action="store_true",
        help="label blocks as header, paragraph, list or continuation, not just as kept",
    )
    parser.add_argument(
        "--model", type=Path, metavar="FILE", help="your own model of boosted-blocks"
    )
    parser.add_argument(
        "--limit",
        type=positive,
        default=_PAGES,
        metavar="N",
        help="the N most uncertain pages, besides those with labels (default: %(default)s)",
    )
    parser.add_argument(
        "--port", type=whole, default=0, help="of localhost (default: one that is free)"
    )
    parser.add_argument(
        "--write", action="store_true", help="only make the data set, from the journal"
    )


@corpus_errors()
def run(arguments: Namespace) -> None:
    """Serve until Ctrl-C, and make the data set. Raises CommandError."""
    if arguments.port > _LAST_PORT:
        raise UsageError(f"--port: {arguments.port} must be at most {_LAST_PORT}")
    if arguments.victor and arguments.task != TASKS[0]:
        raise UsageError(f"--victor labels blocks; it needs --task {TASKS[0]}")
    with usage_errors():
        pages = open_pages(arguments.pages)
        machine = Machine(arguments.model)
        with _journal_of(arguments.out) as journal:
            if arguments.write and not journal.pages():
                raise UsageError(f"--write: there are no labels in {journal.path}")
            works = worklist(
                watched(pages, None, "pages"),
                machine,
                task=arguments.task,
                most=arguments.limit,
                labelled=set(journal.pages()),
            )
            choices = Choices(arguments.task, arguments.victor)
            desk = Desk(works, machine, journal, arguments.out, choices)
            if not arguments.write:
                _serve(desk, arguments.port)
            count = desk.write()
    say(f"{arguments.out}: {number_of(count, 'page')}")


@contextmanager
def _journal_of(out: Path) -> Iterator[Journal]:
    """The journal of a data set; a start that fails leaves no empty one behind."""
    with Journal.beside(out) as journal:
        try:
            yield journal
        except BaseException:
            if not journal.pages() and not out.exists():
                journal.path.unlink()
            raise


def main(argv: Sequence[str] | None = None) -> int:
    """``python -m annotate``, which has no other command."""
    words = sys.argv[1:] if argv is None else argv
    return run_command("python -m", COMMANDS, ["annotate", *words])


def _serve(desk: Desk, port: int) -> None:
    with listen(port) as listener:
        door = Door(listener.getsockname()[1])
        say(f"Label at {door.address} (Ctrl-C ends it)")
        config = uvicorn.Config(
            application(desk, door), log_level="warning", access_log=False, lifespan="off"
        )
        _Server(config).run(sockets=[listener])


class _Server(uvicorn.Server):
    """Ends at Ctrl-C or SIGTERM without raising them again: there is a data set to be made."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        del sig, frame
        self.force_exit = self.should_exit
        self.should_exit = True
