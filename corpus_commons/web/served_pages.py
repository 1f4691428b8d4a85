"""The answers of a server for people: pages in the common look, their files, and JSON."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from corpus_commons import json_text, pages
from corpus_commons.web.door import Door
from corpus_commons.web.guard import Guard

_STYLE: Final = Path(pages.__file__).with_name("page.css")


class ServedPages:
    """The pages of a server.

    folder: has their templates, in ``pages``, and what they load, in ``static``.
    """

    def __init__(self, folder: Path) -> None:
        self._templates = pages.pages_in(folder / "pages")
        self._static = folder / "static"

    def application(self, routes: Sequence[BaseRoute], door: Door) -> Starlette:
        """All that is under the door's address: the routes, and the files that pages load."""
        files = [
            Route("/page.css", _style),
            Mount("/static", StaticFiles(directory=self._static)),
        ]
        return Starlette(routes=[*routes, *files], middleware=[Middleware(Guard, door=door)])

    def page(self, template: str, request: Request, **values: Any) -> Response:
        """A page of a template, which gets the values, and ``root``, the path of the door."""
        root = request.scope["root_path"]
        html = self._templates.get_template(template).render(root=root, **values)
        return HTMLResponse(pages.encodable(html))


def json_answer(value: Any, status: int = 200) -> Response:
    """The value as JSON; named tuples are lists."""
    body = json_text.dumps(value, default=list)
    return Response(body, status_code=status, media_type="application/json")


async def _style(_: Request) -> Response:
    return FileResponse(_STYLE)
