"""Each step of a recipe keeps, changes and drops what its reference says."""

from __future__ import annotations

import random
from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest
from dataset_samples import BEGIN, document, dropped, edited, made, numbers, prose, rows
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from refinery.recipe import parse_recipe
from refinery.steps import STEPS
from settings.problems import JobError


def steps(*tables: str) -> str:
    return "\n".join(f"[[steps]]\n{table}" for table in tables)


def test_select_keeps_by_all_that_is_given(tmp_path: Path) -> None:
    wanted = {"page_type": "forum", "language_probability": 0.9, "extractor_confidence": 0.8}
    good = {"published": "2024-05-03", "licence": "https://creativecommons.org/licenses/by/4.0/"}
    documents = [
        document(0, **wanted, **good),
        document(1, **wanted, **good, genre="list-view"),
        document(2, **wanted | {"page_type": "media"}, **good),
        document(3, **wanted, **good, language="de"),
        document(4, **wanted | {"language_probability": 0.2}, **good),
        document(5, **wanted | {"extractor_confidence": None}, **good),
        document(6, **wanted, **good | {"published": "2025-01-01"}),
        document(7, **wanted, **good | {"published": None}),
        document(8, **wanted, **good | {"licence": None}),
        document(9, "Too short.", **wanted, **good),
        document(10, host="www.unwanted.example", **wanted, **good),
    ]
    (tmp_path / "hosts.txt").write_text("other.example\nunwanted.example\n")
    table = (
        'use = "select"\ngenres = ["article"]\npage_types = ["forum"]\nlanguages = ["en"]\n'
        "min_language_probability = 0.5\nmin_confidence = 0.5\nmin_words = 20\n"
        'published_from = "2024"\npublished_until = "2024-05"\n'
        'licences = ["https://creativecommons.org/licenses/by/"]\n'
        'without_hosts_file = "hosts.txt"'
    )
    made(tmp_path, documents, steps(table))
    assert numbers(tmp_path / "out") == [0]
    assert dropped(tmp_path / "out") == {
        1: "genre",
        2: "page-type",
        3: "language",
        4: "language-probability",
        5: "extractor-confidence",
        6: "date",
        7: "date",
        8: "licence",
        9: "length",
        10: "host",
    }


@pytest.mark.parametrize(
    ("limit", "kept"),
    [
        ('published_from = "2024-05-01"', [1, 2, 4]),
        ('published_from = "2024-01-01"', [0, 1, 2, 4]),
        ('published_until = "2024-05"', [1, 2, 3]),
        ('published_until = "2024"', [0, 1, 2, 3, 4]),
    ],
)
def test_a_date_without_a_day_is_in_a_time_that_it_is_in_as_a_whole(
    limit: str, kept: list[int], tmp_path: Path
) -> None:
    dates = ("2024", "2024-05", "2024-05-31T10:00:00+02:00", "2023-12", "2024-06-01", None)
    documents = [document(n, published=date) for n, date in enumerate(dates)]
    made(tmp_path, documents, steps(f'use = "select"\n{limit}'))
    assert numbers(tmp_path / "out") == kept


def test_a_page_of_several_crawls_is_kept_as_it_is_newest(tmp_path: Path) -> None:
    old, new = (
        document(1, prose(seed), fetched_at=BEGIN + timedelta(days=seed)) for seed in (1, 2)
    )
    made(tmp_path, [new, old, document(2)], steps('use = "repeated-pages"'))
    assert sorted(row["text"] for row in rows(tmp_path / "out")) == sorted([prose(2), prose(2)])


def test_of_equal_texts_the_newest_is_kept(tmp_path: Path) -> None:
    documents = [document(number, prose(number % 3).replace("\n\n", "\n")) for number in range(9)]
    documents[0] = document(0, prose(0))  # White space does not count.
    made(tmp_path, documents, steps('use = "exact-duplicates"'))
    assert numbers(tmp_path / "out") == [6, 7, 8]
    assert set(dropped(tmp_path / "out").values()) == {"exact-duplicate"}


