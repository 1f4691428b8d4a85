"""html5lib's tree-construction tests through our flat tree, beside lexbor alone and html5lib.

The tests are data of the project html5lib-tests (MIT), which is not part of this one. Compared are
elements, attributes and texts in document order: our tree has neither comments, doctypes nor the
content of templates, and names in lower case.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import html5lib  # type: ignore[import-untyped]
from selectolax.lexbor import LexborHTMLParser

from benchmarks.report import Report
from corpus_commons.markup.dom import Dom, flat, parse, tamed
from corpus_commons.markup.tags import TEXT
from corpus_commons.terminal.commands import UsageError

SUMMARY: Final = "run html5lib's tree-construction tests through our tree"
# What our tree leaves out, with all that is in it.
_TEMPLATE: Final = "content"
_MARKS: Final = ("#data", "#errors", "#new-errors", "#document", "#document-fragment")
_PREFIXES: Final = {
    "{http://www.w3.org/1999/xlink": "xlink:",
    "{http://www.w3.org/XML/1998/namespace": "xml:",
    "{http://www.w3.org/2000/xmlns/": "xmlns:",
}
_XHTML: Final = "{http://www.w3.org/1999/xhtml}"

# Depth, name or TEXT, and attributes or the text.
Line = tuple[int, str, str]


@dataclass(frozen=True, slots=True)
class Case:
    """A test: ``lines`` are what is to be made of ``data``."""

    data: str
    lines: list[Line]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--tests",
        type=Path,
        required=True,
        metavar="FOLDER",
        help="tree-construction/ of html5lib-tests, which is in html5lib's source distribution: "
        "pip download --no-deps --no-binary :all: html5lib==1.1",
    )
    parser.add_argument("--show", action="store_true", help="print what our tree does otherwise")


def run(arguments: argparse.Namespace, report: Report) -> int:
    """0 if our tree is right wherever lexbor alone is, or the page is repaired; 1 otherwise."""
    builders: dict[str, Callable[[str], list[Line]]] = {
        "our tree": lambda html: lines_of(parse(html)),
        "lexbor alone": lambda html: lines_of(flat(LexborHTMLParser(html.encode()))),
        "html5lib": _by_html5lib,
    }
    files = sorted(arguments.tests.glob("**/*.dat"))
    if not files:
        raise UsageError(
            f"--tests {arguments.tests} has no .dat files; it must be tree-construction/"
        )
    rows, repaired, worse = [], 0, 0
    totals = [0] * (1 + len(builders))
    for file in files:
        cases = list(cases_of(file.read_text("utf-8", "surrogatepass")))
        right = [[build(case.data) == case.lines for case in cases] for build in builders.values()]
        for case, ours, lexbor in zip(cases, *right[:2], strict=True):
            is_repaired = tamed(case.data) != case.data.encode()
            repaired += lexbor and not ours and is_repaired
            worse += lexbor and not ours and not is_repaired
            if arguments.show and not ours:
                _show(file.name, case)
        row = [len(cases), *map(sum, right)]
        totals = [total + number for total, number in zip(totals, row, strict=True)]
        rows.append((file.name, *row))
    columns = {"file": "", "tests": ",d", **dict.fromkeys(builders, ",d")}
    report.table("tree-construction", columns, [*rows, ("all", *totals)])
    report.say(f"where lexbor alone is right, our tree is not: {repaired + worse}")
    report.say(f"of these, pages that are repaired on purpose: {repaired}")
    return 1 if worse else 0


def cases_of(text: str) -> Iterator[Case]:
    r"""The tests of a file, without those of fragments, and of a parser that runs scripts.

    >>> [case.lines for case in cases_of("#data\nA\n#errors\n#document\n| <html>\n")]
    [[(0, 'html', '')]]
    """
    parts: dict[str, list[str]] = {}
    mark = ""
    for line in [*text.split("\n"), _MARKS[0]]:
        if line == _MARKS[0] and "#document" in parts:
            if "#document-fragment" not in parts and "#script-on" not in parts:
                yield Case("\n".join(parts["#data"]), _expected(parts["#document"]))
            parts = {}
        is_mark = line in _MARKS or line.startswith("#script-")
        if is_mark and not (line != "#data" and not parts):
            mark = line
            parts[mark] = []
        elif mark in parts:
            parts[mark].append(line)


def _expected(tree: list[str]) -> list[Line]:
    """The lines of a tree as the tests write it."""
    found: list[Line] = []
    attributes: list[str] = []
    skipped: int | None = None
    for line in _joined(tree):
        if not line.startswith("| "):
            continue
        text = line[2:].lstrip(" ")
        depth = (len(line) - 2 - len(text)) // 2
        if skipped is not None and depth > skipped:
            continue
        skipped = None
        if text.startswith('"'):
            found.append((depth, TEXT, text[1:-1].replace("\0", "")))
        elif text.startswith("<") and text.endswith(">"):
            attributes = []
            if text[1] not in "!?":
                found.append((depth, text[1:-1].rpartition(" ")[2].lower(), ""))
        elif text == _TEMPLATE:
            skipped = depth
        elif "=" in text and found:
            name, _, value = text.rpartition('="')
            attributes.append(f"{name.replace(' ', ':').lower()}={value[:-1]}")
            found[-1] = (*found[-1][:2], "\n".join(sorted(attributes)))
    return _merged(found)


def _joined(tree: list[str]) -> Iterator[str]:
    """The nodes: a text may go on in the next lines."""
    node = ""
    for line in tree:
        if line.startswith("| ") and node:
            yield node.rstrip("\n")
            node = ""
        node += ("\n" if node else "") + line
    yield node.rstrip("\n")


def lines_of(dom: Dom) -> list[Line]:
    """The lines of our tree, from the root element on."""
    found: list[Line] = []
    hidden = -1
    for node, (tag, depth) in enumerate(zip(dom.tags, dom.depths.tolist(), strict=True)):
        if node < hidden:
            continue
        if tag == TEXT:
            found.append((depth, TEXT, dom.texts[node].replace("\0", "")))
            continue
        pairs = [f"{name.lower()}={value or ''}" for name, value in dom.attributes[node].items()]
        found.append((depth, tag, "\n".join(sorted(pairs))))
        if tag == "template":
            hidden = int(dom.ends[node])
    return _merged(found)


def _merged(lines: list[Line]) -> list[Line]:
    """Texts that follow each other as one, since comments between them are left out."""
    found: list[Line] = []
    for depth, name, text in lines:
        if name == TEXT and found and found[-1][:2] == (depth, TEXT):
            found[-1] = (depth, TEXT, found[-1][2] + text)
        elif name != TEXT or text:
            found.append((depth, name, text))
    return found


def _by_html5lib(html: str) -> list[Line]:
    root = html5lib.parse(html, treebuilder="etree")
    return _merged(list(_walk(root, 0)))


def _walk(element: Any, depth: int) -> Iterator[Line]:
    name = element.tag.rpartition("}")[2].lower()
    pairs = [
        f"{_PREFIXES.get(space, '')}{key.lower()}={value}"
        for name, value in element.attrib.items()
        for space, _, key in [str(name).rpartition("}")]
    ]
    yield (depth, name, "\n".join(sorted(pairs)))
    if element.tag == f"{_XHTML}template":
        return
    yield (depth + 1, TEXT, (element.text or "").replace("\0", ""))
    for child in element:
        if isinstance(child.tag, str):
            yield from _walk(child, depth + 1)
        yield (depth + 1, TEXT, (child.tail or "").replace("\0", ""))


def _show(name: str, case: Case) -> None:
    sys.stderr.write(f"{name}: {case.data!r}\n")
    ours = lines_of(parse(case.data))
    for mark, lines, others in (("wanted", case.lines, ours), ("ours", ours, case.lines)):
        for line in lines:
            if line not in others:
                sys.stderr.write(f"  {mark}: {line}\n")
