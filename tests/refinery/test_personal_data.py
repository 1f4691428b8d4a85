"""What is masked, and what a data set says of it."""

from __future__ import annotations

from pathlib import Path

import pytest
import zstandard
from dataset_samples import document, made, prose, rows
from datatrove.data import Document
from datatrove.pipeline.readers import JsonlReader

from refinery.steps.base import Task
from refinery.steps.personal_data import MaskPersonalData

MASK = '[[steps]]\nuse = "mask-personal-data"\n'


def test_what_is_dropped_before_is_masked_like_what_is_kept(tmp_path: Path) -> None:
    address = "jane.doe@mail.example.org"
    documents = [document(1), document(2, f"Write to {address}, please.")]
    made(tmp_path, documents, f'[[steps]]\nuse = "select"\nmin_words = 20\n{MASK}')
    out = tmp_path / "out"
    dropped = zstandard.open(out / "dropped/01-select.jsonl.zst", "rt").read()
    told = (dropped, (out / "report.html").read_text(), (out / "dataset.json").read_text())
    for text in told:
        assert "Write to [email], please." in text
        assert address not in text


def test_what_a_page_declares_is_masked_like_its_text_but_for_its_address(tmp_path: Path) -> None:
    declared = {
        "title": "Call +49 30 1234567",
        "author": "Jane <jane@example.org>",
        "site_name": "8.8.8.8",
        "description": "At jane@example.org",
    }
    documents = [
        document(
            number,
            text,
            requested_url=f"https://a.example/a@example.org/{number}",
            extra={"comments": "I am joe@example.org"},
            **declared,
        )
        for number, text in enumerate((prose(0), "Short."))
    ]
    made(tmp_path, documents, f'[[steps]]\nuse = "select"\nmin_words = 20\n{MASK}')
    [row] = rows(tmp_path / "out")
    assert [row[key] for key in declared] == [
        "Call [phone]", "Jane <[email]>", "[ip]", "At [email]"
    ]  # fmt: skip
    assert (row["requested_url"], row["masked"]) == ("https://a.example/a@example.org/0", 5)
    [dropped] = JsonlReader(str(tmp_path / "out/dropped"))()
    assert dropped.metadata["comments"] == "I am [email]"
    assert dropped.metadata["title"] == "Call [phone]"
    report = (tmp_path / "out/report.html").read_text()
    assert ">Call [phone]</h3>" in report
    assert "+49 30" not in report


def test_the_card_names_the_kinds_that_were_masked(tmp_path: Path) -> None:
    for kinds, said in (
        ("", "e-mail addresses, public IPv4 addresses, IBANs and phone numbers\nwere masked"),
        ('kinds = ["ip"]', "also of what was dropped, public IPv4 addresses\nwere masked"),
        ("kinds = []", "Personal data was not masked."),
    ):
        folder = tmp_path / (kinds or "all")
        made(folder, [document(1, f"{prose(1)} 8.8.8.8")], MASK + kinds)
        assert said in (folder / "out/README.md").read_text()


def masked(text: str) -> str:
    found = Document(text, "1", metadata={})
    MaskPersonalData().judge(Task(0, Path()))(0, found)
    return found.text


@pytest.mark.parametrize(
    ("kind", "texts"),
    [
        ("email", ["o'brien+x@mail.example.co.uk", "jörg@example.de", "joe@müller.de"]),
        ("ip", ["8.8.8.8"]),
        ("iban", ["DE89370400440532013000"]),
        (
            "phone",
            [
                "+34 912 345 678",
                "0049 30 1234567",
                "01 23 45 67 89",
                "(020) 7946 0958",
                "020 7946 0958",
                "(202)555-0143",
                "202 555 0143",
                "1-800-555-0199",
                "555-123-4567",
            ],
        ),
    ],
)
def test_what_is_written_in_a_usual_way_is_masked(kind: str, texts: list[str]) -> None:
    for text in texts:
        assert masked(f"At {text}, or <{text}>.") == f"At [{kind}], or <[{kind}]>."
    assert masked("请联系joe@example.com。") == "请联系[email]。"


@pytest.mark.parametrize(
    "text",
    [
        "New York, NY 10001 (212) 555-0199",
        "94105 415-555-0132",
        "10115 (030) 12345678",
        "24/7 +44 20 7946 0958",
        "212-555-0123 212-555-0124",
        "+49 30 12345670 +49 30 12345671",
    ],
)
def test_a_phone_number_may_follow_another_number(text: str) -> None:
    assert masked(text).endswith(" [phone]")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("AT61 1904 3002 3457 3201 BIC: OPSKATWW", "[iban] BIC: OPSKATWW"),
        ("AT611904300234573201 BIC OPSKATWW", "[iban] BIC OPSKATWW"),
        ("BE68 5390 0754 7034 VAT BE 1", "[iban] VAT BE 1"),
        ("ES91 2100 0418 4502 0005 1332 SEK 500", "[iban] SEK 500"),
        ("NO93 8601 1117 947 BIC X", "[iban] BIC X"),
        ("AT61 1904 3002 3457 3201 BE68 5390 0754 7034", "[iban] [iban]"),
    ],
)
def test_capital_letters_may_follow_an_iban(text: str, left: str) -> None:
    assert masked(text) == left


@pytest.mark.parametrize("text", ["KW26 IBAN", "AT60 1904 3002", "AB12 CD34 EF56 GH78"])
def test_an_iban_may_follow_what_only_looks_alike(text: str) -> None:
    assert masked(f"{text} DE89 3704 0044 0532 0130 00") == f"{text} [iban]"


@pytest.mark.parametrize(
    "text",
    [
        "npm install lodash@4.17.21",
        "icon@2x.png",
        "https://medium.com/@joe.doe/post",
        "999.1.1.1",
        "OID 1.3.6.1.4.1.311",
        "12.34.56.78.90",
        "Version 1.2.3.4",
        "ISSN 0028-0836",
        "ISSN: 0317-8471",
        "+250 000 000 people",
        "+5 10 15 20",
        "100 200 3000",
        "12 345 678 9012",
        "from 2019-2020 to 01.02.2024",
    ],
)
def test_what_only_looks_alike_is_left(text: str) -> None:
    assert masked(text) == text


@pytest.mark.timeout(10)
def test_a_long_token_takes_no_quadratic_time() -> None:
    serial_numbers = f" 00{'7' * 24}x" * 11_000
    for token in (
        "QUJD/+" * 50_000,
        "a." * 150_000,
        "x@" + "a-" * 150_000,
        "+1 (1)" * 50_000,
        serial_numbers,
        "AA00" + " AAAA" * 60_000,
        "AA00 " * 20_000,
    ):
        masked(token)
