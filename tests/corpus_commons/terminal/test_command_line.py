"""Subcommands: found by name, imported when chosen, and ended by an exit code."""

from __future__ import annotations

import logging
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable
from errno import EACCES, ENOSPC
from os import strerror
from types import ModuleType

import pytest

from corpus_commons.terminal.arguments import positive, seconds, share, whole
from corpus_commons.terminal.command_error import EXIT_FAILED, CommandError
from corpus_commons.terminal.commands import (
    EXIT_FINE,
    EXIT_INCOMPLETE,
    EXIT_UNUSABLE,
    EXIT_USAGE,
    Entry,
    Group,
    UsageError,
    main,
)
from corpus_commons.terminal.interruption import EXIT_INTERRUPTED

ENDS: dict[str, int | BaseException | None] = {
    "well": None,
    "incomplete": EXIT_INCOMPLETE,
    "wrong": UsageError("no such page"),
    "failed": CommandError("the page is gone"),
    "damaged": CommandError("the page is torn", EXIT_UNUSABLE),
    "full": OSError(ENOSPC, strerror(ENOSPC)),
    "unwritable": PermissionError(EACCES, strerror(EACCES), "out.json"),
    "stopped": KeyboardInterrupt(),
    "broken": ZeroDivisionError(),
    "not of the system": OSError("a thought"),
}


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--end", choices=ENDS, required=True)


def run(arguments: Namespace) -> int | None:
    end = ENDS[arguments.end]
    if isinstance(end, BaseException):
        raise end
    return end


COMMANDS = {
    "end": Entry("ending_command", "how a command ends"),
    "other": Entry("no.such.module", "is never imported"),
    "later": Entry("later_commands", "commands of a package that is slow to import"),
    "label": Entry("ending_command", "a command with an extra of its own", "annotate"),
}
PAGES = Group(
    {**COMMANDS, "more": Group({"end": Entry("ending_command", "another end")}, "More commands.")},
    summary="About pages.",
    extra="train",
    epilog="exit codes: 0",
)


@pytest.fixture(autouse=True)
def ending_command(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("ending_command")
    module.__dict__.update(add_arguments=add_arguments, run=run)
    monkeypatch.setitem(sys.modules, "ending_command", module)
    later = ModuleType("later_commands")
    later.__dict__["GROUP"] = Group({"end": COMMANDS["end"], "other": COMMANDS["other"]}, "Later.")
    monkeypatch.setitem(sys.modules, "later_commands", later)
    monkeypatch.setattr(logging, "basicConfig", lambda **_: None)


def call(*words: str) -> int:
    return main("pages", PAGES, words)


@pytest.mark.parametrize(
    ("end", "code"),
    [
        ("well", EXIT_FINE),
        ("incomplete", EXIT_INCOMPLETE),
        ("wrong", EXIT_USAGE),
        ("failed", EXIT_FAILED),
        ("damaged", EXIT_UNUSABLE),
        ("full", EXIT_FAILED),
        ("stopped", EXIT_INTERRUPTED),
    ],
)
def test_a_command_ends_with_an_exit_code(end: str, code: int) -> None:
    assert call("end", "--end", end) == code


@pytest.mark.parametrize(
    ("end", "why"),
    [
        ("wrong", "no such page"),
        ("damaged", "the page is torn"),
        ("full", "No space left on device"),
        ("unwritable", "out.json: Permission denied"),
    ],
)
def test_what_went_wrong_is_told_with_the_name_of_the_command(
    end: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    call("end", "--end", end)
    assert capsys.readouterr().err == f"pages end: {why}\n"


@pytest.mark.parametrize("end", ["broken", "not of the system"])
def test_an_error_of_the_program_is_not_hidden(end: str) -> None:
    with pytest.raises(type(ENDS[end])):
        call("end", "--end", end)


@pytest.mark.parametrize("words", [[], ["unknown"], ["end"], ["end", "--end", "never"]])
def test_words_that_are_no_command_are_a_wrong_call(words: list[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        call(*words)
    assert stopped.value.code == EXIT_USAGE


@pytest.mark.parametrize(
    ("read", "message"),
    [
        (positive, "must be at least 1, not 'many'"),
        (whole, "must be a whole number, 0 or more, not 'many'"),
        (share, "must be more than 0 and at most 1, not 'many'"),
        (seconds, "must be a positive number of seconds, not 'many'"),
    ],
)
def test_a_word_in_place_of_a_number_is_told_with_what_would_be_right(
    read: Callable[[str], float], message: str
) -> None:
    with pytest.raises(ArgumentTypeError, match=f"^{message}$"):
        read("many")


def test_an_option_is_not_abbreviated(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        call("end", "--end", "well", "--en", "well")
    assert stopped.value.code == EXIT_USAGE
    assert "unrecognized arguments: --en" in capsys.readouterr().err


def test_help_names_all_commands_and_imports_none(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        call("--help")
    told = capsys.readouterr().out
    assert stopped.value.code == EXIT_FINE
    assert all(name in told and entry.summary in told for name, entry in COMMANDS.items())
    assert "About pages." in told
    assert "exit codes: 0" in told


def test_a_command_may_stand_in_a_group() -> None:
    assert call("more", "end", "--end", "incomplete") == EXIT_INCOMPLETE


def test_a_module_may_have_a_group_of_which_only_the_chosen_command_is_imported() -> None:
    assert call("later", "end", "--end", "incomplete") == EXIT_INCOMPLETE


def test_a_missing_library_is_told_with_what_to_install(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ENDS, "missing", ModuleNotFoundError(name="tensorflow.io"))
    assert call("end", "--end", "missing") == EXIT_USAGE
    assert "tensorflow is not installed: pip install 'genre-crawler[genre]'" in (
        capsys.readouterr().err
    )
    monkeypatch.setitem(ENDS, "missing", ModuleNotFoundError(name="no_such_module"))
    with pytest.raises(ModuleNotFoundError):
        call("end", "--end", "missing")


@pytest.mark.parametrize(
    ("words", "extra"), [(("end",), "train"), (("more", "end"), "train"), (("label",), "annotate")]
)
def test_of_several_extras_with_a_library_that_of_the_command_is_told(
    words: tuple[str, ...],
    extra: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(ENDS, "missing", ModuleNotFoundError(name="rich.table"))
    call(*words, "--end", "missing")
    why = f"pages: rich is not installed: pip install 'genre-crawler[{extra}]'\n"
    assert capsys.readouterr().err == why
