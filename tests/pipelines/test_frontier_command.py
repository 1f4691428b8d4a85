"""``scrapy frontier`` as a user types it: what it shows of a job, and the dead URLs it treats."""

from __future__ import annotations

import asyncio
import io
from pathlib import Path

import orjson
import pytest
from frontier_sample import frontier
from rich.console import Console
from scrapy_command import scrapy

from crawler.dead_reasons import REASONS
from crawler.frontier import Candidate, DeadLetter, Policy, SqliteFrontier, Stats
from genre_crawler.command_line import main
from pipelines.commands.frontier import stats_tables
from settings.problems import enumeration

pytestmark = pytest.mark.timeout(300)


def test_the_folder_of_a_job_is_named_to_who_gives_its_corpus(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = frontier(tmp_path / "run")
    (folder / "corpus").mkdir()
    assert main(["frontier", "stats", str(folder / "corpus")]) == 3
    said = f"there is no frontier in {folder}/corpus; did you mean {folder}?\n"
    assert capsys.readouterr().err.endswith(said)


def test_the_urls_of_a_job_are_counted_retried_and_purged(tmp_path: Path) -> None:
    folder = frontier(tmp_path / "run")
    job = tmp_path / "job.toml"
    job.write_text(
        f'name = "x"\n[seeds]\nurls = ["http://localhost/"]\n[outputs]\nfolder = "{folder}"\n'
    )
    stats = orjson.loads(scrapy("frontier", "stats", "--json", job).stdout)
    assert (stats["done"], stats["dead"], stats["queued"]) == (2, 1, 1)
    assert stats["outcomes"] == {"kept": 2}
    assert stats["dead_letters"][0]["reason"] == "status 500"
    assert stats["dead_reasons"] == {"status 500": 1}
    shown = scrapy("frontier", "stats", folder)
    assert "status 500" in shown.stdout
    counted = scrapy("frontier", "stats", "--limit", "0", folder).stdout.split()
    assert counted[-6:] == ["dead", "by", "reason", "status", "500", "1"]
    assert scrapy("frontier", "retry", job).stdout == "1 URL put back into the queue\n"
    assert scrapy("frontier", "purge", "--json", folder).stdout == '{"purge":0}\n'


@pytest.mark.parametrize("action", ["retry", "purge"])
def test_a_reason_that_is_misspelt_is_refused_with_the_nearest(
    action: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(frontier(tmp_path / "run"))

    def said(reason: str) -> tuple[int, str]:
        code = main(["frontier", action, folder, "--reason", reason])
        return code, "".join(capsys.readouterr())

    refused = f'genre-crawler frontier {action}: --reason "{{}}" is no reason of dead URLs; {{}}\n'
    for wrong, right in (
        ("timout", 'did you mean "timeout"?'),
        ("status 50", 'did you mean "status 500"?'),
        ("http-5O3", f"they are {enumeration(REASONS)}"),
    ):
        assert said(wrong) == (2, refused.format(wrong, right))
    # A script may ask for one that no URL is dead for now.
    for unused in ("host-down", "http-503", "connection: refused"):
        code, words = said(unused)
        assert (code, words[:7]) == (0, "0 URLs ")
    assert said("status 500")[1].startswith("1 URL ")


def test_a_host_is_taken_in_any_spelling_and_a_url_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = str(frontier(tmp_path / "run"))
    with pytest.raises(SystemExit, match="2"):
        main(["frontier", "retry", folder, "--host", "http://localhost:81/"])
    told = capsys.readouterr().err
    assert 'argument --host: must be a host without scheme and path; write "localhost"' in told
    assert main(["frontier", "retry", folder, "--host", "LocalHost."]) == 0
    assert capsys.readouterr().out == "1 URL put back into the queue\n"


def test_urls_that_wait_out_a_failure_are_shown_as_a_part_of_the_queue() -> None:
    console = Console(width=60, file=io.StringIO())
    with console.capture() as capture:
        console.print(stats_tables(Stats(added=5, queued=5, waiting=2), [], {}, []))
    lines = [" ".join(line.split()) for line in capture.get().splitlines()]
    assert lines.index("of these to be retried 2") == lines.index("queued 5") + 1


def test_a_given_up_url_is_never_cut(tmp_path: Path) -> None:
    url = "http://localhost/" + "long/" * 100

    async def give_up() -> None:
        async with await SqliteFrontier.open(tmp_path, Policy(tries=1)) as made:
            await made.add([Candidate(url)])
            (lease,) = await made.lease(1)
            await made.release(lease, reason="status 500, and more " * 9)

    asyncio.run(give_up())
    lines = scrapy("frontier", "stats", tmp_path).stdout.splitlines()
    assert [line.split()[0] for line in lines if "long/" in line] == [url]
    # On a terminal it goes on in the next line.
    console = Console(width=60, file=io.StringIO())
    with console.capture() as capture:
        letter = DeadLetter(1, url, "localhost", 0, 1, "status 500", 0.0)
        console.print(stats_tables(Stats(), [], {}, [letter]))
    rows = capture.get().splitlines()
    begin = next(number for number, row in enumerate(rows) if "http://" in row)
    assert "".join(row.split()[0] for row in rows[begin:]) == url
