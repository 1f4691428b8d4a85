"""Licences: the page's own, which it declares or states, and not that of a picture in it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from corpus_commons.markup import parse
from pipelines.metadata import page_metadata
from tests.cpu_time import bounded_time

BY = "https://creativecommons.org/licenses/by/4.0/"


def licence_of(page: str) -> str | None:
    now = datetime(2026, 5, 1, 12, tzinfo=UTC)
    return page_metadata(parse(page), url="https://example.com/a", fetched_at=now).licence


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ('<a rel="license" href="/terms">', "https://example.com/terms"),
        ('<link rel=license href="//creativecommons.org/licenses/BY-NC/3.0/de/legalcode">',
         "https://creativecommons.org/licenses/by-nc/3.0/de/"),
        ('<a href="http://creativecommons.org/publicdomain/zero/1.0/">',
         "https://creativecommons.org/publicdomain/zero/1.0/"),
        (f'<a rel=license href=/terms><a rel="license noopener" href={BY}>', BY),
        ('<a rel=license href="https://creativecommons.org/licenses/by-nc-sa/3.0/igo/">',
         "https://creativecommons.org/licenses/by-nc-sa/3.0/igo/"),
        ('<a href="https://creativecommons.org/licenses/by/4.0/">'
         '<a href="https://creativecommons.org/licenses/by-sa/4.0/">', None),
        ('<a href="https://creativecommons.org/about/">', None),
        ('<a rel=license href="javascript:alert(1)">', None),
        ('<a rel=license href="http://[broken">', None),
        ('<a rel=license href="https://example.com/a b">', None),
        ('<a rel=license href="/|[x](javascript:alert(1))|">', None),
        ('<a rel=license href="/`\x1b[2J">', None),
        ('<a rel=license href="/Lizenz_für(a)?b=c,d">', "https://example.com/Lizenz_für(a)?b=c,d"),
        (f'<a rel=license href="/{"x" * 600}">', None),
        ('<a rel=license href="terms.html">', "https://example.com/terms.html"),
        ('<a rel=license href="#license">', None),
        ('<a rel=license href="/">', None),
        ('<a rel=license href="https://mit-license.org/">', "https://mit-license.org/"),
        ('<meta name=dc.rights content="Copyright">', None),
        ('<meta name=dc.rights content="MIT/Apache-2.0">', None),
        ('<meta name=dc.rights content="/terms">', "https://example.com/terms"),
        ('<meta name=dc.rights content="CC BY-NC-ND 3.0">',
         "https://creativecommons.org/licenses/by-nc-nd/3.0/"),
        ('<meta name=dc.rights content="CC0-1.0">',
         "https://creativecommons.org/publicdomain/zero/1.0/"),
        ('<meta name=dc.rights content="Free, http://creativecommons.org/licenses/by/4.0/.">',
         "https://creativecommons.org/licenses/by/4.0/"),
        ('<script type=application/ld+json>{"@type": "Article", "license": "CC-BY-SA-4.0"}',
         "https://creativecommons.org/licenses/by-sa/4.0/"),
    ],
)  # fmt: skip
def test_licences(page: str, expected: str | None) -> None:
    assert licence_of(page) == expected


def _share(version: str) -> str:
    target = f"https%3a%2f%2fcreativecommons.org%2flicenses%2fby-sa%2f{version}%2f"
    return f"<a data-se-share-sheet-license-url={target}>Share</a>"


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<p>Content available under <a href=/rights>a licence</a>", "https://example.com/rights"),
        ("<p>This page is licensed under\n the <a href=/psf>License</a>", "https://example.com/psf"),
        # The question's, and that of an answer.
        (f"{_share('4.0')}{_share('3.0')}contributions licensed under <a href=/help>CC BY-SA</a>",
         "https://creativecommons.org/licenses/by-sa/4.0/"),
        ("<link rel=license href=/first><p>Content available under <a href=/b>b</a>",
         "https://example.com/first"),
        # Of a program, a picture, or no statement.
        ("<p>The program is available under <a href=/mit>MIT</a>", None),
        ("<p>Photos and other content available under <a href=/b>a licence</a>", None),
        ("<p>Content available <a href=/b>here</a>", None),
        ("<a href=/b>a licence</a>", None),
    ],
)  # fmt: skip
def test_a_statement_tells_the_licence_of_a_page(page: str, expected: str | None) -> None:
    assert licence_of(page) == expected


_BY = '<a href="https://creativecommons.org/licenses/by/2.0/">CC BY</a>'


@pytest.mark.parametrize(
    "credit",
    [
        f"<p>photo credit: <a href=/f>Funky64</a> via photopin {_BY}</p><p>All rights reserved",
        f"<p>© All rights reserved. Photos made available under a {_BY}",
        f"<p>Images: {_BY.replace('<a ', '<a rel=license ')}",
        f"<figure><img><p>Jane Doe, {_BY}</p></figure>",
        f"<figure><img><figcaption>Jane Doe, {_BY}</figcaption></figure>",
        f"<figure><img src=pier.jpg>{_BY.replace('CC BY', '<img src=by.png>')}</figure>",
        f"<div class=wp-caption><img><p>Jane Doe, {_BY}</div>",
    ],
)
def test_the_licence_of_a_picture_is_not_the_pages(credit: str) -> None:
    assert licence_of(credit) is None


@pytest.mark.parametrize(
    "licensed",
    [
        f"<p>For extra credit, read our policy. This work is under {_BY}",
        f"<p>A photo.</p><p>This work is under {_BY}",
        f"<figure>{_BY.replace('CC BY', '<img>')}</figure>",
    ],
)
def test_the_licence_of_a_page_may_stand_by_pictures(licensed: str) -> None:
    assert licence_of(licensed) == "https://creativecommons.org/licenses/by/2.0/"


@pytest.mark.parametrize(
    "declaration",
    [
        *(f"<meta name={name} content='{BY}'>" for name in
          ("dcterms.license", "DCTERMS.rights", "DC.Rights.License", "license", "rights",
           "copyright")),
        *(f"<meta name={name} content='CC BY 4.0'>" for name in ("license", "copyright")),
        f"<link rel=DCTERMS.license href={BY}>",
        f"<link rel=copyright href={BY}>",
        f"<link itemprop=license href={BY}>",
        f"<meta itemprop=license content={BY}>",
        f"<div itemscope itemtype=https://schema.org/Article><a itemprop=license href={BY}>BY</a>",
        f"<span about='' property=cc:license resource={BY}>Free</span>",
        f"<a rel=cc:license href={BY}>Free</a>",
        f"<a rel=dct:license href={BY}>Free</a>",
    ],
)  # fmt: skip
def test_the_forms_in_which_a_page_declares_its_licence(declaration: str) -> None:
    assert licence_of(declaration) == BY


@pytest.mark.parametrize(
    "declaration",
    [
        "<meta name=copyright content=https://example.com/copyright>",
        "<link rel=copyright href=/terms>",
        "<meta itemprop=license content=MIT>",
        "<meta name=rights content='Photos are CC BY 4.0'>",
        "<div itemscope itemtype=https://schema.org/ImageObject>"
        f"<a itemprop=license href={BY}>Free</a>",
        f"<div about=/pier.jpg><a rel=license href={BY}>Free</a>",
        f"<div typeof=dctype:StillImage><a rel=cc:license href={BY}>Free</a>",
    ],
)
def test_declarations_of_something_else_are_no_licence(declaration: str) -> None:
    assert licence_of(declaration) is None


LINK = f"<a href={BY}>CC BY 4.0</a>"


@pytest.mark.parametrize(
    "statement",
    [
        f"This work by Jane Doe is licensed under a {LINK}",
        f"Except as otherwise noted, the content of this page is licensed under the {LINK}",
        f"Portions of this content are © individual contributors. Content available under a {LINK}",
        f"Dieses Werk ist lizenziert unter einer {LINK}",
        f"Sauf mention contraire, tous les contenus de ce site sont sous {LINK}",
        f"Este obra está bajo una licencia {LINK}",
        f"Este conteúdo está disponível sob a licença {LINK}",
        f"Quest’opera è distribuita con licenza {LINK}",
        f"De inhoud is beschikbaar onder de {LINK}",
        f"Treść udostępniana na licencji {LINK}",
        f"Содержимое доступно по лицензии {LINK}",
        f"本文为博主原创文章，遵循{LINK}",
        "This work is licensed under CC BY 4.0.",
        "This work is licensed under a Creative Commons Attribution 4.0 International License.",
    ],
)
def test_statements_in_many_languages_tell_the_licence(statement: str) -> None:
    assert licence_of(f"<p>{statement}") == BY


def test_a_statement_may_name_a_licence_of_somebody_else() -> None:
    page = (
        "<p>Inhalte stehen unter der Lizenz <a href=https://www.govdata.de/dl-de/by-2-0>DL-DE</a>"
    )
    assert licence_of(page) == "https://www.govdata.de/dl-de/by-2-0"
    assert licence_of("<p>Der Artikel steht unter <a href=/gardens>Garten</a>") is None


@pytest.mark.parametrize(
    "credit",
    [
        *(f"{words} Jane Doe, {LINK}" for words in
          ("Foto:", "Bild:", "Bildnachweis:", "Crédit photo :", "Фото:", "写真：", "图片：",
           "Artikelbild:", "Imagen:", "Zdjęcie:", "Kuva:", "Music:", "Map data ©", "Quelle:")),
        f"Header: <a href=/1>Pier</a> by <a href=/2>Jane Doe</a> ({LINK})",
        f"Quelle: Jane Doe, Lizenz: {LINK}",
        f"Jane Doe / Flickr / {LINK}",
        f"Jane Doe, {LINK}, via Wikimedia Commons",
        f"“Pier” by Jane Doe is licensed under {LINK}",
        f"<a href={BY}><img></a> <a href=/1>jane</a> <a href=/2>via Compfight</a>",
        f"Icons made by <a href=/1>Freepik</a> from Flaticon is licensed by {LINK}",
        f"© <a href=/1>OpenStreetMap</a> contributors, {LINK}",
        f"Flickr introduced the {LINK} licence in 2004, and many followed.",
        f"The figures of this article are licensed under {LINK}",
        f"This article’s figures are licensed under {LINK}",
        f"The town published its maps under a {LINK}.",
        f"{LINK}",
        "“Pier” by Jane Doe is licensed under CC BY 4.0.",
        "Photos and texts of this page are licensed under CC BY 4.0.",
    ],
)  # fmt: skip
def test_a_credit_or_a_mention_is_no_licence(credit: str) -> None:
    assert licence_of(f"<p>{credit}</p><footer>© 2026 Example. All rights reserved.") is None
    assert licence_of(f"<figure><img><p>{credit}</figure>") is None


@pytest.mark.parametrize(
    "place",
    [
        f"<footer><p>Copyright Jane Doe 2026. {LINK}",
        f"<footer><p>© 2026 Example Inc. Licensed under {LINK}",
        f"<div id=footer>2001-2026 • <a href={BY}>Some rights reserved</a>",
        f"<div class=abs-license>{LINK}",
        f"<p><a href={BY}><img src=by.png></a>",
    ],
)
def test_a_link_in_the_place_of_a_licence_and_a_badge_need_no_statement(place: str) -> None:
    assert licence_of(place) == BY
    assert licence_of(f"{place}<p>Photo: Jane Doe, {LINK}") is None


def test_the_licence_of_what_a_footer_credits_is_not_the_pages() -> None:
    for words in ("Icons by", "“Pier” by Jane Doe,", "Theme by Li Na,"):
        assert licence_of(f"<footer><p>{words} {LINK}") is None


@pytest.mark.parametrize(
    "page",
    [
        f"<p>{'this work is ' * 20_000}{LINK * 20_000}",
        f"<p>{'CC BY ' * 100_000}" + "<p>CC BY 4.0" * 20_000,
        f"<p>this work is under <a href=/x>licence</a>{'<a rel=license>x</a> via ' * 20_000}",
    ],
)
def test_hostile_licences_are_read_in_bounded_time(page: str) -> None:
    dom = parse(page)
    with bounded_time():
        page_metadata(dom, url="https://example.com/a", fetched_at=datetime.now(UTC))
