"""The spider as a user runs it: a process, the demo site, kills and interrupts."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import loaded_program
import pytest
from crawling import Crawling
from scrapy.crawler import Crawler
from scrapy.exceptions import UsageError
from scrapy.settings import Settings
from small_web import PAGE, Web

from crawler.commands.runner import project_settings
from crawler.demo import DemoSite, Timings
from crawler.demo.expectations import expectations
from crawler.fetching.leased_requests import LeaseScheduler
from crawler.spider.spider import CorpusSpider
from settings import components

# What the spider calls the classes of expected.json.
REASONS = {
    "connection": "connection: ResponseNeverReceived",
    "gone": "gone",
    "not_found": "not-found",
    "private_address": "private-address",
    "redirect_loop": "redirect-loop",
    "timeout": "timeout",
    "too_large": "too-large",
    "empty": "empty",
    "not_html": "not-html",
    "soft_error": "soft-error",
}


def job(base: str, *, more: str = "", scope: str = "", politeness: str = "delay = 0") -> str:
    return f"""
[seeds]
urls = ["{base}/"]
{more}
[scope]
{scope}
[limits]
page_time = "3s"
[politeness]
{politeness}
[frontier]
tries = 2
"""


def whole(site: DemoSite) -> str:
    return job(
        site.base,
        more=f'sitemaps = ["{site.base}/sitemap.xml"]\nfeeds = ["{site.base}/feed.xml"]',
        scope=r"exclude = ['/calendar/']",
        politeness="delay = 0\nconcurrency_per_host = 8",
    )


@pytest.fixture(scope="module")
def site() -> Iterator[DemoSite]:
    with DemoSite(timings=Timings(slow=0.3, crawl_delay=0)) as served:
        yield served


@pytest.fixture(scope="module")
def crawled(site: DemoSite, tmp_path_factory: pytest.TempPathFactory) -> Crawling:
    crawling = Crawling(tmp_path_factory.mktemp("crawled"), whole(site))
    code, errors = crawling.run()
    assert (code, "Traceback" in errors) == (0, False), errors
    return crawling


def test_every_url_of_the_site_ends_as_it_should(crawled: Crawling, site: DemoSite) -> None:
    pages = {page["asked"].removeprefix(site.base): page["outcome"] for page in crawled.pages()}
    dead = {letter.url.removeprefix(site.base): letter.reason for letter in crawled.dead()}
    asked = {access.path for access in site.requests()}
    wrong = {}
    for url, expected in expectations().items():
        found = pages.get(url) or dead.get(url)
        if expected.needs_rendering:
            right = found == "empty"
        elif expected.outcome == "document" or expected.reason in (
            "duplicate",
            "encoding",
            "too_short",
        ):
            right = found == "kept"  # the pipelines judge these
        elif expected.reason == "server_error":
            right = found == f"http-{expected.status}"
        elif expected.outcome == "not_fetched":
            right = found is None and url not in asked
        elif url in ("/files/harbour-map.pdf", "/articles"):
            # By its name no page; and a redirect to which nothing links.
            right = found is None and url not in asked
        elif expected.outcome in ("feed", "redirected"):
            right = found is None and url in asked
        elif url in dead or url in pages:
            right = found == REASONS[expected.reason]
        else:  # settled with the frontier without a trace but the count
            right = url in asked
        if not right:
            wrong[url] = (expected.outcome, expected.reason, found)
    assert not wrong


def test_every_url_is_accounted_for(crawled: Crawling) -> None:
    stats = crawled.stats()
    assert stats.queued == stats.leased == 0
    assert stats.added == stats.done + stats.dead
    assert stats.outcomes["redirected"] == 5
    assert stats.outcomes["sitemap"] == 3
    settled = ("feed", "gone", "not-found", "private-address", "redirect-loop", "robots")
    assert [stats.outcomes[name] for name in settled] == [1] * len(settled)
    reasons = [letter.reason for letter in crawled.dead()]
    assert sorted(reasons) == [REASONS["connection"], "http-500", "http-503", "timeout", "timeout"]


def test_no_page_comes_twice_and_depth_is_that_of_links(crawled: Crawling, site: DemoSite) -> None:
    pages = crawled.pages()
    assert len({page["asked"] for page in pages}) == len(pages)
    depths = {page["asked"].removeprefix(site.base): page["depth"] for page in pages}
    assert depths["/"] == 0
    assert depths["/odd/slow"] > 0


def test_running_a_finished_job_again_fetches_nothing(crawled: Crawling, site: DemoSite) -> None:
    before = len(site.requests())
    assert crawled.run()[0] == 0
    assert len(site.requests()) == before


def test_killed_in_the_middle_it_goes_on_where_it_was(site: DemoSite, tmp_path: Path) -> None:
    crawling = Crawling(tmp_path, job(site.base, scope=r"include = ['/articles/', '/docs/']"))
    crawling.page_sink_seconds = 0.05
    for pages in (2, 8):
        process = crawling.start()
        crawling.wait_for(lambda least=pages: len(crawling.pages()) >= least)  # type: ignore[misc]
        process.kill()
        process.communicate()
    assert crawling.run()[0] == 0
    stats = crawling.stats()
    assert stats.queued == stats.leased == stats.dead == 0
    paths = {page["asked"].removeprefix(site.base) for page in crawling.pages()}
    wanted = {
        url
        for url, expected in expectations().items()
        if expected.outcome == "document" and url.startswith(("/articles/", "/docs/"))
    }
    assert wanted <= paths


def test_first_interrupt_finishes_what_is_in_work(site: DemoSite, tmp_path: Path) -> None:
    crawling = Crawling(tmp_path, job(site.base), page_sink_seconds=0.3)
    process = crawling.start()
    crawling.wait_for(lambda: bool(crawling.pages()))
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    assert process.returncode == 3
    stats = crawling.stats()
    assert stats.leased == 0
    assert stats.queued > 0
    kept = [page for page in crawling.pages() if page["outcome"] == "kept"]
    assert stats.outcomes["kept"] == len(kept)


def test_second_interrupt_ends_at_once_and_loses_nothing(site: DemoSite, tmp_path: Path) -> None:
    crawling = Crawling(tmp_path, job(site.base, scope="depth = 1"), page_sink_seconds=20)
    process = crawling.start()
    crawling.wait_for((crawling.output / "pages.jsonl").exists)
    crawling.wait_for(lambda: crawling.stats().leased > 0)
    process.send_signal(signal.SIGINT)
    with pytest.raises(Exception, match="timed out"):
        process.wait(1)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=5)
    assert process.returncode == 130
    crawling.page_sink_seconds = 0
    assert crawling.run()[0] == 0
    assert any(page["asked"] == f"{site.base}/" for page in crawling.pages())


def test_a_folder_in_use_and_a_wrong_job_are_told_by_the_exit_code(
    site: DemoSite, tmp_path: Path
) -> None:
    crawling = Crawling(tmp_path, job(site.base), page_sink_seconds=0.3)
    process = crawling.start()
    crawling.wait_for(lambda: bool(crawling.pages()))
    code, errors = crawling.run()
    process.kill()
    process.communicate()
    assert code == 4, errors
    wrong = Crawling(tmp_path / "wrong", job(site.base).replace("tries = 2", "tries = 0"))
    code, errors = wrong.run()
    assert code == 2
    assert "frontier.tries" in errors


def test_delays_of_job_and_robots_hold_between_requests(tmp_path: Path) -> None:
    with DemoSite(timings=Timings(slow=0.1, crawl_delay=0.4)) as site:
        polite = job(site.base, scope="depth = 1\ninclude = ['/docs/', '/shop/$']")
        assert Crawling(tmp_path, polite).run()[0] == 0
        times = [access.time for access in site.requests()]
    assert len(times) > 3
    assert min(later - sooner for sooner, later in pairwise(times)) > 0.39


@pytest.mark.parametrize("robots", ["true", "false"])
def test_a_crawl_delay_holds_no_longer_than_the_site_or_the_job_has_it(
    web: Web, tmp_path: Path, robots: str
) -> None:
    web.answers["/robots.txt"] = (200, {}, "User-agent: *\nCrawl-delay: 2")
    links = "".join(f"<a href=/{number}>x</a>" for number in range(50))
    web.answers |= {f"/{path}": (200, {}, PAGE + links) for path in ("", *range(50))}
    crawling = Crawling(tmp_path, job(web.base).replace("[limits]", "[limits]\npages = 1"))
    assert crawling.run()[0] == 0
    if robots == "true":
        web.answers["/robots.txt"] = (200, {}, "")
    crawling.job = job(web.base, politeness=f"delay = 0\nrobots = {robots}")
    # With 50 delays it would take longer than the minute that it has.
    assert crawling.run()[0] == 0
    assert len(crawling.pages()) == 51


def test_robots_in_trouble_stops_the_host(web: Web, tmp_path: Path) -> None:
    web.answers["/robots.txt"] = (503, {}, "")
    web.answers["/"] = (200, {}, PAGE)
    crawling = Crawling(tmp_path, job(web.base, politeness='delay = 0\nlongest_delay = "200ms"'))
    assert crawling.run()[0] == 6
    assert set(web.asked) == {"/robots.txt"}
    assert [letter.reason for letter in crawling.dead()] == ["robots-unreachable"]


def test_a_redirect_is_recorded_and_a_respelled_url_is_fetched(web: Web, tmp_path: Path) -> None:
    web.answers |= {
        "/": (200, {}, PAGE + '<a href="/old">1</a><a href="/list?b=2&a=1">2</a>'),
        "/old": (301, {"Location": "/older"}, ""),
        "/older": (302, {"Location": "/new?utm_source=x#top"}, ""),
        "/new": (200, {}, PAGE),
        "/list?b=2&a=1": (302, {"Location": "/list?a=1&b=2"}, ""),
        "/list?a=1&b=2": (200, {}, PAGE),
    }
    crawling = Crawling(tmp_path, job(web.base))
    assert crawling.run()[0] == 0
    redirects = {page["url"].removeprefix(web.base): page["redirects"] for page in crawling.pages()}
    assert redirects["/new"] == [f"{web.base}/old", f"{web.base}/older"]
    assert redirects["/list?a=1&b=2"] == [f"{web.base}/list?b=2&a=1"]


def test_a_pipeline_that_raises_loses_no_url(web: Web, tmp_path: Path) -> None:
    web.answers["/"] = (200, {}, PAGE + "<a href=/raise-in-pipeline>")
    web.answers["/raise-in-pipeline"] = (200, {}, PAGE)
    crawling = Crawling(tmp_path, job(web.base))
    assert crawling.run()[0] == 0
    assert [letter.reason for letter in crawling.dead()] == ["internal-error: pipeline"]
    assert web.asked.count("/raise-in-pipeline") == 2


def test_what_a_pipeline_drops_is_done(web: Web, tmp_path: Path) -> None:
    web.answers["/"] = (200, {}, PAGE + "<a href=/drop-in-pipeline>")
    web.answers["/drop-in-pipeline"] = (200, {}, PAGE)
    crawling = Crawling(tmp_path, job(web.base))
    assert crawling.run()[0] == 0
    assert crawling.stats().outcomes == {"kept": 1, "dropped": 1}
    assert web.asked.count("/drop-in-pipeline") == 1


def test_what_a_pipeline_drops_after_the_corpus_has_it_is_kept(web: Web, tmp_path: Path) -> None:
    places = ("northern", "eastern", "southern")
    links = "".join(f"<a href=/{place}>" for place in places)
    for place in ("", *places):
        told = " ".join(f"On day {day} it rained on the {place} fields." for day in range(20))
        web.answers[f"/{place}"] = (200, {}, f"<h1>Rain</h1><p>{told}{links}")
    pipelines = '{"pipelines.item_pipeline.CorpusPipeline": 500, "page_sink.Dropping": 900}'
    settings = [f"ITEM_PIPELINES={pipelines}"]
    alone = "[extraction]\nsite_memory = false\n[genres.extractors]\ndefault = 'all-text'"
    crawling = Crawling(tmp_path, f"{job(web.base)}\n{alone}", settings=settings)
    assert crawling.run()[0] == 0
    assert crawling.stats().outcomes == {"kept": 4}


def test_a_long_answer_that_is_no_page_is_not_read(web: Web, tmp_path: Path) -> None:
    web.answers["/"] = (200, {"Content-Type": "video/mp4"}, "x" * 3_000_000)
    crawling = Crawling(tmp_path, job(web.base))
    assert crawling.run()[0] == 0
    (page,) = crawling.pages()
    assert page["outcome"] == "not-html"
    assert page["bytes"] < 1_000_000


def test_limits_end_the_crawl(web: Web, tmp_path: Path) -> None:
    links = "".join(f"<a href=/{number}>" for number in range(20))
    web.answers["/"] = (200, {}, PAGE + links)
    web.answers |= {f"/{number}": (200, {}, PAGE) for number in range(20)}
    limited = job(web.base).replace("[limits]", "[limits]\npages = 5")
    crawling = Crawling(tmp_path, limited)
    assert crawling.run()[0] == 0
    assert len(crawling.pages()) == 5
    assert crawling.stats().queued == 16


def test_scrapy_crawl_takes_a_file_of_seeds(web: Web, tmp_path: Path) -> None:
    web.answers["/"] = (200, {}, PAGE)
    file = tmp_path / "urls.txt"
    file.write_text(f"{web.base}/\n")
    words = ["crawl", "corpus", "-a", f"seeds={file}", "-s", "LOG_LEVEL=WARNING"]
    words += ["-s", 'ITEM_PIPELINES={"page_sink.PageSink": 1}']
    done = loaded_program.run(
        "scrapy", *words, cwd=tmp_path, environment={"SCRAPY_SETTINGS_MODULE": "settings.local"}
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert web.asked == ["/robots.txt", "/"]


class TestOfOnesOwn:
    """A spider in somebody's Scrapy project."""

    class Mine(CorpusSpider):
        name = "mine"

    def test_it_is_refused_where_the_settings_are_scrapys_and_told_what_is_missing(self) -> None:
        with pytest.raises(UsageError, match=r"^Mine needs .*SCRAPY_SETTINGS_MODULE=") as refusal:
            Crawler(self.Mine, Settings())
        missing = str(refusal.value).partition("missing: ")[2].split(", ")
        assert missing == [
            "crawler.fetching.leased_requests.LeaseScheduler",
            "crawler.fetching.resource_limits.BoundedCompressionMiddleware",
            "crawler.fetching.robots_middleware.RobotsMiddleware",
            "crawler.fetching.quiet_hours.QuietHoursMiddleware",
            "crawler.fetching.leased_requests.LeaseMiddleware",
            "crawler.fetching.reach.ReachMiddleware",
            "pipelines.item_pipeline.CorpusPipeline",
        ]

    def test_one_middleware_that_is_switched_off_is_missing(self) -> None:
        chosen = {
            **components.DOWNLOADER_MIDDLEWARES,
            "crawler.fetching.robots_middleware.RobotsMiddleware": None,
        }
        settings = project_settings({"DOWNLOADER_MIDDLEWARES": chosen})
        with pytest.raises(
            UsageError, match=r"missing: crawler.fetching.robots_middleware.RobotsMiddleware$"
        ):
            Crawler(self.Mine, settings)

    def test_with_the_settings_of_this_crawler_and_more_pipelines_it_is_made(self) -> None:
        settings = project_settings({"ITEM_PIPELINES": {"page_sink.PageSink": 1}})
        settings.set("SCHEDULER", LeaseScheduler)
        assert Crawler(self.Mine, settings).spidercls is self.Mine
