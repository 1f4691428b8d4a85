"""What is masked, and what a data set says of it."""

from __future__ import annotations

from pathlib import Path

import zstandard
from dataset_samples import document, made, prose

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


def test_the_card_names_the_kinds_that_were_masked(tmp_path: Path) -> None:
    for kinds, said in (
        ("", "e-mail addresses, public IPv4 addresses, IBANs and phone numbers\nwere masked"),
        ('kinds = ["ip"]', "also of what was dropped, public IPv4 addresses\nwere masked"),
        ("kinds = []", "Personal data was not masked."),
    ):
        folder = tmp_path / (kinds or "all")
        made(folder, [document(1, f"{prose(1)} 8.8.8.8")], MASK + kinds)
        assert said in (folder / "out/README.md").read_text()
