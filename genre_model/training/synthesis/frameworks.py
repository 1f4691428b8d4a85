"""CSS frameworks: their style sheets, and their classes for the parts of a page.

A part of a page has a role ("card", "button", "pagination"). A page made with a framework has the
framework's classes for these roles; classless frameworks style the bare elements.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

_SWATCHES_5 = (
    "cerulean cosmo cyborg darkly flatly journal litera lumen lux materia minty morph pulse quartz "
    "sandstone simplex sketchy slate solar spacelab superhero united vapor yeti zephyr"
).split()
_SWATCHES_4 = [name for name in _SWATCHES_5 if name not in ("morph", "quartz", "vapor", "zephyr")]
_SWATCHES_3 = (
    "cerulean cosmo cyborg darkly flatly journal lumen paper readable sandstone simplex slate "
    "spacelab superhero united yeti"
).split()
_BULMA_SWATCHES = [name for name in _SWATCHES_4 if name != "sketchy"] + ["nuclear"]
_SAKURA = "sakura sakura-dark sakura-earthly sakura-ink sakura-pink sakura-radical sakura-vader"


@dataclass(frozen=True)
class Kit:
    """A framework. `sheets`: alternatives of which one is used, each below node_modules.

    `prose`: the class of an article's body, if the framework has one.
    """

    name: str
    sheets: tuple[str, ...]
    classes: Mapping[str, str] = field(default_factory=dict)
    weight: float = 1.0


OWN = Kit("own", ())
"""No framework: everything is styled by the page's own style sheet."""

