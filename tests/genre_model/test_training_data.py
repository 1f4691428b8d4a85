"""Training data: samples, folds, windows, targets and augmentation."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from corpus_commons.kinds import GENRES, PAGE_TYPES
from genre_model.folds import check_folds, grouped_folds
from genre_model.labels import genre_of, page_type_of, unknown_names
from genre_model.samples import Sample, read_samples, shot_path, sites_of
from genre_model.scoring.judgement import column
from genre_model.screenshot import PADDING, Pixels
from genre_model.training.augmentation import UNCHANGED, Augmentation, Augmented
from genre_model.training.targets import Targets, label_targets
from genre_model.training.windows import chained, read_windows


def sample(genre: str | None, page_type: str | None) -> Sample:
    return Sample("x", genre, page_type, {})


def folder_of(folder: Path, records: list[dict[str, object]], height: int = 64) -> Path:
    (folder / "shots").mkdir()
    lines = "".join(json.dumps(record) + "\n" for record in records)
    (folder / "labels.jsonl").write_text(lines)
    for number, record in enumerate(records):
        data = io.BytesIO()
        Image.new("RGB", (64, height), (number, 0, 0)).save(data, "PNG")
        (folder / "shots" / f"{record['id']}.png").write_bytes(data.getvalue())
    return folder


class TestLabels:
    def test_names_of_the_data_become_ours(self) -> None:
        assert page_type_of({"genre": "list-view", "subtype": "wp-archive"}) == "listing"
        assert page_type_of({"genre": "list-view", "subtype": "wp-shop"}) == "collection"
        assert page_type_of({"genre": "article"}) == "article"
        assert page_type_of({"genre": "unheard-of"}) is None

    def test_unknown_labels_are_reported(self) -> None:
        known = {"genre": "home", "page_type": "listing", "goce": None, "subtype": "any"}
        assert unknown_names(known) == []
        assert unknown_names({"goce": "home", "genre": "Foo"}) == ["genre 'Foo'", "goce 'home'"]

    def test_the_two_genres_come_from_goce_where_there_is_such_a_column(self) -> None:
        assert genre_of({"genre": "forum", "goce": "list-view"}) == "list-view"
        assert genre_of({"genre": "article", "goce": None}) is None
        assert genre_of({"genre": "article"}) == "article"


class TestSamples:
    def test_a_folder_is_read_in_order(self, tmp_path: Path) -> None:
        folder = folder_of(tmp_path, [{"id": "b", "genre": "article"}, {"id": "a", "genre": "x"}])
        samples = read_samples(folder)
        assert [(s.id, s.genre, s.page_type) for s in samples] == [
            ("b", "article", "article"),
            ("a", None, None),
        ]

    def test_the_warning_about_unknown_labels_counts_their_pages(
        self, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        names = ["Article", "article", "Foo", "Article"]
        folder_of(tmp_path, [{"id": str(i), "genre": name} for i, name in enumerate(names)])
        assert [sample.genre for sample in read_samples(tmp_path)] == [None, "article", None, None]
        assert "genre 'Article' (2), genre 'Foo' (1)" in caplog.text

    @pytest.mark.parametrize("record", [{}, {"repo": None}, {"repo": ""}])
    def test_a_page_without_a_site_is_one_of_its_own(self, record: dict[str, object]) -> None:
        assert Sample("x", None, None, record).site("repo") == "x"

    @pytest.mark.parametrize(("value", "site"), [("a", "a"), (0, "0"), (False, "False")])
    def test_0_is_a_site_like_others(self, value: object, site: str) -> None:
        page = Sample("x", None, None, {"repo": value})
        assert page.site("repo") == column("repo")(page) == site

    def test_a_column_that_no_page_has_gives_a_warning(
        self, caplog: pytest.LogCaptureFixture
    ) -> None:
        samples = [Sample(name, None, None, {"domain": 0}) for name in "ab"]
        assert sites_of(samples, "domain") == ["0", "0"]
        assert not caplog.text
        assert sites_of(samples, "domian") == ["a", "b"]
        assert "no page has a column domian" in caplog.text

    def test_labels_are_needed_in_two_folds(self) -> None:
        folds = np.array([0, 0, 1])
        check_folds("genre", np.array([True, False, True]), folds)
        with pytest.raises(ValueError, match=r"known page type .* 2 of 3 pages"):
            check_folds("page_type", np.array([True, True, False]), folds)

    @pytest.mark.parametrize("line", ["{", "[]", '{"id": 3}', '"id"'])
    def test_a_broken_line_is_named(self, tmp_path: Path, line: str) -> None:
        (tmp_path / "labels.jsonl").write_text(f'{{"id": "a"}}\n{line}\n')
        with pytest.raises(ValueError, match=r"labels\.jsonl:2: "):
            read_samples(tmp_path)

    def test_a_page_on_two_lines_is_named_with_both(self, tmp_path: Path) -> None:
        lines = '{"id": "a", "repo": "s"}\n{"id": "b"}\n{"id": "a", "repo": "copy"}\n'
        (tmp_path / "labels.jsonl").write_text(lines)
        with pytest.raises(ValueError, match=r"labels\.jsonl:3: page a is already on line 1"):
            read_samples(tmp_path)

    def test_a_missing_file_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(ValueError, match=r"labels\.jsonl: no such file"):
            read_samples(tmp_path)
        with pytest.raises(ValueError, match=r"no a\.jpg"):
            shot_path(tmp_path, "a")

    @given(st.lists(st.sampled_from("abcdefgh"), min_size=1), st.integers(1, 5), st.integers(0, 9))
    def test_a_group_is_never_split(self, groups: list[str], count: int, seed: int) -> None:
        folds = grouped_folds(groups, count, seed)
        assert len({*zip(groups, folds, strict=True)}) == len(set(groups))
        assert set(folds) <= set(range(count))
        assert folds == grouped_folds(groups, count, seed)


class TestWindows:
    def test_pages_keep_their_own_height(self, tmp_path: Path) -> None:
        folder = folder_of(tmp_path, [{"id": "a"}, {"id": "b"}], height=40)
        windows = read_windows(folder, ["a", "b"], (64, 32), finer=1.0)
        assert [windows[page].shape for page in range(len(windows))] == [(20, 32, 3)] * 2
        assert windows[1][0, 0].tolist() == [1, 0, 0]
        assert windows.of(np.array([1]))[0][0, 0].tolist() == [1, 0, 0]

    def test_a_broken_picture_is_named(self, tmp_path: Path) -> None:
        folder = folder_of(tmp_path, [{"id": "a"}])
        (folder / "shots" / "a.png").write_bytes(b"no picture")
        with pytest.raises(ValueError, match=r"a\.png: not a readable"):
            read_windows(folder, ["a"], (64, 32))

    def test_two_sets_are_chained(self, tmp_path: Path) -> None:
        folder = folder_of(tmp_path, [{"id": "a"}, {"id": "b"}])
        first, second = (read_windows(folder, [name], (64, 32), finer=1.0) for name in "ab")
        both = chained(first, second)
        assert len(both) == 2
        assert (both[0] == first[0]).all()
        assert (both[1] == second[0]).all()


class TestTargets:
    def test_a_page_without_a_label_does_not_count(self) -> None:
        targets = label_targets([sample("article", "article"), sample(None, "media")])
        assert targets.answers["genre"].tolist() == [[1, 0], [0, 0]]
        assert targets.weights["genre"].tolist() == [1, 0]
        assert targets.answers["page_type"][1, PAGE_TYPES.index("media")] == 1

    def test_rare_labels_count_more_and_the_mean_is_one(self) -> None:
        pages = [sample("article", "article")] * 16 + [sample("list-view", "listing")]
        weights = label_targets(pages).weights["genre"]
        assert weights[16] == pytest.approx(4 * weights[0])
        assert weights.mean() == pytest.approx(1)

    def test_other_pages_follow_with_their_weight(self) -> None:
        ours = label_targets([sample("article", "article")])
        both = ours.followed_by(label_targets([sample("list-view", None)]), 0.5)
        assert both.answers["genre"].tolist() == [[1, 0], [0, 1]]
        assert both.weights["genre"].tolist() == [1, 0.5]
        assert both.weights["page_type"].tolist() == [1, 0]

    def test_a_mirrored_page_has_a_mirrored_map(self) -> None:
        maps = np.arange(8, dtype=np.uint8).reshape(2, 1, 4, 1)
        answers, weights = Targets({}, {"layout": np.array([1, 3])}, {"layout": maps}).of(
            np.array([0, 1]), np.array([False, True])
        )
        assert (answers["layout"] * 255).round().reshape(2, 4).tolist() == [
            [0, 1, 2, 3],
            [7, 6, 5, 4],
        ]
        assert weights["layout"].tolist() == [1, 3]


class TestAugmentation:
    page = np.random.default_rng(0).integers(0, 255, (96, 48, 3), dtype=np.uint8)

    def changed(
        self, augmentation: Augmentation, page: Pixels, size: tuple[int, int], seed: int = 0
    ) -> tuple[np.ndarray, bool]:
        rows, rng = np.array([len(page)]), np.random.default_rng(seed)
        changes, mirrored = augmentation.draw(rows, page.shape[1], size, rng)
        (pixels,) = np.asarray(Augmented(size)({"pixels": page[None], **changes}))
        return pixels, bool(mirrored[0])

    def test_without_chances_the_page_is_what_it_was(self) -> None:
        changed, mirrored = self.changed(UNCHANGED, self.page, (96, 48))
        assert np.allclose(changed, self.page, atol=1e-3)
        assert not mirrored

    def test_mirroring_is_reported(self) -> None:
        always = replace(UNCHANGED, mirror=1)
        changed, mirrored = self.changed(always, self.page, (96, 48))
        assert mirrored
        assert np.allclose(changed, self.page[:, ::-1], atol=1e-3)

    def test_a_page_is_scaled_to_the_size(self) -> None:
        """Every pixel is between its neighbours, which a gradient shows."""
        page = np.repeat(np.arange(0, 240, 2, dtype=np.uint8)[:, None, None], 3, axis=2)
        page = np.tile(page, (1, 60, 1))
        changed, _ = self.changed(UNCHANGED, page, (96, 48))
        assert np.allclose(changed[1:-1, 5, 0], 2.5 * np.arange(1, 95) + 0.25, atol=1e-3)

    def test_colours_are_changed_alike_everywhere(self) -> None:
        """A negative is exact; a grey picture has one channel."""
        negative, _ = self.changed(replace(UNCHANGED, negative=1), self.page, (96, 48))
        assert np.allclose(negative, 255.0 - self.page, atol=1e-2)
        grey, _ = self.changed(replace(UNCHANGED, grey=1), self.page, (96, 48))
        assert np.allclose(grey, self.page.mean(axis=2, keepdims=True), atol=1e-2)

    def test_rectangles_are_painted_over(self) -> None:
        changed, _ = self.changed(replace(UNCHANGED, erase=1), self.page, (96, 48))
        painted = (np.abs(changed - self.page) > 1e-2).any(axis=2)
        assert 0 < painted.mean() < 0.3

    def test_a_short_page_is_padded_whatever_its_colours(self) -> None:
        negative = Augmentation(0, 0, 0, 0, shorten=0, recolour=1, negative=1, grey=1, erase=1)
        changed, _ = self.changed(negative, self.page, (128, 48))
        assert (changed[96:] == PADDING).all()

    @given(st.integers(0, 2**32), st.integers(1, 130), st.integers(8, 80))
    def test_every_page_fits_and_the_seed_decides(self, seed: int, rows: int, width: int) -> None:
        page = np.full((rows, width, 3), 200, np.uint8)
        first, second = (self.changed(Augmentation(), page, (64, 32), seed)[0] for _ in range(2))
        assert first.shape == (64, 32, 3)
        assert (first == second).all()
        assert first.min() >= 0
        assert first.max() <= 255


def test_the_labels_of_the_paper_are_two() -> None:
    assert GENRES == ("article", "list-view")