def test_copies_and_evaluations_are_found_in_a_folder_of_any_name(tmp_path: Path) -> None:
    folder = tmp_path / "news [2026] *"
    folder.mkdir()
    (folder / "evaluation.txt").write_text(prose(5, 2))
    documents = [document(1, prose(1)), document(2, f"{prose(1)} More."), document(5, prose(5))]
    both = steps('use = "near-duplicates"', 'use = "decontaminate"\nfiles = ["evaluation.txt"]')
    made(folder, documents, both)
    assert dropped(folder / "out") == {1: "near-duplicate", 5: "contaminated"}


def test_of_near_copies_the_longest_is_kept_or_the_newest(tmp_path: Path) -> None:
    chance = random.Random(1)
    documents = [document(number, prose(number, 30)) for number in range(20)]
    documents += [
        document(20 + number, edited(prose(number, 30), 0.01, chance) + " More.")
        for number in range(10)
    ]
    longest = tmp_path / "longest"
    made(longest, documents, steps('use = "near-duplicates"'))
    assert numbers(longest / "out") == list(range(10, 30))
    assert set(dropped(longest / "out").values()) == {"near-duplicate"}
    shorter = [
        document(one.depth + n, one.text, fetched_at=BEGIN - timedelta(minutes=n))
        for n, one in enumerate(documents)
    ]
    newest = tmp_path / "newest"
    made(newest, shorter, steps('use = "near-duplicates"\nkeep = "newest"'))
    assert numbers(newest / "out") == list(range(20))


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("gopher-quality", "the and of to. " * 3, "short-doc"),
        ("gopher-quality", "1 2 3 4 5 6 7 8 9 0 the and " * 20, "below-avg-threshold"),
        ("gopher-repetition", f"{prose(1)}\n\n" * 3, "dup-para-frac"),
        ("c4", f"{prose(1)}\n\nfunction() {{ return 1; }}.", "curly-bracket"),
        ("c4", "Only one sentence that ends.", "too-few-sentences"),
        ("fineweb", "\n".join(prose(1).lower().split(".")), "line-punct-ratio"),
    ],
)
def test_published_rules_drop_what_they_are_known_for(
    name: str, text: str, reason: str, tmp_path: Path
) -> None:
    documents = [document(0), document(1, text), document(2, text, language="de")]
    made(tmp_path, documents, steps(f'use = "{name}"'))
    assert dropped(tmp_path / "out") == {1: reason}


@pytest.mark.parametrize("between", ["\n", "\n\n"])
def test_blank_lines_between_paragraphs_count_for_no_rule(between: str, tmp_path: Path) -> None:
    ends = between.join(prose(n, 1)[:-1] + ("..." if n % 2 else ".") for n in range(12))
    entries = between.join(f"Lighthouse {n} overlooks Southampton." for n in range(60))
    for name, text, reasons in (
        ("gopher-quality", ends, {1: "too-many-end-ellipsis"}),
        ("fineweb", entries, {}),
    ):
        made(tmp_path / name, [document(0), document(1, text)], steps(f'use = "{name}"'))
        assert dropped(tmp_path / name / "out") == reasons


def test_lines_that_c4_keeps_stay_as_far_apart_as_they_were(tmp_path: Path) -> None:
    text = (
        "A first line is here.[1]\n{0}Here is another.\n\n{0}A third is here.\n\nA fourth is here."
        "\n{0}The last is here."
    )
    made(tmp_path, [document(1, text.format("No end\n"))], steps('use = "c4"'))
    [row] = rows(tmp_path / "out")
    assert row["text"] == text.format("").replace("[1]", "")


