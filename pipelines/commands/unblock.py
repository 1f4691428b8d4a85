"""``corpus unblock``: lists what crawls must not fetch again, or lets them."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from string import ascii_lowercase, digits
from typing import Final

from corpus_commons.terminal.command_error import CommandError
from corpus_commons.terminal.commands import EXIT_UNUSABLE, UsageError
from corpus_commons.terminal.output import say
from crawler.discovery.block_list import BLOCK_LIST, BlockList
from crawler.exit_codes import StorageError
from crawler.urls import host_if_any
from pipelines.commands.named_pages import add_named, named_in
from pipelines.corpus.layout import CORPUS, under_its_name
from pipelines.forgetting.wanted import Wanted
from pipelines.reporting.tables import write_json

_DESCRIPTION: Final = f"""\
Takes pages and hosts off the block lists of jobs, {BLOCK_LIST}, on which `corpus forget` has put
them, for crawls that start from now on. These also fetch what was met of the hosts meanwhile, and
with [recrawl] what was removed, but no page that was blocked by itself and met meanwhile.
If none is named, lists what is blocked, by digests; these may be given as --id."""
_WHAT_COMES_BACK: Final = (
    "they fetch what of these hosts was met meanwhile, but without [recrawl] not what was done "
    "before, and no page that was blocked by itself: crawl those by a job of another name, and "
    "merge the corpora"
)
_EXIT_CODES: Final = """exit codes:
  0    done
  1    standard output or a list cannot be written
  2    the arguments cannot be used, or one is on none of the lists; nothing is changed
  3    a list is damaged
"""
_TYPED: Final = ascii_lowercase + digits + "-._~/?=&%"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description, parser.epilog = _DESCRIPTION, _EXIT_CODES
    parser.add_argument(
        "folders", nargs="+", type=Path, metavar="FOLDER", help="the corpus in a job's folder"
    )
    add_named(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> None:
    """Raises CommandError."""
    named = named_in(arguments)
    jobs = [_job_of(folder) for folder in arguments.folders]
    try:
        lists = {job: BlockList.read(job) for job in jobs}
        if named:
            _unblock(lists, named, as_json=arguments.json)
        else:
            _show(lists, as_json=arguments.json)
    except StorageError as error:
        raise CommandError(str(error), EXIT_UNUSABLE) from error


def _job_of(folder: Path) -> Path:
    """The job's folder, also of a corpus that is not there yet."""
    corpus = under_its_name(folder)
    if corpus.name != CORPUS or not corpus.parent.is_dir():
        raise UsageError(f"{folder} is no corpus of a job: that is the {CORPUS}/ in its folder")
    return corpus.parent


def _show(lists: Mapping[Path, BlockList], *, as_json: bool) -> None:
    if as_json:
        shown = {
            str(job): {"ids": sorted(one.ids), "hosts": sorted(one.hosts)}
            for job, one in lists.items()
        }
        write_json({"blocked": shown})
        return
    for job, one in lists.items():
        say(f"{job}: {len(one.digests):,} blocked")
        for kind, digests in (("page", one.ids), ("host", one.hosts)):
            for digest in sorted(digests):
                say(f"{kind} {digest}")


def _unblock(
    lists: Mapping[Path, BlockList], named: Mapping[str, Wanted], *, as_json: bool
) -> None:
    """What is on one of the lists need not be on all: a kill may have come between them."""
    blocked = frozenset[str]().union(*(one.digests for one in lists.values()))
    for word, wanted in named.items():
        if not wanted.digests <= blocked:
            nearest = _nearest(word, blocked)
            hint = f"; {nearest!r} is" if nearest else ""
            where = ", ".join(str(job / BLOCK_LIST) for job in lists)
            raise UsageError(f"{word!r} is not on the block list ({where}){hint}")
    gone = frozenset[str]().union(*(wanted.digests for wanted in named.values()))
    told = {str(job): _removed(job, gone) for job, one in lists.items() if one.digests & gone}
    if as_json:
        write_json({"unblocked": told})
        return
    for job, count in told.items():
        say(f"{job}: {count:,} taken off the block list, for crawls that start from now on")
    say(_WHAT_COMES_BACK)


def _removed(job: Path, digests: frozenset[str]) -> int:
    try:
        return BlockList.remove(job, digests)
    except OSError as error:
        raise CommandError(
            f"{job / BLOCK_LIST} cannot be written: {error.strerror}; run the same command again"
        ) from error


def _nearest(word: str, blocked: frozenset[str]) -> str | None:
    """What was probably meant. The list has digests only, so likely words are looked for in it."""
    for other in _alike(word):
        with suppress(ValueError):
            if Wanted.of_word(other).digests <= blocked:
                return other
    return None


def _alike(word: str) -> Iterator[str]:
    """What is one slip of the mind or of the finger away."""
    yield from (host_if_any(word), f"https://{word}/", f"www.{word}", word.removeprefix("www."))
    for place in range(len(word) + 1):
        before, first, second = word[:place], word[place : place + 1], word[place + 1 :]
        yield before + second
        yield before + second[:1] + first + second[1:]
        for typed in _TYPED:
            yield before + typed + second
            yield before + typed + first + second
