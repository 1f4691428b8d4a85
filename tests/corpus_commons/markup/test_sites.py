"""The sites of URLs, which must not change because folds depend on them."""

from __future__ import annotations

import pytest

from corpus_commons.markup.sites import registered_domain, site_of


@pytest.mark.parametrize(
    ("url", "registered", "site"),
    [
        ("https://news.example.co.uk/1?q", "example.co.uk", "example.co.uk"),
        ("http://EXAMPLE.com:8080/", "EXAMPLE.com", "EXAMPLE.com"),
        ("www.example.com", "example.com", "example.com"),
        ("https://someone.github.io/", "github.io", "github.io"),
        ("http://co.uk/", "", ""),
        ("http://127.0.0.1:80/", "", "127.0.0.1"),
        ("http://localhost/", "", "localhost"),
        ("http://host.no-such-suffix/", "", "host.no-such-suffix"),
        ("http://news.wiki.corp/1", "", "wiki.corp"),
        ("http://site0.example/", "", "site0.example"),
        ("http://[::1]:80/", "", "[::1]"),
        ("http://any.ck/", "", ""),
        ("", "", ""),
    ],
)
def test_a_site_is_told_by_the_host(url: str, registered: str, site: str) -> None:
    assert (registered_domain(url), site_of(url)) == (registered, site)
