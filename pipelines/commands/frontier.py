"""``scrapy frontier``: look into the URLs of a crawl, and steer it and its workers.

Works while the crawl runs and after. Exit codes: 0 done; 2 the arguments or the job file cannot be
used; 3 there is no frontier, or it cannot be used.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import nullcontext, redirect_stdout
from dataclasses import asdict
from pathlib import Path
from typing import Any, ClassVar, Final

import orjson
from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from crawler.frontier import Frontier, FrontierError, SqliteFrontier
from crawler.frontier.redis import RedisFrontier
from crawler.frontier.redis.export import check_kept, exported, free, is_freed
from crawler.frontier.redis.fleet import State
from crawler.job_frontier import attach_frontier
from crawler.jobs import with_frontier
from pipelines.durable import replacing
from pipelines.frontier_tables import tables
from pipelines.printing import show, write_json
from settings import load_job
from settings.addresses import EMBEDDED, without_any_login
from terminal.commands import EXIT_USAGE
from terminal.output import standard_output

EXIT_NO_FRONTIER: Final = 3
# What may be asked of a job whose removal has begun.
_ALWAYS: Final = frozenset({"stats", "export"})
_STATES: Final[dict[str, State]] = {"pause": "paused", "resume": "running", "stop": "stopped"}


class Command(ScrapyCommand):
    """JOB is a job file, or the folder of a job."""

    requires_project = True
    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        return f"[options] {'|'.join(_ACTIONS)} JOB"

    def short_desc(self) -> str:
        return "Show the URLs of a crawl; retry or forget those given up; steer its workers"

    def long_desc(self) -> str:
        return (
            "JOB is a job file or a job's folder. stats counts its URLs and lists those that were "
            "given up; retry puts these back into the queue; purge forgets them. For jobs in Redis "
            "(named in the job file, or by -s FRONTIER=URL): pause gives out no more URLs, resume "
            "gives them out again, stop ends all workers in order, export writes every URL that is "
            "not done to a file."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--host", help="only the given-up URLs of this host")
        parser.add_argument(
            "--limit", type=int, default=20, metavar="N", help="hosts and given-up URLs listed (20)"
        )
        parser.add_argument("--json", action="store_true", help="print JSON, for machines")
        parser.add_argument(
            "--to", type=Path, metavar="FILE", help="export: the file for its JSON lines"
        )
        parser.add_argument(
            "--free",
            action="store_true",
            help="export: remove the job from Redis afterwards; end its workers first",
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Raises UsageError for arguments that make no sense."""
        if len(args) != 2 or args[0] not in _ACTIONS:
            raise UsageError(f"name one of {', '.join(_ACTIONS)}, and a job")
        if opts.limit < 0:
            raise UsageError(f"--limit {opts.limit} must be 0 or more")
        action, job = args
        if action == "export" and opts.to is None:
            raise UsageError("export needs --to FILE")
        if opts.free and action != "export":
            raise UsageError(f"--free goes with export, not with {action}")
        if opts.free and _is_stream(opts.to):
            raise UsageError(
                f"--free needs a regular file, not {opts.to}: a job is removed when its export is "
                "safe on a disk"
            )
        url = self.settings.get("FRONTIER") if self.settings else None
        try:
            asyncio.run(_act(action, Path(job), url, opts))
        except ValueError as error:
            sys.stderr.write(f"{error}\n")
            self.exitcode = EXIT_USAGE
        except (FrontierError, OSError) as error:
            sys.stderr.write(f"scrapy frontier {action}: {error}\n")
            self.exitcode = EXIT_NO_FRONTIER


async def _act(action: str, job: Path, url: str | None, opts: argparse.Namespace) -> None:
    async with await _attached(job, url) as frontier:
        opts.action = action
        if action not in _ALWAYS and isinstance(frontier, RedisFrontier):
            await check_kept(frontier)
        await _ACTIONS[action](frontier, opts)


