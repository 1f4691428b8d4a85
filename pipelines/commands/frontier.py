"""``scrapy frontier stats|retry|purge``: look into the URLs of a crawl, and steer it.

Works while the crawl runs and after. Exit codes: 0 done; 2 the arguments or the job file cannot be
used; 3 there is no frontier, or it cannot be used.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any, ClassVar, Final

import orjson
from rich.console import Console, Group
from rich.table import Table
from rich.text import Text
from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from crawler.frontier import DeadLetter, Frontier, FrontierError, HostStats, SqliteFrontier, Stats
from settings import JobError, load_job
from settings.addresses import EMBEDDED

EXIT_USAGE: Final = 2
EXIT_NO_FRONTIER: Final = 3
_ACTIONS: Final = ("stats", "retry", "purge")


class Command(ScrapyCommand):
    """JOB is a job file, or the folder of a job."""

    requires_project = True
    requires_crawler_process = False
    default_settings: ClassVar[dict[str, Any]] = {"LOG_ENABLED": False}

    def syntax(self) -> str:
        return "[options] stats JOB | retry JOB | purge JOB"

    def short_desc(self) -> str:
        return "Show the URLs of a crawl; retry or forget those that were given up"

    def long_desc(self) -> str:
        return (
            "JOB is a job file or a job's folder. stats counts its URLs and lists those that were "
            "given up; retry puts these back into the queue; purge throws their letters away."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--host", help="only the given-up URLs of this host")
        parser.add_argument(
            "--limit", type=int, default=20, metavar="N", help="hosts and given-up URLs listed (20)"
        )
        parser.add_argument("--json", action="store_true", help="print JSON, for machines")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Raises UsageError for arguments that make no sense."""
        if len(args) != 2 or args[0] not in _ACTIONS:
            raise UsageError(f"one of {', '.join(_ACTIONS)} and a job are needed")
        if opts.limit < 0:
            raise UsageError(f"--limit {opts.limit} must be 0 or more")
        action, job = args
        try:
            asyncio.run(_act(action, _folder(job), opts))
        except JobError as error:
            sys.stderr.write(f"{error}\n")
            self.exitcode = EXIT_USAGE
        except FrontierError as error:
            sys.stderr.write(f"scrapy frontier {action}: {error}\n")
            self.exitcode = EXIT_NO_FRONTIER


def _folder(job: str) -> Path:
    path = Path(job)
    if path.is_dir():
        return path
    loaded = load_job(path)
    if loaded.frontier.url != EMBEDDED:
        raise FrontierError('only an "embedded" frontier can be looked into so far')
    return loaded.folder


async def _act(action: str, folder: Path, opts: argparse.Namespace) -> None:
    async with await SqliteFrontier.attach(folder) as frontier:
        if action == "stats":
            await _show(frontier, opts)
            return
        call = frontier.retry_dead if action == "retry" else frontier.purge_dead
        count = await call(opts.host)
    done = "put back into the queue" if action == "retry" else "thrown away"
    if opts.json:
        _write_json({action: count})
    else:
        sys.stdout.write(f"{count:,} URLs {done}\n")


async def _show(frontier: Frontier, opts: argparse.Namespace) -> None:
    stats = await frontier.stats()
    hosts = await frontier.hosts(opts.limit)
    dead = await frontier.dead_letters(opts.limit, host=opts.host)
    if opts.json:
        _write_json({**asdict(stats), "busiest": hosts, "dead_letters": dead})
    else:
        Console().print(_tables(stats, hosts, dead))


def _tables(stats: Stats, hosts: list[HostStats], dead: list[DeadLetter]) -> Group:
    numbers = Table("URLs", "", box=None, pad_edge=False)
    numbers.columns[1].justify = "right"
    counts = asdict(stats)
    outcomes = counts.pop("outcomes")
    for name, count in counts.items():
        numbers.add_row(name, f"{count:,}")
    parts: list[Table | Text] = [numbers]
    if outcomes:
        done = Table("done", "", box=None, pad_edge=False)
        for name, count in sorted(outcomes.items(), key=lambda pair: -pair[1]):
            done.add_row(Text(name), f"{count:,}")
        parts += [Text(), done]
    if hosts:
        table = Table("host", "queued", "leased", "done", "dead", box=None, pad_edge=False)
        for host in hosts:
            found = (host.queued, host.leased, host.done, host.dead)
            table.add_row(Text(host.host), *(f"{count:,}" for count in found))
        parts += [Text(), table]
    if dead:
        table = Table("given up", "attempts", "reason", box=None, pad_edge=False)
        for letter in dead:
            table.add_row(Text(letter.url), str(letter.attempts), Text(letter.reason))
        parts += [Text(), table]
    return Group(*parts)


def _write_json(data: dict[str, Any]) -> None:
    sys.stdout.buffer.write(orjson.dumps(data, option=orjson.OPT_APPEND_NEWLINE))
    sys.stdout.flush()
