"""The block list of a job, and ``corpus unblock``, which shows it and takes entries off it."""

from __future__ import annotations

import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import orjson
import pytest
from corpus_samples import document, write_corpus

from corpus_commons.file_lock import FileLock
from crawler.discovery.block_list import BLOCK_LIST, BlockList, host_digest
from crawler.exit_codes import StorageError
from crawler.items import document_id
from genre_crawler.command_line import main

PAGE = "https://example.com/1"
HOST = "www.example.org"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """One whose job has a page and a host on its block list."""
    corpus = tmp_path / "job" / "corpus"
    write_corpus(corpus, [document(2)])
    assert main(["corpus", "forget", str(corpus), "--url", PAGE, "--host", HOST]) == 0
    return corpus


def unblock(*arguments: object) -> int:
    return main(["corpus", "unblock", *map(str, arguments)])


def blocked(corpus: Path) -> list[str]:
    found = BlockList.read(corpus.parent)
    return [url for url in (PAGE, f"https://{HOST}/any") if found.blocks(url)]


def test_what_was_blocked_by_mistake_is_fetched_again(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert unblock(corpus, "--host", HOST) == 0
    told = capsys.readouterr().out
    assert "1 taken off the block list" in told
    assert "without [recrawl] not what was done before" in told
    assert blocked(corpus) == [PAGE]
    assert unblock(corpus, "--url", PAGE) == 0
    assert blocked(corpus) == []


def test_a_list_of_requests_is_undone_as_it_was_done(corpus: Path) -> None:
    listed = corpus.parent / "list.txt"
    listed.write_text(f"# by mail\n{document_id(PAGE)}\n{HOST}\n")
    assert unblock(corpus, "--file", listed) == 0
    assert blocked(corpus) == []


def test_what_is_blocked_is_listed_and_may_be_named_as_it_is_listed(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert unblock(corpus) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{corpus.parent}: 2 blocked",
        f"page {document_id(PAGE)}",
        f"host {host_digest(HOST)}",
    ]
    assert unblock(corpus, "--id", host_digest(HOST)) == 0
    capsys.readouterr()
    assert unblock(corpus, "--json") == 0
    assert orjson.loads(capsys.readouterr().out)["blocked"] == {
        str(corpus.parent): {"ids": [document_id(PAGE)], "hosts": []}
    }


@pytest.mark.parametrize(
    ("given", "nearest"),
    [
        (["--host", "example.org"], HOST),
        (["--host", "wwww.example.org"], HOST),
        (["--host", "www.exmaple.org"], HOST),
        (["--host", "www.examle.org"], HOST),
        (["--host", "www.ezample.org"], HOST),
        (["--url", f"https://{HOST}/some/page"], HOST),
        (["--url", f"{PAGE}2"], PAGE),
        (["--id", "0" + document_id(PAGE)[1:]], document_id(PAGE)),
    ],
)
def test_what_is_not_on_the_list_is_refused_with_the_nearest_that_is(
    corpus: Path, given: list[str], nearest: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert unblock(corpus, "--host", HOST, *given) == 2
    told = capsys.readouterr().err
    assert f"{given[1]!r} is not on the block list ({corpus.parent / BLOCK_LIST})" in told
    assert f"; {nearest!r} is" in told
    assert blocked(corpus) == [PAGE, f"https://{HOST}/any"]


def test_what_is_like_nothing_on_the_list_is_refused_without_a_guess(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert unblock(corpus, "--host", "elsewhere.net") == 2
    assert capsys.readouterr().err.endswith(f"({corpus.parent / BLOCK_LIST})\n")


def test_a_kill_between_the_lists_of_a_fleet_is_mended_by_the_same_command(
    corpus: Path, tmp_path: Path
) -> None:
    done = tmp_path / "done" / "corpus"
    write_corpus(done, [document(2)])
    assert unblock(done, corpus, "--host", HOST) == 0
    assert blocked(corpus) == [PAGE]
    assert not (done.parent / BLOCK_LIST).exists()


@pytest.mark.parametrize("folder", ["merged", "no/corpus"])
def test_a_folder_that_no_job_writes_into_has_no_list(
    folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "merged").mkdir()
    assert unblock(tmp_path / folder) == 2
    assert f"{tmp_path / folder} is no corpus of a job" in capsys.readouterr().err


def test_a_job_that_has_not_begun_may_have_a_copied_list(corpus: Path, tmp_path: Path) -> None:
    new = tmp_path / "new" / "corpus"
    new.parent.mkdir()
    (new.parent / BLOCK_LIST).write_bytes((corpus.parent / BLOCK_LIST).read_bytes())
    assert unblock(new, "--host", HOST) == 0
    assert blocked(new) == [PAGE]


def test_entries_that_come_and_go_at_the_same_time_are_all_heeded(tmp_path: Path) -> None:
    BlockList.add(tmp_path, [f"old {number}" for number in range(20)], [])

    def change(number: int) -> None:
        if number % 2:
            BlockList.add(tmp_path, [f"new {number}"], [])
        else:
            BlockList.remove(tmp_path, [f"old {number // 2}"])

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(change, range(40)))
    assert BlockList.read(tmp_path).ids == {f"new {number}" for number in range(1, 40, 2)}


def test_a_killed_change_leaves_the_list_as_it_was_and_nobody_waiting(corpus: Path) -> None:
    program = (
        "import os, signal, sys; from pathlib import Path;"
        "from corpus_commons import durable_files;"
        "from crawler.discovery.block_list import BlockList;"
        "durable_files.os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL);"
        "BlockList.remove(Path(sys.argv[1]), BlockList.read(Path(sys.argv[1])).digests)"
    )
    ended = subprocess.run([sys.executable, "-c", program, corpus.parent], check=False)  # noqa: S603
    assert ended.returncode == -signal.SIGKILL
    assert blocked(corpus) == [PAGE, f"https://{HOST}/any"]
    FileLock(corpus.parent / BLOCK_LIST).release()
    assert unblock(corpus, "--host", HOST) == 0


def test_a_list_that_cannot_be_written_is_named(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (corpus.parent / f"{BLOCK_LIST}.tmp").mkdir()
    assert unblock(corpus, "--host", HOST) == 1
    assert f"{corpus.parent / BLOCK_LIST} cannot be written: Is a dir" in capsys.readouterr().err
    assert blocked(corpus) == [PAGE, f"https://{HOST}/any"]


@pytest.mark.parametrize("command", ["forget", "unblock"])
def test_a_torn_list_is_damage(
    corpus: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (corpus.parent / BLOCK_LIST).write_text('{"id": 5}')
    assert main(["corpus", command, str(corpus), "--url", PAGE]) == 3
    assert "the block list cannot be read" in capsys.readouterr().err


def test_a_torn_block_list_stops_the_crawl(tmp_path: Path) -> None:
    (tmp_path / BLOCK_LIST).write_text('{"id": 5}')
    with pytest.raises(StorageError, match="nothing is fetched"):
        BlockList.read(tmp_path)
