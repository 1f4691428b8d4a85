"""Archives of sites: their pages are read with what the other pages of the site share."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from archive_samples import gzipped, html, response
from extracted import content, texts
from scrapy_command import scrapy

from extraction import SiteMemory, extract
from extraction.site_memory import CAPACITY
from pipelines.corpus.folder import shards
from pipelines.corpus.layout import Layout
from refinery.executors import Place
from refinery.extraction import Choices
from refinery.extraction import extract as extract_archives
from refinery.warc.addresses import archives, part_name
from refinery.warc.site_marks import JoinedSites, site_marks
from settings.tables.extraction import Extraction

pytestmark = pytest.mark.usefixtures("forked_workers")

NOTICE = "<p>Readers of the gazette enjoy our letter every Monday morning.</p>"
WITH_SITES = Choices(extraction=Extraction(site_memory=True))


WORDS = "harbour lantern signal tide keeper gale captain rope island winter oil glass".split()


def page(number: int) -> str:
    """A page with a text of its own, and the notice of its site."""
    chance = random.Random(number)
    sentences = [
        f"{' '.join(chance.choices(WORDS, k=14)).capitalize()}, and so on." for _ in range(6)
    ]
    text = html(f"The {' '.join(chance.choices(WORDS, k=3))}", sentences=sentences)
    return text.replace("<article>", f"<article>{NOTICE}")


def page_archive(path: Path, pages: dict[str, str]) -> str:
    path.write_bytes(gzipped(*(response(url, text) for url, text in pages.items())))
    return str(path)


def site_pages(corpus: Path) -> set[int]:
    """How many other pages were known of the documents' sites."""
    found = (shard for shard in shards(corpus) if shard.kind == "documents")
    return {line["metadata"]["site_pages"] for shard in found for line in shard.documents()}


PAGES = {f"http://fog.example/2026/{number}": page(number) for number in range(8)}


def test_a_page_is_read_with_its_site_whatever_archive_the_others_are_in(tmp_path: Path) -> None:
    urls = list(PAGES)
    random.Random(1).shuffle(urls)
    sources = [
        page_archive(tmp_path / f"{name}.warc.gz", {url: PAGES[url] for url in part})
        for name, part in (("a", urls[:5]), ("b", urls[5:]))
    ]
    corpus = tmp_path / "corpus"
    done = scrapy("corpus", "extract-warc", *sources, "--out", corpus, "--site-memory")
    assert done.returncode == 0, done.stderr
    memory = SiteMemory()
    for url, text in PAGES.items():
        marks = extract(text, url=url, site=memory).marks
        assert marks is not None
        memory.add(marks)
    assert texts(corpus) == {
        url: extract(text, url=url, site=memory).text for url, text in PAGES.items()
    }
    assert texts(corpus) != {url: extract(text, url=url).text for url, text in PAGES.items()}
    assert site_pages(corpus) == {len(PAGES) - 1}


def test_a_page_that_is_alone_on_its_site_is_read_by_itself(tmp_path: Path) -> None:
    source = page_archive(tmp_path / "a.warc.gz", {"http://fog.example/": page(1)})
    corpus = tmp_path / "corpus"
    extracted = extract_archives(archives([source]), corpus, WITH_SITES, Place(processes=1))
    assert extracted.documents == 1
    assert texts(corpus) == {"http://fog.example/": extract(page(1)).text}


def test_an_archive_that_cannot_be_read_keeps_no_other_from_its_sites(tmp_path: Path) -> None:
    bad = tmp_path / "bad.warc.gz"
    bad.symlink_to(tmp_path / "gone")
    good = page_archive(tmp_path / "good.warc.gz", PAGES)
    unknown = dict.fromkeys((str(bad), good))
    extracted = extract_archives(unknown, tmp_path / "one", WITH_SITES, Place(processes=1))
    assert (extracted.outcome.done, extracted.documents) == (1, len(PAGES))
    assert site_pages(tmp_path / "one") == {len(PAGES) - 1}


