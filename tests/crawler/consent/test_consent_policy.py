"""What keeps a page out: the job's signals, the stricter of two statements, the moment."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import get_args

import pytest

from crawler.consent.licences import statements as of_licence
from crawler.consent.policy import Policy
from crawler.consent.signals import Signals
from crawler.consent.statement import HEADER, PAGE, ROBOTS_TXT, Statement
from settings.tables.consent import Consent
from settings.vocabulary import ConsentPreset, ConsentSignal

NOW = datetime(2026, 5, 1, tzinfo=UTC)


def no(signal: str, where: str = PAGE, since: str = "") -> Statement:
    return Statement(signal, "no", where, signal, since)


def test_a_job_names_the_signals_and_presets_that_there_are() -> None:
    shipped = Signals.shipped()
    assert get_args(ConsentSignal) == tuple(shipped.signals)
    assert get_args(ConsentPreset) == tuple(shipped.presets)
    assert all(set(one.presets) <= shipped.presets.keys() for one in shipped.signals.values())


@pytest.mark.parametrize(
    ("preset", "signals", "objects"),
    [
        ("training", ["noai"], True),
        ("training", ["robots-agents"], True),
        ("training", ["noindex", "noarchive", "noimageai", "licence-nc"], False),
        ("research", ["noai", "tdmrep", "rsl"], False),
        ("archive", ["noarchive"], True),
        ("archive", ["content-signal"], False),
        ("strict", ["licence-nd"], True),
    ],
)
def test_a_preset_honours_its_signals(preset: str, signals: list[str], objects: bool) -> None:
    policy = Policy.of(Consent.model_validate({"preset": preset}))
    assert bool(policy.objection(map(no, signals), NOW)) is objects


def test_the_job_may_name_signals_instead() -> None:
    policy = Policy.of(Consent.model_validate({"honour": ["noindex"]}))
    assert policy.objection([no("noindex")], NOW)
    assert not policy.objection([no("noai")], NOW)
    assert not Policy.of(Consent.model_validate({"honour": []})).objection([no("noai")], NOW)


def test_of_conflicting_statements_the_stricter_one_decides() -> None:
    policy = Policy.of(Consent())
    allowed = Statement("content-usage", "yes", HEADER, "")
    assert policy.objection([allowed, no("content-usage", ROBOTS_TXT)], NOW)
    assert policy.objection([allowed, no("content-signal", ROBOTS_TXT)], NOW)
    assert not policy.objection([allowed], NOW)


def test_of_tdmrep_what_is_nearer_to_the_page_decides() -> None:
    policy = Policy.of(Consent())
    page = Statement("tdmrep", "yes", PAGE, "")
    assert not policy.objection([no("tdmrep", HEADER), page], NOW)
    assert policy.objection([no("tdmrep", HEADER)], NOW)


def test_a_page_is_unavailable_when_its_moment_has_come() -> None:
    policy, found = (
        Policy.of(Consent()),
        [no("unavailable-after", since="2026-06-01T00:00:00+00:00")],
    )
    assert not policy.objection(found, NOW)
    assert policy.objection(found, NOW.replace(month=7))


@pytest.mark.parametrize(
    ("licence", "signals"),
    [
        ("https://creativecommons.org/licenses/by/4.0/", []),
        ("https://creativecommons.org/licenses/by-nc-nd/4.0/", ["licence-nc", "licence-nd"]),
        ("https://creativecommons.org/licenses/by-nc-sa/3.0/de/", ["licence-nc"]),
        ("https://example.com/licenses/by-nc/", []),
        (None, []),
    ],
)
def test_a_licence_says_no_by_its_elements(licence: str | None, signals: list[str]) -> None:
    assert [one.signal for one in of_licence(licence)] == signals
