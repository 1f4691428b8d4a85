"""The losses of ``objective`` in PyTorch, of feature maps with their channels first."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor
from torch.nn import functional

from genre_model.labels import HEADS
from genre_model.training.objective import LAST


def target_loss(
    outputs: dict[str | None, Tensor],
    answers: dict[str, Tensor],
    weights: dict[str, Tensor],
    smoothing: float,
) -> Tensor:
    """The sum of the losses of all outputs against their targets."""
    loss = torch.zeros((), device=next(iter(answers.values())).device)
    for head, truth in answers.items():
        its = outputs[head].float()
        if head in HEADS:
            smooth = truth * (1 - smoothing) + smoothing / truth.shape[1]
            by_page = -(smooth * functional.log_softmax(its, 1)).sum(1)
        else:
            cells = functional.binary_cross_entropy_with_logits(its, truth, reduction="none")
            by_page = cells.mean((1, 2, 3))
        loss = loss + (weights[head] * by_page).mean()
    return loss


def distillation_loss(
    taught: Mapping[str | None, Tensor], outputs: Mapping[str | None, Tensor], regressed: Tensor
) -> Tensor:
    """The loss against a teacher: of the features at every place, and of the heads that it has."""
    loss = 1 - functional.cosine_similarity(regressed.float(), taught[LAST].float(), 1).mean()
    for head in HEADS:
        if head in taught:
            truth = taught[head].float().softmax(1)
            said = functional.log_softmax(outputs[head].float(), 1)
            loss = loss - (truth * said).sum(1).mean()
    return loss
