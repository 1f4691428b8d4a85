"""Verification finds whatever is not as it was written."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import orjson
import pytest
from corpus_samples import document, write_corpus
from held_samples import row
from rights import make_read_only, run_with_rights

from crawler.outcomes import Rejection
from pipelines.corpus.errors import ManifestDamagedError, NoCorpusError, ShardDamagedError
from pipelines.corpus.frames import frame
from pipelines.corpus.held_pages import HeldPages
from pipelines.corpus.layout import Layout
from pipelines.corpus.merge import merge
from pipelines.corpus.recovery import recover
from pipelines.corpus.verification import (
    EXIT_DAMAGED,
    EXIT_REPEATS,
    EXIT_SOUND,
    MAX_PROBLEMS,
    verify,
)
from pipelines.reporting.corpus_statistics import statistics

SHARD = "documents/worker-000000.jsonl.zst"
REJECTS = "rejects/worker-000000.jsonl.zst"
ENTRY = {
    "file": SHARD,
    "documents": 1,
    "bytes": 1,
    "sha256": "0" * 64,
    "first_time": "",
    "last_time": "",
}


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    write_corpus(folder, map(document, range(3)), [(document(9), Rejection("genre"))])
    return folder


def shard_of(folder: Path, *lines: bytes) -> None:
    """Make a corpus of one shard that is in the manifest, whatever its lines are."""
    path = folder / SHARD
    path.parent.mkdir(parents=True)
    path.write_bytes(frame(lines))
    layout = Layout(folder, "worker")
    recover(layout)


def test_a_corpus_as_it_was_written_is_sound(corpus: Path) -> None:
    found = verify(corpus)
    assert (found.exit_code, found.shards, found.documents, found.rejects) == (EXIT_SOUND, 2, 3, 1)
    assert found.bytes == sum(path.stat().st_size for path in corpus.glob("*/*"))


HELD = ".state/worker/held.sqlite"
VERIFY = """
import sys
from pathlib import Path
from pipelines.corpus.errors import CorpusError, DamagedError
from pipelines.corpus.verification import verify
try:
    found = verify(Path(sys.argv[1]))
    print(found.exit_code, found.held)
except CorpusError as error:
    print(isinstance(error, DamagedError), error)
"""


class TestOfACorpusThatMayOnlyBeRead:
    """A snapshot, a backup, another user's."""

    def test_it_is_sound_with_its_held_pages(self, corpus: Path) -> None:
        with closing(HeldPages(corpus / HELD)) as held:
            held.settle([row(7)], {})
        make_read_only(corpus)
        assert run_with_rights(VERIFY, corpus) == f"{EXIT_SOUND} 1\n"

    def test_a_killed_crawl_s_held_pages_are_those_of_its_log(self, corpus: Path) -> None:
        with closing(HeldPages(corpus / HELD)) as held:
            held.settle([row(7)], {})
            copy = shutil.copytree(corpus, corpus.with_name("copy"))
        make_read_only(copy)
        assert run_with_rights(VERIFY, copy) == f"{EXIT_SOUND} 1\n"

    def test_a_file_that_may_not_be_opened_is_not_damaged(self, corpus: Path) -> None:
        with closing(HeldPages(corpus / HELD)) as held:
            held.settle([row(7)], {})
        (corpus / HELD).chmod(0)
        assert run_with_rights(VERIFY, corpus).startswith(f"False cannot open {corpus / HELD} (")


def test_the_name_of_a_folder_need_not_be_text(corpus: Path) -> None:
    odd = corpus.rename(corpus.with_name("a?b#\udcff"))
    with closing(HeldPages(odd / HELD)) as held:
        held.settle([row(7)], {})
    assert (verify(odd).exit_code, statistics(odd).held) == (EXIT_SOUND, 1)


@pytest.mark.parametrize("file", [SHARD, REJECTS])
@pytest.mark.parametrize(
    ("harm", "problem"),
    [
        (lambda path: path.unlink(), "cannot be read"),
        (lambda path: path.write_bytes(path.read_bytes()[:-1]), "bytes, not"),
        (lambda path: path.write_bytes(path.read_bytes() + frame([b"{}\n"])), "bytes, not"),
        (lambda path: path.write_bytes(b"\0" + path.read_bytes()[1:]), "has the SHA-256"),
        (lambda path: path.with_name("worker-000009.jsonl.zst").touch(), "is in no manifest"),
        (lambda path: path.with_name("other-000000.jsonl.zst").touch(), "is in no manifest"),
    ],
)
def test_files_that_are_not_as_listed_are_damage(
    corpus: Path, file: str, harm: Callable[[Path], object], problem: str
) -> None:
    harm(corpus / file)
    found = verify(corpus)
    assert found.exit_code == EXIT_DAMAGED
    assert [problem in text for text in found.problems] == [True]


def test_what_is_damaged_is_not_counted(corpus: Path) -> None:
    (corpus / SHARD).unlink()
    found = verify(corpus)
    assert (found.shards, found.documents, found.rejects) == (1, 0, 1)
    assert found.bytes == (corpus / REJECTS).stat().st_size


def listed(corpus: Path, key: str, value: object) -> None:
    """Let the manifest say something else of the first shard."""
    path = corpus / "manifest-worker.json"
    manifest = orjson.loads(path.read_bytes())
    manifest["shards"][0][key] = value
    path.write_bytes(orjson.dumps(manifest))


