"""Which URLs belong to a job."""

from __future__ import annotations

import pytest

from crawler.discovery.scope import Scope
from crawler.urls import address
from settings.addresses import host_of
from settings.networks import AddressPolicy
from settings.tables.scope import Scope as Table

SEEDS = ["www.example.com", "127.0.0.1"]


def refusal(url: str, *, depth: int = 1, loopback: bool = True, **table: object) -> str | None:
    scope = Scope(Table.model_validate(table), SEEDS, AddressPolicy(loopback=loopback))
    return scope.refusal(address(url), depth)


@pytest.mark.parametrize(
    ("stay_on", "url", "expected"),
    [
        ("domain", "http://docs.example.com/", None),
        ("domain", "http://example.com/", None),
        ("domain", "http://notexample.com/", "domain"),
        ("domain", "http://127.0.0.1:8000/", None),
        ("domain", "http://127.0.0.2/", "domain"),
        ("host", "http://www.example.com/", None),
        ("host", "http://docs.example.com/", "domain"),
        ("any", "http://elsewhere.example/", None),
    ],
)
def test_links_stay_where_the_job_says(stay_on: str, url: str, expected: str | None) -> None:
    assert refusal(url, stay_on=stay_on) == expected


def test_the_page_of_a_seed_is_in_scope_however_its_address_is_written() -> None:
    url = "http://[2606:4700:4700:0::1111]/a"
    for stay_on in ("host", "domain"):
        table = Table.model_validate({"stay_on": stay_on})
        scope = Scope(table, [host_of(url)], AddressPolicy())
        assert scope.refusal(address(url), 1) is None


@pytest.mark.parametrize("stay_on", ["any", "domain", "host"])
def test_domains_take_the_place_of_stay_on_and_exclusions_win(stay_on: str) -> None:
    table = {"stay_on": stay_on, "domains": ["a.example"], "exclude_domains": ["bad.a.example"]}
    assert refusal("http://www.a.example/", **table) is None
    assert refusal("http://www.example.com/", **table) == "domain"
    assert refusal("http://x.bad.a.example/", **table) == "domain"


def test_what_may_be_anywhere_is_still_not_on_an_excluded_host_or_a_private_one() -> None:
    table = Table.model_validate({"exclude_domains": ["bad.example"], "exclude": ["/no"]})
    scope = Scope(table, SEEDS, AddressPolicy())
    expected = {
        "http://cdn.example/s.xml": None,
        "http://cdn.example/no.xml": "pattern",
        "http://x.bad.example/s.xml": "domain",
        "http://10.0.0.1/s.xml": "private-address",
    }
    for url, why in expected.items():
        assert scope.refusal(address(url), 0, wanted=True, anywhere=True) == why


def test_patterns_are_found_in_the_canonical_url() -> None:
    table = {"include": ["/news/"], "exclude": [r"b=2$"]}
    assert refusal("http://www.example.com/news/1", **table) is None
    assert refusal("http://www.example.com/shop/1", **table) == "pattern"
    assert refusal("http://www.example.com/news/?b=2&a=1", **table) == "pattern"


@pytest.mark.parametrize(
    ("pattern", "url"),
    [
        ("/новости/", "http://www.example.com/новости/1"),
        ("/новости/", "http://www.example.com/%D0%BD%D0%BE%D0%B2%D0%BE%D1%81%D1%82%D0%B8/1"),
        ("[?&]тема=мир$", "http://www.example.com/a?тема=мир"),
        (r"//bücher\.example\.com/", "http://xn--bcher-kva.example.com/"),
        ("/news/|/новости/", "http://www.example.com/news/1"),
        ("/%D0%BD[^/]*/$|ё", "http://www.example.com/новости/"),
    ],
)
def test_patterns_beyond_ascii_are_found_in_the_url_as_people_write_it(
    pattern: str, url: str
) -> None:
    assert refusal(url, include=[pattern]) is None
    assert refusal(url, exclude=[pattern]) == "pattern"


@pytest.mark.parametrize(
    "url",
    [
        "http://www.example.com/",
        "http://www.example.com/%D0%BD%FF%BE/",
        "http://xn--99999999999.example.com/",
    ],
)
def test_patterns_beyond_ascii_are_not_found_elsewhere(url: str) -> None:
    assert refusal(url, include=["/новости/"]) == "pattern"
    assert refusal(url, exclude=["/новости/"]) is None


def test_depth_is_bounded() -> None:
    assert refusal("http://www.example.com/", depth=3) is None
    scope = Scope(Table.model_validate({"depth": 0}), SEEDS, AddressPolicy())
    assert scope.refusal(address("http://www.example.com/"), 0) is None
    assert scope.refusal(address("http://www.example.com/"), 1) == "depth"


def test_files_that_are_no_pages_are_left_out() -> None:
    assert refusal("http://www.example.com/a/B.PDF?download=1") == "extension"
    assert refusal("http://www.example.com/a.pdf/page") is None


@pytest.mark.parametrize("host", ["10.0.0.1", "169.254.169.254", "[::1]", "[fe80::1]"])
def test_private_addresses_are_out_of_every_scope(host: str) -> None:
    assert refusal(f"http://{host}/", stay_on="any", loopback=False) == "private-address"


def test_workers_with_the_same_rules_and_seeds_have_the_same_digest() -> None:
    def digest(*hosts: str, **table: object) -> str:
        return Scope(Table.model_validate(table), hosts, AddressPolicy()).digest()

    assert digest("www.example.com", "b.example") == digest("b.example", "docs.example.com")
    hosts = [f"h{number}.example" for number in range(100)]
    for stay_on in ("host", "domain"):
        assert digest(*hosts, stay_on=stay_on) == digest(*reversed(hosts), stay_on=stay_on)
    assert digest("a.example") != digest("b.example")
    assert digest("www.a.example", stay_on="host") != digest("docs.a.example", stay_on="host")
    assert digest("a.example", depth=1) != digest("a.example", depth=3)
