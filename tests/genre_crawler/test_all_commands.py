"""``genre-crawler``: all commands in one."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
from unread import full

from corpus_commons.terminal.commands import parser_of
from corpus_commons.terminal.interruption import EXIT_INTERRUPTED
from genre_crawler.command_line import COMMANDS, PROGRAM, main

ROOT = Path(__file__).resolve().parents[2]
TRAINING = (
    "train boosted-blocks --data x",
    "train elements --data x",
    "train victor --data x",
    "train web2text --data x",
    "genre train-html --data x",
    "genre train-layout --data x",
)


def said(command: str, capsys: pytest.CaptureFixture[str]) -> str:
    """What a command prints that ends before it does anything."""
    with pytest.raises(SystemExit) as stopped:
        main(command.split())
    assert stopped.value.code == 0
    return capsys.readouterr().out


def test_it_tells_its_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert said("--version", capsys) == f"genre-crawler {version('genre-crawler')}\n"


@pytest.mark.parametrize("command", ["--version", "frontier stats --help", "completion bash"])
def test_what_it_says_of_itself_may_have_no_room_either(command: str) -> None:
    words = [sys.executable, "-m", "genre_crawler", *command.split()]
    with full() as stdout:
        done = subprocess.run(  # noqa: S603 - ours
            words, stdout=stdout, stderr=subprocess.PIPE, text=True, check=False
        )
    said = f"{PROGRAM}{' completion' * command.startswith('completion')}"
    assert done.returncode == 1
    assert done.stderr == f"{said}: standard output: No space left on device\n"


@pytest.mark.parametrize("command", TRAINING)
def test_training_writes_into_the_working_folder_unless_told_otherwise(command: str) -> None:
    words = command.split()
    out: Path = parser_of(PROGRAM, COMMANDS, words).parse_args(words).out
    assert (out.parent, out.exists()) == (Path(), False)


@pytest.mark.parametrize(
    ("command", "own", "others"),
    [
        ("corpus verify", "--json", "OUT"),
        ("corpus merge", "OUT", "verify"),
        ("frontier stats", "--limit", "--free"),
        ("frontier retry", "--host", "--limit"),
        ("frontier export", "--free", "--host"),
        ("frontier pause", "--frontier", "--to"),
    ],
)
def test_the_help_of_an_action_shows_its_own_options(
    command: str, own: str, others: str, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = said(f"{command} --help", capsys).partition("exit codes:")[0]
    assert own in shown
    assert others not in shown


@pytest.mark.parametrize(("group", "member"), [("", "crawl"), ("corpus", "verify")])
def test_a_group_that_is_named_alone_shows_what_is_in_it(
    group: str, member: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(group.split())
    assert stopped.value.code == 2
    told = capsys.readouterr()
    assert not told.out
    assert f"    {member} " in told.err


@pytest.mark.parametrize("command", ["extract --formt html x", "corpus verify --formt x"])
def test_an_unknown_option_is_told_below_the_usage_of_its_own_command(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(command.split())
    assert stopped.value.code == 2
    told = capsys.readouterr().err
    name = command.partition(" --")[0]
    assert told.startswith(f"usage: {PROGRAM} {name} ")
    assert told.endswith(f"{PROGRAM} {name}: error: unrecognized arguments: --formt\n")


def test_an_error_of_the_system_is_told_with_its_file_and_no_number(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["train", "boosted-blocks", "--data", "no-such-file"]) == 2
    told = capsys.readouterr().err
    assert told.endswith("no-such-file: No such file or directory\n")
    assert "Errno" not in told


def test_training_imports_the_chosen_method_alone() -> None:
    script = (
        "import sys\nfrom genre_crawler.command_line import main\n"
        "try: main(['train', 'victor', '--help'])\n"
        "finally: assert not {'keras', 'lightgbm', 'scipy', 'sklearn'} & {*sys.modules}"
    )
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603 - ours
    assert done.stdout.startswith("usage: genre-crawler train victor ")


@pytest.mark.parametrize("module", ["corpus_commons.terminal.commands", "argparse"])
def test_ctrl_c_while_the_first_modules_are_imported_ends_quietly(module: str) -> None:
    script = (
        "import os, signal, sys\n"
        "from genre_crawler.__main__ import main\n"
        "class Finder:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == '{module}': os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Finder())\n"
        "sys.exit(main())"
    )
    command = [sys.executable, "-c", script]
    ended = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603 - ours
    assert (ended.returncode, ended.stderr) == (EXIT_INTERRUPTED, "interrupted\n")


def test_the_program_is_run_by_what_catches_that() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["scripts"] == {PROGRAM: "genre_crawler.__main__:main"}
