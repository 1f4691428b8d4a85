"""Decoding as in browsers: by BOM, then HTTP charset, then <meta>, then detection."""

from __future__ import annotations

import codecs
import random
import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus_commons.markup.dom import parse
from corpus_commons.markup.encoding import decode, is_binary, reread

POLISH = "<p>Zażółć gęślą jaźń</p>"
RUSSIAN = "<p>Съешь же ещё этих мягких французских булок, да выпей чаю.</p>" * 5
KOREAN = "<p>다람쥐 헌 쳇바퀴에 타고파. 오늘은 서울의 날씨가 매우 좋습니다.</p>" * 5
JAPANESE = "<p>いろはにほへと、今日は天気がとても良いですね。</p>" * 5
# Longer than what detection reads.
STYLE = f"<style>{'.a { color: red }' * 5_000}</style>"


def test_the_byte_order_mark_beats_the_http_charset() -> None:
    assert decode(codecs.BOM_UTF8 + POLISH.encode(), "iso-8859-2") == POLISH


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [(codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be")],
)
def test_utf_16_is_known_by_its_byte_order_mark(mark: bytes, encoding: str) -> None:
    assert decode(mark + POLISH.encode(encoding), "utf-8") == POLISH


def test_utf_16_is_read_where_http_says_so() -> None:
    assert decode(POLISH.encode("utf-16-le"), "utf-16-le") == POLISH


def test_the_http_charset_beats_the_meta_element() -> None:
    page = '<meta charset="windows-1252">' + POLISH
    assert decode(page.encode("iso-8859-2"), "iso-8859-2") == page


@pytest.mark.parametrize(
    "meta",
    [
        '<meta charset="iso-8859-2">',
        "<META CHARSET=iso-8859-2>",
        '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-2">',
    ],
)
def test_the_meta_element_beats_detection(meta: str) -> None:
    assert decode((meta + POLISH).encode("iso-8859-2")) == meta + POLISH


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (RUSSIAN, "utf-8"),
        (RUSSIAN, "windows-1251"),
        (RUSSIAN, "koi8-r"),
        (KOREAN, "euc-kr"),
        (JAPANESE, "iso-2022-jp"),
    ],
)
def test_an_undeclared_encoding_is_detected(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)) == text


def test_russian_that_names_no_encoding_is_never_taken_for_mac_cyrillic() -> None:
    page = (
        "<title>x</title><h1>Регн</h1>"
        "<p>Вчера шёл дождь, и никто не вышел в поле, кроме старого рыбака с сетью."
    )
    assert decode(page.encode("windows-1251")) == page


@pytest.mark.parametrize("encoding", ["utf-8", "windows-1251"])
def test_text_is_detected_behind_a_long_style_sheet(encoding: str) -> None:
    page = STYLE + RUSSIAN
    assert decode(page.encode(encoding)) == page


def test_what_is_utf_8_throughout_needs_no_detection() -> None:
    page = f"{STYLE}<meta charset=utf-8><p>Zażółć"
    assert decode(page.encode()) == page


def test_an_undeclared_page_may_be_cut_off_within_a_character() -> None:
    assert decode("<p>żółć".encode()[:-1]) == "<p>żół\ufffd"


def test_a_meta_element_that_can_be_read_does_not_stand_in_utf_16() -> None:
    page = f'<meta charset="utf-16">{POLISH}'
    assert decode(page.encode()) == page


def test_utf_16_without_a_byte_order_mark_is_little_endian() -> None:
    assert decode(POLISH.encode("utf-16-le"), "utf-16") == POLISH


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("start", ["", "\r\n ", "<!doctype html>", '<?xml version="1.0"?>'])
def test_utf_16_that_nothing_names_is_known_by_its_first_tag(encoding: str, start: str) -> None:
    assert decode((start + RUSSIAN).encode(encoding)) == start + RUSSIAN


