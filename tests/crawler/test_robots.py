"""robots.txt: one question for each origin, and no fetch without an answer."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable

import pytest
from scrapy.exceptions import DownloadTimeoutError
from scrapy.http import Response

from crawler.frontier.errors import FrontierError
from crawler.politeness import host_files
from crawler.politeness.robots import Robots, RobotsForbiddenError, RobotsUnreachableError

PAGE = "http://example.com/page"


class Server:
    """Answers with what it is given; counts what it is asked."""

    def __init__(self, body: str = "", status: int = 200, **headers: str) -> None:
        self.body, self.status, self.headers = body, status, headers
        self.error: Exception | None = None
        self.frontier_error: FrontierError | None = None
        self.asked: Counter[str] = Counter()
        self.paces: list[tuple[str, float]] = []
        self.now = 0.0

    async def fetch(self, url: str) -> Response:
        self.asked[url] += 1
        await asyncio.sleep(0)
        if self.error:
            raise self.error
        return Response(url, status=self.status, body=self.body.encode(), headers=self.headers)

    async def pace(self, host: str, seconds: float) -> None:
        if self.frontier_error:
            raise self.frontier_error
        self.paces.append((host, seconds))

    def robots(self, **options: object) -> Robots:
        clock: Callable[[], float] = lambda: self.now  # noqa: E731
        return Robots(self.fetch, self.pace, "my-bot", clock=clock, **options)  # type: ignore[arg-type]


def check(rules: Robots, url: str = PAGE) -> float:
    return asyncio.run(rules.check(url))


def test_rules_for_our_name_are_obeyed() -> None:
    rules = Server("User-agent: my-bot\nDisallow: /page\n\nUser-agent: *\nDisallow: /").robots()
    with pytest.raises(RobotsForbiddenError):
        check(rules)
    assert check(rules, "http://example.com/other") == 0


@pytest.mark.parametrize("name", ["\ufeffUser-agent: my-bot", "user-agent: My-Bot/2.0 # ours"])
def test_rules_are_found_behind_a_byte_order_mark_and_a_version(name: str) -> None:
    with pytest.raises(RobotsForbiddenError):
        check(Server(f"{name}\nDisallow: /page").robots())


@pytest.mark.timeout(30)
@pytest.mark.parametrize("names", [0, 12_000], ids=["blank lines", "names and rules"])
def test_a_file_that_asks_for_hours_is_read_at_once(names: int) -> None:
    agents = "".join(f"User-agent: a{number}\n" for number in range(names))
    rules = "".join(f"Allow: /{number}\n" for number in range(names))
    assert check(Server((agents + rules).ljust(500_000, "\n")).robots()) == 0


@pytest.mark.parametrize("status", [302, 304, 400, 401, 403, 404, 410])
def test_a_host_without_rules_may_be_fetched_whatever_its_answer_says(status: int) -> None:
    assert check(Server("User-agent: *\nDisallow: /", status).robots()) == 0


@pytest.mark.parametrize("status", [203, 206])
def test_rules_hold_with_any_status_of_success(status: int) -> None:
    """RFC 9309, section 2.3.1.1; a proxy that changes what it passes on says 203."""
    with pytest.raises(RobotsForbiddenError):
        check(Server("User-agent: *\nDisallow: /", status).robots())


@pytest.mark.parametrize("status", [500, 503, 429])
def test_a_host_in_trouble_may_not(status: int) -> None:
    with pytest.raises(RobotsUnreachableError) as caught:
        check(Server(status=status).robots())
    assert caught.value.retry_after == 30
    assert not caught.value.given_up


def test_a_host_that_cannot_be_reached_may_not_until_it_can() -> None:
    server = Server("User-agent: *\nAllow: /")
    server.error = DownloadTimeoutError("took too long")
    rules = server.robots(tries=3)
    for wait in (30, 60, 120):
        with pytest.raises(RobotsUnreachableError) as caught:
            check(rules)
        assert caught.value.retry_after == wait
        server.now += wait
    assert caught.value.given_up
    server.error = None
    assert check(rules) == 0


def test_a_host_in_trouble_is_asked_again_for_ever_at_the_longest_wait() -> None:
    server = Server("User-agent: *\nAllow: /", 503)
    rules = server.robots(tries=2, longest_wait=100.0)
    for _ in range(1_100):
        with pytest.raises(RobotsUnreachableError) as caught:
            check(rules)
        server.now += caught.value.retry_after
    assert caught.value.retry_after == 100
    assert server.asked.total() == 1_100
    server.status = 200
    assert check(rules) == 0


@pytest.mark.parametrize(("asked", "wait"), [("120", 120), ("1", 30), ("9999", 600)])
def test_retry_after_of_a_server_in_trouble_lengthens_the_wait_within_its_bounds(
    asked: str, wait: float
) -> None:
    server = Server(status=503, **{"Retry-After": asked})
    with pytest.raises(RobotsUnreachableError) as caught:
        check(server.robots(longest_wait=600.0))
    assert caught.value.retry_after == wait


def test_while_waiting_the_host_is_left_alone() -> None:
    server = Server(status=500)
    rules = server.robots()
    for _ in range(5):
        with pytest.raises(RobotsUnreachableError):
            check(rules)
    assert server.asked.total() == 1


def test_each_origin_is_asked_once_however_many_wait() -> None:
    server = Server("User-agent: *\nAllow: /")
    rules = server.robots()

    async def visit() -> None:
        await asyncio.gather(*(rules.check(f"http://example.com/{n}") for n in range(50)))
        await rules.check("https://example.com/")
        await rules.check("http://example.com:8080/")

    asyncio.run(visit())
    assert set(server.asked.values()) == {1}
    assert len(server.asked) == 3


def test_a_cancelled_visit_does_not_take_the_answer_from_others() -> None:
    server = Server("User-agent: *\nAllow: /")
    rules = server.robots()

    async def visit() -> None:
        first = asyncio.ensure_future(rules.check(PAGE))
        second = asyncio.ensure_future(rules.check(PAGE))
        await asyncio.sleep(0)
        first.cancel()
        assert await second == 0

    asyncio.run(visit())
    assert server.asked.total() == 1


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, 24 * 3600),
        ({"Age": "3600"}, 23 * 3600),
        ({"Cache-Control": "public, max-age=7200", "Age": "200"}, 7000),
        ({"Cache-Control": "max-age=31536000"}, 24 * 3600),
        ({"Cache-Control": "s-maxage=31536000, max-age=60"}, 600),
        ({"Cache-Control": "no-store"}, 600),
        ({"Cache-Control": "max-age=1000", "Age": "5000"}, 60),
        (
            {
                "Date": "Fri, 01 May 2026 12:00:00 GMT",
                "Expires": "Fri, 01 May 2026 13:00:00 GMT",
            },
            3600,
        ),
        ({"Date": "Fri, 01 May 2026 12:00:00 GMT", "Expires": "1 May 2026 12:30:00"}, 1800),
        ({"Expires": "0"}, 24 * 3600),
    ],
)
def test_an_answer_is_used_for_its_lifetime_within_a_day(
    headers: dict[str, str], seconds: float
) -> None:
    server = Server("User-agent: *\nAllow: /", **headers)
    rules = server.robots()
    for now, asked in ((0, 1), (seconds - 1, 1), (seconds, 2)):
        server.now = now
        check(rules)
        assert server.asked.total() == asked


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_files, "_MOST_FILES", 3)
    server = Server("User-agent: *\nAllow: /")
    rules = server.robots()
    for number in (0, 1, 2, 0, 3, 0, 1):
        check(rules, f"http://host-{number}.example/")
    asked = [server.asked[f"http://host-{number}.example/robots.txt"] for number in range(4)]
    assert asked == [1, 2, 1, 1]


def test_so_are_the_bytes_of_what_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_files, "_MOST_BYTES", 25_000)
    server = Server("User-agent: *\nDisallow: /" + "a" * 10_000)
    rules = server.robots()
    for day in range(1, 4):
        # What is asked for again takes the place of what was known.
        for host in "abab":
            check(rules, f"http://{host}.example/")
        assert set(server.asked.values()) == {day}
        server.now += 86_400
    for host in "abcbca":
        check(rules, f"http://{host}.example/")
    asked = {url.removeprefix("http://")[0]: count for url, count in server.asked.items()}
    assert asked == {"a": 5, "b": 4, "c": 1}


@pytest.mark.parametrize(
    ("line", "delay"),
    [
        ("Crawl-delay: 2.5", 2.5),
        ("Request-rate: 1/10", 10.0),
        ("Crawl-delay: 2.5\nRequest-rate: 1/10", 10.0),
        ("Crawl-delay: 20\nRequest-rate: 1/10", 20.0),
        ("Crawl-delay: -1", 0.0),
        ("Crawl-delay: inf", 0.0),
        ("Request-rate: 0/10", 0.0),
        ("Request-rate: 1/" + "9" * 400, 1e9),
        ("Request-rate: " + "9" * 400 + "/1", 0.0),
    ],
)
def test_crawl_delay_is_told_to_the_frontier(line: str, delay: float) -> None:
    server = Server(f"User-agent: *\n{line}\nAllow: /")
    assert check(server.robots()) == delay
    assert server.paces == [("example.com", delay)]


def test_a_crawl_delay_that_is_gone_is_taken_back_but_not_by_who_does_not_know() -> None:
    server = Server("User-agent: *\nCrawl-delay: 300")
    rules = server.robots()
    check(rules)
    server.now, server.status = 86_401, 503
    with pytest.raises(RobotsUnreachableError):
        check(rules)
    assert [pace for _, pace in server.paces] == [300]
    server.now, server.status, server.body = 2 * 86_401, 200, "User-agent: *\nAllow: /"
    check(rules)
    assert [pace for _, pace in server.paces] == [300, 0]


def test_a_frontier_that_fails_leaves_what_was_read_as_it_is() -> None:
    server = Server("User-agent: *\nCrawl-delay: 5")
    server.frontier_error = FrontierError("no Redis")
    rules = server.robots()
    assert [check(rules) for _ in range(2)] == [5, 5]
    assert server.asked.total() == 1


def test_of_a_hosts_origins_the_slowest_sets_its_pace() -> None:
    server = Server("User-agent: *\nCrawl-delay: 5")
    rules = server.robots()
    check(rules)
    server.body = ""
    check(rules, "https://example.com/")
    check(rules, "https://www.example.com/")
    assert server.paces == [("example.com", 5), ("example.com", 5), ("www.example.com", 0)]


def test_a_host_is_not_paced_by_one_whose_name_has_its_own_in_it() -> None:
    server = Server("User-agent: *\nCrawl-delay: 5")
    rules = server.robots()
    check(rules, "http://my-example.com/")
    server.body = ""
    check(rules, "http://example.com/")
    assert server.paces == [("my-example.com", 5), ("example.com", 0)]


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://10.0.0.1/", "data:,x", "http://["])
def test_a_redirect_out_of_the_web_is_not_followed(target: str) -> None:
    server = Server(status=302, Location=target)
    assert check(server.robots()) == 0
    assert list(server.asked) == ["http://example.com/robots.txt"]


def test_an_answer_that_is_no_redirect_is_read_wherever_it_points() -> None:
    server = Server("User-agent: *\nDisallow: /", Location="http://other.example/robots.txt")
    with pytest.raises(RobotsForbiddenError):
        check(server.robots())
    assert list(server.asked) == ["http://example.com/robots.txt"]


def test_redirects_are_followed_five_times() -> None:
    server = Server(status=301, Location="http://other.example/robots.txt")
    assert check(server.robots()) == 0
    assert server.asked["http://other.example/robots.txt"] == 5
