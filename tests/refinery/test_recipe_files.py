"""Files that a recipe names: lists of hosts and words, evaluations, tokenizers."""

from __future__ import annotations

from pathlib import Path

import pytest
from dataset_samples import ALONE, corpus, document, made, numbers

from refinery.dataset.build import build
from refinery.dataset.errors import BuildError, RequestError
from refinery.recipe import parse_recipe
from settings.problems import JobError


def step(text: str) -> str:
    return f"[[steps]]\n{text}\n"


WORDS = step('use = "bad-words"\nfile = "lists/words.txt"')


@pytest.fixture
def words(tmp_path: Path) -> Path:
    file = tmp_path / "lists/words.txt"
    file.parent.mkdir()
    file.write_text("zebra\n")
    return file


def test_where_they_are_is_not_told(words: Path, tmp_path: Path) -> None:
    made(tmp_path, [document(1)], WORDS)
    out = tmp_path / "out"
    assert '`{"file": "words.txt"}`' in (out / "README.md").read_text()
    for path in out.rglob("*"):
        assert path.is_dir() or str(words.parent).encode() not in path.read_bytes()


def test_work_is_not_continued_with_another_list(words: Path, tmp_path: Path) -> None:
    source = corpus(tmp_path / "corpus", [document(1, title=2)])
    recipe = parse_recipe(f'name = "r"\n{WORDS}', folder=tmp_path)
    with pytest.raises(BuildError, match="title"):
        build([source], recipe, tmp_path / "out", ALONE)
    words.write_text("lamp\n")
    with pytest.raises(RequestError, match="was begun with another recipe, file of it"):
        build([source], recipe, tmp_path / "out", ALONE)


def test_a_list_of_hosts_is_read_as_the_key_beside_it_is(tmp_path: Path) -> None:
    listed = "\ufeffbücher.example\n\n# not d.example\nB.example. # one\n0.0.0.0 c.example\n"
    (tmp_path / "hosts.txt").write_text(listed)
    hosts = ("xn--bcher-kva.example", "www.b.example", "c.example", "d.example", "one.example")
    documents = [document(number, host=host) for number, host in enumerate(hosts)]
    made(tmp_path, documents, step('use = "select"\nwithout_hosts_file = "hosts.txt"'))
    assert numbers(tmp_path / "out") == [3, 4]


@pytest.mark.parametrize(
    ("table", "content", "said"),
    [
        (
            'use = "select"\nwithout_hosts_file = "given"',
            b"# a.example\nb.example\nhttps://c.example/x\n",
            "has 'https://c.example/x' in .*/given:3, which must be a host without scheme and path",
        ),
        (
            'use = "select"\nwithout_hosts_file = "given"',
            b"*.c.example",
            'given:1, which must not have an asterisk, subdomains are included; write "c.example"',
        ),
        (
            'use = "decontaminate"\nfiles = ["given"]',
            b"a text\ncaf\xe9\n",
            r"4: steps\[0\].files\[0\] must be text .* but is not: .*/given, line 2: 'utf-8' codec",
        ),
        (
            'use = "decontaminate"\nfiles = ["given"]',
            b"What is two and two?\nWho was it?\n",
            r"is .*/given, which has no text of 12 words that could be found; give fewer words",
        ),
        (
            'use = "count-tokens"\ntokenizer = "given"',
            b"{}",
            "tokenizer is .*/given, which is no tokenizer: ",
        ),
        ('use = "bad-words"\nfile = "given"', b"\n\n", "file has no words; without any, "),
        ('use = "bad-words"\nfile = "given"', b"caf\xe9", "must be text in UTF-8, but is not: "),
    ],
)
def test_a_mistake_in_a_file_is_told_with_the_recipe(
    table: str, content: bytes, said: str, tmp_path: Path
) -> None:
    (tmp_path / "given").write_bytes(content)
    with pytest.raises(JobError, match=said):
        parse_recipe(f'name = "r"\n{step(table)}', folder=tmp_path)


@pytest.mark.parametrize("date", ["2024-13", "2024-02-30", "24", "2024-W01", "2024-1-1", "today"])
def test_a_date_that_no_calendar_has_is_told_with_the_recipe(date: str, tmp_path: Path) -> None:
    table = step(f'use = "select"\npublished_from = "{date}"')
    with pytest.raises(
        JobError, match=r"published_from is .*; it must be a day, month or year such"
    ):
        parse_recipe(f'name = "r"\n{table}', folder=tmp_path)
