"""The webs on which rules of rendering are compared."""

from __future__ import annotations

from random import Random

import pytest

from benchmarks.adaptive.views import COMPLETE, SCRIPTED, SCROLLED
from benchmarks.adaptive.web import PAGES_A_SITE, Web, mixed_web, of_part, served_web
from corpus_commons.markup import parse
from extraction.labelled import LabelledPage

WORDS = "rain river hill cloud stone bridge winter boat paper lamp garden road".split()


def pages(number: int) -> list[LabelledPage]:
    found = []
    for one in range(number):
        chance = Random(one)
        lines = (" ".join(chance.choices(WORDS, k=40)) for _ in range(6))
        title = " ".join(chance.sample(WORDS, 6))
        text = f"{title}\n" + "\n".join(f"site{one} {line}" for line in lines)
        url = f"https://site{one}.example/story/{one}"
        html = f"<title>{one}</title><p>{text}</p>"
        found.append(LabelledPage(str(one), html, text, url=url, genre="article"))
    return found


@pytest.fixture(scope="module")
def all_pages() -> list[LabelledPage]:
    return pages(600)


@pytest.fixture(scope="module")
def mixed(all_pages: list[LabelledPage]) -> Web:
    own = of_part(all_pages, "test")
    return mixed_web(own, {"/npm/react/react.js": b"1"}, "test", sites=62)


def shown(web: Web, key: tuple[str, str]) -> str:
    """The text of a page without its scripts."""
    dom = parse(web.answers[key][1])
    return " ".join(text for text, seen in zip(dom.texts, dom.visible, strict=True) if seen)


def test_a_fifth_of_the_pages_need_scripts(mixed: Web) -> None:
    needing = [truth for truth in mixed.truths.values() if truth.scripted]
    assert len(needing) / len(mixed.truths) == pytest.approx(0.2, abs=0.01)
    assert {truth.site for truth in needing} == set(SCRIPTED)
    assert {truth.site for truth in mixed.truths.values()} == {*SCRIPTED, *COMPLETE, "real"}


def test_where_pages_are_scrolled_there_are_lists_that_go_on(all_pages: list[LabelledPage]) -> None:
    own = of_part(all_pages, "test")
    web = mixed_web(own, {}, "test", sites=62, scrolled=True)
    keys = [key for key, truth in web.truths.items() if truth.site == SCROLLED]
    assert len(keys) == PAGES_A_SITE
    for key in keys:
        first, *_, last = web.truths[key].text.splitlines()
        assert first in shown(web, key)
        assert last not in shown(web, key)


def test_a_page_that_needs_scripts_lacks_its_text_and_another_has_it(mixed: Web) -> None:
    for key, truth in mixed.truths.items():
        last = truth.text.splitlines()[-1]
        assert (last in " ".join(shown(mixed, key).split())) != truth.scripted, (truth.site, key)


def test_no_text_is_in_both_parts(all_pages: list[LabelledPage]) -> None:
    train, test = (of_part(all_pages, part) for part in ("train", "test"))
    assert len(train) + len(test) == len(all_pages)
    assert not {page.url for page in train} & {page.url for page in test}


def test_real_pages_are_served_as_they_are(all_pages: list[LabelledPage]) -> None:
    web = served_web(all_pages, 50)
    assert len(web.truths) == 50
    assert {web.answers[key][1].decode() for key in web.truths} <= {page.html for page in all_pages}
