"""``frontier``: inspect the URLs of a crawl, and control it and its workers."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import nullcontext, redirect_stdout
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Final

import orjson
from rich.console import Group, RenderableType
from rich.text import Text

from corpus_commons.counts import number_of
from corpus_commons.durable_files import replacing
from corpus_commons.terminal.arguments import argument, whole
from corpus_commons.terminal.command_error import CommandError
from corpus_commons.terminal.commands import (
    EXIT_UNUSABLE,
    EXIT_USAGE,
    UsageError,
    add_actions,
)
from corpus_commons.terminal.console import show
from corpus_commons.terminal.output import say
from crawler.dead_reasons import check_reason
from crawler.frontier import (
    DeadLetter,
    Fleet,
    Frontier,
    FrontierError,
    HostStats,
    SharedFrontier,
    SqliteFrontier,
    Stats,
)
from crawler.frontier.counters import by_count
from crawler.frontier.fleet import STATES
from crawler.frontier.opening import attach_frontier
from pipelines.reporting.job_state import IDLE, job_state
from pipelines.reporting.tables import apart, count_table, table, write_json
from settings import load_job
from settings.addresses import host_name
from settings.frontier_address import EMBEDDED
from settings.given_job import with_frontier
from settings.logins import without_any_login

if TYPE_CHECKING:
    from crawler.frontier.redis import RedisFrontier

_DESCRIPTION: Final = """\
Show the URLs of a crawl; retry or forget dead ones; control its workers, during the crawl or
afterwards."""
_ACTIONS: Final = {
    "stats": "Count the URLs of a job, and list the dead ones, which were given up",
    "retry": "Put the dead URLs back into the queue",
    "purge": "Forget the dead URLs",
    "pause": "Hand out no more URLs of a job in Redis",
    "resume": "Hand out the URLs of a job in Redis again, after pause or stop",
    "stop": "Shut all workers of a job in Redis down cleanly",
    "export": "Write every URL of a job in Redis that is not done for ever to a file",
}
_EXIT_CODES: Final = """exit codes:
  0    done
  1    standard output cannot be written; export: FILE cannot be
  2    the arguments or the job file cannot be used
  3    there is no frontier, or it cannot be used
"""
# Counts of ``Stats`` that their names do not tell; in the summary, other pages wait.
_LABELS: Final = {"waiting": "of these to be retried", "received": "bytes received"}
# Allowed for a job whose removal has begun.
_ALWAYS: Final = frozenset({"stats", "export"})


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description, parser.epilog = _DESCRIPTION, _EXIT_CODES
    actions = add_actions(parser, _ACTIONS)
    for action in actions.values():
        action.add_argument("job", type=Path, metavar="JOB", help="a job file or a job's folder")
        action.add_argument(
            "--frontier", metavar="URL", help="the job's Redis, instead of what the job file says"
        )
        action.add_argument("--json", action="store_true", help="print JSON")
    for name in ("stats", "retry", "purge"):
        actions[name].add_argument(
            "--host", type=argument(host_name), help="only the dead URLs of this host"
        )
    for name in ("retry", "purge"):
        actions[name].add_argument("--reason", help="only the URLs that are dead for this reason")
    actions["stats"].add_argument(
        "--limit",
        type=whole,
        default=20,
        metavar="N",
        help="list at most N hosts and N dead URLs (default: 20)",
    )
    actions["export"].add_argument(
        "--to", type=Path, required=True, metavar="FILE", help="the JSON Lines file to write"
    )
    actions["export"].add_argument(
        "--free",
        action="store_true",
        help="remove the job from Redis afterwards; stop its workers first",
    )


def run(arguments: argparse.Namespace) -> None:
    """Raises CommandError."""
    if arguments.action == "export" and arguments.free and _is_stream(arguments.to):
        raise UsageError(
            f"--free needs a regular file, not {arguments.to}: a job is removed only once its "
            "export is safe on disk"
        )
    settings = getattr(arguments, "settings", None) or {}
    url = arguments.frontier or settings.get("FRONTIER")
    try:
        asyncio.run(_act(arguments.job, url, arguments))
    except ValueError as error:
        raise CommandError(str(error), EXIT_USAGE) from error
    except (FrontierError, OSError) as error:
        raise CommandError(str(error), EXIT_UNUSABLE) from error


async def _act(job: Path, url: str | None, opts: argparse.Namespace) -> None:
    action = opts.action
    async with await _attached(job, url) as frontier:
        if action not in _ALWAYS:
            await frontier.check_complete()
        await _RUN[action](frontier, opts)


async def _attached(path: Path, url: str | None) -> Frontier:
    """The job's frontier. Raises FrontierError, JobError, or ValueError for the URL."""
    if path.is_dir():
        if url not in (None, EMBEDDED):
            raise ValueError(
                f"FRONTIER={without_any_login(url)} needs the job file instead of the folder "
                f"{path}: Redis stores the job under its name"
            )
        return await SqliteFrontier.attach(path)
    return await attach_frontier(with_frontier(load_job(path), url))


async def _stats(frontier: Frontier, opts: argparse.Namespace) -> None:
    stats = await frontier.stats()
    hosts = await frontier.hosts(opts.limit)
    dead = await frontier.dead_letters(opts.limit, host=opts.host)
    reasons = await frontier.dead_reasons(opts.host)
    fleet, state = None, ""
    if isinstance(frontier, SharedFrontier):
        fleet, state = await _fleet(frontier, stats)
    if opts.json:
        shared = {"fleet": fleet} if fleet else {}
        given_up = {"dead_reasons": reasons, "dead_letters": dead}
        write_json({**asdict(stats), "busiest": hosts, **given_up, **shared})
    else:
        show(stats_tables(stats, hosts, reasons, dead, fleet, state=state))


