"""What the documentation shows works: Python examples run, jobs load, links and commands exist."""

from __future__ import annotations

import json
import pkgutil
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sybil import Document
from sybil.parsers.markdown import PythonCodeBlockParser, SkipParser

from refinery.recipe import parse_recipe
from settings import parse_job

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md")] + sorted(DOCS.rglob("*.md"))
_FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.M | re.S)


def blocks(page: Path, language: str) -> list[str]:
    """The fenced blocks of a page in one language; commands have none."""
    found = _FENCE.findall(page.read_text(encoding="utf-8"))
    return [text for _, kind, text in found if kind == language]


def values(page: Path) -> list[tuple[str, str]]:
    """Expressions of its Python examples whose comment begins with their value."""
    lines = "".join(blocks(page, "python"))
    return re.findall(r"^(?:print(?=\())?(\S+)  # (\"\w+\"|\d\.\d\d)", lines, re.M)


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def with_blocks(language: str) -> list[Path]:
    return [page for page in PAGES if blocks(page, language)]


@pytest.mark.parametrize("page", with_blocks("python"), ids=name_of)
def test_python_examples_run(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    document = Document.parse(str(page), PythonCodeBlockParser(), SkipParser())
    for example in document.examples():
        example.evaluate()
    assert not capsys.readouterr().err
    for expression, value in values(page):
        found = eval(expression, document.namespace)  # noqa: S307 - our own example
        assert (f"{found:.2f}" if isinstance(found, float) else f'"{found}"') == value, expression


@pytest.mark.parametrize("page", with_blocks("toml"), ids=name_of)
def test_jobs_and_recipes_are_valid(page: Path) -> None:
    for text in blocks(page, "toml"):
        if "[[steps]]" in text:
            parse_recipe(text)
        elif "[seeds]" in text or "seeds." in text:
            parse_job(text)
        else:  # a part of a job
            parse_job(f'name = "a"\nseeds.urls = ["http://localhost/"]\n{text}')


def commands() -> Iterator[tuple[str, list[str]]]:
    """The pages' commands of ours, without comments and without what a shell would do."""
    for page in PAGES:
        if page.name == "commands.md":
            continue
        text = page.read_text(encoding="utf-8")
        lines = "\n".join(blocks(page, "")).replace("\\\n", " ").splitlines()
        inline = re.findall(r"`((?:python -m|genre-crawler) [^`…]*)`", text.replace("\n", " "))
        for line in [*lines, *inline]:
            found = re.match(r"(?:\S+=\S+ )*((?:python -m|genre-crawler) [^#|<>;…]+)", line.strip())
            if found:
                yield name_of(page), shlex.split(found[1].replace("[", " ").replace("]", " "))


WITH_SUBCOMMANDS = (
    "benchmarks", "corpus", "evaluate", "frontier", "genre", "job", "schedule", "train",
)  # fmt: skip


def help_command(words: list[str]) -> str | None:
    """The command whose help describes these words; None if it is not one of ours."""
    program, rest = (
        (words[:1], words[1:]) if words[0] == "genre-crawler" else (words[:2], words[2:])
    )
    if program[0] == "python" and rest[0] not in {"benchmarks", "crawler.demo"}:
        return None
    depth = 2 if rest[0] in WITH_SUBCOMMANDS else 1
    return " ".join(
        [*program, *(word for word in rest[:depth] if re.fullmatch(r"[a-z][\w.-]*", word))]
    )


@pytest.fixture(scope="module")
def helps() -> dict[str, str]:
    """The help of every command of ours, and of the others that the pages use."""
    wanted = {help_command(words) or "" for _, words in commands()}
    others = sorted(command for command in wanted if command.startswith("python"))
    made = subprocess.run(  # noqa: S603 - our own command
        [sys.executable, DOCS / "command_help.py", *others],
        capture_output=True, text=True, check=True, cwd=ROOT,
    )  # fmt: skip
    answers: dict[str, str] = json.loads(made.stdout)
    return answers


def options(text: str) -> set[str]:
    return set(re.findall(r"(?<![\w-])--[a-z][\w-]*", text))


def test_commands_and_their_options_exist(helps: dict[str, str]) -> None:
    wrong = []
    for page, words in commands():
        asked = help_command(words)
        if asked is None:
            continue
        used = {word.partition("=")[0] for word in words if word.startswith("--")} - {"--help"}
        if not helps.get(asked) or not used <= options(helps[asked]):
            wrong.append(f"{page}: {shlex.join(words)}")
    assert not wrong


def test_the_page_of_commands_has_all_of_them_with_the_options_of_today(
    helps: dict[str, str],
) -> None:
    page = (DOCS / "reference/commands.md").read_text(encoding="utf-8")
    sections = dict(re.findall(r"^### `(.*?)`\n\n```text\n(.*?)^```$", page, re.M | re.S))
    shown = {command: options(text) for command, text in sections.items()}
    ours = {
        command: options(text)
        for command, text in helps.items()
        if command.startswith("genre-crawler ")
    }
    assert shown == ours, "run: python docs/command_help.py"


def test_every_command_tells_its_exit_codes(helps: dict[str, str]) -> None:
    silent = {command for command, text in helps.items() if "xit codes:" not in text}
    ours = {command for command in silent if command.startswith("genre-crawler ")}
    assert ours == {"genre-crawler completion"}


def targets(page: Path) -> Iterator[str]:
    text = _FENCE.sub("", page.read_text(encoding="utf-8"))
    yield from re.findall(r"\]\(([^()\s]+)\)", text)


def test_files_that_the_pages_name_exist() -> None:
    rooms = {init.parent.name for init in ROOT.glob("*/__init__.py")}
    rooms |= {"deploy", "docs", "examples", "tests"}
    named = {
        (name_of(page), path)
        for page in PAGES
        for path in re.findall(r"`([\w-]+/[\w./-]*)`", page.read_text(encoding="utf-8"))
        if path.partition("/")[0] in rooms
    }
    missing = {(page, path) for page, path in named if not (ROOT / path).exists()}
    assert len(named) > 100
    assert missing == {("CONTRIBUTING.md", "extraction/methods/longest_block.py")}


CARDS = sorted(ROOT.glob("[eg]*/**/MODEL_CARD.md"))


@pytest.mark.parametrize(
    "page",
    [*PAGES[:2], ROOT / "CHANGELOG.md", ROOT / "examples/demo/README.md", *CARDS],
    ids=name_of,
)
def test_links_of_pages_outside_of_the_site_lead_somewhere(page: Path) -> None:
    for target in targets(page):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        file = page.parent / path if path else page
        assert file.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.*)$", file.read_text(encoding="utf-8"), re.M)
            slugs = {
                re.sub(r"[^\w\s-]", "", one).strip().lower().replace(" ", "-") for one in headings
            }
            assert anchor in slugs, target


