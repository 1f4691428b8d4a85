"""``corpus build`` is the same work whatever its processes, sizes, disks and kills."""

from __future__ import annotations

import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson
import pyarrow.parquet as pq
import pytest
import zstandard
from dataset_samples import (
    ALONE,
    corpus,
    document,
    dropped,
    edited,
    made,
    numbers,
    prose,
    rows,
)
from datatrove.data import Document as Trove
from datatrove.pipeline.readers import JsonlReader
from loaded_program import ROOT

from pipelines.corpus.errors import CorpusError
from pipelines.corpus.layout import Layout
from pipelines.corpus.manifest import Manifest
from pipelines.corpus.merge import merge
from pipelines.corpus.shards import Line, Rotation, ShardSeries
from refinery.blocks import ShardWriter
from refinery.dataset.account import Built
from refinery.dataset.build import build
from refinery.dataset.errors import BuildError, RequestError
from refinery.executors import Place
from refinery.recipe import parse_recipe

pytestmark = pytest.mark.timeout(300)

DEFAULT = (ROOT / "refinery/commands/default.toml").read_text()


def content(folder: Path) -> dict[str, str]:
    """A hash of every file."""
    return {
        str(path.relative_to(folder)): sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_a_place_where_no_folder_can_be_is_an_error_of_the_request(tmp_path: Path) -> None:
    source = corpus(tmp_path / "corpus", [document(1)])
    (tmp_path / "file").write_text("")
    with pytest.raises(RequestError, match=r"out\.partial cannot be made: Not a directory$"):
        build([source], parse_recipe('name = "r"'), tmp_path / "file/out", ALONE)


def test_a_link_to_nowhere_is_refused_before_the_work(tmp_path: Path) -> None:
    """It cannot be replaced by a folder at the end."""
    (tmp_path / "out").symlink_to(tmp_path / "disk that is not there")
    with pytest.raises(RequestError, match="out already exists"):
        made(tmp_path, [document(1)], "")
    with pytest.raises(CorpusError, match="out already exists"):
        merge([tmp_path / "corpus"], tmp_path / "out")
    assert {path.name for path in tmp_path.iterdir()} == {"corpus", "out"}


def test_a_folder_of_something_else_is_not_worked_in(tmp_path: Path) -> None:
    """Its files would be part of the data set."""
    other = tmp_path / "out.partial/data/train-mine.parquet"
    other.parent.mkdir(parents=True)
    other.write_text("mine")
    with pytest.raises(RequestError, match=r"out\.partial has files that no build has left"):
        made(tmp_path, [document(1)], "")
    assert other.read_text() == "mine"
    assert [path.name for path in (tmp_path / "out.partial").iterdir()] == ["data"]


def test_work_is_not_continued_with_another_recipe(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="title"):
        made(tmp_path, [document(1, title=2)], "")
    recipe = parse_recipe('name = "other"')
    with pytest.raises(RequestError, match="was begun with another recipe"):
        build([tmp_path / "corpus"], recipe, tmp_path / "out", ALONE)


def sample(folder: Path) -> Path:
    """A corpus with work for every step of the default recipe."""
    chance = random.Random(3)
    documents = [
        document(n, prose(n, 24) + "\n\nAll rights reserved, as always.") for n in range(90)
    ]
    documents += [document(90 + n, prose(n, 24)) for n in range(10)]
    documents += [document(100 + n, edited(prose(n + 10, 24), 0.01, chance)) for n in range(20)]
    documents += [document(120 + n, f"{prose(n)}\n\n" * 3) for n in range(5)]
    return corpus(folder, documents, parts=5)


def test_files_are_of_one_size_whatever_hosts_there_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("refinery.dataset.build._FILE_BYTES", 4_000)
    documents = [document(n, host="one.example") for n in range(80)]
    documents += [document(n, host=f"host{n % 2}.example") for n in range(80, 180)]
    made(tmp_path, documents, "", head="validation = 0.5")
    splits: dict[str, list[list[dict[str, Any]]]] = {"train": [], "validation": []}
    for path in sorted((tmp_path / "out/data").iterdir()):
        splits[path.name.partition("-")[0]].append(pq.read_table(path).to_pylist())
    for files in splits.values():
        lengths = [len(file) for file in files]
        assert len(lengths) > 3
        assert max(lengths) < 2 * sum(lengths) / len(lengths)
        for file in files:
            assert file == sorted(file, key=lambda row: (row["host"], row["url"]))
    train, validation = (
        {row["host"] for file in splits[split] for row in file} for split in sorted(splits)
    )
    assert (train, validation) == ({"one.example", "host1.example"}, {"host0.example"})
    assert numbers(tmp_path / "out") == list(range(180))


def test_the_number_of_processes_makes_no_difference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("refinery.dataset.build._FILE_BYTES", 10_000)
    source, recipe = sample(tmp_path / "corpus"), parse_recipe(DEFAULT)
    build([source], recipe, tmp_path / "one", ALONE)
    build([source], recipe, tmp_path / "three", Place(processes=3))
    assert content(tmp_path / "one") == content(tmp_path / "three")
    assert len(list((tmp_path / "one/data").iterdir())) > 2
    reasons = Counter(dropped(tmp_path / "one").values())
    assert {"near-duplicate", "dup-para-frac"} <= reasons.keys()


def test_metadata_of_any_name_neither_loses_nor_moves_a_document(tmp_path: Path) -> None:
    """Writers of datatrove take names of files from it."""
    steps = '[[steps]]\nuse = "repeated-pages"\n[[steps]]\nuse = "sample"\nper_host = 3'
    found = []
    for name, extra in (("plain", {}), ("odd", {"rank": 3, "bucket": "b", "dropped_by": "c"})):
        folder = tmp_path / name
        built = made(folder, [document(n, extra=extra) for n in range(28)], steps)
        assert built.whole.documents == 21
        found.append((numbers(folder / "out"), dropped(folder / "out")))
    assert found[0] == found[1]


@pytest.mark.parametrize("steps", ["", '[[steps]]\nuse = "mask-personal-data"'])
def test_what_steps_count_is_not_taken_from_the_corpora(steps: str, tmp_path: Path) -> None:
    """Published data sets have counts of the texts that they had."""
    extra = {"token_count": 2**40, "masked": 5, "lines_removed": "x"}
    built = made(tmp_path, [document(1, "By joe@site.org", extra=extra)], steps)
    [row] = rows(tmp_path / "out")
    masked = int(bool(steps))
    assert (row["tokens"], row["masked"], row["lines_removed"]) == (None, masked, 0)
    assert (built.whole.tokens, built.whole.masked) == (0, masked)


def test_a_time_without_a_zone_is_in_utc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever the machine is; JSON Lines with both kinds cannot be loaded."""
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        times = {"date": "2026-05-01T12:00:00", "first_seen": "2026-04-01"}
        page = Trove("A lamp.", "a", metadata={"url": "https://a.example/", **times})
        list(ShardWriter(tmp_path / "corpus", ["naive"])([page]))
    finally:
        monkeypatch.undo()
        time.tzset()
    made(tmp_path, [], "")
    [path] = (tmp_path / "out/jsonl").glob("*.zst")
    with zstandard.open(path, "rt", encoding="utf-8") as lines:
        [row] = map(orjson.loads, lines)
    assert row["fetched_at"] == "2026-05-01T12:00:00.000+00:00"
    assert row["first_seen"] == "2026-04-01T00:00:00.000+00:00"


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("title", ["a"]),
        ("language", 3),
        ("genre_scores", [1]),
        ("page_type_scores", {"article": "1"}),
        ("fetched_at", "yesterday"),
        ("fetched_at", None),
        ("archive_offset", 2**63),
        ("consent", "no"),
    ],
)
def test_a_document_that_fits_into_no_row_is_named(key: str, value: Any, tmp_path: Path) -> None:
    """Corpora of other programs may have anything; the steps are not tried on it."""
    steps = '[[steps]]\nuse = "select"\nlanguages = ["en"]'
    line = orjson.loads(document(1).to_json())
    line["metadata"][key] = value
    series = ShardSeries(
        Layout(tmp_path / "corpus", "odd"), "documents", Manifest("odd"), Rotation()
    )
    series.append([Line(orjson.dumps(line) + b"\n", "")])
    series.complete()
    with pytest.raises(BuildError, match=f'^document {line["id"]}: its "{key}" cannot be '):
        made(tmp_path, [document(2)], steps)
    assert made(tmp_path / "sound", [document(2, extra={"words": "x", "host": 3})], steps).documents


@pytest.mark.parametrize(
    ("steps", "kept"),
    [("", 2), (DEFAULT[DEFAULT.index("[[steps]]") :], 1)],
    ids=["none", "default"],
)
def test_a_document_without_text_is_counted(steps: str, kept: int, tmp_path: Path) -> None:
    built = made(tmp_path, [document(1), document(2, "")], steps)
    assert (built.documents, built.whole.documents) == (2, kept)
    assert list(dropped(tmp_path / "out").values()) == ["empty"] * (2 - kept)


def test_of_many_copies_of_a_page_the_default_recipe_keeps_one(tmp_path: Path) -> None:
    copies = [document(n, f"{prose(1, 30)}\n\nCopy {n}.", host="one.example") for n in range(6)]
    build([corpus(tmp_path / "c", copies)], parse_recipe(DEFAULT), tmp_path / "out", ALONE)
    assert Counter(dropped(tmp_path / "out").values()) == {"near-duplicate": 5}


@pytest.mark.parametrize(
    ("step", "last", "kept"), [("exact-duplicates", "", 5), ("near-duplicates", " Indeed.", 0)]
)
def test_a_dropped_copy_names_the_document_that_is_kept(
    step: str, last: str, kept: int, tmp_path: Path
) -> None:
    copies = [document(n, prose(1, 40) + (last if n == 0 else "")) for n in range(6)]
    others = [document(n, prose(n, 40)) for n in range(10, 14)]
    made(tmp_path, others + copies, f'[[steps]]\nuse = "{step}"')
    lines = JsonlReader(str(tmp_path / "out/dropped"))()
    assert [line.metadata["copy_of"] for line in lines] == [document(kept).id] * 5


def test_of_many_texts_of_a_page_the_default_recipe_keeps_the_newest(tmp_path: Path) -> None:
    page = {"host": "one.example", "requested_url": "https://one.example/"}
    texts = [document(n, **page) for n in range(4)]
    build([corpus(tmp_path / "c", texts)], parse_recipe(DEFAULT), tmp_path / "out", ALONE)
    assert dropped(tmp_path / "out") == dict.fromkeys(range(3), "repeated-page")


def test_a_full_disk_is_a_clear_error_and_the_work_goes_on(tmp_path: Path) -> None:
    source, recipe = sample(tmp_path / "corpus"), parse_recipe(DEFAULT)
    pid = os.fork()
    if not pid:  # A process that may write small files only.
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (9_000, 9_000))
        try:
            build([source], recipe, tmp_path / "out", ALONE)
        except BuildError as error:
            os._exit(0 if "File too large" in str(error) else 1)
        os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert not (tmp_path / "out").exists()
    build([source], recipe, tmp_path / "out", ALONE)
    build([source], recipe, tmp_path / "whole", ALONE)
    assert content(tmp_path / "out") == content(tmp_path / "whole")


def test_kills_at_any_moment_end_in_the_same_data_set(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Python leaves a folder of sockets there when it is killed.
    monkeypatch.setenv("TMPDIR", str(tmp_path_factory.mktemp("kills")))
    source = sample(tmp_path / "corpus")
    build([source], parse_recipe(DEFAULT), tmp_path / "whole", ALONE)
    out = tmp_path / "killed"
    command = [sys.executable, "-m", "refinery", "build", source, "--out", out, "--processes", "2"]
    chance = random.Random(4)
    kills = 0
    while kills < 3:
        running = subprocess.Popen(  # noqa: S603 - our own program
            command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        time.sleep(chance.uniform(0.5, 2.5))
        if running.poll() is not None:
            break
        running.send_signal(signal.SIGKILL)
        running.wait()
        kills += 1
    assert kills
    if not out.exists():
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True)  # noqa: S603
    assert content(out) == content(tmp_path / "whole")
    assert Built.read(out / "dataset.json").whole.documents == len(numbers(out))
