"""Pages without content: an empty text with its reason, from every method."""

from __future__ import annotations

import pytest

from extraction import Reason, SiteMemory, extract

SHELL = "<title>App</title><div id=app>Loading</div><script src=/app.js></script>"
ERROR = "<title>Page not found</title><h1>Page not found</h1><p>Try the search.</p>"


def test_nothing_is_kept_of_a_page_without_content() -> None:
    found = extract(ERROR, site=SiteMemory())
    assert (found.text, found.blocks, found.marks) == ("", (), None)
    assert found.empty is not None
    assert (found.empty.reason, found.empty.rendering_helps) == (Reason.SOFT_ERROR, False)


def test_a_shell_may_have_content_after_its_scripts_have_run() -> None:
    found = extract(SHELL).empty
    assert found is not None
    assert (found.reason, found.rendering_helps) == ("shell", True)
    assert extract(SHELL, rendered=True).empty != found


@pytest.mark.parametrize(
    "page",
    [
        "<title>Just a moment...\x1b[2J\x9b2J</title><p>x",
        "<h1>404 Not Found\x1b[2J</h1>",
        "<noscript>You need to enable JavaScript\x1b[2J to run it.</noscript><script>1</script>",
        "<p>Loading&#27;[2J…<script>1</script>",
    ],
)
def test_what_such_a_page_says_has_no_commands_for_terminals(page: str) -> None:
    found = extract(page).empty
    assert found is not None
    assert found.detail.startswith("says")
    assert not {"\x1b", "\x9b"} & {*found.detail}


def test_a_page_with_content_has_no_reason() -> None:
    found = extract("<h1>Rain</h1>" + "<p>It rained for two days, and nobody went out.</p>" * 5)
    assert found.text
    assert found.empty is None


def test_methods_of_the_literature_keep_what_they_keep() -> None:
    found = extract(ERROR, method="all-text")
    assert "Try the search." in found.text
    assert found.empty is None


@pytest.mark.parametrize("method", ["all-text", "trafilatura", "readability"])
def test_every_method_says_why_it_kept_nothing(method: str) -> None:
    if method != "all-text":
        pytest.importorskip(method)
    found = extract("<title>A</title><img src=a.png>", method=method)
    assert not found.text
    assert found.empty is not None
    assert found.empty.reason == "no-text"


def test_text_of_which_a_method_keeps_nothing_is_no_content() -> None:
    menu = "".join(f"<li><a href=/{n}>Section {n}</a>" for n in range(30))
    page = f"<ul>{menu}</ul><script>a()</script>"
    nothing = extract(page, method="boilerpipe-article").empty
    assert nothing is not None
    assert (nothing.reason, nothing.rendering_helps) == ("no-content", True)
