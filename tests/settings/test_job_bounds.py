"""Numbers at the bounds of every table are taken, and those beyond are refused."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from annotated_types import Ge, Gt, Le

from settings import JobError, parse_job
from settings.shape import names, parts, tables
from settings.tables.recrawl import Least

TYPES = list(Least.model_fields)
AGAIN = "recrawl.policy = 'fixed'\n"
LEAST = 'name = "x"\nseeds.urls = ["http://localhost/"]\n'
# One of these bounds the other, or is nothing without it.
BESIDE = {
    "rendering.settle": "rendering.timeout = 600",
    "rendering.timeout": "rendering.settle = 0",
    "schedule.jitter": "schedule.cron = '0 3 * * *'",
    "recrawl.interval": f"{AGAIN}recrawl.least.default = 1\nrecrawl.greatest.default = '365d'",
    "recrawl.budget": AGAIN,
    **{f"recrawl.least.{name}": f"{AGAIN}recrawl.greatest.{name} = '365d'" for name in TYPES},
    **{f"recrawl.greatest.{name}": f"{AGAIN}recrawl.least.{name} = 1" for name in TYPES},
    "recrawl.greatest.default": f"{AGAIN}recrawl.least = {{ default = 1, listing = 1 }}",
}


def bounds() -> Iterator[tuple[str, float, float, str]]:
    """Of each the key, a number within, one beyond, and what is said of that."""
    for path, table in tables().items():
        for name, field in names(table).items():
            key = ".".join((*path, name))
            for part in parts(field):
                match part:
                    case Ge(least):
                        yield key, least, least - 1, "it must be at least "
                    case Gt(least):
                        yield key, least + 0.001, least, "it must be more than "
                    case Le(most):
                        yield key, most, most + 1, "it must be at most "


BOUNDS = list(bounds())


@pytest.mark.parametrize(("key", "within", "beyond", "said"), BOUNDS)
def test_a_number_is_taken_at_its_bound_and_refused_beyond(
    key: str, within: float, beyond: float, said: str
) -> None:
    job = f"{LEAST}{BESIDE.get(key, '')}\n{key} = "
    parse_job(f"{job}{within}")
    with pytest.raises(JobError) as caught:
        parse_job(f"{job}{beyond}")
    (problem,) = caught.value.problems
    assert (problem.key, said in problem.message) == (key, True)


def test_every_number_has_a_bound() -> None:
    bounded = {key for key, *_ in BOUNDS}
    for path, table in tables().items():
        for name, field in names(table).items():
            if type(field.get_default()) in (int, float):
                assert ".".join((*path, name)) in bounded
    assert {"limits.pages_per_host", "limits.total_size", "limits.total_time"} <= bounded
    assert {"limits.processes", "scope.depth"} <= bounded


@pytest.mark.parametrize(("length", "is_taken"), [(200, True), (201, False)])
def test_a_user_agent_has_a_longest(length: int, *, is_taken: bool) -> None:
    job = f"{LEAST}politeness.user_agent = '{'a' * length}'"
    if is_taken:
        parse_job(job)
    else:
        with pytest.raises(JobError, match="it must be at most 200 characters"):
            parse_job(job)


def test_numbers_beyond_64_bits_are_no_toml() -> None:
    with pytest.raises(JobError) as caught:
        parse_job(f"{LEAST}limits.pages = {2**63}\nscope.ports = [80, {-(2**63) - 1}]")
    found = [(problem.line, problem.key) for problem in caught.value.problems]
    assert found == [(3, "limits.pages"), (4, "scope.ports[1]")]
    with pytest.raises(JobError, match=r"aa? is not a known key"):
        parse_job(f"{LEAST}{'.'.join(['a'] * 1500)} = 1")
