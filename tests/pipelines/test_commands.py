"""``scrapy corpus``, ``scrapy frontier`` and ``scrapy extract`` as a user types them."""

from __future__ import annotations

import socketserver
import threading
from pathlib import Path

import orjson
import pytest
from corpus_samples import document, write_corpus
from frontier_sample import frontier
from scrapy_command import scrapy
from unread import full, unread

from benchmarks.fault_site import Exchange, FaultSite, page
from benchmarks.faults.answers import too_many_requests
from crawler.demo import DemoSite
from crawler.demo.site import Site
from crawler.outcomes import Rejection
from pipelines.corpus.manifest import Manifest

pytestmark = pytest.mark.timeout(300)


def corpus(folder: Path, name: str = "worker", numbers: range = range(3)) -> Path:
    rejects = [(document(90), Rejection("too-short"))]
    write_corpus(folder, map(document, numbers), rejects, name=name)
    return folder


def test_verify_says_whether_a_corpus_is_sound(tmp_path: Path) -> None:
    folder = corpus(tmp_path / "a")
    sound = scrapy("corpus", "verify", folder)
    assert (sound.returncode, sound.stderr) == (0, "")
    assert sound.stdout.startswith("sound: 3 documents and 1 reject in 2 shards")
    shard = folder / "documents/worker-000000.jsonl.zst"
    shard.write_bytes(shard.read_bytes()[:-1])
    damaged = scrapy("corpus", "verify", folder)
    assert damaged.returncode == 3
    assert str(shard) in damaged.stdout


def test_stats_and_merge_can_speak_json(tmp_path: Path) -> None:
    one = corpus(tmp_path / "a", "one", range(3))
    two = corpus(tmp_path / "b", "two", range(2, 5))
    merged = scrapy("corpus", "merge", "--json", tmp_path / "c", one, two)
    counts = {
        "documents": 5,
        "rejects": 1,
        "tombstones": 0,
        "held": 0,
        "repeats": 2,
        "notes": [],
    }
    assert orjson.loads(merged.stdout) == counts
    stats = orjson.loads(scrapy("corpus", "stats", "--json", tmp_path / "c").stdout)
    assert (stats["documents"], stats["rejects"]) == (5, {"too-short": 1})


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_commands_whose_reader_leaves_end_as_they_would_have(
    options: tuple[str, ...], tmp_path: Path
) -> None:
    folder = corpus(tmp_path / "a", "one", range(3))
    write_corpus(folder, [document(1)], name="two")
    urls = frontier(tmp_path / "run")
    file = tmp_path / "page.html"
    file.write_text(PAGE)
    with unread() as stdout:
        for arguments, code in (
            (("corpus", "verify", folder), 4),
            (("corpus", "stats", folder), 0),
            (("corpus", "merge", tmp_path / "merged", folder), 0),
            (("frontier", "stats", urls), 0),
            (("frontier", "retry", urls), 0),
            (("extract", file), 0),
        ):
            done = scrapy(*arguments, *options, stdout=stdout)
            assert (done.returncode, done.stderr) == (code, ""), arguments
    assert (tmp_path / "merged").exists()


@pytest.mark.parametrize(
    ("action", "options"),
    [
        ("corpus verify", ()),
        ("corpus diff", ("{corpus}",)),
        ("corpus stats", ("--json",)),
        ("frontier stats", ()),
        ("frontier stats", ("--json",)),
        ("frontier retry", ()),
        ("extract", ()),
    ],
)
def test_commands_whose_output_has_no_room_name_it_and_end_with_1(
    action: str, options: tuple[str, ...], tmp_path: Path
) -> None:
    places = {
        "corpus": corpus(tmp_path / "a"),
        "frontier": frontier(tmp_path / "run"),
        "extract": tmp_path / "page.html",
    }
    places["extract"].write_text(PAGE)
    words = (*action.split(), places[action.partition(" ")[0]])
    with full() as stdout:
        done = scrapy(*words, *(one.format(**places) for one in options), stdout=stdout)
    said = f"scrapy {action}: standard output: No space left on device\n"
    assert (done.returncode, done.stderr) == (1, said)


