"""A soak tells what grows from what does not, and its site is as large as it says."""

from __future__ import annotations

import re
import urllib.request
from urllib.error import HTTPError

import pytest

from benchmarks.soak.samples import Sample, Trend
from benchmarks.soak.site import serving


def samples(growth: float) -> list[Sample]:
    """A crawl of 100,000 pages; it holds 100 MB, and so much more at the end."""
    return [
        Sample(n * 1000, n, 100 + growth * n / 100, 50, 20 + n % 3, 9, 3, 0.0) for n in range(101)
    ]


def test_a_leak_is_found_and_noise_is_none() -> None:
    leaking = Trend.of(samples(10), "main", is_counted=False)
    assert not leaking.is_flat
    assert leaking.growth == pytest.approx(10)
    assert Trend.of(samples(1), "main", is_counted=False).is_flat
    assert Trend.of(samples(1), "files", is_counted=True).is_flat


def test_what_is_filled_while_a_program_warms_up_is_no_leak() -> None:
    warming = [Sample(n * 1000, n, min(100, 5 * n), 50, 20, 9, 3, 0.0) for n in range(1, 101)]
    assert Trend.of(warming, "main", is_counted=False).growth == 0


def test_all_pages_of_the_site_are_found_by_its_links() -> None:
    with serving(60, 2) as site:
        pages = set()
        left = list(site.homes)
        while left:
            url = left.pop()
            with urllib.request.urlopen(url) as answer:  # noqa: S310
                text = answer.read().decode()
            pages.add(text)
            home = url.rpartition("/")[0]
            left += [f"{home}{link}" for link in re.findall(r'href="(/\d+)"', text)]
        assert len(pages) == site.asked.value == 60
        with pytest.raises(HTTPError, match="404"):
            urllib.request.urlopen(f"{site.homes[0]}30")  # noqa: S310
