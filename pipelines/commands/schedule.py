"""``schedule``: run jobs whenever they are due, look at what is to come, and steer it."""

from __future__ import annotations

import argparse
import asyncio
import shutil
import sys
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from corpus_commons.durable_files import make_folder, replace_file
from corpus_commons.terminal.arguments import positive
from corpus_commons.terminal.commands import (
    EXIT_FINE,
    EXIT_UNUSABLE,
    EXIT_USAGE,
    UsageError,
    add_actions,
)
from corpus_commons.terminal.console import show
from corpus_commons.terminal.output import say
from crawler.exit_codes import CrawlError, ExitCode, InUseError
from crawler.logs import show_log
from crawler.schedule.export.kubernetes import kubernetes_manifest
from crawler.schedule.export.systemd import systemd_units
from crawler.schedule.job_files import job_files
from crawler.schedule.opening import runs_of
from crawler.schedule.run_now import run_now
from crawler.schedule.scheduler import Scheduler
from crawler.schedule.status import Status, status_of
from crawler.schedule.times import time_text
from pipelines.reporting.tables import table, write_json
from settings import Job, load_job
from settings.given_job import with_frontier
from settings.loading import file_text
from settings.quantities import duration_text

_DESCRIPTION: Final = (
    "Run jobs whenever they are due; show what is to come; pause, resume, export it."
)
_ACTIONS: Final = {
    "run": "Start each job when it is due, until stopped",
    "list": "Show the last run of each job and its next start",
    "next": "Show the next starts of each job",
    "pause": "Start jobs no more by their schedules, also after a restart",
    "resume": "Start jobs by their schedules again, after pause",
    "run-now": "Run jobs once now, by the scheduler if it runs, otherwise by this command",
    "export": "Write timers of systemd or CronJobs of Kubernetes, to use these instead of run",
}
_EXIT_CODES: Final = """exit codes:
  0    done; run: stopped, and all crawls have ended
  1    standard output cannot be written
  2    the arguments or a job file cannot be used
  3    what is remembered of a job cannot be read or written; export: DIR cannot be
  run-now ends with the exit code of the crawl, and with 4 if the job runs already
"""
# Of rare times of a calendar, as many take seconds to find.
_MOST_STARTS: Final = 1000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description, parser.epilog = _DESCRIPTION, _EXIT_CODES
    actions = add_actions(parser, _ACTIONS)
    for action in actions.values():
        action.add_argument(
            "jobs", type=Path, nargs="+", metavar="JOB", help="a job file, or a folder of them"
        )
        action.add_argument(
            "--frontier", metavar="URL", help="the Redis of the jobs, instead of what they say"
        )
    for name in ("list", "next"):
        actions[name].add_argument("--json", action="store_true", help="print JSON")
    actions["next"].add_argument(
        "--count",
        type=_count,
        default=5,
        metavar="N",
        help=f"so many of each job, at most {_MOST_STARTS:,} (default: 5)",
    )
    _add_export(actions["export"])


def _add_export(parser: argparse.ArgumentParser) -> None:
    kind = parser.add_mutually_exclusive_group(required=True)
    kind.add_argument("--systemd", type=Path, metavar="DIR", help="write services and timers")
    kind.add_argument("--kubernetes", type=Path, metavar="DIR", help="write CronJobs")
    parser.add_argument(
        "--program",
        type=Path,
        metavar="FILE",
        help="systemd: the genre-crawler to run (default: the one of this environment)",
    )
    parser.add_argument(
        "--directory",
        type=Path,
        metavar="DIR",
        help="systemd: where it runs (default: the current folder)",
    )
    parser.add_argument("--user", metavar="NAME", help="systemd: who runs it")
    parser.add_argument(
        "--image", default="genre-crawler", help="Kubernetes: the image (default: %(default)s)"
    )
    parser.add_argument(
        "--claim",
        default="corpus",
        metavar="NAME",
        help="Kubernetes: the claim of the volume for the corpora (default: %(default)s)",
    )
    parser.add_argument(
        "--workers",
        type=positive,
        default=1,
        metavar="N",
        help="Kubernetes: workers of each run, for jobs in Redis (default: %(default)s)",
    )


def _count(value: str) -> int:
    number = positive(value)
    if number > _MOST_STARTS:
        raise argparse.ArgumentTypeError(f"must be at most {_MOST_STARTS:,}")
    return number


def run(arguments: argparse.Namespace) -> int:
    """Raises UsageError for paths that lead nowhere."""
    for path in arguments.jobs:
        if not path.exists():
            raise UsageError(f"there is no {path}")
        # A scheduler may wait for files to come.
        if arguments.action != "run" and not any(job_files([path])):
            raise UsageError(f"{path}: has no job files, whose names end in .toml")
    settings = getattr(arguments, "settings", None) or {}
    arguments.frontier = arguments.frontier or settings.get("FRONTIER")
    return asyncio.run(_RUN[arguments.action](arguments))


async def _schedule(opts: argparse.Namespace) -> int:
    show_log()
    await Scheduler(opts.jobs, _crawl(opts), frontier=opts.frontier).run()
    return EXIT_FINE


