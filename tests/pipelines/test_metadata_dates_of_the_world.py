"""Dates in other scripts, calendars and orders; and those that are no day of publication."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from corpus_commons.markup import parse
from pipelines.metadata import page_metadata
from pipelines.metadata.dates.languages import month_number

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


def date_of(language: str, *paragraphs: str) -> str | None:
    page = f"<html lang='{language}'><h1>T</h1>" + "".join(f"<p>{text}</p>" for text in paragraphs)
    return page_metadata(parse(page), url="https://example.com/a", fetched_at=NOW).published


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("ko", "입력 2024. 5. 12. 오후 3:21"),
        ("ko", "2024.5.12"),
        ("hu", "2024. 05. 12."),
        ("zh", "发布时间：2024.05.12 10:30"),
        ("zh", "2024年5月12日"),
        ("zh-TW", "中華民國113年5月12日"),
        ("ja", "令和6年5月12日"),
        ("ja", "令和６年５月１２日（日）"),
        ("ja", "2024年（令和6年）5月12日"),
        ("ja", "令和6年（2024年）5月12日"),
        ("th", "12 พฤษภาคม 2567"),
        ("th", "12 พฤษภาคม 2024"),
        ("th", "วันที่ 12 พ.ค. 2567 เวลา 10:30 น."),
        ("th", "12 พฤษภาคม พ.ศ. 2567"),
        ("th", "12/05/2567"),
        ("vi", "Chủ nhật, ngày 12 tháng 5 năm 2024"),
        ("vi", "12 tháng 5, 2024"),
        ("vi", "12 Tháng Năm, 2024"),
        ("cs", "12. 5. 2024 14:05"),
        ("sr", "12.05.2024. 14:05"),
        ("de", "12.05.24"),
        ("he", "12.05.24"),
        # Of the Persian calendar.
        ("fa", "۲۳ اردیبهشت ۱۴۰۳"),
        ("fa", "1403/02/23"),
        ("en", "2024-05-12 – 10:32"),
        ("en", "2024-05-12 - 3 min read"),
    ],
)
def test_dates_are_written_in_many_ways(language: str, text: str) -> None:
    assert date_of(language, text) == "2024-05-12"


def test_the_first_year_of_an_era_has_a_name() -> None:
    assert date_of("ja", "令和元年5月12日") == "2019-05-12"


@pytest.mark.parametrize(
    "dateline",
    [
        "sk 12. mája 2024", "sl 12. maja 2024", "sr 12. мај 2024.", "bg 12 май 2024",
        "mk 12 мај 2024", "be 12 мая 2024", "lt 2024 m. gegužės 12 d.",
        "lv 2024. gada 12. maijs", "et 12. mai 2024", "is 12. maí 2024", "sq 12 Maj 2024",
        "ca 12 de maig de 2024", "eu 2024ko maiatzaren 12a", "ga 12 Bealtaine 2024",
        "cy 12 Mai 2024", "az 12 may 2024", "uz 12-may, 2024", "kk 12 мамыр 2024",
        "ka 12 მაისი 2024", "hy 12 մայիսի 2024", "sw 12 Mei 2024", "ms 12 Mei 2024",
        "ar 12 مايو 2024", "ar ١٢ مايو ٢٠٢٤", "ar الأحد 12 أيار/مايو 2024", "ar 12 ماي 2024",
        "fa ۱۲ مه ۲۰۲۴", "ur 12 مئی 2024", "he 12 במאי 2024", "bn ১২ মে ২০২৪", "ta 12 மே 2024",
        "te 12 మే 2024", "kn 12 ಮೇ 2024", "ml 12 മേയ് 2024", "mr 12 मे 2024", "gu 12 મે 2024",
        "pa 12 ਮਈ 2024", "si 2024 මැයි 12",
    ],
)  # fmt: skip
def test_months_have_names_in_many_languages(dateline: str) -> None:
    language, _, text = dateline.partition(" ")
    assert date_of(language, text) == "2024-05-12"


def test_arabic_months_may_be_of_two_words() -> None:
    assert date_of("ar", "12 كانون الثاني 2024") == "2024-01-12"
    assert date_of("ar", "12 تشرين الأول/أكتوبر 2024") == "2024-10-12"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 فروردین 1400", "2021-03-21"),
        ("30 اسفند 1403", "2025-03-20"),
        ("31 مهر 1403", None),
        ("1403/13/01", None),
    ],
)
def test_the_persian_year_begins_in_march(text: str, expected: str | None) -> None:
    assert date_of("fa", text) == expected


@pytest.mark.parametrize(
    "text", ["12 tháng năm 2024", "昭和60年5月12日", "12/05/2567", "1403/02/23", "12.05.24"]
)
def test_what_is_no_date_of_the_web_stays_none(text: str) -> None:
    assert date_of("en", text) is None


@pytest.mark.parametrize("language", ["am", "ti"])
def test_numbers_of_the_ethiopian_calendar_are_not_taken_for_ours(language: str) -> None:
    assert date_of(language, "04/09/2016", "ዜና 2015/01/02") is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12. listopada 2024.", {"hr": 10, "bs": 10, "pl": 11, "cs": 11, "": None, "en": None}),
        ("12. srp. 2024", {"hr": 7, "cs": 8, "": None}),
        ("12 lip 2024", {"hr": 6, "pl": 7, "": 7}),
        # Croatian has a full stop after the day.
        ("12 listopada 2024", {"hr": 10, "": 11}),
        ("12. siječnja 2024", {"hr": 1, "": 1}),
        ("12. januar 2024", {"bs": 1}),
    ],
)
def test_croatian_months_are_not_those_of_its_neighbours(
    text: str, expected: dict[str, int | None]
) -> None:
    for language, month in expected.items():
        assert date_of(language, text) == (month and f"2024-{month:02}-12")
    assert month_number("listopada") is None


@pytest.mark.parametrize(
    ("language", "dateline", "old"),
    [
        ("my", "၁၂ မေ ၂၀၂၄", "01/02/2019"),
        ("km", "12 ឧសភា 2024", "01/02/2019"),
        ("lo", "12 ພຶດສະພາ 2024", "01/02/2019"),
        ("la", "12 Maii 2024", "2019-01-02"),
    ],
)
def test_after_a_date_that_cannot_be_read_no_other_is_better(
    language: str, dateline: str, old: str
) -> None:
    assert date_of(language, dateline, old) is None


def test_a_number_and_a_year_in_a_language_that_is_read_are_no_date() -> None:
    assert date_of("en", "Advent of Code, day 12 of 2025", "20 December 2025") == "2025-12-20"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("zh", "注册时间：2012-05-12"),
        ("de", "Registriert: 12.05.2012"),
        ("ru", "Зарегистрирован: 12.05.2012"),
        ("fr", "Membre depuis 12/05/2012"),
        ("zh", "截止日期：2026年3月31日"),
        ("ja", "発売日：2019年5月12日"),
        ("ko", "개봉일 2019.05.12"),
        ("ja", "会期：2024年5月2日（日）～6月30日（日）"),
        ("ja", "2024年5月2日（日）から6月30日（日）まで"),
        ("ko", "2024.05.02 ~ 2024.06.30"),
        ("zh", "2024-05-02 – 2024-06-30"),
        ("en", "Version 2023.3.2"),
        ("en", "<b>Version</b> 2023.3.2"),
        ("en", "Version 2023.10.12"),
        ("en", "IntelliJ IDEA 2023.3.2"),
        ("en", "Tel 2024-5-12-33"),
        ("en", "Born May 5, 1995"),
        ("de", "Geboren am 5. Mai 1995"),
        ("fr", "Né le 5 mai 1995"),
        ("ru", "Родился 5 мая 1995"),
        ("ja", "生年月日：1995年5月5日"),
        ("en", "Sale ends May 5, 2024"),
        ("en", "Offer valid through 05/25/2024"),
        ("de", "Gültig bis 05.05.2024"),
        ("fr", "Offre valable jusqu'au 5 mai 2024"),
        ("es", "Válido hasta el 5 de mayo de 2024"),
        ("en", "Doors open: May 5, 2024"),
        ("en", "<b>When:</b> May 5, 2024"),
        ("de", "Termin: 05.05.2024"),
        ("ja", "日時：2024年5月5日"),
        ("en", "Apr 15 - May 13, 2024"),
        ("en", "<table class=infobox><tr><th>Founded</th><td>May 5, 1995</td></tr></table>"),
        ("en", "<div class=tribe-events-schedule><h2>May 5, 2024 @ 8:00 pm</h2></div>"),
    ],
)
def test_dates_of_other_events_are_passed_over(language: str, text: str) -> None:
    assert date_of(language, text) is None
    assert date_of(language, text, "2024-05-12") == "2024-05-12"


def test_a_date_may_follow_the_end_of_a_time_of_day_or_come_with_that_of_publication() -> None:
    assert date_of("en", "10:30 - May 12, 2024") == "2024-05-12"
    assert date_of("ja", "公開日時：2024年5月12日") == "2024-05-12"


@pytest.mark.parametrize("headline", ["The strike ends", "<span>Born to run</span>", "Released"])
def test_the_title_above_a_date_is_not_its_label(headline: str) -> None:
    page = f"<html lang=en><h1>{headline}</h1><p>May 12, 2024</p>"
    found = page_metadata(parse(page), url="https://example.com/a", fetched_at=NOW)
    assert found.published == "2024-05-12"


def test_what_the_page_of_an_event_shows_is_the_day_of_the_event() -> None:
    event = '<script type="application/ld+json">{"@type": "MusicEvent", "name": "T"}</script>'
    assert date_of("en", "May 12, 2024", event) is None
    declared = f"<meta name=date content=2024-04-01>{event}"
    assert date_of("en", "May 12, 2024", declared) == "2024-04-01"


def test_a_headline_may_speak_of_an_event() -> None:
    assert date_of("zh", "小米今日发售", "2023-10-26") == "2023-10-26"


@pytest.mark.parametrize(
    ("language", "word"),
    [
        ("vi", "Cập nhật"), ("ar", "آخر تحديث"), ("he", "עודכן"), ("fa", "به‌روزرسانی"),
        ("th", "อัปเดต"), ("hi", "अपडेट"), ("fi", "Päivitetty"), ("el", "Ενημερώθηκε"),
        ("hu", "Frissítve"), ("ka", "განახლდა"), ("id", "Diperbarui"), ("hr", "Ažurirano"),
        ("ko", "업데이트"), ("ja", "編集日"),
    ],
)  # fmt: skip
def test_the_day_of_publication_is_better_than_that_of_an_update(language: str, word: str) -> None:
    assert date_of(language, f"{word}: 2024-05-12", "2024-05-01") == "2024-05-01"
    assert date_of(language, f"{word}: 2024-05-12") == "2024-05-12"