@pytest.mark.parametrize(
    ("page", "encoding"),
    [
        (POLISH, "utf-8"),
        ('<meta charset="iso-8859-1">' + POLISH, "utf-8"),
        ('<meta charset="iso-8859-2">' + POLISH, "iso-8859-2"),
        ('<meta charset="windows-1251">' + RUSSIAN, "windows-1251"),
    ],
)
def test_an_old_server_that_calls_everything_latin_1_is_not_believed(
    page: str, encoding: str
) -> None:
    assert decode(page.encode(encoding), "iso-8859-1") == page


def test_a_server_is_believed_about_a_page_that_its_own_declaration_fits_less() -> None:
    page = '<meta charset="windows-1251"><p>Größe, café, für, Ångström'
    assert decode(page.encode("latin-1"), "iso-8859-1") == page


def test_latin_1_may_end_like_a_truncated_character_of_utf_8() -> None:
    assert decode("<p>café".encode("latin-1"), "iso-8859-1") == "<p>café"


def _as_browsers(body: bytes) -> str:
    """Read as windows-1252, which in browsers has a character for every byte."""
    escaped = body.decode("cp1252", "surrogateescape")
    return re.sub("[\udc80-\udc9f]", lambda found: chr(ord(found[0]) - 0xDC00), escaped)


@pytest.mark.parametrize("read", [lambda body: body.decode("latin-1"), _as_browsers])
@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("<p>Grüße, für, łóżko, тест, 好", "utf-8"),
        ('<meta charset="iso-8859-2"><p>Zażółć gęślą jaźń', "iso-8859-2"),
        ('<meta charset="windows-1251"><p>Съешь ещё этих мягких', "cp1251"),
        ('<meta charset="gb2312"><p>这个网站的中文页面', "gb18030"),
        ('<meta charset="shift_jis"><p>いろは', "cp932"),
        ('<meta charset="windows-1252"><p>“One’s own – …”', "cp1252"),
    ],
)
def test_text_that_was_read_as_western_is_read_again(
    text: str, encoding: str, read: Callable[[bytes], str]
) -> None:
    assert reread(read(text.encode(encoding))) == text


@given(st.text(st.characters(min_codepoint=0xA0, exclude_categories=["Cs"]), min_size=1))
def test_utf_8_that_was_read_as_latin_1_is_read_again(text: str) -> None:
    page = f"<p>{text}"
    assert reread(page.encode().decode("latin-1")) == page


def test_a_server_may_have_read_its_page_as_latin_1_and_sent_that_as_utf_8() -> None:
    page = "<p>Dna moczanowa: jak się ją leczy?"
    sent = page.encode().decode("latin-1").encode()
    assert parse(sent, "utf-8").texts == parse(sent.decode()).texts == parse(page).texts


@pytest.mark.parametrize(
    "text",
    [
        "<p>café, naïve, Ångström, ©®",
        # As a browser writes a page with these characters as entities.
        '<meta charset="windows-1251"><p>naïve ×',
        # Of a page that declares a wrong encoding.
        '<meta charset="windows-1251"><p>Größe, café, für, Ångström',
        '<meta charset="gbk"><p>ü, é, ×: ¤',
        '<meta charset="iso-8859-2"><p>Größe, café',
        RUSSIAN,
        '<meta charset="windows-1251">' + RUSSIAN,
    ],
)
def test_text_that_was_read_rightly_stays(text: str) -> None:
    assert reread(text) == text


@given(st.lists(st.characters(min_codepoint=0xA0, max_codepoint=0xFF)))
def test_single_western_letters_among_others_stay(letters: list[str]) -> None:
    text = "n".join(letters)
    assert reread(text) == text


@pytest.mark.parametrize(
    "codec",
    "base64 hex rot13 zlib bz2 quopri uu idna punycode undefined unicode_escape utf-7".split(),
)
def test_codecs_that_are_not_charsets_are_ignored(codec: str) -> None:
    page = f'<meta charset="{codec}">{POLISH}'
    assert decode(page.encode()) == page
    assert decode(page.encode(), codec) == page


