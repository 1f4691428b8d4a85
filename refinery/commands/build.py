"""``corpus build``: a data set of corpora, as a recipe says."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from corpus_commons.counts import number_of
from corpus_commons.terminal.arguments import Distinct
from corpus_commons.terminal.command_error import CommandError
from corpus_commons.terminal.commands import UsageError
from corpus_commons.terminal.output import say
from pipelines.commands.corpus_errors import corpus_errors
from pipelines.corpus.folder import shards, unlisted_files
from refinery.commands import places
from refinery.dataset.errors import BuildError, RequestError

if TYPE_CHECKING:
    from refinery.dataset.account import Built

_DESCRIPTION: Final = """\
The data set has Parquet and JSON Lines files, a data card and a report. Run it again after a kill
or a full disk: it goes on, and ends with the same data set."""
_EXIT_CODES: Final = """exit codes:
  0    done
  1    it could not be finished, and standard error says why; run it again to go on
  2    the arguments or the recipe cannot be used, or DATASET exists
  3    a corpus is damaged
"""
_DEFAULT: Final = Path(__file__).parent / "default.toml"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description, parser.epilog = _DESCRIPTION, _EXIT_CODES
    parser.add_argument(
        "corpora",
        nargs="+",
        type=Path,
        action=Distinct,
        metavar="CORPUS",
        help="a corpus's folder",
    )
    parser.add_argument(
        "--recipe", type=Path, default=_DEFAULT, metavar="FILE", help="default: a cautious one"
    )
    parser.add_argument(
        "--out", type=Path, required=True, metavar="DATASET", help="the folder to be made"
    )
    parser.add_argument(
        "--keep-dropped", action="store_true", help="keep the whole text of what is dropped"
    )
    parser.add_argument(
        "--all-versions",
        action="store_true",
        help="all versions of each page, also of those that are gone (default: the latest state)",
    )
    places.add_arguments(parser, slurm=False)


def run(arguments: argparse.Namespace) -> None:
    """Raises CommandError."""
    from refinery.dataset.build import build  # noqa: PLC0415 - takes a second
    from refinery.recipe import load_recipe  # noqa: PLC0415

    try:
        with corpus_errors():
            _tell_of_unlisted(arguments.corpora)
            built = build(
                arguments.corpora,
                load_recipe(arguments.recipe),
                arguments.out,
                places.place_of(arguments),
                keep_dropped=arguments.keep_dropped,
                all_versions=arguments.all_versions,
            )
    except (RequestError, ValueError) as error:
        raise UsageError(str(error)) from error
    except BuildError as error:
        raise CommandError(str(error)) from error
    _tell(arguments.out, built)


def _tell_of_unlisted(corpora: Iterable[Path]) -> None:
    """Name the shards that are left out because no manifest lists them."""
    for folder in corpora:
        for _, path in unlisted_files(folder, {shard.path for shard in shards(folder)}):
            sys.stderr.write(
                f"{path} is in no manifest, so it is left out: its crawl goes on, or was killed; "
                "then `genre-crawler corpus merge` takes what is in it\n"
            )


def _tell(out: Path, built: Built) -> None:
    from corpus_commons.terminal.console import show  # noqa: PLC0415
    from refinery.commands.tables import funnel  # noqa: PLC0415

    if built.steps:
        show(funnel(built))
    whole = built.whole
    tokens = f", {number_of(whole.tokens, 'token')}" if whole.tokens else ""
    say(
        f"{out}: {whole.documents:,} of {number_of(built.documents, 'document')}, "
        f"{number_of(whole.words, 'word')}{tokens}{_validation(built)}; {out / 'report.html'}"
    )


def _validation(built: Built) -> str:
    """The share of documents that the split has, which the recipe does not decide."""
    if not built.recipe["validation"]:
        return ""
    split = built.splits.get("validation")
    share = f"{split.documents / built.whole.documents:.1%}" if split else "none"
    return f", {share} for validation"