@pytest.mark.parametrize(
    ("key", "value", "problem"),
    [
        ("documents", 2, "has 3 lines, not 2"),
        ("documents", 4, "has 3 lines, not 4"),
        ("bytes", 1, "bytes, not 1"),
        ("sha256", "0" * 64, f"not {'0' * 64}"),
        ("file", "documents/worker-000007.jsonl.zst", "cannot be read"),
    ],
)
def test_a_manifest_that_says_something_else_is_damage(
    corpus: Path, key: str, value: object, problem: str
) -> None:
    listed(corpus, key, value)
    found = verify(corpus)
    assert found.exit_code == EXIT_DAMAGED
    assert any(problem in text for text in found.problems)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b"[]", "not a JSON object"),
        (b'{"text":"","metadata":{}}', '"id" must be a non-empty string'),
        (b'{"id":"","text":"","metadata":{}}', '"id" must be a non-empty string'),
        (b'{"id":"a","text":1,"metadata":{}}', '"text" must be a string'),
        (b'{"id":"a","text":"","metadata":[]}', '"metadata" must be an object'),
    ],
)
def test_a_line_that_is_no_document_is_damage(tmp_path: Path, line: bytes, problem: str) -> None:
    shard_of(tmp_path, document().to_json(), line + b"\n")
    found = verify(tmp_path)
    assert found.exit_code == EXIT_DAMAGED
    assert found.problems[0].endswith(f"line 2: {problem}")


def test_a_line_that_is_no_document_ends_statistics_and_merge_and_is_named(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    shard_of(corpus, document().to_json(), b"[]\n")
    expected = re.escape(f"{corpus / SHARD}, line 2: not a JSON object")
    with pytest.raises(ShardDamagedError, match=expected):
        statistics(corpus)
    with pytest.raises(ShardDamagedError, match=expected):
        merge([corpus], tmp_path / "merged")


def test_repeats_are_told_apart_from_damage(tmp_path: Path) -> None:
    write_corpus(tmp_path, [document(1), document(2), document(1)])
    found = verify(tmp_path)
    assert (found.exit_code, found.repeats, found.problems) == (EXIT_REPEATS, 1, [])


def test_damage_is_told_before_repeats(tmp_path: Path) -> None:
    write_corpus(tmp_path, [document(1), document(1)], [(document(2), Rejection("genre"))])
    (tmp_path / REJECTS).unlink()
    found = verify(tmp_path)
    assert (found.exit_code, found.repeats, found.damage) == (EXIT_DAMAGED, 1, 1)


def test_rejects_of_one_page_for_one_reason_are_repeats(tmp_path: Path) -> None:
    reasons = ["timeout", "captcha", "timeout"]
    write_corpus(tmp_path, [document(1)], [(document(1), Rejection(one)) for one in reasons])
    assert verify(tmp_path).repeats == 1


@pytest.mark.parametrize(
    "name",
    [
        "documents/other-000000.jsonl.zst.open",
        "rejects/worker-000001.jsonl.zst.open",
        "warc/worker-000000.warc.gz.open",
    ],
)
def test_a_file_being_written_is_noted(corpus: Path, name: str) -> None:
    (corpus / name).parent.mkdir(exist_ok=True)
    (corpus / name).touch()
    found = verify(corpus)
    assert found.exit_code == EXIT_SOUND
    assert [text.startswith(f"{corpus / name} is still being written") for text in found.notes] == [
        True
    ]


def test_only_the_first_problems_are_kept(tmp_path: Path) -> None:
    shard_of(tmp_path, *[b"[]\n"] * 300)
    found = verify(tmp_path)
    assert (found.damage, len(found.problems)) == (300, MAX_PROBLEMS)


@pytest.mark.parametrize(
    "manifest",
    [
        b"",
        b"[]",
        b'{"version":1,"writer":"a"}',
        b'{"version":2,"writer":"a","shards":[]}',
        b'{"version":1,"writer":"a","shards":[{}]}',
        b'{"version":1,"writer":"a","shards":[1]}',
        b'{"version":1,"writer":1,"shards":[]}',
        b'{"version":1,"writer":"a","shards":{}}',
    ],
)
def test_what_is_no_manifest_is_named(tmp_path: Path, manifest: bytes) -> None:
    (tmp_path / "manifest-a.json").write_bytes(manifest)
    with pytest.raises(ManifestDamagedError, match=r"manifest-a\.json"):
        verify(tmp_path)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *(("file", path) for path in ("/etc/passwd", "documents/../../x", "other/x")),
        *(("file", path) for path in ("documents/a/b", "documents", 1, None)),
        *((key, value) for key in ("documents", "bytes") for value in (-1, 1.5, "1", None)),
        *(("sha256", value) for value in ("", "0" * 63, "0" * 65, 0)),
        *((key, 0) for key in ("first_time", "last_time")),
        ("more", 1),
    ],
)
def test_a_manifest_from_elsewhere_is_not_trusted(tmp_path: Path, key: str, value: object) -> None:
    manifest = {"version": 1, "writer": "a", "shards": [{**ENTRY, key: value}]}
    (tmp_path / "manifest-a.json").write_bytes(orjson.dumps(manifest))
    with pytest.raises(ManifestDamagedError, match=r"manifest-a\.json"):
        verify(tmp_path)


def test_a_folder_without_a_manifest_is_no_corpus(tmp_path: Path) -> None:
    with pytest.raises(NoCorpusError, match=r"is not a corpus: it has no manifest-WRITER\.json$"):
        verify(tmp_path)


def test_the_corpus_in_the_folder_of_a_job_is_named(tmp_path: Path) -> None:
    write_corpus(tmp_path / "corpus", [document()])
    with pytest.raises(NoCorpusError, match=rf"; did you mean {tmp_path}/corpus\?$"):
        verify(tmp_path)
