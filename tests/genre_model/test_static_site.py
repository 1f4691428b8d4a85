"""Static sites in folders: their pages, what answers a request, how a page is labelled."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from genre_model.training.sites.static_site import StaticSite
from genre_model.training.sites.structure import Label, label_of

WORDS = "<p>" + "Words that can be read. " * 40 + "</p>"


def write(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(path)


class TestPages:
    def test_all_of_a_site_but_not_what_it_is_built_with(self, tmp_path: Path) -> None:
        write(tmp_path, "index.html", "blog/a.html", "style.css")
        write(tmp_path, "node_modules/a/index.html", ".cache/b.html", "_layouts/post.html")
        assert list(StaticSite.in_folder(tmp_path).pages()) == ["blog/a.html", "index.html"]

    def test_the_folder_in_which_a_generator_left_the_site(self, tmp_path: Path) -> None:
        write(tmp_path / "public", "index.html", "about.html")
        write(tmp_path, "themes/layout.html")
        assert list(StaticSite.in_folder(tmp_path).pages()) == ["about.html", "index.html"]

    def test_no_page_that_is_a_link_to_elsewhere(self, tmp_path: Path) -> None:
        write(tmp_path, "secret.html", "site/index.html")
        (tmp_path / "site" / "a.html").symlink_to(tmp_path / "secret.html")
        assert list(StaticSite.in_folder(tmp_path / "site").pages()) == ["index.html"]

    def test_no_page_whose_name_is_not_unicode(self, tmp_path: Path) -> None:
        write(tmp_path, "index.html")
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.html")).touch()
        assert list(StaticSite.in_folder(tmp_path).pages()) == ["index.html"]

    def test_no_page_that_is_a_folder_or_a_link_to_nothing(self, tmp_path: Path) -> None:
        write(tmp_path, "index.html", "mirrored.html/style.css")
        (tmp_path / "gone.html").symlink_to(tmp_path / "nowhere")
        (tmp_path / "round.html").symlink_to("round.html")
        assert list(StaticSite.in_folder(tmp_path).pages()) == ["index.html"]


class TestAnswer:
    @pytest.mark.parametrize(
        ("path", "file"),
        [
            ("/", "index.html"),
            ("/blog/", "blog/index.html"),
            ("/blog", "blog/index.html"),
            ("/my%20style.css?v=3", "my style.css"),
            ("/project/blog/", "blog/index.html"),
            ("/missing.css", None),
            ("/../secret.html", None),
            ("/%2e%2e/secret.html", None),
            ("/link.html", None),
            ("/a%00b", None),
            ("/" + 300 * "a", None),
        ],
    )
    def test_the_file_below_the_root(self, tmp_path: Path, path: str, file: str | None) -> None:
        root = tmp_path / "site"
        write(tmp_path, "secret.html")
        write(root, "index.html", "blog/index.html", "my style.css")
        (root / "link.html").symlink_to(tmp_path / "secret.html")
        answer = StaticSite.in_folder(root).answer("https://any.host" + path)
        assert answer == (None if file is None else root / file)


@pytest.mark.parametrize(
    ("path", "html", "label"),
    [
        ("a/index.html", '<body class="single single-post">', ("article", "article", "wordpress")),
        ("a/index.html", '<body class="archive tag">', ("listing", "list-view", "wordpress")),
        ("a.html", '<body class="archive tax-product_cat">', ("collection", "list-view", None)),
        ("a.html", '<body class="single single-product">', ("product", None, "wordpress")),
        ("index.html", '<body class="home blog hfeed">', ("service", None, "front page")),
        (
            "a.html",
            "<script id=documentation_options></script>",
            ("documentation", "article", None),
        ),
        ("index.html", "<meta name=generator content=mkdocs>", ("documentation", None, "mkdocs")),
        ("2024/05/01/a/index.html", "", ("article", "article", "dated path")),
        ("page/2/index.html", "", ("listing", "list-view", "path of a list")),
        ("tags/python/index.html", "", ("listing", "list-view", "path of a list")),
        ("forum/viewtopic-3.html", "", ("forum", "list-view", "path of a forum")),
        ("posts/a.html", "<article><time>1 May</time></article>", ("article", "article", None)),
        ("shop-details-2.html", "", ("product", None, "file shop-details")),
        ("contact/index.html", "", ("other", None, "file contact")),
        ("index.html", 4 * "<article><h2><a>A</a></h2></article>", ("listing", "list-view", None)),
        ("posts/a.html", "", None),
        ("whatever.html", "", None),
    ],
)
def test_labels_are_those_of_the_sites_structure(
    path: str, html: str, label: tuple[str, str | None, str | None] | None
) -> None:
    found = label_of(path, f"<!DOCTYPE html>{html}{WORDS}")
    if label is None:
        assert found is None
    else:
        page_type, genre, rule = label
        assert found == Label(page_type, genre, rule or found.rule)


def test_a_page_without_text_has_no_label() -> None:
    assert label_of("contact.html", "<p>Loading</p>") is None
