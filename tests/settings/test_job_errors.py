"""Everything that is wrong with a job file is told at once: line, key, value, what is right."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import NoReturn

import pytest

from settings import JobError, load_job, parse_job

GOOD = """\
name = "x"
seeds.urls = ["https://example.com/"]
politeness.contact = "me@example.com"
"""
LAST = GOOD.count("\n") + 1


def told(text: str) -> list[str]:
    with pytest.raises(JobError) as caught:
        parse_job(text, source="job.toml")
    return str(caught.value).splitlines()


WRONG = [
    ("scope.depht = 3", "scope.depht is not a known key; did you mean depth?"),
    ("[Limits]", "Limits is not a known key; did you mean limits?"),
    ("[genres.extractors]\nlist_view = 'goce'", "did you mean list-view?"),
    ("limits.delay = 3", "limits.delay is not a known key here; it belongs in [politeness]"),
    ("quux = 3", "quux is not a known key; the keys here are name, seeds, scope, limits"),
    ("'a b'.c = 3", '"a b" is not a known key'),
    ("limits.pages = 0", 'limits.pages is 0; it must be at least 1, or "unlimited"'),
    ("limits.pages = true", 'is true; it must be a whole number such as 10000, or "unlimited"'),
    ("limits.pages = '9'", 'limits.pages is "9"; it must be a whole number'),
    ("limits.page_size = '2 GB'", 'limits.page_size is "2 GB"; it must be at most 1 GB'),
    ("limits.page_size = 1.5", "limits.page_size is 1.5; it must be a size such as"),
    ("limits.page_time = '2 weeks'", 'is "2 weeks"; it must be a duration such as "500ms"'),
    ("limits.page_time = 0", "limits.page_time is 0; it must be more than 0s"),
    ("limits.page_time = nan", "limits.page_time is NaN; it must be a duration"),
    ("limits = 3", "limits is 3; it must be a table with the keys pages, pages_per_host"),
    ("politeness.delay = -1", "politeness.delay is -1; it must be at least 0s"),
    ("politeness.concurrency = 1.5", "concurrency is 1.5; it must be a whole number"),
    ("politeness.robots = 'no'", 'politeness.robots is "no"; it must be true or false'),
    ("politeness.robots = 0", "politeness.robots is 0; it must be true or false"),
    ("politeness.user_agent = '1/x'", "it must be a product name of letters"),
    ("politeness.user_agent = 'é'", "it must be a product name of letters"),
    ("scope.stay_on = 'hosts'", '"host", "domain" or "any"; did you mean "host"?'),
    ("scope.domains = 'a.example'", 'it must be a list in brackets, such as ["a.example"]'),
    ("scope.content_types = []", "scope.content_types is []; it must be a non-empty list"),
    ("scope.exclude = ['a', '(']", 'scope.exclude[1] is "("; it must be a regular expression ('),
    ("scope.exclude = [3]", "scope.exclude[0] is 3; it must be a string in quotes"),
    ("scope.exclude_domains = ['*.a.example']", 'asterisk, subdomains are included; write "a'),
    ("scope.exclude_domains = ['http://a.example/b']", 'without scheme and path; write "a.ex'),
    ("scope.exclude_domains = ['a.example:8000']", 'without a port; write "a.example"'),
    ("scope.exclude_domains = ['[::1]:8000']", 'without a port; write "::1"'),
    ("scope.skip_extensions = ['.pdf']", 'it must be an extension without its dot, such as "pdf"'),
    ("seeds.sitemaps = ['example.com']", 'it must be an absolute URL; write "https://example.com"'),
    ("seeds.feeds = ['ftp://example.com/']", "it must begin with http:// or https://"),
    ("seeds.feeds = ['https://']", "it must be a host name such as"),
    ("seeds.feeds = ['https://a.example:99999/']", "it must be a URL (Port out of range"),
    ("seeds.feeds = ['https://a.example/ b']", "it must be a URL without spaces"),
    ("seeds.sitemaps = ['http://192.168.1.1/']", "public host; 192.168.1.1 is a private address"),
    ("seeds.feeds = ['http://[fe80::1]/']", "public host; fe80::1 is a private address"),
    ("seeds.feeds = ['http://-a.example/']", "it must be a host name such as"),
    ("seeds.files = ['tests']", "it must be a file, but tests is a folder"),
    ("seeds.files = ['~no-such-user/a']", "the home folder of an unknown user"),
    ("outputs.folder = '~no-such-user/a'", "the home folder of an unknown user"),
    ("seeds.files = ['none.txt']", "it must be an existing file, but none.txt does not exist"),
    ("genres.extractors.forum = 'justex'", 'did you mean "justext"?'),
    ("genres.genre_threshold = 1.5", "genres.genre_threshold is 1.5; it must be at most 1"),
    ("extraction.format = 'md'", '"text", "markdown" or "html"'),
    ("extraction.comments = 'apart'", '"drop", "keep" or "separate"; did you mean "separate"?'),
    ("extraction.links = 'yes'", 'extraction.links is "yes"; it must be true or false'),
    ("extraction.links = true", 'extraction.links is true, but plain text cannot show links'),
    ("extraction.images = true", 'cannot show images; choose the format "markdown" or "html"'),
    ("filters.genres = ['articles']", 'filters.genres[0] is "articles"; it must be "article" or'),
    ("filters.languages = ['english']", 'two letters of ISO 639-1, such as "en" or "vi"'),
    ("filters.languages = ['eng']", 'is "eng"; it must be a supported language code'),
    ("filters.languages = ['jp']", 'is "jp"; it must be a supported language code'),
    ("outputs.compression_level = 20", "outputs.compression_level is 20; it must be at most 19"),
    ("outputs.warc = {on = true}", 'outputs.warc is {"on": true}; it must be true or false'),
    ("outputs.folder = ''", 'outputs.folder is ""; it must be a path such as "runs/my-corpus"'),
    ("rendering = {mode = 'auto', budget_pages = 9}", 'rendering.mode is "auto"; a budget needs'),
    ("rendering.budget_time = 'much'", 'rendering.budget_time is "much"; it must be a duration'),
    ("rendering.budget_pages = 0", "rendering.budget_pages is 0; it must be at least 1"),
    ("recrawl.policy = 'daily'", 'recrawl.policy is "daily"; it must be "never", "fixed" or "adap'),
    ("recrawl.budget = 0", "recrawl.budget is 0; it must be more than 0"),
    ("recrawl.interval = '2d'", 'recrawl has no policy, so no page is visited again; add policy '),
    ("recrawl = {policy = 'fixed', least.forum = '60d'}", "is 60d, which is longer than the 30d "),
    ("recrawl = {policy = 'fixed', greatest.feed = 60}", "least.feed is 10min, which is longer"),
    ("recrawl = {policy = 'fixed', interval = 2}", "is 2s, which is shorter than the 1h of recraw"),
    ("recrawl = {policy = 'fixed', interval = '60d'}", "longer than the 30d of recrawl.greatest."),
    ("frontier.url = 'mysql://x'", 'frontier.url is "mysql://x"; it must be "embedded", or'),
    ("frontier.lease = 1979-05-27", 'frontier.lease is "1979-05-27"; it must be a duration'),
]  # fmt: skip


@pytest.mark.parametrize(("wrong", "message"), WRONG)
def test_a_wrong_line_is_named_with_what_would_be_right(wrong: str, message: str) -> None:
    (line,) = told(GOOD + wrong)
    assert line.startswith(f"job.toml:{LAST + wrong.count(chr(10))}: ")
    assert message in line


def test_all_problems_are_told_at_once_by_line() -> None:
    text = """\
