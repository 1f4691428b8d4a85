"""The events of the page: what is in them, and how often they come."""

from __future__ import annotations

import orjson
from live_server import document, report

from crawler.frontier import HostStats
from live.broadcast import Broadcast
from live.documents import NewestDocuments
from live.event import event_of
from live.watch import Snapshot

LONE = "a\ud800b"


def test_what_cannot_be_encoded_is_replaced_wherever_it_is() -> None:
    documents = NewestDocuments()
    documents.add(document("one", title=LONE, genre="article"))
    snapshot = Snapshot(
        LONE,
        0.0,
        hosts=[HostStats(LONE, queued=2, leased=0, done=0, dead=0, next_at=0.0)],
        dead={LONE: 1},
        reports=[report(documents=documents.newest())],
    )
    told = orjson.loads(event_of(snapshot, ()).partition(b"data: ")[2])
    (shown,), (host,) = told["documents"], told["hosts"]
    assert (shown["title"], shown["genre"]) == ("a\ufffdb", "article")
    assert (host["host"], host["queued"], host["wait"]) == ("a\ufffdb", 2, 0.0)
    assert (told["job"], told["dead"]) == ("a\ufffdb", [["a\ufffdb", 1]])
    assert [one["of"]["role"] for one in told["processes"]] == ["crawler", "reader"]


def test_many_viewers_get_events_less_often() -> None:
    async def make() -> bytes:
        return b""

    broadcast = Broadcast(make)
    pauses = []
    for viewers in (0, 1, 50, 200):
        broadcast._viewers = viewers
        pauses.append(round(broadcast.pause, 1))
    assert pauses == [1.0, 1.0, 2.0, 3.0]
