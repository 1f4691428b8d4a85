"""Writes the help of every command into docs/reference/commands.md, between marks:

    <!-- begin help: genre-crawler crawl -->
    <!-- end help -->

``python docs/command_help.py`` rewrites the page; with commands as arguments it prints their helps
as JSON. A test compares the options on the page with those of the commands, not the text, which
differs between versions of Python.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import runpy
import shlex
import sys
from pathlib import Path
from typing import Final

PAGE: Final = Path(__file__).parent / "reference" / "commands.md"
REGION: Final = re.compile(
    r"(<!-- begin help: (?P<command>.*?) -->\n).*?(<!-- end help -->)", re.DOTALL
)
_WIDTH: Final = 96


def help_of(command: str) -> str:
    """What ``command --help`` prints, run in this process: imports are what takes its time."""
    program, *arguments = shlex.split(command)
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.suppress(SystemExit):
        if program == "python":
            sys.argv = [*arguments[1:], "--help"]
            runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
        else:
            from genre_crawler import command_line  # noqa: PLC0415 - of this folder, see below

            command_line.main([*arguments, "--help"])
    return "\n".join(line.rstrip() for line in said.getvalue().strip().splitlines())


def main(commands: list[str]) -> None:
    os.environ |= {"COLUMNS": str(_WIDTH), "NO_COLOR": "1", "TERM": "dumb"}
    page = PAGE.read_text(encoding="utf-8")
    wanted = commands or [match["command"] for match in REGION.finditer(page)]
    helps = {command: help_of(command) for command in wanted}
    if commands:
        sys.stdout.write(json.dumps(helps))
        return
    page = REGION.sub(lambda m: f"{m[1]}```text\n{helps[m['command']]}\n```\n{m[3]}", page)
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
    main(sys.argv[1:])
