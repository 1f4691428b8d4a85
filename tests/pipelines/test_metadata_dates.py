"""Dates of publication: declared or written, in many spellings, and none that is impossible."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_commons.markup import parse
from pipelines.metadata import page_metadata
from pipelines.metadata.dates.languages import month_number
from pipelines.metadata.dates.publication import published

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
URL = "https://example.com/a"


def date_of(html: str, url: str = URL) -> str | None:
    return page_metadata(parse(html), url=url, fetched_at=NOW).published


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2024-02-03", "2024-02-03"),
        ("2024-02-03T04:05:06Z", "2024-02-03T04:05:06+00:00"),
        ("2024-02-03 04:05", "2024-02-03T04:05:00"),
        ("2024/2/3", "2024-02-03"),
        ("Sat, 03 Feb 2024 04:05:06 +0000", "2024-02-03T04:05:06+00:00"),
        ("February 3, 2024", "2024-02-03"),
        ("3rd Feb. 2024", "2024-02-03"),
        ("2024年2月3日", "2024-02-03"),
        ("2024년 2월 3일", "2024-02-03"),
        ("2026-05-02", "2026-05-02"),  # It is tomorrow somewhere already.
        ("2026-05-04", None),
        ("2027-01-01T00:00:00Z", None),
        ("1970-01-01", None),
        ("0001-01-01T00:00:00+23:59", None),
        ("9999-12-31T23:59:59-23:59", None),
        ("2024-02-31", None),
        ("02/03/2024", None),  # A day or a month first: not to be known.
        ("Foo 3, 2024", None),
        ("soon", None),
        ("1" * 100, None),
    ],
)
def test_dates(value: str, expected: str | None) -> None:
    assert published([value], NOW) == expected


@given(st.text(max_size=70), st.sampled_from(["", "en", "en-GB", "fr", "\ud800"]))
def test_any_text_may_be_a_date(text: str, language: str) -> None:
    found = published([text], NOW, language=language)
    assert found is None or datetime.fromisoformat(found).year <= NOW.year


@given(
    st.dates(min_value=date(1605, 1, 1)), st.sampled_from(["%d %B %Y", "%b %d, %Y", "%Y年%m月%d日"])
)
def test_no_date_is_to_come(day: date, spelling: str) -> None:
    found = published([day.strftime(spelling)], NOW)
    is_past = day <= NOW.date() + timedelta(days=1)
    assert found in ({day.isoformat(), None} if is_past else {None})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Posted on July 4th, 2023 by Jane", "2023-07-04"),
        ("Tue Aug 27, 2019 1:47 am", "2019-08-27"),
        ("Tue Mar  6 10:11:12 CET 2012", "2012-03-06"),
        ("Tue Mar  6 10:11:12 2012", "2012-03-06"),
        ("Tue Mar 06 10:11:12 +0000 2012", "2012-03-06"),
        ("21st of June 2017", "2017-06-21"),
        ("20 December, 2025", "2025-12-20"),
        ("12-Dec-2025", "2025-12-12"),
        ("3. März 2024", "2024-03-03"),
        ("le 1er août 2020", "2020-08-01"),
        ("5 de setembro de 2021", "2021-09-05"),
        ("12. toukokuuta 2024", "2024-05-12"),
        ("12 मई 2024", "2024-05-12"),
        ("12 फ़रवरी 2024", "2024-02-12"),
        ("28 maja 2022 r.", "2022-05-28"),
        ("Опубликовано 9 мая 2018", "2018-05-09"),
        ("2020. március 15.", "2020-03-15"),
        ("30.09.2021", "2021-09-30"),
        ("3.4.2021", "2021-04-03"),  # A full stop parts the day from the month, in this order.
        ("12/31/2020", "2020-12-31"),
        ("31/12/2020", "2020-12-31"),
        ("4/4/2020", "2020-04-04"),
        ("Tue, 03/04/2014 - 10:11", "2014-03-04"),
        ("Thursday 03/04/2014", "2014-04-03"),
        ("Mon, 03/04/2014", None),
        ("Fri, 03/04/0000", None),
        ("Tue, 00/04/2014", None),
        ("Tue, 03/00/2014", None),
        ("FRİ, 03/04/2014", None),
        ("Posted on Sun 03/04/2014, Tue", None),
        ("16-19 March 2026", None),
        ("May 2020", None),
        ("jui 5, 2020", None),  # June or July, in French.
        ("Mar 5, 2020", "2020-03-05"),  # In Finnish alone it might be November.
        ("1.2.3.2020", None),
        ("version 10.12.20201", None),
    ],
)
def test_dates_as_people_write_them(text: str, expected: str | None) -> None:
    assert published([text], NOW) == expected


@pytest.mark.parametrize(
    ("language", "expected"),
    [("fr", "2020-04-03"), ("en-GB", "2020-04-03"), ("en_AU", "2020-04-03"), ("es", "2020-04-03"),
     *((language, None) for language in ("en", "en-US", "", "zh-TW", "yue", "ja", "ko", "hu", "lt",
                                         "mn", "fil", "tl", "es-US", "es_PR", "utf-8"))],
)  # fmt: skip
def test_the_language_may_tell_the_day_from_the_month(language: str, expected: str | None) -> None:
    page = f'<html lang="{language}"><h1>A title</h1><p>3/4/2020'
    assert date_of(page) == expected
    assert date_of(page + "<p>13/14/2020<p>5 May 2020") == expected


def test_only_what_is_declared_may_be_older_than_the_web() -> None:
    assert date_of('<meta name="date" content="1914-07-29">') == "1914-07-29"
    assert date_of("<h1>The war</h1><p>July 29, 1914") is None
    assert date_of("<h1>The war</h1>", "https://example.com/1914/07/29/") is None
    for never_set in ("1970-01-01T00:00:00Z", "1900-01-01", "0001-01-01"):
        assert date_of(f'<meta name="date" content="{never_set}">') is None


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<h1>A title</h1><p>By Jane</p><p>May 5, 2024 · 4 min</p><p>May 6, 2024", "2024-05-05"),
        ("<p>May 4, 2024</p><h1>A title</h1><p>May 5, 2024", "2024-05-05"),
        ("<p>May 4, 2024</p><h1>A title</h1>", "2024-05-04"),
        ("<h1>A title</h1><time datetime='2024-05-05T10:00Z'>3 days ago",
         "2024-05-05T10:00:00+00:00"),
        ("<h1>A title</h1><relative-time datetime=2024-05-05T10:00Z>3 days ago",
         "2024-05-05T10:00:00+00:00"),
        ("<h1>A title</h1><em>Posted <span title=\"2024-5-5 10:11:12\">3 days ago", "2024-05-05"),
        ("<h1>A title</h1><time>May 5, 2024", "2024-05-05"),
        ("<h1>A title</h1><p>Updated May 6, 2024<p>Published May 5, 2024", "2024-05-05"),
        ("<h1>A title</h1><b>Zuletzt aktualisiert:</b> <i>6. Mai 2024", "2024-05-06"),
        ("<h1>A title</h1><p>Zuletzt am 6. Mai 2024 bearbeitet<p>5. Mai 2024", "2024-05-05"),
        ("<h1>A title</h1><p>Esta página se editó por última vez el 6 may 2024<p>5 may 2024",
         "2024-05-05"),
        ("<h1>A title</h1><p>Last seen: <b>May 6, 2024</b><p>May 5, 2024", "2024-05-05"),
        ("<h1>A title</h1><p>Joined: <b>May 5, 2014", None),
        ("<h1>A title</h1><script>May 5, 2024</script>", None),
        (f"<h1>A title</h1><p>{'word ' * 100}<p>May 5, 2024", None),
        (f"<h1>A title</h1><p>On May 5, 2024 {'they met ' * 20}", None),
        ("<p>May 5, 2024", None),
    ],
)  # fmt: skip
def test_a_page_that_declares_no_date_has_a_dateline(page: str, expected: str | None) -> None:
    assert date_of(page) == expected


@pytest.mark.parametrize(
    "dateline",
    [
        "Published \n" + 50 * "\t" + " Sunday,\n\tMay 5, 2024",
        "PUBLISHED: May 5, 2024 at 2:05 p.m. | UPDATED: May 6, 2024 at 10:00 a.m.",
        "Publié le 05 mai 2024 à 06h07, modifié le 06 mai 2024 à 10h11",
        "This entry was posted on Sunday, May 5, 2024 at 9:22 pm and is filed under Tides.",
        # The update comes first.
        "Updated: May 6, 2024 10:00 IST / Published: May 5, 2024 14:05 IST",
        "Actualizado: 6 may 2024 - Publicado: 5 may 2024",
    ],
)
def test_a_dateline_may_be_long(dateline: str) -> None:
    assert date_of(f"<h1>A title</h1><p>{dateline}</p>") == "2024-05-05"


@pytest.mark.parametrize(
    "sentence",
    [
        "On Sunday, May 5, 2024, all of North America will be treated to an eclipse of the sun.",
        "The harbour in the evening light, seen from the lighthouse of the town, | May 5, 2024",
    ],
)
def test_a_sentence_or_caption_is_no_dateline(sentence: str) -> None:
    assert date_of(f"<h1>A title</h1><p>{sentence}</p>") is None


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<p class=author>» May 5, 2024<p>Hello<p class=author>» May 6, 2024", "2024-05-05"),
        ("<b class=post-date>May 5, 2024</b><b class=post-date>May 5, 2024</b>", "2024-05-05"),
        ("<b class=date>May 6, 2024</b><b class=date>May 5, 2024</b>", None),  # A list of news.
        ("<div class=related-posts><b class=date>May 5, 2024</b></div>", None),
        ("<b class=edited>May 5, 2024</b>", None),
        ("<time datetime=2024-05-05>Sunday</time>", "2024-05-05"),
        ("<p>This page was last modified on <time datetime=2024-05-05>May 5</time>", None),
    ],
)
def test_without_a_heading_the_first_post_has_the_date(page: str, expected: str | None) -> None:
    assert date_of(page) == expected


@pytest.mark.parametrize(
    "above",
    [
        "<div class=keyinfo><h5>Pears</h5><p class=smalltext>« <b>on:</b> May 2, 2019, 08:14 AM »",
        "<div class=postinfo><a class=smalltext>May 2, 2019, 08:14 AM</a><i>Last Edit: May 9, 2020",
    ],
)
def test_a_thread_is_not_of_the_time_of_the_visit(above: str) -> None:
    clock = "<h1 class=forumtitle>Garden</h1><div class=user><time datetime=2026-04-30T11:00Z>now"
    reply = above.replace("2019", "2020").replace("May 9, 2020", "May 9, 2021")
    posts = "".join(f"<div class=post>{one}</div></div><p>Text" for one in (above, reply))
    assert date_of(f"{clock}</time></div><h2>Pears</h2>{posts}") == "2019-05-02"


@pytest.mark.parametrize("label", ["It is currently", "Current time:", "Aktuelle Zeit:"])
def test_the_time_of_the_visit_is_no_date_of_the_page(label: str) -> None:
    clock = f"<h1>Garden</h1><p>{label} Thu Apr 30, 2026 11:00 am</p>"
    assert (
        date_of(f"{clock}<h2>Pears</h2><p class=author>» Thu May 2, 2019 8:14 am") == "2019-05-02"
    )


def test_an_old_mail_is_not_of_the_date_that_it_quotes() -> None:
    page = (
        "<h1>[dev] Tides</h1><b>Jane Doe</b> <a href=mailto:x>jane at example.org</a><br>"
        "<i>Tue Mar  6 10:11:12 CET 2012</i><pre>On 5 March 2012 18:00, John wrote:\n&gt; Hello"
    )
    assert date_of(page) == "2012-03-06"


@pytest.mark.parametrize(
    "name",
    ["article:published_time", "date", "published", "ms.date", "OriginalPublicationDate",
     "displaydate", "prism.publicationDate"],
)  # fmt: skip
def test_dates_of_publication_have_many_names(name: str) -> None:
    assert date_of(f'<meta name="{name}" content="July 17, 2025">') == "2025-07-17"
    assert date_of('<meta name="article:modified_time" content="2025-07-17">') is None


def test_what_is_declared_is_better_than_the_url_and_that_than_the_dateline() -> None:
    page = "<h1>x</h1><time datetime=2021-01-01>x</time>"
    declared = '<meta name="date" content="2019-01-01">'
    assert date_of(declared + page, "https://example.com/2020/3/09/title") == "2019-01-01"
    assert date_of(page, "https://example.com/2020/3/09/title") == "2020-03-09"
    assert date_of(page) == "2021-01-01"


@pytest.mark.parametrize(
    "path",
    [
        "/2020/Oct/01/title",
        "/2020/1001/c1001-32.html",
        "/news/20201001/title",
        "/news/20201001.html",
        "/title-20201001",
        "/title_20201001.html",
    ],
)
def test_the_path_of_a_url_may_have_a_date(path: str) -> None:
    assert date_of("<h1>x</h1>", f"https://example.com{path}") == "2020-10-01"


@pytest.mark.parametrize(
    "path", ["/20201301/title", "/p/20201001001234", "/2020/abc/01/", "/2020/10"]
)
def test_other_numbers_of_a_path_are_no_date(path: str) -> None:
    assert date_of("<h1>x</h1>", f"https://example.com{path}") is None


@pytest.mark.parametrize(
    ("declared", "path", "expected"),
    [
        # Of an update, or of the day on which a template was filled in.
        ("2023-05-23T16:59:25Z", "/2020/10/01/title", "2020-10-01"),
        ("2020-11-10", "/news/2020/10/11/title", "2020-10-11"),
        # In another zone it may be the next day already.
        ("2020-10-02T01:29:52Z", "/2020/10/01/title", "2020-10-02T01:29:52+00:00"),
        ("2020-09-30", "/2020/10/01/title", "2020-09-30"),
        ("2020-10-05", "/english/2020-10/05/title", "2020-10-05"),
        # A version, and a date that is none.
        ("2024-05-03", "/t/2024-4-4-and-2024-5-0-are-slow", "2024-05-03"),
        ("2020-10-05", "/2020/02/31/title", "2020-10-05"),
    ],
)
def test_what_is_declared_for_a_later_day_than_the_urls_is_an_update(
    declared: str, path: str, expected: str
) -> None:
    page = f'<meta name="date" content="{declared}">'
    assert date_of(page, f"https://example.com{path}") == expected


@pytest.mark.parametrize(
    ("beside", "expected"),
    [
        ("<p>November 2, 2022</p>", "2022-11-02"),
        # In another zone it may be the day before; an update; an event.
        ("<p>June 11, 2025</p>", "2025-06-12"),
        ("<p>June 14, 2025</p>", "2025-06-12"),
        ("<p>Updated November 2, 2022</p>", "2025-06-12"),
        ("<p>Registered November 2, 2022</p>", "2025-06-12"),
        ("<p>in a long text of November 2, 2022, which is not of a date but of much else</p>",
         "2025-06-12"),
    ],
)  # fmt: skip
def test_what_is_declared_for_a_later_day_than_the_one_beside_the_heading_is_of_the_site(
    beside: str, expected: str
) -> None:
    assert date_of(f"<meta name=date content=2025-06-12><h1>x</h1>{beside}") == expected


@pytest.mark.parametrize(
    ("word", "number"),
    [("sept", 9), ("SEPTEMBER", 9), ("févr", 2), ("ágústus", None), ("mai", 5), ("máj", 5),
     ("янв", 1), ("Ma", None), ("jui", None), ("", None)],
)  # fmt: skip
def test_months_may_be_shortened_as_long_as_they_are_clear(word: str, number: int | None) -> None:
    assert month_number(word) == number