def test_what_cannot_be_merged_is_told_from_what_is_damaged(tmp_path: Path) -> None:
    one = corpus(tmp_path / "a")
    again = scrapy("corpus", "merge", one, one)
    assert (again.returncode, again.stdout) == (2, "")
    assert again.stderr == (f"scrapy corpus merge: {one} already exists; give a new folder\n")
    (tmp_path / "file").touch()
    assert scrapy("corpus", "merge", tmp_path / "file/out", one).returncode == 2
    shard = one / "documents/worker-000000.jsonl.zst"
    shard.write_bytes(shard.read_bytes()[:-1])
    assert scrapy("corpus", "merge", tmp_path / "out", one).returncode == 3
    (one / "manifest-worker.json").write_text("{}")
    assert scrapy("corpus", "merge", tmp_path / "out", one).returncode == 3


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("corpus", "count", "x"), 2, "invalid choice: 'count'"),
        (("corpus", "verify"), 2, "required: DIR"),
        (("corpus", "verify", "a", "b"), 2, "unknown arguments: b"),
        (("corpus", "verify", "a", "--no-such-option"), 2, "--no-such-option"),
        (("corpus", "merge", "out"), 2, "required: DIR"),
        (("corpus", "verify", "no-such-folder"), 2, "is not a corpus: there is no such folder"),
        (("corpus", "stats", "no-such-folder"), 2, "is not a corpus: there is no such folder"),
        (("corpus", "merge", "out", "no-such-folder"), 2, "no-such-folder is not a corpus"),
        (("frontier", "stats"), 2, "required: JOB"),
        (("frontier", "stats", "no-such.toml"), 2, "cannot be read"),
        (("frontier", "stats", "tests"), 3, "tests"),
        (("frontier", "stats", "tests", "--free"), 2, "unknown arguments: --free"),
        (("extract",), 2, "required: IN"),
        (("extract", "https://example.org/"), 2, "--contact is needed"),
        (
            ("extract", "--contact", "me", "https://example.org/"),
            2,
            "error: --contact me: must be an e-mail address or URL where site owners reach you\n",
        ),
        (("extract", "ftp://localhost/"), 2, "must begin with http"),
        (("extract", "no-such.html"), 1, "no-such.html: No such file or directory\n"),
        (
            ("extract", "example.org/a.html"),
            1,
            'No such file or directory; if it is a URL, write "https://example.org/a.html"\n',
        ),
        (("extract", "localhost:8000"), 1, 'if it is a URL, write "http://localhost:8000"\n'),
        (("extract", "--url", "example.org", "no-such.html"), 2, "must be an absolute URL"),
        (
            ("extract", "--url", "http://localhost/a", "http://localhost/b"),
            2,
            "--url is only for pages that are read from a file",
        ),
        (("extract", "--method", "magic", "x.html"), 2, "magic"),
    ],
)
def test_what_is_wrong_is_said_and_has_an_exit_code(
    arguments: tuple[str, ...], code: int, said: str
) -> None:
    done = scrapy(*arguments)
    assert done.returncode == code, done.stdout + done.stderr
    assert said in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_a_shard_that_was_never_completed_is_named(tmp_path: Path) -> None:
    folder = corpus(tmp_path / "a")
    shard = folder / "documents/worker-000000.jsonl.zst"
    (folder / "manifest-worker.json").unlink()
    Manifest("worker").save(folder / "manifest-worker.json")
    shard.rename(f"{shard}.open")
    stats = scrapy("corpus", "stats", folder)
    assert stats.stderr == f"{shard}.open is in no manifest, so it is not counted\n" + (
        f"{folder}/rejects/worker-000000.jsonl.zst is in no manifest, so it is not counted\n"
    )
    merged = scrapy("corpus", "merge", tmp_path / "out", folder)
    assert merged.returncode == 0
    assert f"{shard}.open was never completed: its 3 lines are merged\n" in merged.stderr
    assert "3 documents and 1 reject" in merged.stdout


def test_a_file_is_extracted_as_the_pipeline_does_it(tmp_path: Path) -> None:
    resource = Site().resource("/articles/how-tides-work")
    assert resource is not None
    file = tmp_path / "page.html"
    file.write_bytes(resource.body)
    text = scrapy("extract", file)
    assert (text.returncode, text.stderr) == (0, "")
    assert "The moon does pull on the sea" in text.stdout
    line = orjson.loads(
        scrapy("extract", "--json", "--genre", "list-view", "--method", "goce", file).stdout
    )
    assert (line["metadata"]["genre"], line["metadata"]["extractor"]) == ("list-view", "goce")
    assert line["metadata"]["title"] == "Why the sea comes back twice a day"


