"""Forums: lists of threads, threads, questions with their answers."""

from __future__ import annotations

from genre_model.training.synthesis import frame, prose
from genre_model.training.synthesis.draft import Draft


def _threads(d: Draft) -> str:
    def row() -> str:
        face = f"<td>{d.avatar(40)}</td>" if faces else ""
        counts = "".join(f"<td>{d.rng.randint(0, 900)}</td>" for _ in range(numbers))
        return (
            f"<tr data-item data-main>{face}<td>{d.link(d.text.title(3, 11))}<br>"
            f"<span {d.cls('muted')}>{d.text.name()}, {d.text.date()}</span>"
            f"</td>{counts}<td {d.cls('muted')}>{d.text.date()}</td></tr>"
        )

    faces, numbers = d.chance(0.4), d.rng.randint(0, 3)
    head = "".join(f"<th>{d.text.label()}</th>" for _ in range(numbers + 2 + faces))
    tables = d.rng.choice((1, 1, 1, 2, 4))
    made = ""
    for _ in range(tables):
        made += (
            f"<table {d.cls('table')}><thead><tr>{head}</tr></thead>"
            f"<tbody>{d.repeat(row, 3, 24 // tables + 2)}</tbody></table>"
        )
    return f'<div class="s-between"><h1>{d.text.title(1, 4)}</h1>{d.button()}</div>{made}'


def _thread(d: Draft) -> str:
    """Posts with their authors above or at the side."""
    at_side, quotes = d.chance(0.5), d.chance(0.5)

    def post() -> str:
        quote = (
            f"<blockquote {d.cls('quote')}>{d.text.paragraph(8, 40)}</blockquote>"
            if quotes and d.chance(0.4)
            else ""
        )
        listing = prose.code(d, 2, 9) if d.chance(0.12) else ""
        body = f"{quote}{d.repeat(lambda: prose.paragraph(d, 6, 70), 1, 3)}{listing}"
        who = (
            f"{d.avatar(64)}<div><strong>{d.text.name()}</strong><br>"
            f"<span {d.cls('muted')}>{d.text.label()}</span></div>"
        )
        frame_ = f'style="border:1px solid {d.theme.border};margin-bottom:16px;padding:14px"'
        if at_side:
            return (
                f'<div class="s-row" {frame_} data-item data-main>'
                f'<div style="width:150px">{who}</div><div class="s-grow">'
                f"<time>{d.text.date()}</time>{body}</div></div>"
            )
        return (
            f"<div {frame_} {d.cls('comment-post')} data-item data-main>"
            f'<div class="s-row middle">{who}<time>{d.text.date()}</time></div>{body}'
            f"</div>"
        )

    form = (
        f"<form><textarea {d.cls('input')} rows=6></textarea>{d.button()}</form>"
        if d.chance(0.6)
        else ""
    )
    return f"<h1>{d.text.title(4, 12)}</h1>{d.repeat(post, 2, 14)}{form}"


def _questions(d: Draft) -> str:
    def one() -> str:
        counts = "".join(
            (
                f'<div class="s-centre" style="width:70px">{d.rng.randint(0, 99)}<br>'
                f"<span {d.cls('muted')}>{d.text.label()}</span></div>"
            )
            for _ in range(2)
        )
        tags = d.repeat(lambda: d.link(d.text.label(), "badge"), 1, 4)
        return (
            f'<div class="s-row s-entry" data-item data-main>{counts}'
            f'<div class="s-grow"><h3>{d.link(d.text.title(4, 12))}</h3>'
            f'<p>{d.text.paragraph(5, 25)}</p><div class="s-inline">{tags}</div></div>'
            f"</div>"
        )

    return f"<h1>{d.text.title(1, 4)}</h1>{d.repeat(one, 4, 15)}"


def forum_page(d: Draft) -> str:
    """A list of threads, one thread, or a list of questions."""
    body = d.rng.choice((_threads, _thread, _thread, _questions))(d)
    crumbs = frame.breadcrumb(d) if d.chance(0.6) else ""
    pages = frame.pagination(d)
    main = frame.split(d, crumbs + body + pages) if d.chance(0.4) else crumbs + body + pages
    return f'<main class="s-main"><div {d.cls("container")}>{main}</div></main>'