def test_rules_can_be_used_for_other_languages(tmp_path: Path) -> None:
    text = "Der Turm steht am Meer. " * 3
    documents = [document(0), document(1, text, language="de")]
    made(tmp_path, documents, steps('use = "gopher-quality"\nlanguages = ["de"]'))
    assert dropped(tmp_path / "out") == {1: "short-doc"}


def test_bad_words_are_whole_words_in_any_case(tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("\ufeffcasino royale\n赌场\nโง่\nराम\n")
    documents = [
        document(0),
        document(1, f"{prose(1)} CASINO ROYALE."),
        document(2, f"{prose(2)} Casino royales."),
        document(3, f"{prose(3)} 在赌场里。"),
        document(4, f"{prose(4)} Damn."),
        document(5, f"{prose(5)} เขาโง่มาก"),
        document(6, f"{prose(6)} रामायण"),
        document(7, f"{prose(7)} जय राम।"),
        document(8, f"{prose(8)} Casino\nroyale."),
    ]
    table = 'use = "bad-words"\nwords = ["damn"]\nfile = "words.txt"'
    made(tmp_path, documents, steps(table))
    assert dropped(tmp_path / "out") == dict.fromkeys((1, 3, 4, 5, 7, 8), "bad-words")


@pytest.mark.parametrize(("most", "kept"), [(2, [1]), (3, [1, 2]), (2**63 - 1, [1, 2])])
def test_so_many_bad_words_may_be_in_a_document(most: int, kept: list[int], tmp_path: Path) -> None:
    documents = [document(1, "Damn. Damn. Well."), document(2, "Damn, damn, damn.")]
    made(tmp_path, documents, steps(f'use = "bad-words"\nwords = ["damn"]\nmost = {most}'))
    assert numbers(tmp_path / "out") == kept


def test_personal_data_is_masked_and_counted(tmp_path: Path) -> None:
    text = (
        "Write to jane.doe@mail.example.org or call +49 30 1234567 or (555) 123-4567. "
        "Pay to DE89 3704 0044 0532 0130 00, not to DE88 3704 0044 0532 0130 00. "
        "Servers: 8.8.8.8, and 192.168.0.1 at home. On 2026-05-01 it cost 1,234,567.89, "
        "ISBN 978-3-16-148410-0, see pages 1990-2000 and 12.5 %."
    )
    made(tmp_path, [document(1, text)], steps('use = "mask-personal-data"'))
    [row] = rows(tmp_path / "out")
    assert row["text"] == (
        "Write to [email] or call [phone] or [phone]. "
        "Pay to [iban], not to DE88 3704 0044 0532 0130 00. "
        "Servers: [ip], and 192.168.0.1 at home. On 2026-05-01 it cost 1,234,567.89, "
        "ISBN 978-3-16-148410-0, see pages 1990-2000 and 12.5 %."
    )
    assert row["masked"] == 5


def test_a_sample_has_limits_and_is_always_the_same(tmp_path: Path) -> None:
    documents = [
        document(n, host="large.example" if n < 30 else "", genre="article" if n % 2 else None)
        for n in range(60)
    ]
    table = 'use = "sample"\nper_host = 5\nper_genre = 20'
    kept = []
    for name in ("one", "two"):
        folder = tmp_path / name
        made(folder, documents if name == "one" else documents[::-1], steps(table))
        kept.append(numbers(folder / "out"))
        hosts = Counter(row["host"] for row in rows(folder / "out"))
        genres = Counter(row["genre"] for row in rows(folder / "out"))
        assert max(hosts.values()) <= 5
        assert max(genres.values()) <= 20
    assert kept[0] == kept[1]
    half = 'use = "sample"\nshare = 0.5'
    for recipe, least, most in ((steps(half), 18, 42), (steps(half, f"{half}\nseed = 1"), 5, 25)):
        share = tmp_path / str(most)
        made(share, documents, recipe)
        assert least <= len(numbers(share / "out")) <= most


def test_a_limit_chooses_among_what_the_one_before_has_left(tmp_path: Path) -> None:
    documents = [document(n, host="large.example") for n in range(100)]
    documents += [document(100 + n, host=f"small{n}.example") for n in range(20)]
    made(tmp_path, documents, steps('use = "sample"\nper_host = 1\nper_language = 15'))
    assert len(numbers(tmp_path / "out")) == 15
    assert Counter(dropped(tmp_path / "out").values()) == {"per-host": 99, "per-language": 6}


def test_texts_of_evaluations_are_found_again(tmp_path: Path) -> None:
    (tmp_path / "plain.txt").write_text(f"{prose(1, 2)}\nA short one.\n".replace("\n\n", " "))
    question = " ".join(prose(2, 3).split()[:14]).upper()
    # A line separator of Unicode is a part of the text, and ends no line.
    answers = f'{"[" * 1000}"\u2028", 3{"]" * 1000}'
    task = f'{{"question": "{question}", "answers": {answers}}}\n\n'
    tasks = f"{'tasks' * 49}.jsonl"
    (tmp_path / tasks).write_text(task)
    table = f'use = "decontaminate"\nfiles = ["plain.txt", "{tasks}"]'
    made(tmp_path, map(document, range(5)), steps(table))
    assert dropped(tmp_path / "out") == {1: "contaminated", 2: "contaminated"}
    for file in ("README.md", "report.html"):
        said = "1. decontaminate: 2 of 4 texts could not be found, with under 12 words."
        assert said in (tmp_path / "out" / file).read_text()


def test_texts_without_spaces_are_found_wherever_they_begin(tmp_path: Path) -> None:
    letters = random.Random(1).choices("กขคงจชซญดตถทธนบปผพฟมยรลวศสหอ", k=140)
    text = "".join(letters)
    (tmp_path / "plain.txt").write_text(text[40:100])
    documents = [document(n, text[n:]) for n in range(8)] + [document(8, text[::-1])]
    table = 'use = "decontaminate"\nfiles = ["plain.txt"]'
    made(tmp_path, documents, steps(table))
    assert numbers(tmp_path / "out") == [8]


def test_short_texts_are_those_of_the_file_that_was_loaded(tmp_path: Path) -> None:
    file = tmp_path / "plain.txt"
    file.write_text("A short one.\nOne that is long.\n")
    table = steps('use = "decontaminate"\nfiles = ["plain.txt"]\nwords = 4')
    [step] = parse_recipe(f'name = "r"\n{table}', folder=tmp_path).steps
    file.unlink()
    assert step.remark() == "1 of 2 texts could not be found, with under 4 words"


def test_any_number_is_as_any_other_where_texts_are_compared(tmp_path: Path) -> None:
    hours = [" ".join(f"At {n + hour} it was {n * hour}." for hour in range(9)) for n in range(9)]
    (tmp_path / "plain.txt").write_text(hours[0])
    documents = [document(n, text) for n, text in enumerate(hours[:4])]
    documents.append(document(4))
    made(tmp_path / "near", documents, steps('use = "near-duplicates"'))
    assert len(numbers(tmp_path / "near/out")) == 2
    table = f'use = "decontaminate"\nfiles = ["{tmp_path}/plain.txt"]'
    made(tmp_path / "found", documents, steps(table))
    assert numbers(tmp_path / "found/out") == [4]


def test_tokens_are_counted_by_a_tokenizer_of_yours(tmp_path: Path) -> None:
    tokenizer = Tokenizer(WordLevel({"[UNK]": 0}, unk_token="[UNK]"))  # noqa: S106
    tokenizer.pre_tokenizer = Whitespace()
    # As many that were made for short texts are saved.
    tokenizer.enable_truncation(4)
    tokenizer.enable_padding(length=9)
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    table = 'use = "count-tokens"\ntokenizer = "tokenizer.json"'
    built = made(tmp_path, [document(1, "Three words, a comma.")], steps(table))
    [row] = rows(tmp_path / "out")
    assert (row["words"], row["tokens"], built.whole.tokens) == (4, 6, 6)


def test_steps_are_done_in_the_order_of_the_recipe(tmp_path: Path) -> None:
    documents = [document(1, "short", language="de"), document(2)]
    built = made(
        tmp_path,
        documents,
        steps(
            'use = "select"\nmin_words = 2', 'use = "exact-duplicates"', 'use = "select"\n'
            'languages = ["en"]',
        ),
    )  # fmt: skip
    assert [(step.name, step.documents) for step in built.steps] == [
        ("select", 2), ("exact-duplicates", 1), ("select", 1),
    ]  # fmt: skip
    assert dropped(tmp_path / "out") == {1: "length"}


def test_every_step_has_its_name_and_a_meaning_for_all_its_keys() -> None:
    for name, step in STEPS.items():
        assert step.model_fields["use"].default == name
        assert step.__doc__
        assert all(field.description for field in step.model_fields.values())


def step(text: str) -> str:
    return f"[[steps]]\n{text}"


@pytest.mark.parametrize(
    ("recipe", "said"),
    [
        (
            step('use = "selct"'),
            '3: steps[0].use is "selct", which is no step; did you mean "select"?',
        ),
        (step('use = "x"'), '3: steps[0].use is "x", which is no step; the steps are select, '),
        (step("genres = []"), "2: steps[0].use is missing; it names the step: select, "),
        (
            step('use = "select"\ngenre = ["article"]'),
            "4: steps[0].genre is not a known key; did you mean genres?",
        ),
        (
            step('use = "select"\ngenres = ["artcle"]'),
            '4: steps[0].genres[0] is "artcle"; it must be "article" or "list-view"; did you mean',
        ),
        (step('use = "sample"\nshare = 2'), "4: steps[0].share is 2; it must be at most 1"),
        (step('use = "sample"'), "2: steps[0].share is missing, as are all others"),
        (
            step('use = "sample"\nshare = 0.5\n') * 2,
            "5: steps[1].seed is 0, as in a step before, which chooses the same documents; give",
        ),
        (
            step(f'use = "sample"\nper_host = 1\nseed = {2**64}'),
            "5: steps[0].seed does not fit the 64 bits of TOML's whole numbers",
        ),
        (step('use = "bad-words"\nwords = [" "]'), "4: steps[0].words has no words; without any,"),
        (
            step('use = "gopher-repetition"\nlanguages = ["de", "tl"]'),
            '4: steps[0].languages[1] is "tl", whose words datatrove cannot split: ',
        ),
        (step('use = "count-tokens"'), "2: steps[0].tokenizer is missing; add it"),
        (
            step('use = "select"\nmin_words = 9\nmax_words = 3'),
            "5: steps[0].max_words is 3; it must be at least min_words",
        ),
        ('[[step]]\nuse = "select"', "2: step is not a known key; did you mean steps?"),
        ("steps = 3", "2: steps must be a list of tables; begin each step with [[steps]]"),
        ('publication.date = "May 2026"', '2: publication.date is "May 2026"; it must be a date '),
        ("publication.creator = 1", "2: publication.creator is not a known key"),
        ("validation = 0.9", "2: validation is 0.9; it must be at most 0.5"),
    ],
)
def test_a_mistake_is_told_with_its_line_and_what_would_be_right(recipe: str, said: str) -> None:
    with pytest.raises(JobError) as told:
        parse_recipe(f'name = "r"\n{recipe}', source="r")
    assert str(told.value).startswith(f"r:{said}")


def test_tokens_are_counted_of_texts_that_no_step_changes_any_more() -> None:
    counted, changed = step('use = "count-tokens"'), step('use = "c4"')
    with pytest.raises(JobError, match=r'steps\[1\].use is "c4", which changes texts whose tokens'):
        parse_recipe(f'name = "r"\n{counted}\n{changed}')
