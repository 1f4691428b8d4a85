"""What an addition takes: a filter or an output is a class and a line, a reason is documented."""

from __future__ import annotations

import ast
import asyncio
import re
from collections.abc import Iterator
from pathlib import Path

import corpus_samples
import orjson
import pytest
from corpus_samples import document, plain_lines

from crawler import outcomes
from crawler.dead_reasons import REASONS
from crawler.discovery.page_scan import LABELS
from crawler.frontier import Candidate, SqliteFrontier
from crawler.frontier.lease_holder import LeaseHolder
from crawler.frontier.url_meta import Kind
from crawler.items import Document, Page
from crawler.outcomes import CONSENT, TIMEOUT, Rejection
from pipelines import corpus_output, filters
from pipelines.corpus.page_output import PageOutput
from pipelines.corpus_output import CorpusOutput
from pipelines.filters.base import Filter
from refinery.warc.records import DAMAGED, TOO_LARGE, TRUNCATED
from settings.tables.filters import Filters

ROOT = Path(__file__).parents[2]


class NoShouting(Filter):
    def judge(self, document: Document) -> Rejection | None:
        return Rejection("shouting", document.text) if document.text.isupper() else None


class Sizes(PageOutput):
    """Notes the size of every page in a file, and in its document."""

    def __init__(self, file: Path) -> None:
        self._file = file.open("w")

    def write(self, page: Page, version: int = 1) -> dict[str, object]:
        self._file.write(f"{len(page.html)}\n")
        return {"extra": {"size": len(page.html)}}

    def complete(self) -> None:
        self._file.close()


def test_a_filter_is_a_class_and_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(filters, "FILTERS", [*filters.FILTERS, lambda job, state: NoShouting()])
    with filters.filter_chain(Filters(min_words=1), tmp_path) as chain:
        assert chain.judge(document(1, "A text.")) is None
        assert chain.judge(document(2, "A TEXT.")) == Rejection("shouting", "A TEXT.")
        assert chain.judge(document(3, "")) == Rejection("too-short", "0 words, the minimum is 1")


def test_an_output_is_a_class_and_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def sizes(_: object, layout: corpus_output.Layout) -> Sizes:
        return Sizes(layout.folder / "sizes.txt")

    monkeypatch.setattr(corpus_output, "OUTPUTS", [*corpus_output.OUTPUTS, sizes])

    async def work() -> None:
        async with (
            LeaseHolder(await SqliteFrontier.open(tmp_path)) as leases,
            CorpusOutput(
                tmp_path / "corpus", "worker-1", leases, on_failure=corpus_samples.unheard
            ) as output,
        ):
            await leases.add([Candidate("https://example.com/1")])
            (lease,) = await leases.lease(1)
            page = corpus_samples.page(1)
            await output.take(
                Page(lease, page.url, 200, (), page.html, page.fetched_at),
                document(1, "A word or two. " * 40),
            )

    asyncio.run(work())
    assert (tmp_path / "corpus/sizes.txt").read_text() == "8\n"
    (shard,) = (tmp_path / "corpus/documents").iterdir()
    assert orjson.loads(plain_lines(shard)[0])["metadata"]["size"] == 8


def reasons(verdict: str = "Rejection") -> Iterator[str]:
    """The reasons of all rejections, or other verdicts, that the code makes."""
    modules = [
        ast.parse(path.read_text(encoding="utf-8"))
        for room in ("crawler", "pipelines")
        for path in sorted((ROOT / room).rglob("*.py"))
    ]
    nodes = [node for module in modules for node in ast.walk(module)]
    constants = {
        node.target.id: node.value.value
        for node in nodes
        if isinstance(node, ast.AnnAssign)
        and isinstance(node.target, ast.Name)
        and isinstance(node.value, ast.Constant)
    }
    for node in nodes:
        if isinstance(node, ast.Call) and ast.unparse(node.func) == verdict:
            reason = node.args[0]
            if isinstance(reason, ast.Constant) and isinstance(reason.value, str):
                yield reason.value
            elif isinstance(reason, ast.Name):
                yield str(constants[reason.id])


def test_every_reason_of_a_reject_is_in_the_docs() -> None:
    docs = (ROOT / "docs/reference/corpus.md").read_text(encoding="utf-8")
    table = docs.partition("## Reasons of rejects")[2].partition("\n## ")[0]
    of_archives = {DAMAGED, TRUNCATED, TOO_LARGE}
    assert explained(table) == {*reasons(), *LABELS.values(), "render-too-large", *of_archives}


def explained(table: str) -> set[str]:
    """The labels in the first column of a table, each up to what varies."""
    listed = " ".join(re.findall(r"^\| (`.*?) \|", table, re.M))
    return {re.sub(r"(?<=\W)([A-Z]+|N .*)$", "", label) for label in re.findall(r"`(.*?)`", listed)}


def test_every_outcome_of_a_url_is_in_the_docs() -> None:
    docs = (ROOT / "docs/reference/outcomes.md").read_text(encoding="utf-8")
    constants = {
        value for name, value in vars(outcomes).items() if name.isupper() and isinstance(value, str)
    }
    kinds = {form for kind in Kind if kind != Kind.PAGE for form in (kind.label, f"{kind}-")}
    lost = "lease lost "
    assert lost in (ROOT / "crawler/frontier/redis/lua/losses.lua").read_text(encoding="utf-8")
    known = {*constants, *kinds, *reasons("RenderingError"), lost}
    of_rejects = {*reasons(), *LABELS.values(), "render-too-large"} - {CONSENT, TIMEOUT}
    assert explained(docs) == known - of_rejects
    assert not {*reasons("Done"), *reasons("Retry")} - constants
    dead = docs.partition("## Dead")[2]
    assert tuple(re.findall(r"^\| `(.*?)` \|", dead, re.M)) == REASONS
