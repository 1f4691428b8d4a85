"""Writes the helps of all commands into docs/reference/commands.md, between marks:

    <!-- begin help: genre-crawler corpus -->
    <!-- end help -->

stand around the sections of a command and of all its subcommands.

``python docs/command_help.py`` rewrites the page; with other commands (``python -m …``) as
arguments it prints the helps of all of ours and of these as JSON. A test compares the options on
the page with those of the commands, not the text, which differs between versions of Python.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import re
import runpy
import shlex
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

PAGE: Final = Path(__file__).parent / "reference" / "commands.md"
REGION: Final = re.compile(
    r"(<!-- begin help: (?P<command>.*?) -->\n).*?(<!-- end help -->)", re.DOTALL
)
_WIDTH: Final = 96


def our_helps() -> dict[str, str]:
    """The help of every command and subcommand of ours, by its name."""
    # Found by the path that is set below.
    from corpus_commons.terminal.commands import parser_of  # noqa: PLC0415
    from genre_crawler.command_line import COMMANDS, PROGRAM  # noqa: PLC0415

    parsers = _parsers(parser_of(PROGRAM, COMMANDS))
    return {parser.prog: _plain(parser.format_help()) for parser in parsers}


def help_of(command: str) -> str:
    """What ``command --help`` prints, run in this process: imports are what takes its time."""
    _python, _m, *sys.argv = [*shlex.split(command), "--help"]
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.suppress(SystemExit):
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
    return _plain(said.getvalue())


def main(commands: list[str]) -> None:
    os.environ |= {"COLUMNS": str(_WIDTH), "NO_COLOR": "1", "TERM": "dumb"}
    helps = our_helps()
    if commands:
        sys.stdout.write(json.dumps(helps | {command: help_of(command) for command in commands}))
        return
    page = PAGE.read_text(encoding="utf-8")
    page = REGION.sub(lambda m: f"{m[1]}\n{_sections(m['command'], helps)}{m[3]}", page)
    PAGE.write_text(page, encoding="utf-8")


def _parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """The parser and those of its subcommands."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for subcommand in action.choices.values():
                yield from _parsers(subcommand)


def _sections(command: str, helps: Mapping[str, str]) -> str:
    return "".join(
        f"### `{name}`\n\n```text\n{text}\n```\n\n"
        for name, text in helps.items()
        if f"{name} ".startswith(f"{command} ")
    )


def _plain(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
    main(sys.argv[1:])
