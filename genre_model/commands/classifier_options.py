"""The options of commands that predict: which classifiers to use, and on which pages."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from corpus_commons.page_lines import LINES_SUFFIXES, read_page_lines
from corpus_commons.terminal.arguments import positive, probability
from corpus_commons.terminal.commands import UsageError, usage_errors
from corpus_commons.terminal.progress import watched
from genre_model.fusion import HTML, LAYOUT, NETWORK, SCREENSHOT, SHIPPED_SCREENSHOT, Fusion
from genre_model.fusion import SHIPPED as SHIPPED_FUSION
from genre_model.html.classifier import SHIPPED_MODEL as SHIPPED_HTML
from genre_model.html.classifier import HtmlClassifier
from genre_model.page_classifiers import (
    BOTH,
    PageClassifier,
    of_html_files,
    of_html_lines,
    of_screenshots,
)
from genre_model.page_files import HTML_SUFFIXES, SCREENSHOT_SUFFIXES, files_by_stem
from genre_model.prediction import THRESHOLD

if TYPE_CHECKING:
    from genre_model.network.classifier import GenreClassifier


_ASKED_BY: Final = {
    "--model": (SCREENSHOT, BOTH),
    "--layout-model": (SCREENSHOT, BOTH),
    "--screenshot-fusion": (SCREENSHOT, BOTH),
    "--html-model": (HTML, BOTH),
    "--fusion": (BOTH,),
}
"""For every option that names a model: what classification is by if that model is used."""


class Classifiers(NamedTuple):
    """The classifiers and how to combine them; see ``page_classifiers.answers``."""

    classifiers: list[PageClassifier]
    fusion: Fusion | None
    threshold: float


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--by",
        choices=(SCREENSHOT, HTML, BOTH),
        help="what to classify by (default: everything that is given)",
    )
    parser.add_argument(
        "--model",
        type=Path,
        help="your own network (.npz); screenshots are then classified by the network alone, "
        "unless --layout-model or --screenshot-fusion is given",
    )
    parser.add_argument(
        "--layout-model", type=Path, help="your own trees over layout measures (.zst)"
    )
    parser.add_argument(
        "--screenshot-fusion", type=Path, help="your own fusion of network and layout (.json)"
    )
    parser.add_argument("--html-model", type=Path, help="your own trees for HTML (.zst)")
    parser.add_argument(
        "--fusion", type=Path, help="your own fusion of screenshot and HTML (.json)"
    )
    parser.add_argument(
        "--threshold",
        type=probability,
        help="a prediction with a lower best score is unsure "
        f"(default: the network's own with --by screenshot, otherwise {THRESHOLD})",
    )
    parser.add_argument("--threads", type=positive, help="cores for the network (default: all)")


def open_classifiers(
    arguments: Namespace,
    screenshots: Path | None,
    html: Path | None,
    wanted: Collection[str] | None = None,
) -> Classifiers:
    """The classifiers that ``--by`` requests, with their pages.

    html: a folder, a page, or a ``.jsonl`` or ``.jsonl.zst`` file, whose pages are classified right
        away.
    wanted: the ids of the pages of that file to classify; None for all.
    Raises UsageError.
    """
    by = arguments.by or _all_given(screenshots, html)
    _check_models(arguments, by)
    classifiers: list[PageClassifier] = []
    threshold = THRESHOLD
    with usage_errors():
        if by in (SCREENSHOT, BOTH):
            if screenshots is None:
                raise UsageError(f"--by {by} needs --screenshots")
            files = files_by_stem(screenshots, SCREENSHOT_SUFFIXES)
            classifier = _screenshot_classifier(arguments)
            threshold = classifier.threshold if by == SCREENSHOT else THRESHOLD
            classifiers.append(of_screenshots(classifier, files))
        if by in (HTML, BOTH):
            if html is None:
                raise UsageError(f"--by {by} needs --html")
            classifiers.append(_html_classifier(arguments, html, wanted))
        fusion = None
        if by == BOTH:
            fusion = _fusion(arguments.fusion or SHIPPED_FUSION, (SCREENSHOT, HTML))
            fusion.check_labels(classifier.config.genres, classifier.config.page_types)
    chosen = threshold if arguments.threshold is None else arguments.threshold
    return Classifiers(classifiers, fusion, chosen)


def _check_models(arguments: Namespace, by: str) -> None:
    """Raises UsageError for a model that would not be asked, such as a network for HTML."""
    fitting = ", ".join(option for option, uses in _ASKED_BY.items() if by in uses)
    for option, uses in _ASKED_BY.items():
        path = getattr(arguments, option[2:].replace("-", "_"))
        if path and by not in uses:
            raise UsageError(
                f"{option} {path} is for classification by {uses[0]}; these pages are classified "
                f"by {by}, for which there is {fitting}"
            )


def _all_given(screenshots: Path | None, html: Path | None) -> str:
    if screenshots is None and html is None:
        raise UsageError("nothing to classify: give --screenshots, --html or both")
    if html is None:
        return SCREENSHOT
    return HTML if screenshots is None else BOTH


def _fusion(path: Path, names: tuple[str, str]) -> Fusion:
    fusion = Fusion.load(path)
    if set(fusion.classifiers) != set(names):
        raise ValueError(f"{path} combines {', '.join(fusion.classifiers)}, not {', '.join(names)}")
    return fusion


def _screenshot_classifier(arguments: Namespace) -> GenreClassifier:
    # For HTML alone, Pillow need not be installed.
    from genre_model.network.classifier import SHIPPED, GenreClassifier, Layout

    layout = None
    if not arguments.model or arguments.layout_model or arguments.screenshot_fusion:
        fusion = _fusion(arguments.screenshot_fusion or SHIPPED_SCREENSHOT, (NETWORK, LAYOUT))
        layout = Layout(arguments.layout_model, fusion)
    network = arguments.model or SHIPPED
    classifier = GenreClassifier(network, layout, threads=arguments.threads)
    classifier.warm()
    return classifier


def _html_classifier(
    arguments: Namespace, html: Path, wanted: Collection[str] | None
) -> PageClassifier:
    classifier = HtmlClassifier.from_file(arguments.html_model or SHIPPED_HTML)
    if html.is_dir() or (html.is_file() and html.name.lower().endswith(HTML_SUFFIXES)):
        return of_html_files(classifier, files_by_stem(html, HTML_SUFFIXES))
    if not html.name.lower().endswith(LINES_SUFFIXES) and html.exists():
        raise UsageError(
            f"--html: {html} is not a folder, nor a file that ends in "
            f"{' or '.join((*HTML_SUFFIXES, *LINES_SUFFIXES))}"
        )
    pages = (page for page in read_page_lines(html, dict) if wanted is None or page["id"] in wanted)
    total = None if wanted is None else len(wanted)
    return of_html_lines(classifier, watched(pages, total, "pages' HTML"))
