"""The paper's eleven features, and the SVM on them."""

from __future__ import annotations

import numpy as np
import pytest

from corpus_commons.markup import parse
from genre_model.training.html.svm import FEATURES, fit_svm, goce_features


def seen(html: str) -> dict[str, float]:
    return dict(zip(FEATURES, goce_features(parse(html)).tolist(), strict=True))


def test_there_are_eleven():
    assert len(FEATURES) == len(goce_features(parse(""))) == 11


def test_text_length_collapses_white_space():
    assert seen("<p> One  \n two </p><p>three</p>")["text-length"] == len("One two three")


def test_signs_and_digits_of_the_visible_text():
    page = seen('<p title="...">1, 2; 3: 4? 5! 6.</p><script>7, 8</script>')
    signs = FEATURES[4:10]
    assert [page[sign] for sign in signs] == [1] * 6
    assert page["digits"] == 6


def test_a_cluster_has_equal_tags_classes_and_children():
    entry = "<div class=e><b class=x>1</b><i>2</i></div>"
    page = seen(entry * 3)
    # The three entries, their <b> and their <i>.
    assert page["clusters"] == 3
    assert page["occurrences"] == 9


@pytest.mark.parametrize(
    "other",
    [
        "<div class=f><b class=x>1</b></div>",
        "<section class=e><b class=x>1</b></section>",
        "<div class=e><b class=y>1</b></div>",
        "<div class=e><u class=x>1</u></div>",
        "<div class=e><b class=x>1</b><b class=x>1</b></div>",
        "<div class=e></div>",
    ],
)
def test_elements_that_differ_in_any_of_it_are_not_in_one_cluster(other):
    alone = seen("<div class=e><b class=x>1</b></div>" + other)
    pair = seen("<div class=e><b class=x>1</b></div>" * 2)
    assert pair["clusters"] == 2
    assert alone["occurrences"] < pair["occurrences"] + 1
    assert alone["clusters"] < 2


def test_image_urls():
    assert seen("<img src=a.png><img src=a.png><img data-src=b.png><img>")["image-urls"] == 3


def test_the_svm_learns_what_the_features_tell():
    random = np.random.default_rng(0)
    labels = np.repeat([0, 1], 60)
    rows = random.normal(size=(120, 11)) * 50
    rows[:, 0] += labels * 400
    svm = fit_svm(rows, labels, [f"site{i % 12}" for i in range(120)])
    assert (svm.predict(rows) == labels).mean() > 0.9


def test_fewer_sites_than_inner_folds_are_refused():
    with pytest.raises(ValueError, match="groups"):
        fit_svm(np.zeros((4, 11)), np.array([0, 1, 0, 1]), ["a", "a", "b", "b"])
