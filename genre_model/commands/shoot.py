"""`python -m genre_model shoot`: photographs and labels the pages of static sites."""

from __future__ import annotations

import logging
from argparse import ArgumentParser, Namespace
from pathlib import Path

from corpus_commons.terminal.arguments import make_output_folder, positive
from corpus_commons.terminal.commands import EXIT_FINE, EXIT_INCOMPLETE, UsageError, usage_errors
from genre_model.training.sites.dataset import Selection, check_folder, photograph
from genre_model.training.sites.static_site import StaticSite

_log = logging.getLogger("genre_model")


def add_arguments(parser: ArgumentParser) -> None:
    usual = Selection()
    parser.add_argument(
        "folders",
        nargs="+",
        type=Path,
        metavar="FOLDER",
        help="a static site: an index.html, its pages, style sheets and pictures",
    )
    parser.add_argument(
        "--out", type=Path, required=True, help="folder for shots, labels and HTML; it is added to"
    )
    parser.add_argument(
        "--pages",
        type=positive,
        default=usual.pages,
        help="at most so many pages of a site (default: %(default)s)",
    )
    parser.add_argument(
        "--alike",
        type=positive,
        default=usual.alike,
        help="at most so many that got their label by the same rule (default: %(default)s)",
    )


def run(arguments: Namespace) -> int:
    """Exit code: 0 if the folder has pages of these sites, 3 if no page could be labelled."""
    sites: dict[str, StaticSite] = {}
    for folder in arguments.folders:
        if not folder.is_dir():
            raise UsageError(f"{folder} is not a folder")
        site = StaticSite.in_folder(folder)
        if site.name in sites:
            raise UsageError(
                f"{sites[site.name].root} and {site.root} have the same name, {site.name}, "
                "by which sites are told apart: rename one of the folders"
            )
        sites[site.name] = site
    make_output_folder(arguments.out)
    with usage_errors():
        check_folder(arguments.out)
    selection = Selection(arguments.pages, arguments.alike)
    labelled = [photograph(site, arguments.out, selection, _log.info) for site in sites.values()]
    return EXIT_FINE if any(labelled) else EXIT_INCOMPLETE
