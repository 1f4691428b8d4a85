"""Loads a recipe, or reports everything that is wrong with it, by line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, TypeVar

from pydantic import ValidationError

from refinery.recipe.model import Recipe
from refinery.steps import STEPS
from refinery.steps.base import Step
from refinery.steps.sampling import Sample
from refinery.steps.tokens import CountTokens
from settings import lines
from settings.loading import file_text, read_toml
from settings.problems import JobError, Problem, enumeration, message_of
from settings.shape import key_text
from settings.values import Finding, Table

_STEPS: Final = "steps"
_USE: Final = "use"
_COUNTING: Final = CountTokens.name()

AnyTable = TypeVar("AnyTable", bound=Table)


def load_recipe(path: str | Path) -> Recipe:
    """The recipe in a file. Raises JobError with all problems, also for an unreadable file."""
    return parse_recipe(file_text(path, "recipe"), source=str(path), folder=Path(path).parent)


def parse_recipe(text: str, *, source: str = "recipe", folder: Path | None = None) -> Recipe:
    """The recipe in a TOML text. Raises JobError with all problems.

    source: the file name for messages. folder: the base of relative paths of files.
    """
    findings: list[Finding] = []
    data = read_toml(text, source)
    context = {"folder": folder or Path()}
    steps = list(_steps(data.pop(_STEPS, []), context, findings))
    recipe = _table(Recipe, data, (), context, findings)
    if findings or recipe is None:
        where = lines.key_lines(text)
        raise JobError(
            Problem(source, lines.line_of(where, path), key_text(path), message)
            for path, message in findings
        )
    return recipe.model_copy(update={_STEPS: tuple(steps)})


def _steps(given: object, context: Mapping[str, Any], findings: list[Finding]) -> Iterator[Step]:
    """The steps that are right; findings: gets what is wrong with the others."""
    if not isinstance(given, list) or not all(isinstance(one, dict) for one in given):
        findings.append(((_STEPS,), "must be a list of tables; begin each step with [[steps]]"))
        return
    are_counted = False
    seeds: set[int] = set()
    for number, step in enumerate(given):
        path = (_STEPS, number)
        name = step.get(_USE)
        if not isinstance(name, str) or name not in STEPS:
            findings.append(((*path, _USE), _unknown(name)))
            continue
        if are_counted and STEPS[name].changes_texts:
            after = f'is "{name}", which changes texts whose tokens are counted by then'
            findings.append(((*path, _USE), f'{after}; move "{_COUNTING}" to the end'))
        are_counted |= name == _COUNTING
        made = _table(STEPS[name], step, path, context, findings)
        if isinstance(made, Sample):
            if made.seed in seeds:
                alike = f"is {made.seed}, as in a step before, which chooses the same documents"
                findings.append(((*path, "seed"), f"{alike}; give another"))
            seeds.add(made.seed)
        if made is not None:
            yield made


def _unknown(name: object) -> str:
    known = enumeration(list(STEPS), last="and")
    if name is None:
        return f"is missing; it names the step: {known}"
    close = get_close_matches(str(name).lower().replace("_", "-"), STEPS, n=1)
    meant = f'; did you mean "{close[0]}"?' if close else f"; the steps are {known}"
    return f'is "{name}", which is no step{meant}'


def _table(
    kind: type[AnyTable],
    data: Mapping[str, Any],
    path: lines.Path,
    context: Mapping[str, Any],
    findings: list[Finding],
) -> AnyTable | None:
    try:
        return kind.model_validate(data, context=context)
    except ValidationError as error:
        for details in error.errors(include_url=False):
            if details["type"] == "contradiction":
                found = details["ctx"]["found"]
                findings += [((*path, *inner), message) for inner, message in found]
            else:
                findings.append(((*path, *details["loc"]), message_of(details, kind)))
    return None
