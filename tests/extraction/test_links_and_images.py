"""Links and images in Markdown and HTML: where they lead, and which are written."""

from __future__ import annotations

import re
from urllib.parse import urljoin

import numpy as np
import pytest
from formatted import URL, fragment, markdown

from extraction import Extraction, Output, extract, parse
from extraction.formats.writing import written
from extraction.output import Format
from extraction.page import addresses
from extraction.page.segmentation import segment
from extraction.page.selection import Selection


def test_links_are_absolute_and_lead_somewhere() -> None:
    body = (
        '<a href="../c d">a</a> <a href="//e.org/(x)">b</a> <a href="mailto:x@y.z">c</a> '
        '<a href="#top">d</a> <a href="javascript:alert(1)">e</a> <a href="data:text/html,x">f</a> '
        '<a href="http://[">g</a> <a>h</a> <a href="  HTTPS://E.org/?a=1&amp;b=&quot;">i</a>'
    )
    assert markdown(body, links=True) == (
        "[a](https://example.org/c%20d) [b](https://e.org/%28x%29) [c](mailto:x@y.z) "
        "d e f g h [i](https://E.org/?a=1&b=%22)"
    )
    assert fragment(body, links=True).startswith('<p><a href="https://example.org/c%20d">a</a> ')
    assert markdown(body) == "a b c d e f g h i"


def test_links_are_resolved_against_the_base() -> None:
    page = "<base href='/x/'><body><a href=y>a</a>"
    kept = extract(page, method="all-text", url=URL, format="markdown", links=True)
    assert kept.text == "[a](https://example.org/x/y)"
    unknown = extract(page, method="all-text", format="markdown", links=True)
    assert unknown.text == "a"


@pytest.mark.parametrize("form", ["markdown", "html"])
def test_a_url_with_a_lone_surrogate_gives_text_that_utf_8_can_encode(form: Format) -> None:
    page = "<body><a href=y>a</a> <img src=z alt=b> c"
    url = "https://example.org/\ud800/x"
    kept = extract(page, method="all-text", url=url, format=form, links=True, images=True)
    assert "https://example.org/\ufffd/y" in kept.text
    assert [image.url for image in kept.images] == ["https://example.org/\ufffd/z"]
    kept.text.encode()


def test_links_and_images_of_an_archive_stay_in_it() -> None:
    page = "<body><a href=c>a</a> <a href='?'>b</a><img src=d//e.png alt=f><p>g"
    url = "https://example.org/web/1/http://e.org/x/y?page=3"
    kept = extract(page, method="all-text", url=url, format="markdown", links=True, images=True)
    here = "https://example.org/web/1/http://e.org/x"
    assert f"[a]({here}/c) [b]({here}/y?)" in kept.text
    assert [image.url for image in kept.images] == [f"{here}/d//e.png"]


def test_the_first_base_counts_even_if_it_is_empty() -> None:
    page = "<base href=''><base href='https://cdn.example/'><body><a href=y>a</a>"
    kept = extract(page, method="all-text", url=URL, format="markdown", links=True)
    assert kept.text == f"[a]({urljoin(URL, 'y')})"


def test_a_base_that_is_too_long_is_ignored() -> None:
    page = f"<base href='http://e.org/{'a' * 4_000}/'><body><a href=y>a</a>"
    kept = extract(page, method="all-text", url=URL, format="markdown", links=True)
    assert kept.text == f"[a]({urljoin(URL, 'y')})"


def test_a_url_that_becomes_too_long_is_left_out() -> None:
    page = f"<base href='http://e.org/{'a' * 3_900}/'><body><a href={'y' * 200}>a</a>"
    body = f"{page} <a href=y>b</a><img src={'y' * 200}><img src=y><p>c"
    kept = extract(body, method="all-text", format="markdown", links=True, images=True)
    assert kept.text.startswith("a [b](http://e.org/")
    assert [len(image.url) for image in kept.images] == [13 + 3_902]