async def _attached(path: Path, url: str | None) -> Frontier:
    """The frontier of a job. Raises FrontierError, JobError, or ValueError for the URL."""
    if path.is_dir():
        if url not in (None, EMBEDDED):
            raise ValueError(
                f"FRONTIER={without_any_login(url)} needs the job file in the place of the folder "
                f"{path}: a Redis knows the job by its name"
            )
        return await SqliteFrontier.attach(path)
    return await attach_frontier(with_frontier(load_job(path), url))


async def _stats(frontier: Frontier, opts: argparse.Namespace) -> None:
    stats = await frontier.stats()
    hosts = await frontier.hosts(opts.limit)
    dead = await frontier.dead_letters(opts.limit, host=opts.host)
    reasons = await frontier.dead_reasons(opts.host)
    fleet = await frontier.fleet() if isinstance(frontier, RedisFrontier) else None
    if opts.json:
        shared = {"fleet": fleet} if fleet else {}
        given_up = {"dead_reasons": reasons, "dead_letters": dead}
        write_json({**asdict(stats), "busiest": hosts, **given_up, **shared})
    else:
        show(tables(stats, hosts, reasons, dead, fleet))


async def _retry(frontier: Frontier, opts: argparse.Namespace) -> None:
    count = await frontier.retry_dead(opts.host)
    _say(opts, count, f"{count:,} URLs put back into the queue")


async def _purge(frontier: Frontier, opts: argparse.Namespace) -> None:
    count = await frontier.purge_dead(opts.host)
    _say(opts, count, f"{count:,} URLs thrown away")


async def _steer(frontier: Frontier, opts: argparse.Namespace) -> None:
    shared, state = _shared(frontier, opts.action), _STATES[opts.action]
    await shared.set_state(state)
    _say(opts, state, f"the job is {state}")


async def _export(frontier: Frontier, opts: argparse.Namespace) -> None:
    shared = _shared(frontier, "export")
    # The export of a job whose removal was interrupted was whole, and stays as it is.
    was_freed = opts.free and await is_freed(shared)
    written = Counter() if was_freed else await _written(shared, opts.to)
    if opts.free:
        await free(shared, written)
    lines = written.total()
    text = f"{opts.to} is as it was" if was_freed else f"{lines:,} lines written to {opts.to}"
    removed = ", and the job removed; a worker that starts now begins it anew" if opts.free else ""
    # What is written may be standard output itself.
    with redirect_stdout(sys.stderr) if _is_stream(opts.to) else nullcontext():
        _say(opts, lines, f"{text}{removed}")


async def _written(frontier: RedisFrontier, path: Path) -> Counter[str]:
    """Write the export, to a file safe on the disk; how many things of each kind it has."""
    written: Counter[str] = Counter()
    with path.open("wb") if _is_stream(path) else replacing(path.resolve()) as file:
        async for line in exported(frontier):
            file.write(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))
            written.update(line.keys())
    return written


def _is_stream(path: Path) -> bool:
    """Whether what is written there goes on, as through a pipe, and has no place to be put in."""
    return path.exists() and not path.is_file()


def _shared(frontier: Frontier, action: str) -> RedisFrontier:
    if not isinstance(frontier, RedisFrontier):
        raise FrontierError(
            f"an embedded frontier has one worker and is one file: there is nothing to {action}; "
            "Ctrl-C stops its crawl, and the same command goes on with it"
        )
    return frontier


_ACTIONS: Final[dict[str, Callable[[Frontier, argparse.Namespace], Awaitable[None]]]] = {
    "stats": _stats,
    "retry": _retry,
    "purge": _purge,
    "export": _export,
    **dict.fromkeys(_STATES, _steer),
}


def _say(opts: argparse.Namespace, value: object, text: str) -> None:
    if opts.json:
        write_json({opts.action: value})
    else:
        with standard_output() as out:
            out.write(f"{text}\n")
