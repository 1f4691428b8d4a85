"""A real crawl among hostile pages reaches no private address: counted on the wire.

In a network namespace every address answers, so whatever is dialled arrives: see ``egress_world``
and, for what pages try, ``egress_vectors``.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from egress_vectors import (
    NEVER,
    WAYS,
    bait_left,
    dialled,
    file_targets,
    is_open,
    link_places,
    place,
    places,
)

from corpus_commons.browser import has_browser

# Where a user may have namespaces of their own, nobody needs to be root.
_INSIDE = ["unshare", *([] if os.geteuid() == 0 else ["--map-root-user"]), "--net", "--mount"]
_NEEDED = (
    "ip link set lo up && ip link add eth0 type veth peer name eth1 && mount -t tmpfs none /mnt"
)
Dialled = dict[str, dict[str, int]]


def _refusal() -> str | None:
    """Why there can be no such world here; None if there can."""
    if sys.platform != "linux" or not shutil.which("unshare") or not shutil.which("ip"):
        return "it needs Linux with unshare and ip"
    tried = subprocess.run(  # noqa: S603
        [*_INSIDE, "sh", "-c", _NEEDED], capture_output=True, text=True, check=False
    )
    return f"no namespaces here: {tried.stderr.strip()}" if tried.returncode else None


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Dialled:
    """What the crawl dialled, and a browser without its guard."""
    if not has_browser():
        pytest.skip("no browser is installed on this system")
    if refusal := _refusal():
        pytest.skip(f"EGRESS NOT PROVEN: {refusal}")
    folder = tmp_path_factory.mktemp("world")
    program = Path(__file__).with_name("egress_world.py")
    done = subprocess.run(  # noqa: S603
        [*_INSIDE, sys.executable, str(program), str(folder)],
        env={**os.environ, "PYTHONPATH": str(program.parents[2])},
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: Dialled = json.loads((folder / "dialled.json").read_text())
    return found


def test_no_private_address_is_dialled_in_any_way(world: Dialled) -> None:
    assert not [one for one in world["crawl"] if not is_open(one.split()[0])]


def test_public_addresses_are_dialled_in_the_same_ways(world: Dialled) -> None:
    missing = {
        way: missed
        for way, kind in WAYS.items()
        if kind.is_open
        and (missed := [at for at, one in places(way, "twin").items() if one not in world["crawl"]])
    }
    assert not missing


def test_what_our_browser_does_not_do_it_does_nowhere(world: Dialled) -> None:
    closed = [name for name, way in WAYS.items() if not way.is_open]
    assert not {
        (name, one)
        for name in closed
        for one in places(name, "twin").values()
        if one in world["crawl"]
    }


def test_without_the_guard_the_bait_is_taken(world: Dialled) -> None:
    assert bait_left(world["unguarded"]) <= NEVER


def test_links_in_any_spelling_lead_the_crawler_to_public_addresses(world: Dialled) -> None:
    missing = {name for name, one in link_places("twin").items() if one not in world["crawl"]}
    # Not a host for us.
    assert missing == {"percent-encoded"}


def test_so_do_the_files_of_hosts(world: Dialled) -> None:
    names = list(file_targets("twin"))
    missing = {
        name
        for number, name in enumerate(names)
        if dialled("plain", place("twin", 2, number)) not in world["crawl"]
    }
    assert not missing
