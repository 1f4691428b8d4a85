"""The pages and the answers of the server."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import orjson
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from corpus_commons.web.door import Door
from corpus_commons.web.served_pages import ServedPages, json_answer
from crawler.crawl.crawl import NotOpenError
from crawler.frontier import FrontierError
from live.broadcast import Broadcast
from live.documents import Kept
from live.event import event, event_of
from live.metrics import exposition
from live.second_looks import SecondLooks
from live.steering import Steering
from live.watch import Snapshot, Watch

MOST_VIEWERS: Final = 200
_PAGES: Final = ServedPages(Path(__file__).parent)


@dataclass(frozen=True, slots=True)
class Site:
    """What the server is made of.

    worker: whose metrics it has; None for those of all that report.
    find: a document that is shown, by its id.
    """

    watch: Watch
    steering: Steering
    worker: str | None
    find: Callable[[str], Kept | None]


class _Events(StreamingResponse):
    """Its viewer counts from the answer on: of many who come at once, none has begun to read."""

    def __init__(self, broadcast: Broadcast) -> None:
        super().__init__(_stream(broadcast), media_type="text/event-stream")
        self._broadcast = broadcast

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._broadcast.viewer():
            await super().__call__(scope, receive, send)


async def _stream(broadcast: Broadcast) -> AsyncIterator[bytes]:
    yield b"retry: 2000\n\n"
    async for one in broadcast.events():
        yield one


class LiveServer:
    """The application, and the events that it sends."""

    def __init__(self, site: Site, door: Door) -> None:
        self._site = site
        self._looks = SecondLooks()
        self.broadcast = Broadcast(self._event)
        routes = [
            Route("/", self._page),
            Route("/events", self._events),
            Route("/metrics", self._metrics),
            Route("/documents/{id}", self._document),
            Route("/documents/{id}/blocks", self._blocks),
            Route("/documents/{id}/screenshot", self._screenshot),
            Route("/actions/{action}", self._act, methods=["POST"]),
        ]
        self.app = _PAGES.application(routes, door)

    async def end(self, last: Snapshot) -> None:
        """Tell the viewers that the crawl is over."""
        await self.broadcast.end(event_of(last, ()))

    async def _event(self) -> bytes:
        site = self._site
        try:
            return event_of(await site.watch.snapshot(), site.steering.actions)
        except NotOpenError:
            return event_of(site.watch.finish(None), ())
        except FrontierError as error:
            return event({"error": str(error)}, "trouble")

    async def _page(self, request: Request) -> Response:
        return _PAGES.page("live.html", request, job=self._site.watch.job.name)

    async def _events(self, _: Request) -> Response:
        if self.broadcast.viewers >= MOST_VIEWERS:
            raise HTTPException(503, f"There are {MOST_VIEWERS} viewers already.")
        return _Events(self.broadcast)

    async def _metrics(self, request: Request) -> Response:
        site = self._site
        try:
            snapshot = await site.watch.snapshot()
        except NotOpenError:
            snapshot = site.watch.last
        except FrontierError as error:
            raise HTTPException(503, str(error)) from error
        if site.worker is not None:
            snapshot = snapshot.of_worker(site.worker)
        body, media_type = exposition(snapshot, request.headers.get("accept", ""))
        return Response(body, headers={"content-type": media_type})

    async def _document(self, request: Request) -> Response:
        return _PAGES.page("document.html", request, kept=self._kept(request))

    async def _blocks(self, request: Request) -> Response:
        return json_answer(await self._looks.of(self._kept(request)))

    async def _screenshot(self, request: Request) -> Response:
        kept = self._kept(request)
        if kept.screenshot is None:
            raise HTTPException(404)
        return Response(kept.screenshot, media_type="image/jpeg")

    def _kept(self, request: Request) -> Kept:
        kept = self._site.find(request.path_params["id"])
        if kept is None:
            raise HTTPException(404, "It is no longer among the newest documents.")
        return kept

    async def _act(self, request: Request) -> Response:
        try:
            asked = orjson.loads(await request.body() or b"{}")
            if not isinstance(asked, dict):
                raise ValueError("what is asked must be a JSON object")
            reason = asked.get("reason")
            if not isinstance(reason, str | None):
                raise ValueError("the reason must be a text")
            said = await self._site.steering.act(request.path_params["action"], reason)
        except NotOpenError:
            return json_answer({"error": "The crawl is over."}, 409)
        except ValueError as error:
            return json_answer({"error": str(error)}, 400)
        except FrontierError as error:
            return json_answer({"error": str(error)}, 503)
        self._site.watch.changed()
        self.broadcast.hurry()
        return json_answer({"said": said})
