"""Train Web2Text's two networks on CleanEval's labelled pages."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from corpus_commons.counts import number_of
from corpus_commons.markup.dom import parse
from corpus_commons.terminal.arguments import add_model_file, output_file, positive, whole
from corpus_commons.terminal.output import say, write_output
from extraction.labelled import DataError, LabelledPage, read_pages
from extraction.methods.web2text.cdom import collapse
from extraction.methods.web2text.decoding import Labels, viterbi
from extraction.methods.web2text.features import Matrix, PageFeatures, page_features
from extraction.methods.web2text.labels import gold_labels
from extraction.training.cleaneval import add_split, part_of

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    from extraction.methods.web2text.network import Model

# Section 4.2 and the authors' code.
_WINDOW = 9
_BATCH = 128
_STEPS_BETWEEN_CHECKS = 100
_VALIDATION_SHARE = 0.1
_PAIR_WEIGHTS = (0.0, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0, 1.5, 2.0)


@dataclass(frozen=True, eq=False)
class Example:
    """The features of a page, with the gold label of every block."""

    features: PageFeatures
    labels: Labels

    @property
    def pair_labels(self) -> Labels:
        """0, 1, 2, 3 for the label pairs 00, 01, 10, 11 of neighbours."""
        pairs: Labels = self.labels[:-1] * 2 + self.labels[1:]
        return pairs


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``python -m extraction train web2text``."""
    parser.add_argument("--data", type=Path, required=True, help="cleaneval.jsonl.zst")
    add_split(parser)
    add_model_file(parser, "web2text.npz")
    parser.add_argument("--scores", type=output_file, help="write the scores to this JSON file")
    parser.add_argument(
        "--steps", type=positive, default=3000, help="training steps for each network"
    )
    parser.add_argument("--seed", type=whole, default=1)


def run(args: argparse.Namespace) -> None:
    """Train, select the best weights on the validation pages, write the model and its scores."""
    started = time.perf_counter()
    training, validation = _divided(args.data, args.split, args.seed)
    say(
        f"{number_of(len(training), 'training page')}, "
        f"{number_of(len(validation), 'validation page')}"
    )
    model, scores = train(training, validation, steps=args.steps, seed=args.seed)
    model.save(args.out)
    scores |= {
        "split": args.split,
        "seed": args.seed,
        "steps": args.steps,
        "training_pages": len(training),
        "validation_pages": len(validation),
        "seconds": round(time.perf_counter() - started, 1),
    }
    if args.scores:
        write_output(args.scores, (json.dumps(scores, indent=2) + "\n").encode())
    found = scores["validation"]
    say(
        f"validation: F1 {found['unary_f1']:.3f} by blocks alone, "
        f"{max(found['f1_by_pair_weight'].values()):.3f} with pairs of weight "
        f"{model.pair_weight}; accuracy of the pairs {found['pairwise_accuracy']:.3f}"
    )
    say(f"wrote {args.out} in {scores['seconds']} s")


def _divided(data: Path, split: str, seed: int) -> tuple[list[Example], list[Example]]:
    """The examples to train on, and those for validation, by chance. Raises DataError."""
    pages = training_pages(data, split)
    if not pages:
        wanted = 'meta.w2t = "train"' if split == "w2t" else f"meta.w2t and no meta.{split}"
        raise DataError(f"{data}: no page has {wanted}")
    examples = [example_of(page) for page in pages]
    order = np.random.default_rng(seed).permutation(len(examples))
    held_out = max(1, round(_VALIDATION_SHARE * len(examples)))
    validation = [examples[i] for i in order[:held_out]]
    training = [examples[i] for i in order[held_out:]]
    if not any(len(example.labels) > _WINDOW for example in training):
        raise DataError(
            f"{data}: too few pages; at least one is needed for validation, and one with more "
            f"than {_WINDOW} blocks for training"
        )
    return training, validation


def training_pages(data: Path, split: str) -> list[LabelledPage]:
    """The pages of CleanEval as used by Web2Text, without the test pages of the split."""
    used = (page for page in read_pages(data) if page.meta.get("w2t") is not None)
    return [page for page in used if part_of(page, split) == "train"]


def example_of(page: LabelledPage) -> Example:
    """The page with its features and labels."""
    cdom = collapse(parse(page.html))
    return Example(page_features(cdom), gold_labels(cdom.texts, page.gold_text))