def test_what_is_known_of_sites_follows_an_archive_that_is_read_again(tmp_path: Path) -> None:
    source = Path(page_archive(tmp_path / "a.warc.gz", PAGES))
    whole = source.read_bytes()
    for there, pages in ((whole[:-20], len(PAGES) - 1), (whole, len(PAGES))):
        source.write_bytes(there)
        given = archives([str(source)])
        extract_archives(given, tmp_path / "corpus", WITH_SITES, Place(processes=1))
        assert site_pages(tmp_path / "corpus") == {pages - 1}


def test_it_follows_an_archive_that_grows_between_learning_and_extraction(tmp_path: Path) -> None:
    source = Path(page_archive(tmp_path / "a.warc.gz", PAGES))
    whole = source.read_bytes()
    source.write_bytes(whole[:-20])
    corpus = tmp_path / "corpus"
    # The part cannot be written, so only the sites are learned.
    lock = Layout(corpus, part_name(str(source))).lock
    lock.mkdir(parents=True)
    stopped = extract_archives(archives([str(source)]), corpus, WITH_SITES, Place(processes=1))
    assert (stopped.outcome.done, len(stopped.outcome.failures)) == (0, 1)
    lock.rmdir()
    source.write_bytes(whole)
    extract_archives(archives([str(source)]), corpus, WITH_SITES, Place(processes=1))
    assert site_pages(corpus) == {len(PAGES) - 1}


def test_a_job_without_site_memory_contradicts_the_option(tmp_path: Path) -> None:
    source = page_archive(tmp_path / "a.warc.gz", PAGES)
    job = tmp_path / "job.toml"
    job.write_text(
        'name = "a"\nseeds.urls = ["http://localhost/"]\nextraction.site_memory = false\n'
    )
    told = scrapy(
        "corpus", "extract-warc", source, "--out", tmp_path / "c", "--job", job, "--site-memory"
    )
    assert told.returncode == 2
    assert "site_memory = false" in told.stderr


@pytest.mark.parametrize("order", [1, -1])
def test_of_a_large_site_a_sample_is_kept_that_is_the_same_in_any_order(
    tmp_path: Path, order: int
) -> None:
    every = [(f"{number:04d}".encode(), bytes([number])) for number in range(3 * CAPACITY)]
    parts = [tmp_path / "a", tmp_path / "b"]
    for path, pages in zip(parts, (every[::2], every[1::2]), strict=True):
        with site_marks(path) as file:
            for digest, marks in pages[::order]:
                file.add("fog.example", {digest: marks})
    joined = [tmp_path / f"joined-{number}" for number in range(2)]
    for number, path in enumerate(joined):
        with site_marks(path) as file:
            file.join(parts[::order], number, len(joined))
    sites = JoinedSites(joined)
    assert sites.marks("fog.example") == [marks for _, marks in every[:CAPACITY]]
    assert sites.marks("other.example") == []
    sites.close()


def test_every_host_is_in_its_file_whatever_their_number(tmp_path: Path) -> None:
    source = tmp_path / "source"
    hosts = [f"{number}.example" for number in range(50)]
    with site_marks(source) as file:
        for host in hosts:
            file.add(host, {b"1": host.encode()})
    for files in (1, 3, 7):
        joined = [tmp_path / f"joined-{files}-{number}" for number in range(files)]
        for number, path in enumerate(joined):
            with site_marks(path) as file:
                file.join([source], number, files)
        sites = JoinedSites(joined)
        assert [sites.marks(host) for host in hosts] == [[host.encode()] for host in hosts]
        sites.close()


def test_of_what_is_joined_only_the_part_of_a_file_is_read(tmp_path: Path) -> None:
    source = tmp_path / "source"
    with site_marks(source) as file:
        for number in range(1000):
            file.add(f"{number}.example", {b"1": bytes(2000)})

    def received() -> int:
        return int(Path("/proc/self/io").read_text().split()[1])

    with site_marks(tmp_path / "joined") as file:
        before = received()
        file.join([source], 5, 100)
        assert received() - before < source.stat().st_size / 10


def test_a_file_that_is_not_complete_has_no_name(tmp_path: Path) -> None:
    path = tmp_path / "a"

    def fail() -> None:
        with site_marks(path) as file:
            file.add("fog.example", {b"1": b"marks"})
            raise OSError("No space left on device")

    with pytest.raises(OSError, match="No space"):
        fail()
    assert content(tmp_path) == {}
