"""``python -m settings``: check a job file, or write its schema or reference."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Final

from corpus_commons.counts import number_of
from corpus_commons.terminal.commands import EXIT_FINE, EXIT_USAGE, add_actions, tell
from corpus_commons.terminal.output import OutputError, standard_output
from settings.job import Job
from settings.loading import load_job
from settings.problems import JobError
from settings.reference import put_reference, reference
from settings.seed_files import problems
from settings.toml_text import to_toml

_WHAT: Final = "Check a job file, or print the schema or the reference of job files."
_ACTIONS: Final = {
    "check": "Check a job file, and print the job including all defaults",
    "schema": "Print the JSON Schema of job files",
    "reference": "Print the reference of all keys, in Markdown",
}
_CODES: Final = (
    "Exit codes: 0 success; 1 standard output cannot be written; 2 unusable arguments or job file, "
    "see standard error."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = _CODES
    commands = add_actions(parser, _ACTIONS)
    commands["check"].add_argument("file", type=Path, help="a job file")
    commands["reference"].add_argument(
        "--update", type=Path, metavar="PAGE", help="update the reference in this page instead"
    )


def run(parsed: argparse.Namespace) -> int:
    """Run the command; returns the exit code."""
    try:
        text = _output(parsed)
    except JobError as error:
        count = len(error.problems)
        sys.stderr.write(f"{error}\n{number_of(count, 'problem')}\n")
        return EXIT_USAGE
    except (OSError, ValueError) as error:
        sys.stderr.write(f"{parsed.prog}: {error}\n")
        return EXIT_USAGE
    with standard_output() as out:
        out.write(text)
    return EXIT_FINE


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m settings", description=_WHAT)
    parser.set_defaults(prog=parser.prog)
    add_arguments(parser)
    parsed = parser.parse_args(arguments)
    try:
        return run(parsed)
    except OutputError as error:
        return tell(error, parsed.prog)


def _output(parsed: argparse.Namespace) -> str:
    if parsed.action == "check":
        job = load_job(parsed.file)
        sys.stderr.writelines(
            f"{skipped}; the line is skipped\n" for skipped in problems(job.seeds.files)
        )
        return to_toml(job)
    if parsed.action == "schema":
        return json.dumps(Job.model_json_schema(), indent=2, ensure_ascii=False) + "\n"
    if parsed.update is None:
        return reference()
    page: Path = parsed.update
    page.write_text(put_reference(page.read_text(encoding="utf-8")), encoding="utf-8")
    return ""


if __name__ == "__main__":
    sys.exit(main())