@pytest.mark.parametrize(
    "body",
    [
        "<p><a href=b>w</a>" * 200,
        "<a href=b>w</a> w " * 200,
        "<a href=b>" + "<p>w" * 200 + "</a>",
        "".join(f"<a href=b{i}>w</a><img src={i}>" for i in range(200)),
    ],
    ids=["paragraphs", "words", "one round all", "pictures"],
)
@pytest.mark.parametrize("form", ["markdown", "html"])
def test_a_long_base_does_not_make_a_long_document(
    body: str, form: Format, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(addresses, "_MAX_TOTAL_CHARACTERS", 20_000)
    page = f"<base href='http://e.org/{'a' * 3_000}/'><body>{body}"
    kept = extract(page, method="all-text", format=form, links=True, images=True)
    assert 2 * 3_000 < len(kept.text) < 2 * 20_000 + 20 * 200
    assert sum(len(image.url) for image in kept.images) <= 20_000
    assert kept.text.count("w") >= 200


def test_a_link_may_hold_brackets_marks_and_pictures() -> None:
    body = '<p>wow!<a href="/x">[a] <b>b</b><img src="/p.png" alt="A"> c</a></p>'
    assert markdown(body, links=True, images=True) == (
        "wow\\![\\[a\\] **b** ![A](https://example.org/p.png) c](https://example.org/x)"
    )


def kept_of(page: str, dropped: str, output: Output) -> Extraction:
    """The output without the blocks with this text."""
    segmentation = segment(parse(page))
    chosen = np.array([text != dropped for text in segmentation.texts] + [False])
    selection = Selection(segmentation, chosen[segmentation.block_of])
    return written(Extraction("", selection.blocks(), selection=selection), output, url=URL)


def test_images_stand_inside_and_between_kept_blocks() -> None:
    page = (
        "<body><img src=/before.png><p>a</p><img src=/between.png alt='x [y]'><p>b "
        "<img src=/inside.png> c</p><img src=/by-noise.png><p>noise</p><img src=/after.png>"
    )
    output = Output("markdown", images=True)
    found = kept_of(page, "noise", output)
    assert found.text == (
        "a\n\n![x \\[y\\]](https://example.org/between.png)\n\n"
        "b ![](https://example.org/inside.png) c"
    )
    assert [image.url[20:] for image in found.images] == ["between.png", "inside.png"]


def test_a_dropped_caption_does_not_part_its_image_from_the_text() -> None:
    figure = "<figure><img src=/a.png><figcaption>noise</figcaption></figure>"
    found = kept_of(f"<p>a</p>{figure}<p>b</p>{figure}", "noise", Output("markdown", images=True))
    assert found.text == "a\n\n![](https://example.org/a.png)\n\nb"


def test_unusable_images_are_left_out() -> None:
    body = "a{}b<p>c"
    for image in (
        "<img src='data:image/png;base64,AAAA'>",
        "<img src=/x.gif width=1 height=1>",
        "<img src=/x.gif hidden>",
        "<img alt=x>",
        "<img src='javascript:x'>",
    ):
        assert fragment(body.format(image), images=True) == fragment(body.format(""))
    late = "<img src='data:image/gif;base64,R0' data-src=/x.png alt='&quot;>'>"
    shown = '<img src="https://example.org/x.png" alt="&quot;&gt;">'
    assert fragment(body.format(late * 2), images=True) == f"<p>a{shown}b</p>\n<p>c</p>"


@pytest.mark.parametrize(
    ("written", "alt"),
    [
        ("Source &amp;amp; Photo&amp;#39;s&amp;nbsp;end", "Source & Photo's end"),
        ("R&D &copy AT&amp;T", "R&D © AT&T"),
        ("\u200b\u200eStone\u00ad bridge\u202c", "Stone bridge"),
        ("&amp;#27;[1mx&amp;#0;", "[1mx\ufffd"),
        ("[&#8203;IMG]", ""),
        ("[IMG] 2", "[IMG] 2"),
    ],
)
def test_alternative_text_is_cleaned(written: str, alt: str) -> None:
    page = f"<p>a <img src=/x.png alt='{written}'> b"
    found = extract(page, method="all-text", url=URL, format="html", images=True)
    assert [image.alt for image in found.images] == [alt]


def test_a_method_that_judges_images_decides_itself() -> None:
    sentence = "The council voted to restore the old bridge, and work will begin in spring. "
    page = (
        "<body><nav><img src=/logo.png width=20 height=20><a href=/>Home</a></nav><article>"
        f"<h1>Bridge</h1><figure><img src=/bridge.jpg width=800 height=600></figure>"
        f"{f'<p>{sentence * 3}</p>' * 8}</article>"
    )
    found = extract(page, method="elements", url=URL, format="markdown", images=True)
    written_images = re.findall(r"!\[]\((.*?)\)", found.text)
    assert written_images == [image.url for image in found.images]
