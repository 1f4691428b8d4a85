"""robots.txt in a crawl: how large it may be, how long a host waits for it, and for its pace."""

from __future__ import annotations

import gzip
import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from crawling import Crawling
from small_web import PAGE, Web

from crawler.politeness.robots_file import LARGEST

ROBOTS = "/robots.txt"
# A URL that its server spells in another way, to which the same visit goes on.
SPELT, RESPELT = "/a?y=2&x=1", "/a?x=1&y=2"


def job(politeness: str, *seeds: str) -> str:
    urls = ", ".join(f'"{url}"' for url in seeds)
    return f"seeds.urls = [{urls}]\n[politeness]\n{politeness}"


class InTrouble(dict[str, Any]):
    """Answers of a server whose robots.txt is not had until another site was visited."""

    def __init__(self, other: Web) -> None:
        super().__init__({"/": (200, {}, PAGE)})
        self._other = other

    def get(self, path: str, default: Any = None) -> Any:
        if path == ROBOTS and "/" not in self._other.asked:
            return 503, {}, ""
        return super().get(path, default)


def test_a_host_is_visited_when_its_robots_txt_is_had_and_no_other_waits_for_it(
    web: Web, tmp_path: Path
) -> None:
    with Web("127.0.0.2") as other:
        other.answers["/"] = (200, {}, PAGE)
        other.slow[ROBOTS] = 1.0
        web.answers = InTrouble(other)
        politeness = 'delay = 0\nlongest_delay = "300ms"\n[frontier]\ntries = 100'
        crawling = Crawling(tmp_path, job(politeness, f"{web.base}/", f"{other.base}/"))
        assert crawling.run()[0] == 0
    *questions, page = web.asked
    assert (set(questions), page) == ({ROBOTS}, "/")
    assert len(questions) > 1
    assert min(later - sooner for sooner, later in pairwise(web.times[:-1])) >= 0.3
    assert crawling.stats().outcomes == {"kept": 2}


def test_a_page_is_asked_for_a_delay_after_the_answer_of_robots_txt(
    web: Web, tmp_path: Path
) -> None:
    web.answers["/"] = (200, {}, PAGE)
    web.slow[ROBOTS] = 0.5
    assert Crawling(tmp_path, job('delay = "400ms"', f"{web.base}/")).run()[0] == 0
    assert web.asked == [ROBOTS, "/"]
    assert web.times[1] - web.times[0] >= 0.9


def test_what_robots_txt_disallows_costs_no_delay(web: Web, tmp_path: Path) -> None:
    links = "".join(f"<a href=/private/{number}>x</a>" for number in range(30))
    web.answers |= {
        ROBOTS: (200, {}, "User-agent: *\nDisallow: /private/"),
        "/": (200, {}, f"{PAGE}{links}<a href=/public>x</a>"),
        "/public": (200, {}, PAGE),
    }
    crawling = Crawling(tmp_path, job('delay = "400ms"', f"{web.base}/"))
    assert crawling.run()[0] == 0
    assert web.asked == [ROBOTS, "/", "/public"]
    assert 0.4 <= web.times[2] - web.times[1] < 4
    assert crawling.stats().outcomes == {"kept": 2, "robots": 30}


def test_but_robots_txt_itself_does(web: Web, tmp_path: Path) -> None:
    web.answers |= {ROBOTS: (200, {}, "User-agent: *\nDisallow: /private"), "/": (200, {}, PAGE)}
    seeds = (f"{web.base}/private", f"{web.base}/")
    assert Crawling(tmp_path, job('delay = "400ms"', *seeds)).run()[0] == 0
    assert web.asked == [ROBOTS, "/"]
    assert web.times[1] - web.times[0] >= 0.4


def test_a_crawl_delay_holds_within_a_visit_too(web: Web, tmp_path: Path) -> None:
    web.answers |= {
        ROBOTS: (200, {}, "User-agent: *\nCrawl-delay: 1"),
        SPELT: (302, {"Location": RESPELT}, ""),
        RESPELT: (200, {}, PAGE),
    }
    assert Crawling(tmp_path, job("delay = 0", web.base + SPELT)).run()[0] == 0
    assert web.asked == [ROBOTS, SPELT, RESPELT]
    # The server of a busy machine notes a request a little late.
    assert min(web.times[1] - web.times[0], web.times[2] - web.times[1]) > 0.4
    assert web.times[2] - web.times[0] > 1.6


def test_no_longer_than_the_job_allows(web: Web, tmp_path: Path) -> None:
    web.answers |= {
        ROBOTS: (200, {}, "User-agent: *\nCrawl-delay: 600"),
        SPELT: (302, {"Location": RESPELT}, ""),
        RESPELT: (200, {}, PAGE + "<a href=/b>b</a>"),
        "/b": (200, {}, PAGE),
    }
    # It would take longer than the minute that it has.
    politeness = 'delay = 0\nlongest_delay = "100ms"'
    assert Crawling(tmp_path, job(politeness, web.base + SPELT)).run()[0] == 0
    assert web.asked == [ROBOTS, SPELT, RESPELT, "/b"]


@pytest.mark.parametrize(("size", "level"), [(12_000_000, None), (2_000_000, 1)])
def test_of_a_large_robots_txt_the_beginning_is_obeyed(
    web: Web, tmp_path: Path, size: int, level: int | None
) -> None:
    body = b"User-agent: *\nDisallow: /no\n#"
    if level is None:
        headers, body = {}, body.ljust(size, b"#")
    else:
        # What cannot be packed well, in one line.
        noise = random.Random(0).randbytes(size).translate(None, b"\r\n")
        headers, body = {"Content-Encoding": "gzip"}, gzip.compress(body + noise, level)
    web.answers |= {
        ROBOTS: (200, headers, body.decode("latin-1")),
        "/": (200, {}, PAGE + "<a href=/no>no</a>"),
    }
    web.encodings[ROBOTS] = "latin-1"
    crawling = Crawling(tmp_path, job("delay = 0", f"{web.base}/"))
    assert crawling.run()[0] == 0
    assert web.asked == [ROBOTS, "/"]
    assert crawling.stats().outcomes == {"kept": 1, "robots": 1}


def test_a_robots_txt_that_unpacks_to_more_than_ten_megabytes_is_none_that_can_be_had(
    web: Web, tmp_path: Path
) -> None:
    packed = gzip.compress(b"#" * 11_000_000).decode("latin-1")
    web.answers[ROBOTS] = (200, {"Content-Encoding": "gzip"}, packed)
    web.encodings[ROBOTS] = "latin-1"
    politeness = 'delay = 0\nlongest_delay = "50ms"'
    assert Crawling(tmp_path, job(politeness, f"{web.base}/")).run()[0] == 6
    assert set(web.asked) == {ROBOTS}


def test_of_a_packed_robots_txt_no_more_is_kept_for_its_sitemaps_than_is_read(
    web: Web, tmp_path: Path
) -> None:
    packed = gzip.compress(b"#" * 5_000_000).decode("latin-1")
    web.answers |= {
        ROBOTS: (200, {"Content-Encoding": "gzip"}, packed),
        "/": (200, {}, PAGE),
    }
    web.encodings[ROBOTS] = "latin-1"
    text = "seeds.robots_sitemaps = true\n" + job("delay = 0", f"{web.base}/")
    crawling = Crawling(tmp_path, text)
    assert crawling.run()[0] == 0
    assert crawling.stats().received < LARGEST + 100_000
