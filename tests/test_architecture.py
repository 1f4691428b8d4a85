"""Who may import whom, as docs/architecture.md says, and no circles between modules or folders."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "architecture.md"

# A room may import itself and those named here.
MAY_IMPORT: dict[str, set[str]] = {
    "corpus_commons": set(),
    "settings": {"corpus_commons"},
    "genre_model": {"corpus_commons"},
    "extraction": {"corpus_commons", "genre_model"},
    "crawler": {"corpus_commons", "settings"},
    "pipelines": {"corpus_commons", "crawler", "extraction", "genre_model", "settings"},
    "refinery": {
        "corpus_commons",
        "crawler",
        "extraction",
        "genre_model",
        "pipelines",
        "settings",
    },
    "evaluation": {"corpus_commons", "extraction", "genre_model"},
}
MAY_IMPORT["annotate"] = set(MAY_IMPORT) - {"evaluation"}
MAY_IMPORT["live"] = {"corpus_commons", "crawler", "pipelines", "settings"}
MAY_IMPORT["benchmarks"] = set(MAY_IMPORT)
MAY_IMPORT["genre_crawler"] = set(MAY_IMPORT) - {"benchmarks"}

# Libraries that a room must do without, so that it can be used alone.
WITHOUT = {
    "corpus_commons": {"keras", "scrapy", "tensorflow", "twisted"},
    "settings": {"keras", "tensorflow"},
    "extraction": {"scrapy", "twisted"},
    "genre_model": {"scrapy", "twisted"},
    "crawler": {"keras", "lightgbm", "tensorflow"},
    "evaluation": {"scrapy", "twisted"},
}

# A folder whose loose modules are both above and below its folders: the values of a job's keys and
# the job, beside its tables.
MIXED = "settings"

# Folders and modules of commands.
PARSES_ARGUMENTS = {"__main__", "command", "command_line", "commands", "scrapy_commands"}


def _modules() -> dict[str, Path]:
    files = (file for room in MAY_IMPORT for file in sorted((ROOT / room).rglob("*.py")))
    return {
        ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): file
        for file in files
    }


MODULES = _modules()


def _statements(tree: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    """All imports but those for types alone, which do not happen when the program runs."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        yield from _statements(node)


def _imports(name: str, *, at_load: bool = False) -> set[str]:
    """Modules and libraries that a module imports; at_load: leaving out what functions import."""
    tree = ast.parse(MODULES[name].read_text(encoding="utf-8"))
    statements = set(_statements(tree))
    if at_load:
        functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
        statements -= {inner for function in functions for inner in _statements(function)}
    found = set()
    for node in statements:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif node.level == 0 and node.module:
            full = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {one if one in MODULES else node.module for one in full}
        else:
            raise AssertionError(f"{name} has a relative import")
    return found if at_load else found | _commands(tree)


def _commands(tree: ast.AST) -> set[str]:
    """The modules of commands that a table names, which are imported when one is chosen."""
    found = set()
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name("Entry"), args=[ast.Constant(str(module)), *_]):
                found.add(module)
    return found


def _room(module: str) -> str:
    return module.partition(".")[0]


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_a_room_imports_only_those_that_it_may(room: str) -> None:
    allowed = MAY_IMPORT[room] | {room}
    forbidden = WITHOUT.get(room, set()) | MAY_IMPORT.keys() - allowed
    wrong = {
        f"{name} imports {module}"
        for name in MODULES
        if _room(name) == room
        for module in _imports(name)
        if _room(module) in forbidden
    }
    assert not wrong


def test_commands_are_imports_of_the_tables_that_name_them() -> None:
    named = _commands(ast.parse(MODULES["genre_crawler.command_line"].read_text(encoding="utf-8")))
    assert {"refinery.commands.build", "annotate.command", "pipelines.commands.verify"} <= named
    assert named <= MODULES.keys()


def test_only_what_parses_arguments_imports_commands() -> None:
    """A command is the last to be called: what others need of it lies elsewhere."""
    wrong = {
        f"{name} imports {module}"
        for name, file in MODULES.items()
        for module in _imports(name) & MODULES.keys()
        if _room(name) != "benchmarks"
        and MODULES[module].parent.name == "commands"
        and not {file.parent.name, file.stem} & PARSES_ARGUMENTS
    }
    assert not wrong


def test_no_module_imports_itself_by_way_of_others() -> None:
    graph = {
        # A package imports its modules, which may import each other; only they can be in a circle.
        name: {one for one in _imports(name, at_load=True) if one in MODULES and one != name}
        for name in MODULES
    }
    _check_no_circle(graph)


def test_no_folder_imports_itself_by_way_of_its_neighbours() -> None:
    graph: dict[str, set[str]] = {}
    for name in MODULES:
        for module in _imports(name) & MODULES.keys():
            for folder, neighbour in zip(_folders(name), _folders(module), strict=False):
                if folder != neighbour:
                    graph.setdefault(folder, set()).add(neighbour)
                    break
    _check_no_circle(graph)


def _check_no_circle(graph: dict[str, set[str]]) -> None:
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail("a circle: " + " <- ".join(error.args[1]))


def _folders(module: str) -> Iterator[str]:
    """The folders that the module is in, from its room on; then, if it is loose, all such modules
    of its folder, which are together a neighbour of the folders beside them.
    """
    file = MODULES[module].relative_to(ROOT)
    folder = file.parent
    yield from reversed([str(one) for one in (folder, *folder.parents)][:-1])
    if file.stem not in {"__init__", "__main__"} and str(folder) != MIXED:
        yield f"{folder}/*"


def test_the_page_names_every_room() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert all(f"`{room}/`" in page for room in MAY_IMPORT)


def test_files_that_the_map_names_without_a_folder_are_beside_the_one_before() -> None:
    missing = []
    for cell in re.findall(r"\| ([^|]+) \|$", PAGE.read_text(encoding="utf-8"), re.M):
        folder = ROOT
        for name in re.findall(r"`([\w./-]+)`", cell):
            if "/" in name:
                folder = ROOT / name if name.endswith("/") else (ROOT / name).parent
            elif "." in name and not (folder / name).exists():
                missing.append(name)
    assert not missing
