"""The pages and the answers of the server."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

import orjson
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from annotate.desk import Desk
from annotate.harmless import FRAME_POLICY
from annotate.labels import NEITHER, name_of
from annotate.opinions import ranked
from corpus_commons.kinds import GENRE_OF_TYPE, GENRES, PAGE_TYPES
from corpus_commons.pages import encodable
from corpus_commons.web.door import Door
from corpus_commons.web.served_pages import ServedPages, json_answer

_PAGES: Final = ServedPages(Path(__file__).parent)
_SCREENSHOT_TYPES: Final = {".png": "image/png"}

Answer = Callable[[Desk, Request], Response]


def application(desk: Desk, door: Door) -> Starlette:
    """All that is under the door's address."""

    def get(path: str, answer: Answer) -> Route:
        return Route(path, partial(_in_thread, answer, desk), methods=["GET"])

    routes = [
        get("/", _start),
        get("/next", _next),
        get("/pages/{number:int}", _page),
        get("/pages/{number:int}/frame", _frame),
        get("/pages/{number:int}/blocks", _blocks),
        get("/pages/{number:int}/screenshot", _screenshot),
        Route("/pages/{number:int}/label", partial(_save, desk), methods=["POST"]),
        Route("/write", partial(_write, desk), methods=["POST"]),
    ]
    return _PAGES.application(routes, door)


async def _in_thread(answer: Answer, desk: Desk, request: Request) -> Response:
    return await run_in_threadpool(answer, desk, request)


def _start(desk: Desk, request: Request) -> Response:
    people = [(name, desk.done_by(name)) for name in desk.journal.people()]
    return _PAGES.page(
        "start.html",
        request,
        desk=desk,
        people=people,
        agreements=desk.agreements(),
    )


def _next(desk: Desk, request: Request) -> Response:
    person = _person(request)
    after = request.query_params.get("after", "")
    number = desk.next(person, int(after) if after.isdecimal() else -1)
    if number is None:
        return _PAGES.page("finished.html", request, desk=desk, person=person)
    root = request.scope["root_path"]
    return RedirectResponse(f"{root}/pages/{number}?{urlencode({'by': person})}", status_code=303)


def _page(desk: Desk, request: Request) -> Response:
    number, person = _number(desk, request), _person(request)
    work = desk.works[number]
    return _PAGES.page(
        f"{desk.choices.task}.html",
        request,
        desk=desk,
        number=number,
        person=person,
        work=work,
        label=desk.label(number, person),
        done=desk.done_by(person),
        is_done=desk.is_done(number, person),
        page_types=PAGE_TYPES,
        genres=(*GENRES, NEITHER),
        genre_of_type=GENRE_OF_TYPE,
        ranked=ranked,
    )


def _frame(desk: Desk, request: Request) -> Response:
    html = encodable(desk.frame(_number(desk, request)))
    return HTMLResponse(html, headers={"content-security-policy": FRAME_POLICY})


def _blocks(desk: Desk, request: Request) -> Response:
    return json_answer(desk.blocks(_number(desk, request), _person(request)))


def _screenshot(desk: Desk, request: Request) -> Response:
    file = desk.works[_number(desk, request)].page.screenshot
    if file is None:
        raise HTTPException(404)
    return FileResponse(file, media_type=_SCREENSHOT_TYPES.get(file.suffix.lower(), "image/jpeg"))


async def _save(desk: Desk, request: Request) -> Response:
    number = _number(desk, request)
    try:
        fields = orjson.loads(await request.body())
        if not isinstance(fields, dict):
            raise ValueError("a label must be a JSON object")
        label = await run_in_threadpool(desk.save, number, fields)
    except ValueError as error:
        return json_answer({"error": str(error)}, 400)
    except OSError as error:
        return json_answer({"error": error.strerror or str(error)}, 507)
    return json_answer({"at": label.at})


async def _write(desk: Desk, request: Request) -> Response:
    try:
        return json_answer({"pages": await run_in_threadpool(desk.write)})
    except (OSError, ValueError) as error:
        return json_answer({"error": f"not written: {error}"}, 507)


def _person(request: Request) -> str:
    try:
        return name_of(request.query_params.get("by", ""))
    except ValueError as error:
        raise HTTPException(400, str(error)) from error


def _number(desk: Desk, request: Request) -> int:
    number: int = request.path_params["number"]
    if number >= len(desk.works):
        raise HTTPException(404, "There is no such page.")
    return number
