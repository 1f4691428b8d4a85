"""``python -m settings``: check a job file, or write its schema or reference."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Final

from settings.job import Job
from settings.loading import load_job
from settings.problems import JobError
from settings.reference import put_reference, reference
from settings.toml_text import to_toml

EXIT_FINE: Final = 0
EXIT_USAGE: Final = 2
_WHAT: Final = "Check a job file, or print the schema or the reference of job files."
_CODES: Final = "Exit codes: 0 success; 2 unusable arguments or job file, see standard error."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(dest="command_of_settings", required=True, metavar="COMMAND")
    check = commands.add_parser(
        "check", help="check a job file, and print the job including all defaults"
    )
    check.add_argument("file", type=Path, help="a job file")
    commands.add_parser("schema", help="print the JSON Schema of job files")
    describe = commands.add_parser("reference", help="print the reference of all keys, in Markdown")
    describe.add_argument(
        "--update", type=Path, metavar="PAGE", help="update the reference in this page instead"
    )


def run(parsed: argparse.Namespace) -> int:
    """Run the command; returns the exit code."""
    try:
        sys.stdout.write(_output(parsed))
    except JobError as error:
        count = len(error.problems)
        sys.stderr.write(f"{error}\n{count} problem{'s' if count != 1 else ''}\n")
        return EXIT_USAGE
    except (OSError, ValueError) as error:
        sys.stderr.write(f"{parsed.prog}: {error}\n")
        return EXIT_USAGE
    return EXIT_FINE


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m settings", description=_WHAT, epilog=_CODES)
    parser.set_defaults(prog=parser.prog)
    add_arguments(parser)
    return run(parser.parse_args(arguments))


def _output(parsed: argparse.Namespace) -> str:
    if parsed.command_of_settings == "check":
        return to_toml(load_job(parsed.file))
    if parsed.command_of_settings == "schema":
        return json.dumps(Job.model_json_schema(), indent=2, ensure_ascii=False) + "\n"
    if parsed.update is None:
        return reference()
    page: Path = parsed.update
    page.write_text(put_reference(page.read_text(encoding="utf-8")), encoding="utf-8")
    return ""


if __name__ == "__main__":
    sys.exit(main())