_BOOTSTRAP = {
    "container": "container", "nav": "navbar navbar-expand-lg bg-primary navbar-dark",
    "brand": "navbar-brand", "menu": "navbar-nav", "menu-item": "nav-item",
    "menu-link": "nav-link", "button": "btn btn-primary", "button-2": "btn btn-outline-secondary",
    "card": "card", "card-image": "card-img-top", "card-body": "card-body",
    "card-title": "card-title", "excerpt": "card-text", "badge": "badge bg-secondary badge-primary",
    "pagination": "pagination", "page-item": "page-item", "page-link": "page-link",
    "table": "table table-striped table-bordered", "input": "form-control", "field": "mb-3",
    "alert": "alert alert-info", "breadcrumb": "breadcrumb", "crumb": "breadcrumb-item",
    "list": "list-group list-group-flush", "list-item": "list-group-item", "widget": "card mb-4",
    "widget-title": "card-header", "widget-body": "card-body", "media": "media d-flex",
    "hero": "jumbotron bg-light", "muted": "text-muted", "lead": "lead",
    "comment": "media d-flex mb-4", "avatar": "rounded-circle", "quote": "blockquote",
    "picture": "img-fluid rounded", "footer": "bg-dark text-white",
}  # fmt: skip
_BOOTSTRAP_3 = _BOOTSTRAP | {
    "nav": "navbar navbar-default", "menu": "nav navbar-nav", "button-2": "btn btn-default",
    "card": "thumbnail", "card-body": "caption", "badge": "label label-primary",
    "widget": "panel panel-default", "widget-title": "panel-heading", "widget-body": "panel-body",
    "field": "form-group", "avatar": "img-circle", "picture": "img-responsive img-rounded",
    "hero": "jumbotron", "media": "media", "comment": "media", "footer": "well",
}  # fmt: skip
_BULMA = {
    "container": "container", "nav": "navbar is-primary", "brand": "navbar-brand title is-5",
    "menu": "navbar-start", "menu-link": "navbar-item", "button": "button is-primary",
    "button-2": "button is-light", "card": "card", "card-image": "card-image",
    "card-body": "card-content", "card-title": "title is-5", "badge": "tag is-info",
    "pagination": "pagination pagination-list", "page-link": "pagination-link",
    "table": "table is-striped is-bordered is-fullwidth", "input": "input", "field": "field",
    "alert": "notification is-info", "breadcrumb": "breadcrumb", "widget": "panel",
    "widget-title": "panel-heading", "widget-body": "panel-block is-block", "list-item": "mb-2",
    "media": "media", "hero": "hero is-light is-medium", "title": "title is-2",
    "subtitle": "subtitle", "prose": "content", "footer": "footer", "box": "box",
    "comment": "media box", "list": "menu-list", "avatar": "image is-rounded",
    "heading": "title is-4",
}  # fmt: skip
_FOUNDATION = {
    "container": "grid-container", "nav": "top-bar", "menu": "menu", "button": "button",
    "button-2": "button hollow", "card": "card", "card-body": "card-section", "badge": "label",
    "pagination": "pagination", "table": "hover stack", "alert": "callout primary",
    "breadcrumb": "breadcrumbs", "media": "media-object", "widget": "callout", "hero": "callout",
    "comment": "media-object", "picture": "thumbnail", "box": "callout",
}  # fmt: skip
_UIKIT = {
    "container": "uk-container", "nav": "uk-navbar-container uk-padding-small",
    "brand": "uk-logo", "menu": "uk-navbar-nav", "button": "uk-button uk-button-primary",
    "button-2": "uk-button uk-button-default", "card": "uk-card uk-card-default",
    "card-image": "uk-card-media-top", "card-body": "uk-card-body uk-card-small",
    "card-title": "uk-card-title", "badge": "uk-label", "pagination": "uk-pagination",
    "table": "uk-table uk-table-divider uk-table-striped", "input": "uk-input",
    "field": "uk-margin", "alert": "uk-alert-primary uk-alert", "breadcrumb": "uk-breadcrumb",
    "widget": "uk-card uk-card-default uk-card-body uk-margin", "list": "uk-list uk-list-divider",
    "title": "uk-article-title", "muted": "uk-article-meta", "lead": "uk-text-lead",
    "hero": "uk-section uk-section-muted uk-padding", "comment": "uk-comment uk-margin",
    "footer": "uk-section uk-section-secondary", "widget-title": "uk-h4",
    "avatar": "uk-border-circle",
}  # fmt: skip
_SEMANTIC = {
    "container": "ui container", "nav": "ui inverted menu", "menu-link": "item",
    "brand": "header item", "button": "ui primary button", "button-2": "ui basic button",
    "card": "ui fluid card", "card-image": "image", "card-body": "content",
    "card-title": "header", "excerpt": "description", "badge": "ui teal label",
    "pagination": "ui pagination menu", "page-link": "item",
    "table": "ui celled striped table", "input": "ui input", "alert": "ui info message",
    "breadcrumb": "ui breadcrumb", "widget": "ui segment", "list": "ui divided list",
    "list-item": "item", "hero": "ui secondary segment", "title": "ui huge header",
    "heading": "ui dividing header", "box": "ui segment", "footer": "ui inverted segment",
    "muted": "meta", "picture": "ui rounded image",
}  # fmt: skip
_SPECTRE = {
    "container": "container", "nav": "navbar bg-gray", "menu-link": "btn btn-link",
    "brand": "navbar-brand", "button": "btn btn-primary", "button-2": "btn", "card": "card",
    "card-image": "card-image", "card-body": "card-body", "card-title": "card-title h5",
    "badge": "chip", "pagination": "pagination", "page-item": "page-item",
    "table": "table table-striped", "input": "form-input", "field": "form-group",
    "alert": "toast toast-primary", "breadcrumb": "breadcrumb", "crumb": "breadcrumb-item",
    "widget": "panel", "widget-title": "panel-header", "widget-body": "panel-body",
    "hero": "hero bg-gray", "muted": "text-gray", "list": "menu", "list-item": "menu-item",
    "comment": "tile", "avatar": "avatar avatar-lg", "picture": "img-responsive",
}  # fmt: skip
_PURE = {
    "menu": "pure-menu-list", "menu-item": "pure-menu-item", "menu-link": "pure-menu-link",
    "button": "pure-button pure-button-primary", "button-2": "pure-button",
    "table": "pure-table pure-table-striped", "picture": "pure-img",
}  # fmt: skip
_TACHYONS = {
    "container": "mw8 center ph3", "nav": "bg-near-black pv3 ph4",
    "menu-link": "link dim white-80 mr3", "brand": "f4 b white link",
    "button": "f6 link dim br2 ph3 pv2 white bg-dark-blue",
    "button-2": "f6 link dim ba ph3 pv2 dark-gray", "card": "ba b--black-10 br2 mv3",
    "card-body": "pa3", "card-title": "f4 mv2", "badge": "f7 bg-light-gray ph2 br2",
    "table": "collapse ba br2 b--black-10 w-100", "input": "input-reset ba b--black-20 pa2 w-100",
    "title": "f1 lh-title", "prose": "lh-copy f4 measure-wide", "muted": "gray f6",
    "hero": "bg-washed-blue pa5", "widget": "bg-near-white pa3 mb3", "footer": "bg-near-black",
}  # fmt: skip
_W3 = {
    "container": "w3-content", "nav": "w3-bar w3-teal", "menu-link": "w3-bar-item w3-button",
    "button": "w3-button w3-teal", "button-2": "w3-button w3-border", "card": "w3-card-4",
    "card-body": "w3-container", "badge": "w3-tag w3-teal", "pagination": "w3-bar",
    "page-link": "w3-bar-item w3-button", "table": "w3-table-all", "input": "w3-input w3-border",
    "alert": "w3-panel w3-pale-blue w3-leftbar", "widget": "w3-card w3-white w3-margin-bottom",
    "widget-title": "w3-container w3-padding w3-light-grey", "widget-body": "w3-container",
    "list": "w3-ul w3-hoverable", "hero": "w3-container w3-light-grey w3-padding-64",
    "footer": "w3-container w3-dark-grey w3-padding-32", "muted": "w3-text-grey",
}  # fmt: skip
_MATERIALIZE = {
    "container": "container", "nav": "teal nav-wrapper", "brand": "brand-logo-flow",
    "button": "btn waves-effect", "button-2": "btn-flat", "card": "card",
    "card-image": "card-image", "card-body": "card-content", "card-title": "card-title",
    "badge": "chip", "pagination": "pagination", "table": "striped highlight",
    "widget": "card-panel", "list": "collection", "list-item": "collection-item",
    "hero": "section grey lighten-3", "footer": "page-footer", "prose": "flow-text-off",
    "alert": "card-panel teal lighten-4", "avatar": "circle", "picture": "responsive-img",
}  # fmt: skip
_MARKDOWN = {"prose": "markdown-body", "button": "btn", "card": "Box"}

