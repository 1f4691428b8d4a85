"""Any input gives an Extraction or an ExtractionError, within limits of time and memory."""

from __future__ import annotations

import re
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nasty_pages import FILES, GROWN

from extraction import Extraction, ExtractionError, Extractor, extract, extractor, names
from extraction.methods.base import DomExtractor
from tests.cpu_time import bounded_time

SMALL = 8_000
SECONDS = 30


def installed(name: str) -> Extractor:
    try:
        return extractor(name)
    except ImportError as error:
        pytest.skip(str(error))


def check(method: Extractor, page: str | bytes) -> None:
    """Extracts; libraries may raise ExtractionError, our own methods must not."""
    try:
        extraction = method.extract(page, url="https://example.com/a/b")
    except ExtractionError:
        assert not isinstance(method, DomExtractor)
        return
    assert isinstance(extraction, Extraction)
    assert isinstance(extraction.text, str)
    extraction.text.encode()
    assert all(block.text for block in extraction.blocks)
    for judged in (*extraction.blocks, *extraction.images):
        assert judged.probability is None or 0 <= judged.probability <= 1
    assert extraction.confidence is None or 0 <= extraction.confidence <= 1


@pytest.mark.timeout(SECONDS)
@pytest.mark.parametrize("page", FILES.values(), ids=FILES.keys())
@pytest.mark.parametrize("name", names())
def test_every_method_survives_small_nasty_pages(name: str, page) -> None:
    check(installed(name), page.read_bytes())


@pytest.mark.timeout(SECONDS)
@pytest.mark.parametrize("made", GROWN.values(), ids=GROWN.keys())
@pytest.mark.parametrize("name", names())
def test_every_method_survives_grown_nasty_pages(name: str, made) -> None:
    check(installed(name), made(SMALL))


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel is asked for the peak")
def test_memory_is_bounded() -> None:
    """9 MB of nested <div> are read, too many elements are refused, in less than 1.5 GB."""
    program = (
        "from pathlib import Path\n"
        "from extraction import ExtractionError, extract\n"
        "assert extract('<div>' * 1_800_000 + 'text', method='all-text').text == 'text'\n"
        "try:\n"
        "    extract('<br>x' * 1_100_000, method='all-text')\n"
        "except ExtractionError:\n"
        "    print(Path('/proc/self/status').read_text())\n"
    )
    done = subprocess.run(  # noqa: S603  (our own interpreter and program)
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    peak = re.search(r"VmHWM:\s+(\d+) kB", done.stdout)
    assert peak
    assert int(peak[1]) < 1.5 * 2**20


def test_fifty_megabytes_are_refused() -> None:
    refused = pytest.raises(ExtractionError, match="page has more than 10,000,000 characters")
    with bounded_time(), refused:
        extract("<div>" * 10_000_000)


@settings(max_examples=150)
@given(st.one_of(st.binary(max_size=400), st.text(max_size=400)))
def test_all_text_is_total(page: bytes | str) -> None:
    check(extractor("all-text"), page)


FRAGMENTS = (
    "<p>word, word. </p>|<p>|</p>|<div class=comment>|</div>|<table>|<tr>|<td>cell|</table>|<ul>"
    "|<li>item|</ul>|<h1>|<h2>Heading</h2>|<br>|<a href=/x>link</a>|<img src=x width=300>|<pre>"
    "|</pre>|<script>|</script>|<form>|<select><option>|<svg>|</svg>|text |&nbsp;|\0|\ud800|<!--"
    "|-->|<b>|</b>|中文。"
).split("|")


@pytest.mark.parametrize("name", names())
def test_the_error_of_every_method_for_a_wrong_type_names_the_right_ones(name: str) -> None:
    with pytest.raises(TypeError, match=r"^html is NoneType; it must be str, bytes or a Dom$"):
        installed(name).extract(None)


@pytest.mark.parametrize("name", names())
def test_methods_of_our_own_are_total(name: str) -> None:
    method = installed(name)
    if not isinstance(method, DomExtractor):
        pytest.skip("a library")
    random = np.random.default_rng(7)
    for _ in range(25):
        fragments = random.choice(FRAGMENTS, size=random.integers(1, 60))
        check(method, "".join(fragments))


def test_recursion_is_not_used() -> None:
    limit = sys.getrecursionlimit()
    page = "<div>" * 500 + "<p>text</p>" + "</div>" * 500
    try:
        sys.setrecursionlimit(160)
        assert extract(page, method="all-text").text == "text"
    finally:
        sys.setrecursionlimit(limit)
