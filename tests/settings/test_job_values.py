"""What a job says: defaults, values as people write them, the same job again from its own text."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import settings as effort
from hypothesis import strategies as st
from pydantic import ValidationError

from corpus_commons.kinds import GENRES, PAGE_TYPES
from extraction.output import Comments, Format
from extraction.registry import names
from pipelines.metadata.language import READ_AS, _identifier
from settings import Job, load_job, parse_job, vocabulary
from settings.addresses import own_domain
from settings.quantities import duration_text, seconds, size, size_text
from settings.tables.genres import Extractors
from settings.tables.recrawl import Least
from settings.toml_text import to_toml

LEAST = 'name = "x"\nseeds.urls = ["http://localhost/"]\n'


def test_a_name_and_one_seed_make_a_job() -> None:
    job = parse_job(LEAST)
    assert job.folder == Path("runs/x")
    assert job.scope.stay_on == "domain"
    assert job.limits.pages == 10_000
    assert job.limits.total_time is None
    assert job.politeness.robots
    assert job.politeness.delay == 1.0
    assert job.rendering.mode == "never"
    assert job.frontier.url == "embedded"


def test_a_job_with_a_table_for_rendering_decides_about_each_page() -> None:
    assert parse_job(f"{LEAST}[rendering]").rendering.mode == "adaptive"
    for mode in ("always", "auto", "never"):
        assert parse_job(f"{LEAST}[rendering]\nmode = '{mode}'").rendering.mode == mode


def test_durations_and_sizes_are_written_as_people_do() -> None:
    job = parse_job(
        LEAST
        + """
        [limits]
        pages = "unlimited"
        page_size = "30 MB"
        total_size = "1.5 GiB"
        total_time = "1h30min"
        page_time = 2.5
        """
    )
    assert job.limits.pages is None
    assert job.limits.page_size == 30_000_000
    assert job.limits.total_size == 1_610_612_736
    assert job.limits.total_time == 5400.0
    assert job.limits.page_time == 2.5


def test_seed_files_start_at_the_folder_of_the_job_file(tmp_path: Path) -> None:
    (tmp_path / "urls.txt").write_text("https://example.com/\n")
    text = 'name = "x"\nseeds.files = ["urls.txt"]\npoliteness.contact = "a@example.com"'
    assert parse_job(text, folder=tmp_path).seeds.files == (tmp_path / "urls.txt",)


def test_a_home_folder_may_be_written_as_in_a_shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "urls.txt").write_text("http://localhost/\n")
    job = parse_job('name = "x"\nseeds.files = ["~/urls.txt"]\noutputs.folder = "~/out"')
    assert job.seeds.files == (tmp_path / "urls.txt",)
    assert job.folder == tmp_path / "out"


def test_a_job_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    file = tmp_path / "job.toml"
    file.write_text(LEAST, encoding="utf-8-sig")
    assert load_job(file) == parse_job(LEAST)


def test_a_job_cannot_be_changed_and_can_be_sent_to_other_processes() -> None:
    job = parse_job(LEAST)
    with pytest.raises(ValidationError):
        job.limits.pages = 3  # type: ignore[misc]
    assert pickle.loads(pickle.dumps(job)) == job  # noqa: S301


def test_code_that_makes_a_job_is_held_to_the_same_rules() -> None:
    with pytest.raises(ValidationError, match=r"politeness\.contact is missing"):
        Job.model_validate({"name": "x", "seeds": {"urls": ["https://a.example/"]}})


def test_the_text_of_a_job_has_no_password() -> None:
    job = parse_job(LEAST + 'frontier.url = "redis://me:secret@cache"')
    assert "secret" not in to_toml(job)


def test_a_job_is_the_same_again_from_its_own_text() -> None:
    job = parse_job(
        LEAST
        + """
        scope.include = ['\\d"+', "ü\\u007f\\n"]
        genres.extractors.list-view = "goce-list-view"
        outputs.folder = "a b"
        limits.page_time = 0.1
        frontier.url = "redis://cache"
        """
    )
    assert parse_job(to_toml(job)) == job
    assert Job.model_validate(job.model_dump(by_alias=True)) == job
    assert Job.model_validate(job.model_dump(mode="json", by_alias=True)) == job


@given(st.integers(0, 10**9))
@effort(deadline=None)
def test_amounts_are_read_as_they_are_written(amount: int) -> None:
    assert size(size_text(amount)) == amount
    assert seconds(duration_text(amount)) == amount
    assert seconds(duration_text(amount / 1000)) == amount / 1000


@pytest.mark.parametrize(
    "text", ["", "5", "s", "5 s min", "-5s", "5e3s", "1h,2min", "٣s", "9" * 99]
)
def test_other_texts_are_no_duration(text: str) -> None:
    with pytest.raises(ValueError, match="is not a duration"):
        seconds(text)


def test_the_vocabulary_is_that_of_the_models_and_methods() -> None:
    labels = {READ_AS.get(str(label), str(label)) for label in _identifier().nb_classes}
    assert labels == vocabulary.LANGUAGES
    assert get_args(vocabulary.Method) == ("default", *names())
    assert get_args(vocabulary.Format) == get_args(Format)
    assert get_args(vocabulary.Comments) == get_args(Comments)
    fields = {field.alias or name for name, field in Extractors.model_fields.items()}
    assert fields == {"default", *GENRES, *PAGE_TYPES}
    assert Least.model_fields.keys() == {"default", "feed", "sitemap", *PAGE_TYPES}


def test_the_finer_answer_chooses_the_extractor() -> None:
    job = parse_job(
        LEAST
        + """
        [genres.extractors]
        default = "trafilatura"
        list-view = "goce-list-view"
        forum = "justext"
        """
    )
    method_for = job.genres.extractors.method_for
    assert method_for(genre="list-view", page_type="forum") == "justext"
    assert method_for(genre="list-view", page_type="listing") == "goce-list-view"
    assert method_for(genre="article", page_type=None) == "trafilatura"
    assert method_for(genre=None, page_type=None) == "trafilatura"


def test_own_domains_need_no_network() -> None:
    assert own_domain("a.b.example.co.uk") == "example.co.uk"
    assert own_domain("someone.github.io") == "someone.github.io"
    assert own_domain("127.0.0.1") == "127.0.0.1"