KITS: tuple[Kit, ...] = (
    Kit("bootstrap3", ("bootstrap3/dist/css/bootstrap.min.css",), _BOOTSTRAP_3),
    Kit("bootswatch3",
        tuple(f"bootswatch3/{name}/bootstrap.min.css" for name in _SWATCHES_3), _BOOTSTRAP_3),
    Kit("bootstrap4", ("bootstrap4/dist/css/bootstrap.min.css",), _BOOTSTRAP, 1.5),
    Kit("bootswatch4",
        tuple(f"bootswatch4/dist/{name}/bootstrap.min.css" for name in _SWATCHES_4), _BOOTSTRAP),
    Kit("bootstrap5", ("bootstrap/dist/css/bootstrap.min.css",), _BOOTSTRAP, 1.5),
    Kit("bootswatch5",
        tuple(f"bootswatch/dist/{name}/bootstrap.min.css" for name in _SWATCHES_5), _BOOTSTRAP),
    Kit("bulma", ("bulma/css/bulma.min.css",), _BULMA),
    Kit("bulmaswatch",
        tuple(f"bulmaswatch/{name}/bulmaswatch.min.css" for name in _BULMA_SWATCHES), _BULMA),
    Kit("foundation", ("foundation-sites/dist/css/foundation.min.css",), _FOUNDATION),
    Kit("uikit", ("uikit/dist/css/uikit.min.css",), _UIKIT),
    Kit("semantic", ("semantic-ui-css/semantic.min.css",), _SEMANTIC),
    Kit("spectre", ("spectre.css/dist/spectre.min.css",), _SPECTRE),
    Kit("pure", ("purecss/build/pure-min.css",), _PURE, 0.5),
    Kit("milligram", ("milligram/dist/milligram.min.css",), {}, 0.7),
    Kit("pico", ("@picocss/pico/css/pico.min.css",), {"container": "container"}),
    Kit("water", ("water.css/out/light.min.css", "water.css/out/dark.min.css")),
    Kit("mvp", ("mvp.css/mvp.css",), {}, 0.5),
    Kit("sakura", tuple(f"sakura.css/css/{name}.css" for name in _SAKURA.split())),
    Kit("simple", ("simpledotcss/simple.min.css",), {}, 0.7),
    Kit("latex", ("latex.css/style.min.css",), {}, 0.4),
    Kit("tachyons", ("tachyons/css/tachyons.min.css",), _TACHYONS, 0.7),
    Kit("w3", ("w3-css/w3.css",), _W3),
    Kit("materialize", ("materialize-css/dist/css/materialize.min.css",), _MATERIALIZE),
    Kit("markdown",
        ("github-markdown-css/github-markdown-light.css",
         "github-markdown-css/github-markdown-dark.css"), _MARKDOWN, 0.6),
)  # fmt: skip

CODE_SHEETS = tuple(
    f"prismjs/themes/{name}.css"
    for name in ("prism", "prism-okaidia", "prism-tomorrow", "prism-coy", "prism-solarizedlight")
) + tuple(
    f"highlight.js/styles/{name}.min.css"
    for name in ("github", "github-dark", "atom-one-dark", "monokai", "vs2015", "xcode", "default")
)


def random_kit(rng: Random) -> Kit:
    """Half of the pages use a framework, half only their own style sheet."""
    if rng.random() < 0.5:
        return OWN
    return rng.choices(KITS, [kit.weight for kit in KITS])[0]


def missing_sheets(packages: Path) -> list[str]:
    """The style sheets that are missing in `packages`/node_modules."""
    sheets = [sheet for kit in KITS for sheet in kit.sheets] + list(CODE_SHEETS)
    return [sheet for sheet in sheets if not (packages / "node_modules" / sheet).is_file()]
