"""Pages that every site has besides its content: about, contact, forms, errors, terms."""

from __future__ import annotations

from genre_model.training.synthesis import frame, landing, prose
from genre_model.training.synthesis.draft import Draft


def _main(d: Draft, body: str) -> str:
    title = f"<h1 {d.cls('title')}>{d.text.title(1, 4)}</h1>"
    hero = frame.banner(d, title, tall=0.03) if d.chance(0.45) else ""
    head = "" if hero else title
    return f'{hero}<main class="s-main"><div {d.cls("container")}>{head}{body}</div></main>'


def _about(d: Draft) -> str:
    parts = (landing.team, landing.features, landing.works)
    more = "".join(make(d) for make in d.pick(parts, 0, 2))
    text = "".join(prose.paragraph(d, 15, 90) for _ in range(d.rng.randint(1, 4)))
    portrait = (
        f'<div class="s-row">{d.image("face", "scene", attributes="width=320")}'
        f'<div class="s-grow">{text}</div></div>'
    )
    return _main(d, f"<div data-main>{portrait if d.chance(0.5) else text}{more}</div>")


def _contact(d: Draft) -> str:
    ground = (
        d.image("scene", attributes='style="width:100%;height:340px;object-fit:cover"')
        if d.chance(0.4)
        else ""
    )
    return _main(d, f"<div data-main>{landing.contact(d)}</div>{ground}")


def _form(d: Draft) -> str:
    """Signing in, registering, paying."""
    rows = d.repeat(
        lambda: (
            f"<div {d.cls('field')}><label>{d.text.label()}</label><input {d.cls('input')}></div>"
        ),
        2,
        9,
    )
    form = (
        f'<form {d.cls("box")} style="max-width:{d.rng.choice((380, 520, 760))}'
        f'px;margin:40px auto" data-main><h2>{d.text.label()}</h2>{rows}{d.button()}'
        f"</form>"
    )
    return f'<main class="s-main"><div {d.cls("container")}>{form}</div></main>'


def _error(d: Draft) -> str:
    picture = d.image("square", attributes="width=300") if d.chance(0.3) else ""
    return (
        f'<main class="s-main"><div class="s-centre" style="padding:'
        f'{d.rng.choice((60, 140, 240))}px 20px" data-main>{picture}'
        f'<div style="font-size:{d.rng.choice((60, 120, 180))}px">404</div>'
        f"<h2>{d.text.title(2, 6)}</h2><p>{d.text.sentence()}</p>{d.button()}</div>"
        f"</main>"
    )


def _team(d: Draft) -> str:
    return _main(d, f"<div data-main>{landing.team(d)}</div>")


def _pricing(d: Draft) -> str:
    return _main(d, f"<div data-main>{landing.pricing(d)}</div>")


def legal_page(d: Draft) -> str:
    """Terms and notices: headings and paragraphs. Its genre is article."""
    sections = d.repeat(
        lambda: (
            prose.heading(d, d.rng.choice((2, 3)))
            + d.repeat(lambda: prose.paragraph(d, 20, 120), 1, 3)
        ),
        3,
        10,
    )
    return _main(d, frame.split(d, f"<div {d.cls('prose')} data-main>{sections}</div>"))


def other_page(d: Draft) -> str:
    make = d.rng.choices((_about, _contact, _form, _error, _team, _pricing), (5, 4, 2, 2, 1, 1))[0]
    return make(d)