@pytest.mark.parametrize(
    ("label", "encoding"), [("latin1", "cp1252"), ("x-sjis", "cp932"), ("gb2312", "gb18030")]
)
def test_labels_mean_what_they_mean_to_browsers(label: str, encoding: str) -> None:
    text = {"cp1252": "“€”", "cp932": "①日本", "gb18030": "镕中文"}[encoding]
    assert decode(text.encode(encoding), label) == text


@pytest.mark.parametrize("label", ["no-such-charset", "", "   ", "utf-8; x=\0", "é"])
def test_an_unknown_label_is_ignored(label: str) -> None:
    assert decode(f'<meta charset="utf-8">{POLISH}'.encode(), label).endswith(POLISH)


@pytest.mark.parametrize(
    ("text", "encoding", "label"),
    [
        (RUSSIAN, "windows-1251", "utf-8"),
        (JAPANESE, "shift_jis", "utf-8"),
        (JAPANESE, "shift_jis", "euc-jp"),
    ],
)
def test_an_encoding_in_which_most_characters_are_wrong_was_not_meant(
    text: str, encoding: str, label: str
) -> None:
    page = f'<meta charset="{label}">{text}'
    assert decode(page.encode(encoding), label) == page


def test_the_meta_element_is_right_where_the_http_charset_cannot_be() -> None:
    # Detection takes this pangram for windows-1252.
    page = f'<meta charset="iso-8859-2">{POLISH}'
    assert decode(page.encode("iso-8859-2"), "utf-8") == page


def test_strays_from_another_encoding_leave_a_page_in_its_own() -> None:
    strays = "ø".encode("latin1")
    assert decode(b"<p>" + strays * 4, "utf-8") == "<p>\ufffd\ufffd\ufffd\ufffd"
    assert decode(RUSSIAN.encode() + strays * 50, "utf-8") == RUSSIAN + "\ufffd" * 50


def test_a_sequence_cut_off_becomes_a_replacement_character() -> None:
    assert decode("zażółć".encode()[:-1], "utf-8") == "zażół\ufffd"


def test_bytes_wrong_in_their_encoding_do_not_hide_the_rest() -> None:
    assert decode(b"a\xff\xfe\xffb", "utf-8").startswith("a\ufffd")
    assert decode(b"a\xff\xfe\xffb", "utf-8").endswith("b")


@given(st.binary(max_size=200), st.one_of(st.none(), st.text(max_size=12)))
def test_any_bytes_and_any_label_give_text(body: bytes, charset: str | None) -> None:
    assert isinstance(decode(body, charset), str)


@given(st.text(st.characters(codec="utf-8", exclude_characters="\ufeff"), max_size=80))
def test_utf_8_under_its_own_name_is_read_as_written(text: str) -> None:
    assert decode(text.encode(), "utf-8") == text


def test_random_bytes_are_binary_also_with_markup_among_them() -> None:
    for seed in range(500):
        assert is_binary(random.Random(seed).randbytes(5_000))
    # Half a tag of UTF-16 makes no text.
    noise = random.Random(0).randbytes(5_000).replace(b"<", b"")
    for half in (b"<\0", b"\0<"):
        assert is_binary(noise[:500] + half + b"\x80" + noise[500:])


@pytest.mark.parametrize(
    "page",
    [
        RUSSIAN.encode("utf-16-le"),
        RUSSIAN.encode("utf-16-be"),
        RUSSIAN.encode("utf-16"),
        JAPANESE.encode("iso2022_jp"),
        JAPANESE.encode("shift_jis"),
        KOREAN.encode("euc_kr"),
        b"<p>\x01\x02\x03\x04 a few strays",
        b"<pre>\x0c\x1b[1mbold\t\x1b[0m" * 20,
        b"\0<p>" + b"one word and a zero\0" * 60,
    ],
)
def test_text_with_odd_characters_is_not_binary(page: bytes) -> None:
    assert not is_binary(page)
