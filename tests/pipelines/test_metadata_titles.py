"""Titles: the page's own, as a reader sees them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from corpus_commons.markup import parse
from pipelines.metadata import page_metadata


def title_of(html: str, url: str = "https://example.com/a") -> str | None:
    return page_metadata(parse(html), url=url, fetched_at=datetime.now(UTC)).title


def headline(text: str) -> str:
    return (
        f'<script type="application/ld+json">{{"@type": "Article", "headline": "{text}"}}</script>'
    )


@pytest.mark.parametrize(
    ("page", "title"),
    [
        # A logo is a heading, too.
        ("<title>A guide to git • Jane Doe</title><meta property=og:site_name content='Jane Doe'>"
         "<h1>Jane Doe</h1>", "A guide to git"),
        ("<title>What is Ownership? - The Rust Programming Language</title>"
         "<h1>The Rust Programming Language</h1>", "What is Ownership?"),
        ("<title>A review, please - Bogleheads.org</title><h1>Bogleheads.org</h1>",
         "A review, please"),
        ("<title>The Site | A title</title><meta property=og:site_name content='The Site'>"
         "<h1>The Site</h1><h1>A title</h1>", "A title"),
        ("<title>首相が訪米｜東京新聞</title><h1>東京新聞</h1>", "首相が訪米"),
        ("<title>首相が訪米 ・ 東京新聞</title><h1>東京新聞</h1>", "首相が訪米"),
        ("<title>找不到工作怎么办_新浪新闻</title><meta property=og:site_name content=新浪新闻>",
         "找不到工作怎么办"),
        ("<title>首脑会谈-新华网</title><meta property=og:site_name content=新华网>", "首脑会谈"),
        ("<title>Spider-Man</title><meta property=og:site_name content='The Site'>", "Spider-Man"),
        # A title may stand last, too.
        ("<title>BBC - Health - How a film changed one man's vision</title>"
         "<h1>How a film changed one man's vision</h1>", "How a film changed one man's vision"),
        ("<title>The Handbook of the Language: Documentation - What is Ownership</title>"
         "<h1>What is Ownership</h1>", "What is Ownership"),
        # Among several headings the one that the head of the page has.
        ("<title>Wii tops the poll - gamezine.co.uk</title><h1>News Story</h1>"
         "<h1>Wii tops the poll</h1>", "Wii tops the poll"),
        ("<title>A title</title><h1>Top Classifieds</h1><h1>Comments</h1>", "A title"),
        # The page of a site's name.
        ("<title>The Verge</title><meta property=og:site_name content='The Verge'>", "The Verge"),
        ("<meta property=og:site_name content='The Verge'><h1>The Verge</h1>", "The Verge"),
    ],
)  # fmt: skip
def test_the_title_is_the_pages_and_not_its_sites(page: str, title: str) -> None:
    url = "https://example.com/book/ch04-01-what-is-ownership.html"
    assert title_of(page, url) == title


@pytest.mark.parametrize(
    ("page", "title"),
    [
        # Nothing but the address names the site.
        ("<title>Onion frittata | Joy the Baker</title>", "Onion frittata"),
        ("<title>JoyTheBaker.com: Onion frittata</title>", "Onion frittata"),
        ("<title>The Joy-the-Baker - Onion frittata</title>", "Onion frittata"),
        ("<title>» Onion frittata :joythebaker</title>", "Onion frittata"),
        ("<title>Onion frittata</title><h1>Joy the Baker</h1>", "Onion frittata"),
        ("<title>Joy the Baker</title>", "Joy the Baker"),
        ("<title>Home | Joy the Baker</title>", "Home | Joy the Baker"),
        # A heading that leads to the home, or to what the page is a part of, is no title.
        ("<title>A Kitchen: Onion frittata</title><h1><a href='/'>A Kitchen</a></h1>",
         "Onion frittata"),
        ("<title>A | kitchen » Onion frittata</title><a href=/index.php><h1>A | kitchen</h1></a>",
         "Onion frittata"),
        ("<title>Onion frittata « Notes</title><h1><a href=/2024>The kitchen</a></h1>",
         "Onion frittata « Notes"),
        ("<title>Onion frittata - A Kitchen - JoyTheBaker.com</title>"
         "<h1><a href=http://joythebaker.com>A Kitchen</a></h1>", "Onion frittata"),
        ("<title>The kitchen</title><h1><a href=''>Onion frittata</a></h1>", "Onion frittata"),
        ("<title>The kitchen</title><h1>Onion <a href=/>frittata</a></h1>", "Onion frittata"),
    ],
)  # fmt: skip
def test_the_address_and_the_way_home_tell_the_name_of_the_site(page: str, title: str) -> None:
    assert title_of(page, "https://www.joythebaker.com/2024/05/onion-frittata.html") == title


@pytest.mark.parametrize(
    ("page", "title"),
    [
        ("<title>A vitamin for the lungs - The Doctor</title><h1>Health Center</h1>",
         "A vitamin for the lungs - The Doctor"),
        ("<title>Print</title><h1>The lungs</h1>", "The lungs"),
        # What the page's address has is its own.
        ("<title>All that was said today, and more</title><h1>A vitamin</h1>", "A vitamin"),
        ("<title>不妨吃维生素_健康频道</title><h1>维生素</h1>", "维生素"),
    ],
)  # fmt: skip
def test_a_heading_without_a_word_of_the_title_is_one_only_if_it_says_more(
    page: str, title: str
) -> None:
    assert title_of(page, "https://example.com/news/vitamin") == title


def test_a_headline_that_the_page_does_not_show_is_a_description() -> None:
    page = "<title>Hermitian matrix - Wikipedia</title><h1>Hermitian matrix</h1>"
    assert title_of(headline("matrix equal to its transpose") + page) == "Hermitian matrix"
    page = "<title>A headline of the whole story</title>"
    assert title_of(headline("The headline of a story") + page) == "The headline of a story"


@pytest.mark.parametrize(
    ("heading", "title"),
    [
        ("The <i>Titanic</i>'s story, <b>H</b><sub>2</sub>O", "The Titanic's story, H2O"),
        ("Your Planning C<span>ycle</span>", "Your Planning Cycle"),
        ("<a>docs</a><a>Guide</a>", "docs Guide"),
        ("Two<br>lines", "Two lines"),
        ("<div>Two</div><div>blocks</div>", "Two blocks"),
        ("Seen <style>.a{}</style><script>x()</script>", "Seen"),
        ("Models<a class=headerlink href=#models>¶</a>", "Models"),
        ("Models <a class=headerlink href=#models>#</a>", "Models"),
        ("Learn C#", "Learn C#"),
        ("Enum Option<button>Copy item path</button>", "Enum Option"),
        ("Overview <tools data-nosnippet><b>Save</b> this page</tools>", "Overview"),
    ],
)
def test_a_heading_reads_as_it_is_shown(heading: str, title: str) -> None:
    assert title_of(f"<h1>{heading}</h1>") == title


@pytest.mark.parametrize(
    ("page", "title"),
    [
        # A heading of the page ends before a site that nothing else names.
        ("<title>The port opens – News of the Coast</title><h2>The port opens</h2>",
         "The port opens"),
        ("<title>The port opens - Coast - News</title><h2>Coast</h2><h3>The port opens</h3>",
         "The port opens"),
        ("<title>The port opens :: Coast</title><h2>The port opens</h2>", "The port opens"),
        ("<title>The Coast - The port opens</title><h2>The Coast</h2><h2>The port opens</h2>",
         "The Coast - The port opens"),
        ("<title>The port opens – The Coast</title><h2>Weather</h2>",
         "The port opens – The Coast"),
        # The site's domain, and a slogan.
        ("<title>The port opens | Example.com - all of the coast</title>", "The port opens"),
        # A section between the title and the site.
        ("<title>The port opens - Ships - Coast</title><h1>Ships</h1>",
         "The port opens - Ships - Coast"),
        # Capitals are those of a theme.
        ("<title>The Port Opens | Coast</title><h1>THE PORT OPENS</h1>", "The Port Opens"),
        ("<title>THE PORT OPENS</title><h1>THE PORT OPENS</h1>", "THE PORT OPENS"),
        # arXiv, and the software of forums.
        ("<h1><span class=descriptor>Title:</span>The port opens</h1>", "The port opens"),
        ("<title>Thread: The port opens</title>", "The port opens"),
        ("<title>Coast View topic - The port</title><h1>View topic - The port</h1>", "The port"),
    ],
)  # fmt: skip
def test_a_title_has_neither_section_nor_slogan_nor_the_capitals_of_a_theme(
    page: str, title: str
) -> None:
    assert title_of(page) == title


@pytest.mark.parametrize(
    "text",
    [
        "Using List<String> in Java",
        "The <details> element",
        "<table>: The table element",
        "30 years of <br> tags",
        "<p>: The paragraph element",
    ],
)
def test_a_title_may_be_about_a_tag(text: str) -> None:
    shown = text.replace("<", "&lt;")
    page = f"<title>{shown} | Ex</title><meta name=description content='{text} explained'>"
    found = page_metadata(
        parse(f"{page}<h1>{shown}</h1>"), url="https://ex.org/a", fetched_at=datetime.now(UTC)
    )
    assert (found.title, found.description) == (text, f"{text} explained")


@pytest.mark.parametrize(
    "text",
    [
        "A <b>storm</b> over Kiel",
        "A storm<br>over Kiel",
        "A storm<br /> over Kiel",
        "<p>A storm over Kiel",
        "A storm over Kiel<!-- -->",
        "A storm over Kiel <https://kiel.example>",
    ],
)
def test_markup_in_a_title_is_no_part_of_it(text: str) -> None:
    assert title_of(f"<title>{text}</title>") == "A storm over Kiel"


@pytest.mark.parametrize(
    "path",
    ["/2024/storm/", "/2024/storm/?utm_source=feed", "/2024/storm/amp/", "/2024/storm/page/2/"],
)
def test_a_heading_that_links_to_its_own_page_is_the_title(path: str) -> None:
    page = "<title>Storm - The Coast</title><h1><a href=/2024/storm/>Storm</a></h1>"
    assert title_of(page, f"https://example.com{path}") == "Storm"


@pytest.mark.parametrize(
    ("path", "target", "title"),
    [
        # A post of a thread, and the thread.
        ("/t/storm/3451/2", "/t/storm/3451", "Storm"),
        # A year, and an archive.
        ("/2024/05", "/2024", "The Coast"),
        # The query of a script, or of the root, is what selects the page.
        ("/thread.php?id=5", "/thread.php", "The Coast"),
        ("/?p=5", "/", "The Coast"),
    ],
)
def test_a_linked_heading_is_the_title_of_the_whole_but_not_of_the_site(
    path: str, target: str, title: str
) -> None:
    page = f"<title>The Coast - Storm</title><h1><a href={target}>Storm</a></h1>"
    assert title_of(page, f"https://example.com{path}") == title


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("美联储维持利率目标区间不变_南方网", "美联储维持利率目标区间不变"),
        ("胶卷成最后的记忆_图片频道_新华网", "胶卷成最后的记忆"),
        ("农民工不愿滥用诉权-法制网", "农民工不愿滥用诉权"),
        ("合理利用時間 OL晨起5分鐘 | 新華網重慶頻道", "合理利用時間 OL晨起5分鐘"),
        ("多条高铁今日开通 -- 人民网", "多条高铁今日开通"),
        # What is no name of a site, or is long; a home page; other languages.
        ("首脑会谈_和平协议", "首脑会谈_和平协议"),
        ("首脑会谈_他们在谈论全世界所有的国家和新闻", "首脑会谈_他们在谈论全世界所有的国家和新闻"),
        ("首页_新华网", "首页_新华网"),
        ("新华网", "新华网"),
        ("Storm over Kiel - Wir in 网", "Storm over Kiel"),
        ("Storm over Kiel - News", "Storm over Kiel - News"),
    ],
)
def test_a_chinese_title_ends_before_channel_and_site(text: str, title: str) -> None:
    assert title_of(f"<title>{text}</title>") == title
