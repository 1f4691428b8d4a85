"""``python -m benchmarks NAME``: runs one benchmark; ``--help`` lists them."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module

from benchmarks.report import Report
from corpus_commons.terminal.arguments import output_file
from corpus_commons.terminal.command_error import CommandError
from corpus_commons.terminal.commands import tell

# A benchmark is a module with SUMMARY, add_arguments(parser), and run(arguments, report), which
# returns the exit code or raises CommandError. Modules are imported on first use, as each needs
# different libraries.
BENCHMARKS = {
    "adaptive": "benchmarks.adaptive.benchmark",
    "comments": "benchmarks.comments",
    "changes": "benchmarks.changes",
    "crawl": "benchmarks.crawl.benchmark",
    "extraction": "benchmarks.extraction",
    "extract-warc": "benchmarks.refinery.archives",
    "faults": "benchmarks.faults.benchmark",
    "fidelity": "benchmarks.fidelity",
    "fleet": "benchmarks.fleet.benchmark",
    "fuzz": "benchmarks.fuzz.benchmark",
    "genre": "benchmarks.genre.screenshots",
    "frontier": "benchmarks.frontier.benchmark",
    "genre-html": "benchmarks.genre.html",
    "genre-names": "benchmarks.genre.names",
    "goce-readings": "benchmarks.goce_readings",
    "labelling": "benchmarks.labelling",
    "live": "benchmarks.live.benchmark",
    "metadata": "benchmarks.metadata",
    "minhash": "benchmarks.refinery.near_copies",
    "page-workers": "benchmarks.page_workers",
    "parsers": "benchmarks.parsers",
    "recrawl": "benchmarks.recrawl.benchmark",
    "recrawl-unchanged": "benchmarks.recrawl.second_crawl",
    "render": "benchmarks.render.benchmark",
    "site-memory": "benchmarks.site_memory.kills",
    "site-memory-cost": "benchmarks.site_memory.cost",
    "soak": "benchmarks.soak.benchmark",
    "structures": "benchmarks.structures.benchmark",
    "tree-construction": "benchmarks.tree_construction",
}

_WHAT = "Run one benchmark. NAME --help describes it and its options."


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=_WHAT)
    parser.add_argument("name", choices=BENCHMARKS, metavar="NAME", help=", ".join(BENCHMARKS))
    parser.add_argument("options", nargs=argparse.REMAINDER, help="options of the benchmark")
    chosen = parser.parse_args()
    benchmark = import_module(BENCHMARKS[chosen.name])
    options = argparse.ArgumentParser(
        prog=f"{parser.prog} {chosen.name}", description=benchmark.SUMMARY
    )
    benchmark.add_arguments(options)
    options.add_argument(
        "--json", type=output_file, metavar="FILE", help="also write the tables to this file"
    )
    arguments = options.parse_args(chosen.options)
    report = Report(chosen.name, (*options.prog.split(), *chosen.options))
    try:
        code: int = benchmark.run(arguments, report)
    except CommandError as error:
        return tell(error, options.prog)
    if arguments.json:
        report.write(arguments.json)
    return code


if __name__ == "__main__":
    sys.exit(main())