async def _fleet(frontier: SharedFrontier, stats: Stats) -> tuple[Fleet, str]:
    """The fleet, and the state to show."""
    fleet, is_heard = await frontier.fleet(), bool(await frontier.reports())
    return fleet, await job_state(frontier, fleet, stats, is_heard=is_heard)


def stats_tables(
    stats: Stats,
    hosts: Sequence[HostStats],
    reasons: Mapping[str, int],
    dead: Sequence[DeadLetter],
    fleet: Fleet | None = None,
    *,
    state: str = "",
) -> Group:
    """URLs by state, the fleet, done URLs by outcome, the busiest hosts and the dead URLs.

    reasons: of all dead URLs. dead: the first of them. state: of the fleet, see ``job_state``.
    """
    counts = asdict(stats)
    del counts["run"]
    outcomes = counts.pop("outcomes")
    named = {_LABELS.get(name, name): count for name, count in counts.items()}
    parts: list[RenderableType] = [count_table("URLs", named)]
    if fleet:
        said = "no worker is heard of" if state == IDLE else state
        speed = f"{fleet.per_minute:,.1f} URLs done per minute in the last ten minutes"
        parts.append(Text(f"{said}; {speed}"))
        if fleet.leases:
            parts.append(count_table("leases by worker", dict(by_count(fleet.leases))))
    if outcomes:
        parts.append(count_table("done", outcomes))
    if hosts:
        rows = [(host.host, host.queued, host.leased, host.done, host.dead) for host in hosts]
        parts.append(table(("host", "queued", "leased", "done", "dead"), rows))
    if reasons:
        parts.append(count_table("dead by reason", reasons))
    if dead:
        letters = [(letter.url, letter.attempts, letter.reason) for letter in dead]
        parts.append(table(("dead URL", "attempts", "reason"), letters))
    return apart(parts)


async def _retry(frontier: Frontier, opts: argparse.Namespace) -> None:
    await _check_reason(frontier, opts.reason)
    count = await frontier.retry_dead(opts.host, reason=opts.reason)
    _say(opts, count, f"{number_of(count, 'URL')} put back into the queue")


async def _purge(frontier: Frontier, opts: argparse.Namespace) -> None:
    await _check_reason(frontier, opts.reason)
    count = await frontier.purge_dead(opts.host, reason=opts.reason)
    _say(opts, count, f"{number_of(count, 'URL')} forgotten")


async def _check_reason(frontier: Frontier, reason: str | None) -> None:
    """Raises UsageError for one that is misspelt."""
    if reason is None:
        return
    try:
        check_reason(reason, await frontier.dead_reasons())
    except ValueError as error:
        raise UsageError(f"--reason {error}") from error


async def _steer(frontier: Frontier, opts: argparse.Namespace) -> None:
    if not isinstance(frontier, SharedFrontier):
        raise FrontierError(
            f"cannot {opts.action} an embedded frontier, which has only one worker; Ctrl-C stops "
            "its crawl, and running the same command again resumes it"
        )
    state = STATES[opts.action]
    await frontier.set_state(state)
    _say(opts, state, f"the job is {state}")


async def _export(frontier: Frontier, opts: argparse.Namespace) -> None:
    # Here, because redis may not be installed.
    from crawler.frontier.redis import RedisFrontier  # noqa: PLC0415
    from crawler.frontier.redis.export import free, return_expired  # noqa: PLC0415

    if not isinstance(frontier, RedisFrontier):
        raise FrontierError(
            "cannot export an embedded frontier, which has only one worker; the file "
            "frontier.sqlite in the job's folder has all of it"
        )
    # An earlier removal was interrupted after a complete export: do not overwrite that.
    was_freed = opts.free and await frontier.is_freed()
    if opts.free and not was_freed:
        await return_expired(frontier)
    written = Counter() if was_freed else await _written(frontier, opts.to)
    if opts.free:
        await free(frontier, written)
    lines = written.total()
    written_to = f"{number_of(lines, 'line')} written to {opts.to}"
    text = f"{opts.to} left unchanged" if was_freed else written_to
    removed = "; job removed, a worker that starts now begins it anew" if opts.free else ""
    # The export itself may go to standard output.
    with redirect_stdout(sys.stderr) if _is_stream(opts.to) else nullcontext():
        _say(opts, lines, f"{text}{removed}")


async def _written(frontier: RedisFrontier, path: Path) -> Counter[str]:
    """Write the export durably; returns how many entries of each kind it has.

    Raises CommandError if the file cannot be written.
    """
    from crawler.frontier.redis.export import exported  # noqa: PLC0415 - as in _export

    written: Counter[str] = Counter()
    try:
        with path.open("wb") if _is_stream(path) else replacing(path.resolve()) as file:
            async for line in exported(frontier):
                file.write(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))
                written.update(line.keys())
    except OSError as error:
        raise CommandError(f"--to {path}: {error.strerror or error}") from error
    return written


def _is_stream(path: Path) -> bool:
    """Whether this is a pipe or device, which cannot be replaced atomically."""
    return path.exists() and not path.is_file()


_RUN: Final[dict[str, Callable[[Frontier, argparse.Namespace], Awaitable[None]]]] = {
    "stats": _stats,
    "retry": _retry,
    "purge": _purge,
    "export": _export,
    **dict.fromkeys(STATES, _steer),
}


def _say(opts: argparse.Namespace, value: object, text: str) -> None:
    if opts.json:
        write_json({opts.action: value})
    else:
        say(text)
