"""A crawl of a site for each signal: what one forbids is not kept, and nothing else is lost."""

from __future__ import annotations

from contextlib import ExitStack
from datetime import UTC, datetime
from typing import Any

import pytest
from crawling import Crawling
from small_web import PAGE, Web

from crawler.consent.policy import Policy
from crawler.consent.signals import Signals
from crawler.consent.statement import statements_in
from settings.tables.consent import Consent

Answer = tuple[int, dict[str, str], str]
PRESETS = ("research", "training", "archive", "strict")
RSL = '<rsl xmlns="https://rslstandard.org/rsl"><content url="/">{}</content></rsl>'
FORBIDDEN = RSL.format('<license><prohibits type="usage">ai-train</prohibits></license>')
PERMITTED = RSL.format('<license><payment type="attribution"/></license>')
LINK = '</license.xml>; rel="license"; type="application/rsl+xml"'
TDM = '[{"location": "/", "tdm-reservation": 1}]'


def text(body: str) -> Answer:
    return 200, {"Content-Type": "text/plain"}, body


def page(head: str = "", **headers: str) -> Answer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return 200, named, f"{head}{PAGE}<a href=/more>more</a>"


def robots(*lines: str) -> dict[str, Answer]:
    return {"/": page(), "/robots.txt": text("\n".join(lines))}


# What a site answers, and the signal by which it forbids its first page; None if it does not.
SITES: dict[str, tuple[str | None, dict[str, Answer]]] = {
    "nothing": (None, {"/": page()}),
    "agents": ("robots-agents", robots("User-agent: GPTBot", "Disallow: /")),
    "agents elsewhere": (None, robots("User-agent: GPTBot", "Disallow: /elsewhere")),
    "signal": (
        "content-signal",
        robots("User-agent: *", "Content-Signal: ai-train=no", "Allow: /"),
    ),
    "signal before groups": ("content-signal", robots("Content-Signal: ai-train=no")),
    "signal for search": (
        "content-signal-search",
        robots("User-agent: *", "Content-Signal: search=no, ai-train=yes"),
    ),
    "signal for input": ("content-signal-input", robots("Content-Signal: ai-input=no")),
    "usage": ("content-usage", robots("User-agent: *", "Content-Usage: / train-ai=n")),
    "usage in header": ("content-usage", {"/": page(Content_Usage="train-ai=n")}),
    "usage for search": ("content-usage-search", {"/": page(Content_Usage="search=n")}),
    "tdm file": ("tdmrep", {"/": page(), "/.well-known/tdmrep.json": text(TDM)}),
    "tdm file and page": (
        None,
        {"/": page("<meta name=tdm-reservation content=0>"), "/.well-known/tdmrep.json": text(TDM)},
    ),
    "tdm header": ("tdmrep", {"/": page(tdm_reservation="1")}),
    "rsl": (
        "rsl",
        {"/": page(Link=LINK), "/license.xml": text(FORBIDDEN)},
    ),
    "rsl permits": (None, {"/": page(Link=LINK), "/license.xml": text(PERMITTED)}),
    "rsl is missing": ("rsl", {"/": page(Link=LINK)}),
    "ai.txt": ("ai-txt", {"/": page(), "/ai.txt": text("User-Agent: *\nDisallow: *.txt")}),
    "ai.txt is a page": (None, {"/": page(), "/ai.txt": page()}),
    "noai": ("noai", {"/": page("<meta name=robots content=noai>")}),
    "noai in header": ("noai", {"/": page(X_Robots_Tag="noai")}),
    "noimageai": ("noimageai", {"/": page("<meta name=robots content=noimageai>")}),
    "noindex": ("noindex", {"/": page("<meta name=robots content=noindex>")}),
    "noarchive": ("noarchive", {"/": page(X_Robots_Tag="noarchive")}),
    "nosnippet": ("nosnippet", {"/": page("<meta name=robots content=nosnippet>")}),
    "gone": ("unavailable-after", {"/": page(X_Robots_Tag="unavailable_after: 2020-01-01")}),
    "not gone yet": (None, {"/": page(X_Robots_Tag="unavailable_after: 2999-01-01")}),
}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """The lines of the pages of a crawl for training, by the site's name and the path."""
    with ExitStack() as stack:
        sites = {}
        for number, (name, (_, answers)) in enumerate(SITES.items(), 1):
            web = stack.enter_context(Web(f"127.0.1.{number}"))
            web.answers = {"/more": (200, {}, PAGE), **answers}
            sites[web.base] = name
        seeds = ", ".join(f'"{base}/"' for base in sites)
        job = f"seeds.urls = [{seeds}]\n[politeness]\ndelay = 0\nlongest_delay = 0"
        crawling = Crawling(tmp_path_factory.mktemp("consent"), job)
        assert crawling.run()[0] == 0
    lines = crawling.pages()
    return {
        f"{sites[base]} {path}": line
        for line in lines
        for base, _, path in [line["url"].rpartition("/")]
    }


def test_what_a_signal_forbids_for_training_is_not_kept_and_nothing_else_is_lost(
    pages: dict[str, dict[str, Any]],
) -> None:
    honoured = Signals.shipped().honoured_by("training")
    expected = {
        f"{name} ": "consent" if signal in honoured else "kept"
        for name, (signal, _) in SITES.items()
    }
    assert {key: pages[key]["outcome"] for key in expected} == expected
    assert {line["bytes"] for line in pages.values() if line["outcome"] == "consent"} == {0}


def test_links_of_a_page_that_is_not_kept_are_followed(pages: dict[str, dict[str, Any]]) -> None:
    assert pages["noai more"]["outcome"] == "kept"
    assert len(pages) == 2 * len(SITES)


@pytest.mark.parametrize("preset", PRESETS)
def test_the_pages_can_be_judged_again_by_what_is_recorded(
    pages: dict[str, dict[str, Any]], preset: str
) -> None:
    policy = Policy.of(Consent.model_validate({"preset": preset}))
    honoured = Signals.shipped().honoured_by(preset)
    for name, (signal, _) in SITES.items():
        found = statements_in(pages[f"{name} "]["consent"])
        objection = policy.objection(found, datetime.now(UTC))
        assert (objection and objection.signal) == (signal if signal in honoured else None), name


def test_what_was_read_is_recorded_with_its_time(pages: dict[str, dict[str, Any]]) -> None:
    consent = pages["ai.txt "]["consent"]
    assert consent["rules"] == Signals.shipped().rules
    assert {file["path"]: file["status"] for file in consent["files"]} == {
        "/robots.txt": 404,
        "/.well-known/tdmrep.json": 404,
        "/ai.txt": 200,
    }
    assert all(file["read_at"].startswith("20") for file in consent["files"])
