"""The word features, and the word model."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus_commons.markup import parse
from corpus_commons.markup.forest import Forest
from genre_model.html.batch import Batch
from genre_model.html.words import words_of
from genre_model.training.words import fit_share, fit_words
from genre_model.word_model import BITS, BUCKETS, FIELDS, WordModel, Words


def seen(html: str) -> Words:
    [words] = words_of(Batch(Forest([parse(html)])))
    return words


def buckets(html: str, field: str = "text") -> set[int]:
    return {b for b in seen(html).buckets.tolist() if b >> BITS == FIELDS.index(field)}


def test_words_are_the_same_in_either_case_and_between_any_signs():
    assert buckets("<p>Rain today") == buckets("<p>RAIN, today!") == buckets("<p>rain<p>today")


def test_pairs_of_neighbours_tell_of_order():
    one, other = buckets("<p>rain today"), buckets("<p>today rain")
    assert len(one) == len(other) == 3
    assert len(one & other) == 2


def test_scripts_without_spaces_are_read_by_characters_and_their_pairs():
    assert len(buckets("<p>下雨了")) == 5
    assert len(buckets("<p>下雨了") & buckets("<p>天下雨")) == 3


def test_single_letters_are_no_words():
    assert buckets("<p>a b c") == set()


def test_each_field_has_buckets_of_its_own():
    page = seen(
        "<title>Rain</title><meta name=Description content=Rain><h2>Rain</h2><a href=/>Rain</a>"
    )
    assert set((page.buckets >> BITS).tolist()) == set(range(len(FIELDS)))
    assert buckets("<h2>Rain</h2>", "links") == set()


def test_every_field_has_length_one():
    page = seen("<title>Rain</title><p>It rained and rained, and <a href=/>more rain</a> fell.")
    lengths = np.bincount(page.buckets >> BITS, page.values**2.0, len(FIELDS))
    assert lengths == pytest.approx([1, 0, 0, 1, 1])


def test_a_word_hashes_alike_wherever_it_stands():
    assert buckets("<p>rain") <= buckets(f"<p>{'some words before it ' * 200} rain")


def test_the_end_of_a_long_page_is_not_read():
    assert len(buckets("<p>" + " ".join(f"word{n}" for n in range(20_000)))) < 10_000


def test_a_word_that_is_cut_by_the_limit_does_not_run_on_into_the_next_page():
    long, short = "<p>" + "rain " * 4799 + "rainbow", "<p>bow"
    both = words_of(Batch(Forest([parse(long), parse(short)])))
    for words, page in zip(both, (long, short), strict=True):
        assert words.buckets.tolist() == seen(page).buckets.tolist()


def test_hidden_words_are_not_read():
    assert buckets("<p style='display:none'>rain</p><script>rain</script>") == set()


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60), st.text(max_size=60))
def test_every_text_has_words_and_they_stay_in_their_buckets(title, text):
    page = seen(f"<title>{title}</title><p>{text}")
    assert (np.diff(page.buckets) > 0).all()
    assert ((page.buckets >= 0) & (page.buckets < BUCKETS)).all()
    assert ((page.values > 0) & (page.values <= 1.0001)).all()


@pytest.fixture(scope="module")
def fitted() -> tuple[list[Words], np.ndarray, WordModel]:
    texts = ["buy it now in our shop", "it rained and people read"] * 6
    pages = [seen(f"<p>{text}") for text in texts]
    labels = np.array([2, 0] * 6)
    return pages, labels, fit_words(pages, labels, np.ones(12), 3)


def test_the_model_learns_which_words_go_with_which_label(fitted):
    pages, labels, model = fitted
    logged = model.log_probabilities(pages)
    assert (logged.argmax(axis=1) == labels).all()
    assert np.exp(logged).sum(axis=1) == pytest.approx(np.ones(12))


def test_a_label_that_no_page_has_is_never_the_answer(fitted):
    pages, _, model = fitted
    assert np.exp(model.log_probabilities([*pages, seen("")]))[:, 1].max() < 1e-9


def test_without_words_of_five_pages_or_of_one_label_there_are_shares_alone(fitted):
    pages, labels, _ = fitted
    few = fit_words(pages[:4], np.array([2, 0, 2, 2]), np.ones(4), 3)
    assert np.exp(few.log_probabilities(pages[:1])) == pytest.approx(np.array([[0.25, 0, 0.75]]))
    single = fit_words(pages, np.zeros_like(labels), np.ones(12), 3)
    assert np.exp(single.log_probabilities(pages[:1])) == pytest.approx(np.array([[1, 0, 0]]))


def test_a_stored_model_says_the_same(fitted):
    pages, _, model = fitted
    stored = WordModel.from_fields(model.to_fields())
    assert np.array_equal(stored.log_probabilities(pages), model.log_probabilities(pages))


def test_weights_of_other_buckets_are_refused(fitted):
    fields = fitted[2].to_fields() | {"weights": "AAAA"}
    with pytest.raises(ValueError, match="reshape"):
        WordModel.from_fields(fields)


def test_the_share_of_words_is_what_they_are_worth():
    random = np.random.default_rng(0)
    labels = random.integers(0, 3, 600)
    noise = np.log(random.dirichlet(np.ones(3), 600))
    knowing = np.log(np.eye(3)[labels] * 0.4 + 0.2)
    assert fit_share(knowing, noise, labels) == 0
    assert fit_share(noise * 0.1, knowing, labels) > 0.5
