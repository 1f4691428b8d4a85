"""Pages without text, and shells that only scripts can fill."""

from __future__ import annotations

import pytest

from corpus_commons.empty_pages import Emptiness, Reason, emptiness
from corpus_commons.markup import parse

SCRIPT = "<script src=/app.js></script>"
AROUND = "<header><a href=/>Home</a> <a href=/about>About</a></header>{}<footer>© Acme</footer>"


def judged(html: str, *, rendered: bool = False) -> Emptiness | None:
    return emptiness(parse(html), rendered=rendered)


def reason(html: str, *, rendered: bool = False) -> str | None:
    found = judged(html, rendered=rendered)
    return found.reason if found else None


def test_a_page_without_text_needs_a_browser_if_it_has_scripts() -> None:
    found = judged("<title>Shop</title><div id=app></div>" + SCRIPT)
    assert found == Emptiness(Reason.NO_TEXT, "no visible text", rendering_helps=True)
    nothing = Emptiness(Reason.NO_TEXT, "no visible text", rendering_helps=False)
    assert judged("<img src=a.png>") == nothing
    assert judged("<script>app()</script>", rendered=True) == nothing


@pytest.mark.parametrize(
    "html",
    [
        "<frameset><frame src=/menu><frame src=/text></frameset>",
        "<iframe src=/text></iframe>",
    ],
)
def test_a_browser_shows_frames(html: str) -> None:
    found, after = judged(html), judged(html, rendered=True)
    assert (found and found.rendering_helps, after and after.rendering_helps) == (True, False)


def test_data_is_no_script() -> None:
    found = judged('<script type="application/ld+json">{"name": "Ada"}</script>')
    assert found is not None
    assert not found.rendering_helps


def test_a_shell_is_empty_until_a_browser_has_filled_it() -> None:
    shell = "<title>App</title><div id=app>Loading</div>" + SCRIPT
    assert reason(shell) == "shell"
    assert reason(shell, rendered=True) is None


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("<main id=root></main>", "shell"),
        ("<p>" + " \n" * 200, "shell"),
        (
            "<main>Please wait while the page is loading. If nothing happens within a few seconds, "
            "please make sure that JavaScript is enabled in the browser. <a href=/help>Help</a>",
            "javascript-required",
        ),
        (
            "<p>Um diese Seite in vollem Umfang nutzen zu können, aktivieren Sie bitte JavaScript "
            "in den Einstellungen Ihres Browsers, und laden Sie sie dann neu.",
            "javascript-required",
        ),
        (
            "<p>The list of our dealers and their workshops is being fetched for you. <b>Please "
            "wait</b>, or call <a href=/numbers>one of our numbers</a> if this takes too long.",
            "shell",
        ),
    ],
)
def test_a_shell_may_have_a_header_a_footer_and_a_notice(content: str, expected: str) -> None:
    page = AROUND.format(content) + SCRIPT
    found = judged(page)
    assert found is not None
    assert (found.reason, found.rendering_helps) == (expected, True)


def test_a_notice_to_wait_needs_scripts_that_one_could_wait_for() -> None:
    assert reason("<p>Please wait here, says the sign at the gate.") is None


@pytest.mark.parametrize(
    "notice",
    [
        "You need to enable JavaScript to run this app.",
        "Bitte aktivieren Sie JavaScript.",
        "Veuillez activer JavaScript dans votre navigateur.",
        "Por favor, habilite JavaScript para continuar.",
        "Ative o JavaScript para continuar.",
        "Per utilizzare questo sito è necessario attivare JavaScript.",
        "JavaScript moet ingeschakeld zijn.",
        "Aby korzystać z serwisu, włącz JavaScript.",
        "Пожалуйста, включите JavaScript в браузере.",
        "请启用JavaScript后继续访问。",
        "JavaScriptを有効にしてください。",
    ],
)
def test_a_demand_for_javascript_is_read_in_many_languages(notice: str) -> None:
    for shell in (f"<noscript>{notice}</noscript><div id=root></div>", f"<p>{notice}</p>"):
        assert reason(shell + SCRIPT) == "javascript-required"
        found = judged(shell + SCRIPT, rendered=True)
        assert found is None or not found.rendering_helps


@pytest.mark.parametrize(
    "words",
    ["Wird geladen …", "Chargement...", "Cargando…", "Carregando...", "Caricamento...", "Загрузка…",
     "Ładowanie...", "加载中…", "読み込み中…", "Even geduld…"],
)  # fmt: skip
def test_a_page_that_is_loading_says_so_in_many_languages(words: str) -> None:
    assert reason(f"<div>{words}</div><a href=/imprint>Imprint of Acme</a>" + SCRIPT) == "shell"


def test_a_shell_that_says_all_in_noscript_needs_no_browser() -> None:
    thread = "<p>What was said in a thread. " * 30
    shell = "<div id=app></div><noscript>{}</noscript>" + SCRIPT
    assert reason(shell.format(thread)) is None
    assert reason(shell.format(thread), rendered=True) == "no-text"


@pytest.mark.parametrize(
    "content",
    [
        "<p>The museum is open from Tuesday to Sunday, ten to six; on Mondays it is open to "
        "schools that have asked before.",
        "<p>JavaScript is a language that browsers read. It was made in ten days, in the year "
        "1995, for a browser that nobody has any more.",
        "<p>Native and reactive JavaScript, side by side: <a href=/1>lesson one</a>, lesson two.",
        "<p>See <a href=/programme>the programme</a>.",
        "<div style='display: none'>The museum is open from Tuesday to Sunday, ten to six; on "
        "Mondays it is open to schools that have asked before.",
    ],
)
def test_a_short_page_with_scripts_is_a_page(content: str) -> None:
    assert reason(f"<nav><a href=/>Home</a></nav>{content}<script>count()</script>") is None


def test_a_short_page_without_scripts_is_a_page() -> None:
    assert reason("<p>Closed on Monday.</p>") is None


def test_a_header_of_an_article_is_no_furniture() -> None:
    teaser = "<article><header><h2><a href=/1>One more storm</a></h2></header></article>"
    assert reason(f"<nav><a href=/>Home</a></nav>{teaser * 20}" + SCRIPT) is None


def test_a_header_that_was_left_open_around_the_content_is_no_furniture() -> None:
    text = "<p>The museum is open from Tuesday to Sunday, ten to six, and on Mondays by request."
    assert reason(f"<header><a href=/>Home</a>{text * 20}" + SCRIPT) is None


def test_a_few_words_beside_a_large_footer_are_no_content() -> None:
    links = "".join(f"<a href=/{n}>Something to see {n}</a>" for n in range(40))
    assert reason(f"<p>Acme</p><footer>{links}</footer>") == "no-text"
    assert reason(f"<p>Acme</p><footer>{links}</footer>" + SCRIPT) == "shell"
