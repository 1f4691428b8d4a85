"""``python -m crawler run JOB`` crawls a job; ``demo`` crawls the bundled site."""

from __future__ import annotations

import argparse
import contextlib
import sys
from datetime import datetime
from itertools import count
from pathlib import Path

from crawler.demo import DemoSite
from crawler.exit_codes import ExitCode, meanings
from crawler.jobs import job_of
from settings import Job, parse_job

DEMO_JOB = Path(__file__).resolve().parents[2] / "examples" / "demo.toml"
_DEMO_ORIGIN = "http://127.0.0.1:8000"


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    parsed = _parser().parse_args(arguments)
    try:
        overrides = dict(_setting(text) for text in parsed.set)
        if parsed.command == "demo":
            return _demo(parsed.folder, overrides)
        job = job_of(job=parsed.job, seeds=parsed.seeds, contact=parsed.contact)
    except (ValueError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return ExitCode.USAGE
    return _run(job, overrides)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m crawler",
        description="Crawl the job in a TOML file, the URLs in a text file, or the demo site.",
        epilog=meanings(),
    )
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run", help="crawl a job, or resume it")
    run.add_argument("job", nargs="?", type=Path, help="a job file")
    run.add_argument("--seeds", type=Path, help="a file with one URL per line, instead of a job")
    run.add_argument("--contact", help="with --seeds: your e-mail address or URL for site owners")
    demo = commands.add_parser("demo", help="serve the bundled demo site and crawl it")
    demo.add_argument("--folder", type=Path, help="the job's folder (default: a new one in runs/)")
    for command in (run, demo):
        command.add_argument(
            "-s",
            "--set",
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help="a Scrapy setting (may be repeated)",
        )
    return parser


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise ValueError(f"-s {text}: must be NAME=VALUE")
    return name, value


def _run(job: Job, overrides: dict[str, str]) -> int:
    # Imported late: Scrapy takes a second, which usage errors need not wait for.
    from crawler.commands.runner import project_settings, run  # noqa: PLC0415

    try:
        settings = project_settings(overrides)
    except ValueError as error:
        sys.stderr.write(f"{error}\n")
        return ExitCode.USAGE
    return run(job, settings)


def _demo(folder: Path | None, overrides: dict[str, str]) -> int:
    """Serve the demo site on a free port, and crawl it as examples/demo.toml says.

    Raises OSError if the site's files are missing.
    """
    if not DEMO_JOB.exists():
        raise FileNotFoundError(
            f"the demo site only comes with the repository: there is no {DEMO_JOB}"
        )
    if folder is None:
        folder = _new_folder(Path("runs"))
    with DemoSite() as site:
        text = DEMO_JOB.read_text(encoding="utf-8").replace(_DEMO_ORIGIN, site.base)
        job = parse_job(text, source=str(DEMO_JOB), folder=DEMO_JOB.parent)
        outputs = job.outputs.model_copy(update={"folder": folder})
        return _run(job.model_copy(update={"outputs": outputs}), overrides)


def _new_folder(runs: Path) -> Path:
    """A new folder with a name that sorts by time."""
    moment = datetime.now().astimezone().strftime("demo-%Y-%m-%d-%H%M%S")
    for number in count(1):
        folder = runs / (moment if number == 1 else f"{moment}-{number}")
        with contextlib.suppress(FileExistsError):
            folder.mkdir(parents=True)
            break
    return folder
