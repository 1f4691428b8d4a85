"""The report of a run as a browser shows it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser
from run_samples import summary

from corpus_commons.browser import has_browser
from crawler.adaptive.host_table import HostRendering
from crawler.frontier.base import DeadLetter
from pipelines.reporting.report import report_html
from pipelines.reporting.sample_pages import PageSample

pytestmark = pytest.mark.skipif(not has_browser(), reason="no Chromium is installed: make browser")


def test_a_phone_has_all_tables_in_its_width_and_a_host_in_one_line(browser: Browser) -> None:
    letter = DeadLetter(1, f"http://a/{'a' * 200}", "a", 0, 1, "connection: ResponseNever", 0.0)
    hosts = (HostRendering("localhost", 1_100, 100, 100),)
    with browser.new_context(viewport={"width": 360, "height": 740}) as context:
        tab = context.new_page()
        tab.set_content(report_html(summary(hosts=hosts, dead=(letter,)), PageSample()))
        assert tab.evaluate("document.documentElement.scrollWidth") == 360
        host = tab.get_by_role("cell", name="localhost").bounding_box()
        assert host is not None
        assert host["height"] < 40