def train(
    training: Sequence[Example], validation: Sequence[Example], *, steps: int, seed: int
) -> tuple[Model, dict[str, Any]]:
    """A model, and its scores on the validation pages.

    The unary network is taken from the step with the best block F1, the pairwise network from the
    step with the best accuracy, and λ is the value with the best F1 of the decoded labels.
    """
    from extraction.methods.web2text import network  # noqa: PLC0415  # imports TensorFlow

    network.seed_everything(seed)
    generator = np.random.default_rng(seed)
    unary, unary_f1 = _unary(training, validation, steps, generator)
    pairwise, pairwise_accuracy = _pairwise(training, validation, steps, generator)
    model = network.Model(unary, pairwise, 0.0)
    by_weight = _f1_by_pair_weight(model, validation)
    model.pair_weight = max(by_weight, key=by_weight.__getitem__)
    return model, {
        "validation": {
            "unary_f1": round(unary_f1, 4),
            "pairwise_accuracy": round(pairwise_accuracy, 4),
            "f1_by_pair_weight": {str(w): round(score, 4) for w, score in by_weight.items()},
        },
        "pair_weight": model.pair_weight,
    }


def _unary(
    training: Sequence[Example],
    validation: Sequence[Example],
    steps: int,
    generator: np.random.Generator,
) -> tuple[Any, float]:
    """The network over blocks, and its block F1 on the validation pages."""
    from extraction.methods.web2text.network import predictor, unary_network  # noqa: PLC0415

    network = unary_network(*_moments([page.features.blocks for page in training]))
    logits = predictor(network)
    gold = [page.labels for page in validation]
    examples = [(page.features.blocks, page.labels) for page in training]

    def score() -> float:
        return f1([logits(page.features.blocks).argmax(1) for page in validation], gold)

    return network, _fit(network, examples, score, steps, generator)


def _pairwise(
    training: Sequence[Example],
    validation: Sequence[Example],
    steps: int,
    generator: np.random.Generator,
) -> tuple[Any, float]:
    """The network over pairs, and its accuracy on the validation pages."""
    from extraction.methods.web2text.network import pairwise_network, predictor  # noqa: PLC0415

    network = pairwise_network(*_moments([page.features.edges for page in training]))
    logits = predictor(network)
    gold = np.concatenate([page.pair_labels for page in validation])
    examples = [(page.features.edges, page.pair_labels) for page in training]

    def score() -> float:
        found = [logits(page.features.edges).argmax(1) for page in validation]
        return float(np.mean(np.concatenate(found) == gold))

    return network, _fit(network, examples, score, steps, generator)


def _f1_by_pair_weight(model: Model, validation: Sequence[Example]) -> dict[float, float]:
    """The block F1 of the decoded labels for each λ that is tried."""
    potentials = [model.potentials(page.features) for page in validation]
    gold = [page.labels for page in validation]
    return {
        weight: f1([viterbi(*page, weight) for page in potentials], gold)
        for weight in _PAIR_WEIGHTS
    }


def f1(predicted: Sequence[npt.NDArray[Any]], gold: Sequence[Labels]) -> float:
    """Block F1, pooled over all pages; 0 if no block is found."""
    found, true = np.concatenate(predicted), np.concatenate(gold)
    hits = float((found & true).sum())
    return 2 * hits / max(1.0, float(found.sum() + true.sum()))


def _moments(pages: Sequence[Matrix]) -> tuple[Matrix, Matrix]:
    rows = np.concatenate(pages)
    return rows.mean(axis=0), rows.var(axis=0)


def _fit(
    network: Any,
    pages: Sequence[tuple[Matrix, Labels]],
    score: Callable[[], float],
    steps: int,
    generator: np.random.Generator,
) -> float:
    """Train on random windows; afterwards, the network has the weights with the best score."""
    from extraction.methods.web2text.network import prepare_training  # noqa: PLC0415  # TensorFlow

    prepare_training(network)
    long_enough = [page for page in pages if len(page[1]) >= _WINDOW]
    best_score, best_weights = -1.0, network.get_weights()
    for done in range(0, steps, _STEPS_BETWEEN_CHECKS):
        step = min(done + _STEPS_BETWEEN_CHECKS, steps)
        rows, labels = _windows(long_enough, (step - done) * _BATCH, generator)
        history = network.fit(rows, labels, batch_size=_BATCH, shuffle=False, verbose=0)
        reached = score()
        if reached > best_score:
            best_score, best_weights = reached, network.get_weights()
        loss = history.history["loss"][-1]
        say(f"step {step}: loss {loss:.4f}, validation {reached:.4f}, best {best_score:.4f}")
    network.set_weights(best_weights)
    return best_score


def _windows(
    pages: Sequence[tuple[Matrix, Labels]], count: int, generator: np.random.Generator
) -> tuple[Matrix, Labels]:
    """Random windows of random pages, all pages being equally likely."""
    rows = np.empty((count, _WINDOW, pages[0][0].shape[1]), np.float32)
    labels = np.empty((count, _WINDOW), np.int32)
    for i, page in enumerate(generator.integers(len(pages), size=count).tolist()):
        page_rows, page_labels = pages[page]
        start = int(generator.integers(len(page_labels) - _WINDOW + 1))
        rows[i] = page_rows[start : start + _WINDOW]
        labels[i] = page_labels[start : start + _WINDOW]
    return rows, labels
