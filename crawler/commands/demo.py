"""``demo``: serves the demo site on a free port, and crawls it as ``examples/demo.toml`` says."""

from __future__ import annotations

import argparse
import contextlib
from datetime import datetime
from itertools import count
from pathlib import Path

from corpus_commons.terminal.commands import UsageError, usage_errors
from crawler.commands.crawl import add_settings, crawl, settings_of
from crawler.demo import DemoSite
from crawler.exit_codes import meanings
from settings import parse_job

DEMO_JOB = Path(__file__).resolve().parents[2] / "examples" / "demo.toml"
_DEMO_ORIGIN = "http://127.0.0.1:8000"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = meanings()
    parser.add_argument(
        "--folder", type=Path, help="the job's folder (default: a new one in runs/)"
    )
    add_settings(parser)


def run(arguments: argparse.Namespace) -> int:
    """Raises UsageError, also if the site's files are missing."""
    if not DEMO_JOB.exists():
        raise UsageError(f"the demo site only comes with the repository: there is no {DEMO_JOB}")
    with usage_errors():
        overrides = settings_of(arguments)
        folder = arguments.folder or _new_folder(Path("runs"))
    with DemoSite() as site:
        text = DEMO_JOB.read_text(encoding="utf-8").replace(_DEMO_ORIGIN, site.base)
        job = parse_job(text, source=str(DEMO_JOB), folder=DEMO_JOB.parent)
        outputs = job.outputs.model_copy(update={"folder": folder})
        return crawl(job.model_copy(update={"outputs": outputs}), overrides)


def _new_folder(runs: Path) -> Path:
    """A new folder with a name that sorts by time."""
    moment = datetime.now().astimezone().strftime("demo-%Y-%m-%d-%H%M%S")
    for number in count(1):
        folder = runs / (moment if number == 1 else f"{moment}-{number}")
        with contextlib.suppress(FileExistsError):
            folder.mkdir(parents=True)
            break
    return folder
