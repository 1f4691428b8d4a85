"""The settings modules in Scrapy itself: known names, hardened values, a job's on top."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from scrapy import Spider
from scrapy.core.downloader.contextfactory import _load_context_factory_from_settings
from scrapy.core.downloader.handlers import DownloadHandlers
from scrapy.settings import Settings, default_settings
from scrapy.utils.misc import load_object
from scrapy.utils.test import get_crawler

from settings import Job, components, parse_job
from settings.overrides import scrapy_settings

ROOT = Path(__file__).parents[2]
MODULES = ("settings.base", "settings.local", "settings.distributed")
# Stated although Scrapy's defaults are the same.
STATED = {
    "TWISTED_REACTOR",
    "REQUEST_FINGERPRINTER_CLASS",
    "AUTOTHROTTLE_ENABLED",
    "HTTPCACHE_ENABLED",
    "COMPRESSION_ENABLED",
}


def loaded(module: str) -> Settings:
    settings = Settings()
    settings.setmodule(module)
    return settings


def own(module: str) -> dict[str, Any]:
    return {name: value for name, value in vars(import_module(module)).items() if name.isupper()}


def job(**tables: Any) -> Job:
    return Job.model_validate({"name": "x", "seeds": {"urls": ["http://localhost/"]}, **tables})


@pytest.mark.parametrize("module", MODULES)
def test_every_setting_is_one_of_scrapys_and_differs_from_its_default(module: str) -> None:
    for name, value in own(module).items():
        assert name in default_settings.__all__
        assert (value == getattr(default_settings, name)) == (name in STATED), name


@pytest.mark.parametrize("module", MODULES)
def test_every_class_that_is_named_is_there(module: str) -> None:
    settings = loaded(module)
    for group in ("EXTENSIONS", "DOWNLOADER_MIDDLEWARES"):
        for path in settings.getdict(group):
            assert load_object(path)
    for name in ("DUPEFILTER_CLASS", "REQUEST_FINGERPRINTER_CLASS", "TWISTED_REACTOR"):
        assert load_object(settings[name])


@pytest.mark.parametrize("module", MODULES)
def test_nothing_that_opens_the_crawler_is_in_it(module: str) -> None:
    settings = loaded(module)
    for group in ("EXTENSIONS", "DOWNLOADER_MIDDLEWARES"):
        left = settings.get_component_priority_dict_with_base(group)
        switched_off = {path for path, at in getattr(components, group).items() if at is None}
        assert switched_off
        assert not switched_off & {path for path, at in left.items() if at is not None}
    assert settings.getbool("ROBOTSTXT_OBEY")
    assert settings.getbool("DOWNLOAD_VERIFY_CERTIFICATES")
    assert not settings.getbool("COOKIES_ENABLED")
    assert not settings.getbool("TELNETCONSOLE_ENABLED")
    assert not settings.getbool("REMOTE_CONTROL_ENABLED")
    assert settings.getint("DOWNLOAD_MAXSIZE") <= 30_000_000


def test_a_crawler_made_with_them_fetches_http_and_nothing_else() -> None:
    crawler = get_crawler(Spider, own("settings.local"))
    handlers = DownloadHandlers(crawler)
    assert set(handlers._schemes) == {"http", "https"}


def test_tls_is_verified_and_at_least_1_2() -> None:
    crawler = get_crawler(Spider, own("settings.local"))
    factory = _load_context_factory_from_settings(crawler)
    context = factory.creatorForNetloc(b"example.com", 443)
    assert type(context).__name__ == "ClientTLSOptions"  # Twisted's, which verifies
    assert crawler.settings["DOWNLOAD_TLS_MIN_VERSION"] == "TLSv1.2"


def test_a_job_is_mapped_to_settings_that_scrapy_knows() -> None:
    made = scrapy_settings(
        job(
            politeness={
                "contact": "a@example.com",
                "user_agent": "bot/2.0",
                "delay": 0.25,
                "concurrency_per_host": 2,
            },
            limits={"page_size": "1 MB", "total_time": "1h", "page_time": "5s"},
        )
    )
    assert set(made) <= set(default_settings.__all__)
    settings = loaded("settings.local")
    settings.setdict(made, priority="cmdline")
    assert settings["USER_AGENT"] == "bot/2.0 (+mailto:a@example.com)"
    assert settings.getfloat("DOWNLOAD_DELAY") == 0.25
    assert settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN") == 2
    assert settings.getint("DOWNLOAD_MAXSIZE") == 1_000_000
    assert settings.getfloat("DOWNLOAD_TIMEOUT") == 5.0
    assert settings.getfloat("CLOSESPIDER_TIMEOUT") == 3600.0


@pytest.mark.parametrize(
    ("languages", "header"),
    [
        ([], None),
        (["de"], "de"),
        (["de", "fr", "yue"], "de, fr;q=0.9, yue;q=0.8"),
    ],
)
def test_servers_are_asked_for_the_languages_that_are_kept(
    languages: list[str], header: str | None
) -> None:
    settings = loaded("settings.local")
    settings.setdict(scrapy_settings(job(filters={"languages": languages})))
    assert settings.getdict("DEFAULT_REQUEST_HEADERS").get("Accept-Language") == header


def test_languages_by_the_dozen_have_weights_above_nothing() -> None:
    many = ["de", "en", "es", "fi", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru"]
    header = job(filters={"languages": many}).filters.accept_language()
    assert header
    assert header.endswith("nl;q=0.2, pl;q=0.1, pt;q=0.1, ru;q=0.1")


def test_the_base_holds_what_a_job_with_defaults_asks_for() -> None:
    made = scrapy_settings(job())
    settings = loaded("settings.base")
    unlike = {name for name, value in made.items() if settings[name] != value}
    assert unlike == {"BOT_NAME"}


@pytest.mark.parametrize("project", ["default", "distributed"])
def test_scrapy_finds_them_by_its_configuration_file(project: str) -> None:
    command = [sys.executable, "-m", "scrapy", "settings", "--get", "ROBOTSTXT_OBEY"]
    environment = {"SCRAPY_PROJECT": project, "PATH": ""}
    made = subprocess.run(  # noqa: S603
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert made.stdout.strip() == "True"


# What reads a setting, where that is a component that is switched off.
READ_BY = {
    "REFERRER_POLICY": ("SPIDER_MIDDLEWARES", "scrapy.spidermiddlewares.referer.RefererMiddleware"),
    "URLLENGTH_LIMIT": (
        "SPIDER_MIDDLEWARES",
        "scrapy.spidermiddlewares.urllength.UrlLengthMiddleware",
    ),
    "DEPTH_LIMIT": ("SPIDER_MIDDLEWARES", "scrapy.spidermiddlewares.depth.DepthMiddleware"),
    "REDIRECT_MAX_TIMES": (
        "DOWNLOADER_MIDDLEWARES",
        "scrapy.downloadermiddlewares.redirect.RedirectMiddleware",
    ),
    "ROBOTSTXT_USER_AGENT": (
        "DOWNLOADER_MIDDLEWARES",
        "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware",
    ),
}


@pytest.mark.parametrize("name", READ_BY)
def test_nothing_is_set_that_nothing_reads(name: str) -> None:
    group, reader = READ_BY[name]
    assert getattr(components, group)[reader] is None
    assert name not in own("settings.base")
    assert name not in scrapy_settings(job())


def test_everything_is_the_same_from_a_file() -> None:
    text = 'name = "x"\nseeds.urls = ["http://localhost/"]'
    assert scrapy_settings(parse_job(text)) == scrapy_settings(job())
