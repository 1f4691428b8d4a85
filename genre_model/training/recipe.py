"""The recipe by which a network is trained."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Recipe:
    """The hyperparameters of training.

    head_epochs: the number of initial epochs with a frozen backbone, as in the GOCE paper.
    epochs: the number of epochs after that, with all weights but those of the ``frozen`` blocks.
    rate: the peak learning rate: linear warm-up over the first twentieth of the steps, then cosine
        decay to 0. With a frozen backbone it is ten times as high.
    frozen: the number of backbone blocks, from the input, that keep their weights, with the root
        before them; 0 for none. A backbone of ``keras.applications`` has none.
    decay: the momentum of batch norm's statistics per step; TF-Slim's 0.997 is for longer runs.
    averaging: the decay per step of the exponential moving average of weights, which is what is
        kept; 0 keeps the last weights.
    synthetic_weight: the weight of a synthetic page. If there are any, an epoch has as many of them
        as of the others.
    patience: early stopping after so many epochs without a better validation loss, keeping the
        weights of the best epoch; 0 trains for all epochs.
    """

    epochs: int = 12
    head_epochs: int = 0
    batch: int = 32
    rate: float = 1e-3
    weight_decay: float = 0.02
    smoothing: float = 0.1
    frozen: int = 0
    decay: float = 0.98
    averaging: float = 0.99
    synthetic_weight: float = 0.5
    patience: int = 0
    seed: int = 0