async def _list(opts: argparse.Namespace) -> int:
    found: list[tuple[Status, str]] = []

    async def add(file: Path, job: Job) -> None:
        found.append((await status_of(file, job), job.schedule.timezone))

    code = await _each(opts, add)
    if opts.json:
        write_json({"jobs": [_as_json(status) for status, _ in found]})
    else:
        columns = ("job", "", "run", "started", "took", "exit code", "next start")
        show(table(columns, [_row(status, zone) for status, zone in found]))
    return code


async def _next(opts: argparse.Namespace) -> int:
    found: list[tuple[Status, str]] = []

    async def add(file: Path, job: Job) -> None:
        found.append((await status_of(file, job, count=opts.count), job.schedule.timezone))

    code = await _each(opts, add)
    if opts.json:
        write_json({"next": {one.job: [_iso(start) for start in one.next] for one, _ in found}})
    else:
        rows = [(one.job, time_text(start, zone)) for one, zone in found for start in one.next]
        show(table(("job", "start"), rows))
    return code


async def _pause(opts: argparse.Namespace) -> int:
    paused = opts.action == "pause"

    async def act(_: Path, job: Job) -> None:
        async with runs_of(job) as runs:
            await runs.pause(paused=paused)
        say(f"{job.name} is {'paused' if paused else 'scheduled again'}")

    return await _each(opts, act)


async def _run_now(opts: argparse.Namespace) -> int:
    show_log()
    codes = []

    async def act(file: Path, job: Job) -> None:
        code = await run_now(file, job, _crawl(opts))
        if code is None:
            say(f"{job.name}: the scheduler has started it")
        codes.append(code or EXIT_FINE)

    return max(await _each(opts, act), *codes, EXIT_FINE)


async def _export(opts: argparse.Namespace) -> int:
    async def act(file: Path, job: Job) -> None:
        if not job.schedule.is_set:
            raise ValueError(f'{file}: has no [schedule]; add one, such as every = "6h"')
        folder: Path = opts.systemd or opts.kubernetes
        files = _exported(file, job, opts)
        make_folder(folder)
        for name, text in files.items():
            replace_file(folder / name, text.encode())
            say(str(folder / name))

    return await _each(opts, act)


async def _each(opts: argparse.Namespace, act: Callable[[Path, Job], Awaitable[None]]) -> int:
    """Do something with each job. One that is wrong is told of, and the others go on."""
    frontier = None if opts.action == "export" else opts.frontier
    code: int = EXIT_FINE
    for file in job_files(opts.jobs):
        try:
            await act(file, with_frontier(load_job(file), frontier))
        except (ValueError, CrawlError, OSError) as error:
            sys.stderr.write(f"{_why(file, error)}\n")
            code = max(code, _code_of(error))
    return code


def _why(file: Path, error: Exception) -> str:
    if isinstance(error, OSError):
        return f"{file}: {error.filename}: {error.strerror}"
    return str(error)


def _code_of(error: Exception) -> int:
    if isinstance(error, ValueError):
        return EXIT_USAGE
    return ExitCode.IN_USE if isinstance(error, InUseError) else EXIT_UNUSABLE


def _exported(file: Path, job: Job, opts: argparse.Namespace) -> dict[str, str]:
    """The content of each file, by name."""
    try:
        if opts.systemd:
            return systemd_units(
                job,
                file.resolve(),
                program=(opts.program or _program()).absolute(),
                folder=(opts.directory or Path.cwd()).absolute(),
                user=opts.user,
                frontier=opts.frontier,
            )
        name, manifest = kubernetes_manifest(
            job,
            file_text(file),
            image=opts.image,
            claim=opts.claim,
            workers=opts.workers,
            frontier=opts.frontier,
        )
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from error
    return {f"{name}.yaml": manifest}


def _program() -> Path:
    """Ours, which lies beside the interpreter, or another on the search path."""
    found = shutil.which("genre-crawler", path=str(Path(sys.executable).parent))
    found = found or shutil.which("genre-crawler")
    if found is None:
        raise UsageError("there is no genre-crawler on the search path; name it with --program")
    return Path(found)


def _crawl(opts: argparse.Namespace) -> Callable[[Path], Sequence[str]]:
    there = ("--frontier", opts.frontier) if opts.frontier else ()
    return lambda file: (sys.executable, "-m", "crawler", "run", str(file), *there)


def _row(status: Status, zone: str) -> tuple[object, ...]:
    started, ended = status.started, status.ended
    return (
        status.job,
        status.doing,
        status.run,
        "" if started is None else time_text(started, zone),
        "" if started is None or ended is None else duration_text(round(max(0, ended - started))),
        "" if status.exit_code is None else status.exit_code,
        time_text(status.next[0], zone) if status.next else "",
    )


def _as_json(status: Status) -> dict[str, object]:
    start = next(iter(status.next), None)
    return {
        "file": str(status.file),
        "job": status.job,
        "doing": status.doing,
        "run": status.run,
        "started": _iso(status.started),
        "ended": _iso(status.ended),
        "exit_code": status.exit_code,
        "next": _iso(start),
    }


def _iso(moment: float | None) -> str | None:
    return None if moment is None else datetime.fromtimestamp(moment, UTC).isoformat("T", "seconds")


_RUN: Final[dict[str, Callable[[argparse.Namespace], Coroutine[Any, Any, int]]]] = {
    "run": _schedule,
    "list": _list,
    "next": _next,
    "pause": _pause,
    "resume": _pause,
    "run-now": _run_now,
    "export": _export,
}
