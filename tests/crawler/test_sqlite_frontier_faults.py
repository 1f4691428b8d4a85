"""The embedded frontier where its process is killed, and where its disk is full."""

# ruff: noqa: S603

from __future__ import annotations

import asyncio
import random
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from blocking_frontier import Blocking, accounted
from frontier_audit import audit
from rights import make_read_only, run_with_rights

from crawler.frontier import Candidate, SqliteFrontier

# A worker without a network: every page links to others, fails or is done, until all is done. What
# it acknowledges it writes down first, as a pipeline does with its shards.
_WORKER = """
import asyncio, os, random, sys
from pathlib import Path
from crawler.frontier import Candidate, Policy, SqliteFrontier

async def work(folder, pages):
    print("begin", flush=True)
    policy = Policy(delay=0, visits_per_host=4, tries=3, losses=1000, first_backoff=0.01)
    frontier = await SqliteFrontier.open(folder, policy)
    done = os.open(folder / "done", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    await frontier.add(Candidate(f"http://h{number}.test/0") for number in range(20))
    while not await frontier.finished():
        leases = await frontier.lease(8)
        for lease in leases:
            page = int(lease.url.rpartition("/")[2])
            links = [f"http://{lease.host}/{2 * page + 1}", f"http://{lease.host}/{2 * page + 2}"]
            await frontier.add(Candidate(url, depth=lease.depth + 1) for url in links
                               if int(url.rpartition("/")[2]) < pages)
            if page % 7 == 3 and random.random() < 0.5:
                await frontier.release(lease, reason="timeout")
                continue
            await frontier.fetched([lease])
            os.write(done, (lease.url + "\\n").encode())
            await frontier.ack(lease, "kept")
        await asyncio.sleep(0.01 if leases else await frontier.lease_in() or 0)
    await frontier.close()

asyncio.run(work(Path(sys.argv[1]), int(sys.argv[2])))
"""


KILLS = 5
# Of every host: more than a fast machine has done before the last kill.
PAGES = 240


@pytest.mark.timeout(300)
def test_kill_9_at_any_moment_loses_nothing(tmp_path: Path, runner: asyncio.Runner) -> None:
    rng = random.Random()
    command = [sys.executable, "-c", _WORKER, str(tmp_path), str(PAGES)]
    kills = 0
    while True:
        with subprocess.Popen(command, stdout=subprocess.PIPE) as worker:
            assert worker.stdout
            worker.stdout.readline()
            # The first ones are killed while they make the file.
            longest = 0.03 if kills < 2 else 0.25
            try:
                worker.wait(rng.uniform(0, longest) if kills < KILLS else None)
            except subprocess.TimeoutExpired:
                worker.kill()
                kills += 1
                continue
        assert worker.returncode == 0
        break
    assert kills == KILLS
    attached = Blocking(runner.run(SqliteFrontier.attach(tmp_path)), runner)
    stats = attached.stats()
    dead = {letter.url for letter in attached.dead_letters(limit=10_000)}
    attached.close()
    done = (tmp_path / "done").read_text().split()
    expected = {f"http://h{host}.test/{page}" for host in range(20) for page in range(PAGES)}
    assert stats.queued == stats.leased == 0
    assert accounted(stats)
    reached = set(done) | dead
    assert stats.added == len(reached)
    assert stats.done == len(set(done) - dead)
    # Also the links of pages that died: they are added before a page can fail.
    assert reached == expected
    # What was written down but not acknowledged when the worker died is done twice, no more.
    assert len(done) - len(set(done)) <= kills
    with closing(sqlite3.connect(tmp_path / "frontier.sqlite")) as db:
        audit(db)


_FILLER = """
import asyncio, sqlite3, sys
from pathlib import Path
from crawler.frontier import Candidate, FrontierFullError, SqliteFrontier

async def fill(folder):
    ballast = folder / "ballast"
    ballast.write_bytes(bytes(500_000))
    frontier = await SqliteFrontier.open(folder)
    added = 0
    try:
        while True:
            portion = range(added, added + 100)
            added += await frontier.add(Candidate(f"http://h{n}.test/{n}") for n in portion)
    except FrontierFullError as error:
        print(error)
    assert (await frontier.stats()).added == added > 1000
    ballast.unlink()
    (lease,) = await frontier.lease(1)
    assert await frontier.ack(lease, "kept")
    await frontier.close()
    frontier = await SqliteFrontier.open(folder)
    stats = await frontier.stats()
    assert (stats.added, stats.done, stats.queued) == (added, 1, added - 1)
    await frontier.close()
    sys.path.insert(0, sys.argv[2])
    from frontier_audit import audit
    audit(sqlite3.connect(folder / "frontier.sqlite"))

asyncio.run(fill(Path(sys.argv[1])))
"""
_MOUNTED = 'mount -t tmpfs -o size=3m none "$1" && shift && exec "$@"'


def test_a_disk_that_was_full_loses_nothing(tmp_path: Path) -> None:
    mounted = ["unshare", "-Urm", "sh", "-c", _MOUNTED, "sh", str(tmp_path)]
    if (
        shutil.which("unshare") is None
        or subprocess.run([*mounted, "true"], check=False).returncode
    ):
        pytest.skip("mounting a small disk is not allowed here")
    filler = [sys.executable, "-c", _FILLER, str(tmp_path), str(Path(__file__).parent)]
    ended = subprocess.run([*mounted, *filler], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    assert "the disk is full" in ended.stdout


_READER = """
import asyncio, sys
from pathlib import Path
from crawler.frontier import FrontierError, SqliteFrontier

async def look(folder):
    async with await SqliteFrontier.attach(folder) as frontier:
        print((await frontier.stats()).queued)
        await frontier.retry_dead()

try:
    asyncio.run(look(Path(sys.argv[1])))
except FrontierError as error:
    print(error)
"""


def test_where_it_may_only_be_read_it_is_inspected(tmp_path: Path, runner: asyncio.Runner) -> None:
    folder = tmp_path / "snapshot"
    frontier = Blocking(runner.run(SqliteFrontier.open(folder)), runner)
    frontier.add([Candidate("http://a.test/")])
    frontier.close()
    make_read_only(folder)
    queued, refusal = run_with_rights(_READER, folder).splitlines()
    assert queued == "1"
    assert refusal.startswith(f"cannot open or write {folder / 'frontier.sqlite'} (")
