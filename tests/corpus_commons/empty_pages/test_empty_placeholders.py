"""Soft errors and parked domains, and pages about them."""

from __future__ import annotations

import pytest

from corpus_commons.empty_pages import emptiness
from corpus_commons.markup import parse

ARTICLE = "<p>" + "A long text, in which somebody tells what a page like that is good for. " * 12
MENU = (
    "<ul>" + "".join(f"<li><a href=/{n}>Section {n} of the site</a>" for n in range(90)) + "</ul>"
)


def reason(html: str) -> str | None:
    found = emptiness(parse(html))
    assert found is None or not found.rendering_helps
    return found.reason if found else None


@pytest.mark.parametrize(
    "html",
    [
        "<title>404: Page not found</title><p>Sorry.",
        "<title>Shop</title><h1>Die Seite wurde nicht gefunden</h1>",
        "<title>页面不存在</title><p>返回首页",
        "<title>404</title><p>Sorry.",
        "<title>404 | Acme</title><p>Sorry.",
        "<title>Acme - 404!</title><p>Sorry.",
        "<title>HTTP Error 404</title><p>Sorry.",
        "<title>错误404</title><p>返回首页",
        "<title>找不到网页</title><p>返回首页",
        "<h1>This product is no longer available</h1>",
        "<p>Application error: a client-side exception has occurred (see the browser console for "
        "more information).",
        "<title>Acme</title><p>404: Page not found</p>",
        "<title>Acme</title><h2>Oops! That page can’t be found: we cannot find this page</h2>",
        "<h1>La page que vous cherchez n’existe plus</h1>",
        "<h1>La página que buscas no existe</h1>",
        "<h1>Página não encontrada</h1>",
        "<h1>Pagina non trovata</h1>",
        "<h1>Deze pagina bestaat niet</h1>",
        "<h1>Strona nie istnieje</h1>",
        "<h1>Страница не найдена</h1>",
        "<h1>お探しのページは見つかりません</h1>",
        "<title>403 Forbidden</title><h1>Forbidden</h1><p>You may not see /a.",
        "<title>Acme | Access Denied</title><p>You don't have permission.",
        "<title>Erreur</title><p>Une erreur est survenue.",
    ],
)
def test_soft_errors(html: str) -> None:
    assert reason(html) == "soft-404"


def test_an_error_is_one_beside_a_long_menu_too() -> None:
    assert reason(f"{MENU}<h1>Page not found</h1><p>Try the search.") == "soft-404"


def test_a_page_of_very_many_links_is_a_page() -> None:
    links = "".join(f"<li><a href=/{n}>Not found: animal number {n}</a>" for n in range(2000))
    assert reason(f"<h1>Not found</h1><ul>{links}</ul>") is None


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Error 404, and what it means", "word " * 300),
        ("財布が見つかりません。紛失したときに最初にすること", "落ち着いて探しましょう。" * 30),
        ("找不到工作怎么办？", "先想一想，你要做什么。" * 30),
        ("Page not found: a history of the error", ARTICLE * 2),
        ("This domain is for sale: how prices are made", ARTICLE * 2),
    ],
)
def test_a_long_page_about_errors_is_none(title: str, text: str) -> None:
    assert reason(f"<title>{title}</title><h1>{title}</h1><p>{text}") is None


@pytest.mark.parametrize(
    "title",
    [
        "Peugeot 404",
        "Peugeot 404 - Classic cars",
        "Highway 404: a map",
        "404-555-0100",
        "The Forbidden City",
        "Trial and Error",
        "Coming soon to Berlin",
    ],
)
def test_a_number_or_name_of_something_else_is_no_error(title: str) -> None:
    assert reason(f"<title>{title}</title><h1>{title}</h1><p>A short text.") is None


@pytest.mark.parametrize(
    "html",
    [
        "<title>acme.example</title><p>This domain is for sale! <a href=/buy>Inquire now</a>",
        "<title>acme.example</title><p>The domain acme.example may be for sale by its owner.",
        "<title>Welcome to nginx!</title><h1>Welcome to nginx!</h1><p>If you see this page, the "
        "web server is successfully installed and working.",
        "<title>Apache2 Ubuntu Default Page: It works</title><p>It works!",
        "<h1>Diese Domain steht zum Verkauf</h1>",
        "<h1>Le domaine acme.example est à vendre</h1>",
        "<h1>El dominio acme.example está en venta</h1>",
        "<h1>O domínio acme.example está à venda</h1>",
        "<h1>Il dominio acme.example è in vendita</h1>",
        "<h1>De domeinnaam acme.example is te koop</h1>",
        "<h1>Domena acme.example jest na sprzedaż</h1>",
        "<h1>Домен acme.example продаётся</h1>",
        "<h1>域名出售</h1><p>acme.example",
        "<p>このドメインは販売中です。",
        "<title>acme.example</title><a href=/1>Insurance</a> <a href=/2>Loans</a>"
        "<script src=//img1.wsimg.com/parking-lander/static/js/main.js></script>",
    ],
)
def test_parked_domains(html: str) -> None:
    assert reason(html) == "parked"