nmae = "x"
name = "Bad Name"

[seeds]
urls = [
    "https://example.com/",
    "example.com",
]
[rendering]
settle = "1min"
[limits]
pages = -1
"""
    assert [line.split(" is ")[0] for line in told(text)] == [
        "job.toml:1: nmae",
        "job.toml:2: name",
        "job.toml:7: seeds.urls[1]",
        "job.toml:10: rendering.settle",
        "job.toml:12: limits.pages",
    ]


def test_what_is_missing_is_named() -> None:
    assert told("") == [
        'job.toml: name is missing; add it, such as name = "my-corpus"',
        'job.toml: seeds is missing; add it, such as [seeds] with urls = ["https://example.com/"]',
    ]
    assert told('name = "x"\n[seeds]') == [
        'job.toml:2: seeds has no seeds; add one, such as urls = ["https://example.com/"]'
    ]


def test_contradictions_are_told_beside_other_problems() -> None:
    lines = told('nam = 1\nname = "x"\nseeds.urls = ["https://a.example/"]')
    assert [line.split(" is ")[0] for line in lines] == [
        "job.toml: politeness.contact",
        "job.toml:1: nam",
    ]


def test_settling_must_end_before_the_budget() -> None:
    (line,) = told(GOOD + "[rendering]\ntimeout = '5s'\nsettle = '6s'")
    assert line == (
        f"job.toml:{LAST + 2}: rendering.settle is 6 s; it must be shorter than "
        "rendering.timeout, which is 5 s"
    )


def test_a_seed_outside_the_scope_is_told_of() -> None:
    assert told(GOOD + "scope.domains = ['example.org']") == [
        'job.toml:2: seeds.urls[0] is "https://example.com/", outside scope.domains; '
        'add "example.com" there'
    ]
    (line,) = told(GOOD + "scope.exclude_domains = ['com']")
    assert 'which "com" in scope.exclude_domains excludes' in line


SEEDS = 'name = "x"\nseeds.urls = ["{}"]\n'


@pytest.mark.parametrize(
    "rest",
    ["", "politeness.contact = ''", "politeness.contact = 'me'", "politeness.contact = 'http:/x'"],
)
def test_nothing_but_loopback_is_crawled_without_a_contact(rest: str) -> None:
    (line,) = told(SEEDS.format("https://a.example/") + rest)
    assert "politeness.contact is" in line
    assert "e-mail address or URL" in line


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1", "127.3.2.1:80", "[::1]:8000"])
def test_loopback_needs_no_contact(host: str) -> None:
    assert parse_job(SEEDS.format(f"http://{host}/")).is_loopback()


@pytest.mark.parametrize(
    "rest",
    ["scope.stay_on = 'any'", "scope.domains = ['127.0.0.1', 'a.example']",
     "seeds.feeds = ['https://a.example/']"],
)  # fmt: skip
def test_loopback_seeds_from_where_links_lead_out_need_one(rest: str) -> None:
    (line,) = told(SEEDS.format("http://127.0.0.1/") + rest)
    assert "politeness.contact is missing" in line


@pytest.mark.parametrize(
    ("rest", "named"),
    [
        ("seeds.feeds = ['http://127.0.0.2/', 'https://a.example/']", 'seeds.feeds[1] names "a.ex'),
        ("scope.domains = ['127.0.0.1', 'b.example']", 'scope.domains[1] names "b.example"; add'),
        ("scope.stay_on = 'any'", 'scope.stay_on is "any"; add'),
    ],
)
def test_what_needs_the_contact_is_named(rest: str, named: str) -> None:
    (line,) = told(SEEDS.format("http://127.0.0.1/") + rest)
    assert named in line


def test_the_contact_of_an_example_does_not_do_for_real_sites() -> None:
    rest = 'politeness.contact = "you@example.com"'
    (line,) = told(SEEDS.format("https://www.python.org/") + rest)
    assert line.startswith('job.toml:3: politeness.contact is "you@example.com", a reserved')


def test_nor_for_those_that_a_file_of_urls_holds(tmp_path: Path) -> None:
    (tmp_path / "urls.txt").write_text("https://www.python.org/\n")
    text = 'name = "x"\nseeds.files = ["urls.txt"]\npoliteness.contact = "you@example.com"'
    with pytest.raises(JobError, match="where nobody can be reached"):
        parse_job(text, folder=tmp_path)


def test_a_file_that_may_not_be_read_is_named_with_its_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "urls.txt").write_text("http://localhost/\n")

    def refuse(*_: object) -> NoReturn:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(JobError) as caught:
        parse_job('name = "x"\nseeds.files = ["urls.txt"]', folder=tmp_path)
    said = str(caught.value)
    assert said.startswith('job:2: seeds.files[0] is "urls.txt"; it must be a readable file, ')
    assert said.endswith(f"{tmp_path}/urls.txt is not: Permission denied")


def test_passwords_are_not_shown() -> None:
    for wrong in (
        "frontier.url = 'redis:/worker:secret@cache'",
        "frontier.url = ['redis://worker:secret@cache']",
        "seeds.feeds = ['https://me:secret@a.example/']",
    ):
        (line,) = told(GOOD + wrong)
        assert "secret" not in line
        assert "***@" in line


def test_long_values_are_cut() -> None:
    (line,) = told(GOOD + f"filters.languages = ['{'x' * 5000}']")
    assert len(line) < 300


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name = 'x'\nname = 'y'", "job.toml:2: is not valid TOML: Cannot overwrite a value"),
        ("\n\na = ", "job.toml:3: is not valid TOML"),
        ("a = 1\n b = 2 c", "job.toml:2: is not valid TOML, column 8: Expected newline"),
        ("a = [", "job.toml:1: is not valid TOML"),
        ("a = " + "[" * 5000, "job.toml: has too deeply nested lists or tables"),
        ("a = " + "1" * 5000, "job.toml: cannot be read: "),
    ],
)
def test_what_is_no_toml_is_told_with_its_line(text: str, message: str) -> None:
    (line,) = told(text)
    assert line.startswith(message)


def test_unreadable_files_are_told_of_in_the_same_way(tmp_path: Path) -> None:
    def told_of(name: str) -> str:
        with pytest.raises(JobError) as caught:
            load_job(tmp_path / name)
        return str(caught.value)

    assert (
        told_of("none.toml") == f"{tmp_path}/none.toml: cannot be read: No such file or directory"
    )
    assert told_of("") == f"{tmp_path}: is a folder; give the job file itself, in TOML"
    (tmp_path / "latin.toml").write_bytes(b"# a\n# \xe9\n")
    assert told_of("").endswith(f"give the job file itself, such as {tmp_path}/latin.toml")
    assert told_of("latin.toml") == f"{tmp_path}/latin.toml:2: must be UTF-8, as required by TOML"
    (tmp_path / "large.toml").write_bytes(b"#" * 1_000_001)
    assert "is larger than 1,000,000 bytes; move lists into files" in told_of("large.toml")
    for beginning in (b"WARC/1.1\r\n", gzip.compress(b"WARC/1.1\r\n")):
        (tmp_path / "pages.warc").write_bytes(beginning + b"#" * 1_000_001)
        assert "an archive of pages, which `genre-crawler corpus extract-warc` reads" in told_of(
            "pages.warc"
        )