def test_a_page_can_be_told_to_be_of_a_genre_or_a_page_type(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(PAGE)
    line = orjson.loads(scrapy("extract", "--json", "--genre", "forum", file).stdout)
    assert line["metadata"]["page_type"] == "forum"
    assert line["metadata"]["genre"] != "forum"
    wrong = scrapy("extract", "--genre", "artcle", file)
    assert wrong.returncode == 2
    # Python 3.13 writes the choices without quotes.
    assert "list-view, documentation" in wrong.stderr.replace("'", "")


PAGE = (
    "<title>Tides</title><main><h1>Tides</h1><p>Twice a day the sea comes back, and twice it goes, "
    "as <a href='/moon'>the moon</a> would have it, and nobody has ever seen it late.</p></main>"
)


def test_the_links_of_a_file_are_resolved_from_the_address_of_its_page(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(PAGE)
    told = scrapy(
        "extract", "--url", "https://example.org/sea/", "--format", "markdown", "--links", file
    )
    assert (told.returncode, told.stderr) == (0, "")
    assert "[the moon](https://example.org/moon)" in told.stdout
    line = orjson.loads(
        scrapy("extract", "--json", "--url", "https://example.org/sea/", file).stdout
    )
    assert line["metadata"]["url"] == "https://example.org/sea/"


def test_a_page_can_come_from_standard_input() -> None:
    told = scrapy("extract", "-", standard_input=PAGE)
    assert (told.returncode, told.stderr) == (0, "")
    assert "Twice a day the sea comes back" in told.stdout


def test_the_name_of_a_file_tells_xhtml_and_a_page_without_text_is_named(tmp_path: Path) -> None:
    # In HTML such a script has no end, and is all that the page has.
    chapter = tmp_path / "chapter.XHTML"
    chapter.write_text(f"<html><head><script src='/moon.js'/></head><body>{PAGE}</body></html>")
    told = scrapy("extract", chapter)
    assert (told.returncode, told.stderr) == (0, "")
    assert "Twice a day the sea comes back" in told.stdout
    other = tmp_path / "chapter.html"
    chapter.rename(other)
    empty = scrapy("extract", other)
    assert (empty.returncode, empty.stdout) == (0, "")
    why = "no-text: no visible text; it may have some in a browser"
    assert empty.stderr == f"scrapy extract: {other}: no text was found ({why})\n"


@pytest.mark.parametrize("begin", [b"%PDF-1.7\n", b"PK\x03\x04", b"\x89PNG", b"a\0b"])
def test_a_file_that_is_no_page_is_not_printed(tmp_path: Path, begin: bytes) -> None:
    file = tmp_path / "page.html"
    file.write_bytes(begin + b"words of no page " * 20)
    refused = scrapy("extract", file)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr == f"scrapy extract: {file}: not a page: the content is binary\n"


# Some lead to one another, and between two visits of a host it would wait for a second.
AT_ONCE = ("-s", "DOWNLOAD_DELAY=0")


def test_a_url_is_fetched_within_the_rules_of_its_site() -> None:
    with DemoSite() as site:
        tides = scrapy("extract", *AT_ONCE, f"{site.base}/articles/how-tides-work")
        assert (tides.returncode, tides.stderr) == (0, "")
        assert "The moon does pull on the sea" in tides.stdout
        moved = scrapy("extract", *AT_ONCE, "--json", f"{site.base}/odd/redirect/1")
        assert orjson.loads(moved.stdout)["metadata"]["url"].endswith("/articles/fog-signals")
        forbidden = scrapy("extract", *AT_ONCE, f"{site.base}/private/ledger")
        large = scrapy("extract", *AT_ONCE, f"{site.base}/odd/large")
        missing = scrapy("extract", *AT_ONCE, f"{site.base}/no-such-page")
        endless = scrapy("extract", *AT_ONCE, f"{site.base}/odd/loop/a")
    nobody = scrapy("extract", *AT_ONCE, f"{site.base}/articles/how-tides-work")
    for refused, why in (
        (forbidden, "robots.txt disallows it"),
        (large, "could not be fetched: it is larger than 10,000,000 bytes"),
        (endless, "could not be fetched: it redirects more than 8 times"),
        (missing, "is not a usable page: status 404"),
        (nobody, "robots.txt of 127.0.0.1 is unreachable (it refuses connections)"),
    ):
        assert (refused.returncode, refused.stdout) == (1, "")
        assert why in refused.stderr
        assert refused.stderr.count("\n") == 1


def test_a_server_in_trouble_gives_no_leave_to_fetch() -> None:
    with FaultSite({"/robots.txt": too_many_requests(5), "/": page("Home")}) as site:
        refused = scrapy("extract", f"{site.base}/")
    assert refused.returncode == 1
    assert "robots.txt of 127.0.0.1 is unreachable (status 429)" in refused.stderr


class _WithoutTls(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        self.request.recv(4096)
        self.request.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")


def test_what_tls_says_is_told() -> None:
    with socketserver.TCPServer(("127.0.0.1", 0), _WithoutTls) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        refused = scrapy("extract", f"https://127.0.0.1:{server.server_address[1]}/")
        server.shutdown()
    assert refused.returncode == 1
    assert "robots.txt of 127.0.0.1 is unreachable (TLS: " in refused.stderr


@pytest.mark.parametrize("target", ["mailto:someone@your-site.com", "http://[::1"])
def test_a_redirect_to_what_is_no_page_is_told(target: str) -> None:
    def moved(exchange: Exchange) -> None:
        exchange.send("302 Found", b"", {"Location": target})

    with FaultSite({"/": moved}) as site:
        refused = scrapy("extract", f"{site.base}/")
    assert refused.returncode == 1
    assert "could not be fetched: it redirects to what is no URL of a page: " in refused.stderr