def test_what_the_reference_calls_public_exists_and_is_described() -> None:
    page = (DOCS / "reference/api.md").read_text(encoding="utf-8")
    listed = re.findall(r"^::: (\S+)$(?:\n    options:\n      members: \[(.*)\]$)?", page, re.M)
    assert len(listed) == page.count("::: ")
    for name, members in listed:
        public = pkgutil.resolve_name(name)
        assert public.__doc__, name
        for member in members.split(", ") if members else ():
            assert hasattr(public, member), f"{name}.{member}"


def test_every_page_is_in_the_menu_and_found_from_the_first_one() -> None:
    pages = {str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md")}
    menu = re.findall(r'"([\w/-]+\.md)"', (ROOT / "zensical.toml").read_text(encoding="utf-8"))
    assert sorted(menu) == sorted(pages)
    inner = {page for page in pages if page.startswith(("adr/", "results/"))}
    inner |= {page for page in pages if page.startswith("explanation/methods/")}
    assert not pages - inner - {"index.md"} - set(targets(DOCS / "index.md"))


def test_the_site_is_built_without_a_broken_link(tmp_path: Path) -> None:
    config = (ROOT / "zensical.toml").read_text(encoding="utf-8")
    config = config.replace('paths = ["."]', f'paths = ["{ROOT}"]')
    (tmp_path / "zensical.toml").write_text(config, encoding="utf-8")
    shutil.copytree(DOCS, tmp_path / "docs")
    program = Path(sys.executable).parent / "zensical"
    made = subprocess.run(  # noqa: S603 - our own command
        [program, "build", "--strict"],
        capture_output=True, text=True, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert made.returncode == 0, made.stdout + made.stderr
    pages = {page.relative_to(DOCS).with_suffix(".html") for page in DOCS.rglob("*.md")}
    missing = [page for page in pages if not (tmp_path / "site" / page).exists()]
    assert not missing
    assert not [*(tmp_path / "site").rglob("*.py")], "scripts that write the pages are no pages"
    reference = (tmp_path / "site/reference/api.html").read_text(encoding="utf-8")
    assert "<blockquote>" not in reference, "examples in docstrings are code"
    home = (tmp_path / "site/index.html").read_text(encoding="utf-8")
    loaded = re.findall(r"<(?:link|script|img)[^>]+(?:href|src)=\"?(https?://[^\"> ]+)", home)
    assert not loaded, "the site must load nothing from elsewhere"
