"""The pages and hosts that ``corpus forget`` and ``corpus unblock`` are given."""

from __future__ import annotations

import argparse
from pathlib import Path

from corpus_commons.terminal.commands import UsageError
from pipelines.forgetting.wanted import Wanted
from settings.seed_files import seed_lines


def add_named(parser: argparse.ArgumentParser) -> None:
    several: dict[str, object] = {"action": "append", "default": []}
    parser.add_argument("--url", metavar="URL", help="a page; may be repeated", **several)  # type: ignore[arg-type]
    parser.add_argument("--host", metavar="HOST", help="all pages of a host", **several)  # type: ignore[arg-type]
    parser.add_argument("--id", metavar="ID", help="a document", **several)  # type: ignore[arg-type]
    parser.add_argument(
        "--file",
        type=Path,
        metavar="FILE",
        help="of URLs, hosts and ids, one a line; lines that begin with # are comments",
    )


def named_in(arguments: argparse.Namespace) -> dict[str, Wanted]:
    """What is named, by the words that name it. Raises UsageError."""
    named = _listed(arguments.file) if arguments.file else {}
    try:
        named |= {url: Wanted.of(urls=[url]) for url in arguments.url}
        named |= {host: Wanted.of(hosts=[host]) for host in arguments.host}
        named |= {name: Wanted.of(ids=[name]) for name in arguments.id}
    except ValueError as error:
        raise UsageError(str(error)) from error
    return named


def _listed(file: Path) -> dict[str, Wanted]:
    """What each line names. Raises UsageError, with the places of all mistakes."""
    found: dict[str, Wanted] = {}
    problems: list[str] = []
    try:
        for line in seed_lines([file]):
            try:
                if line.more and not line.more.startswith("#"):
                    raise ValueError(f"{line.text!r} is followed by more; give one in each line")
                found[line.text] = Wanted.of_word(line.text)
            except ValueError as error:
                problems.append(f"{line.place}: {error}")
    except OSError as error:
        raise UsageError(f"--file {file} cannot be read: {error.strerror}") from error
    if problems:
        raise UsageError("\n".join(problems))
    return found
