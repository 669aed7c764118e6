"""Which blocks are expected to tell most about the verdict, per question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from veridical.suites.viprobe.sequential.blocks import KINDS, BlockKind, block_questions
from veridical.suites.viprobe.sequential.posterior import Posterior
from veridical.suites.viprobe.sequential.prior import VERDICTS
from veridical.suites.viprobe.sequential.tables import GROUPS, entropy

Floats = NDArray[np.float64]

OF_PARAMETERS = 0.25
"""How much the share of the parameters' entropy counts beside that of the verdict's."""

GREED = 4
"""The power of its worth to which a block is chosen: 0 is chance, infinite always the best."""

_LEAST_ENTROPY = 1e-9


class Worth(NamedTuple):
    """The worth of questions, see `worth`, shape (contexts, strengths, 3): either alone, and both."""

    values: Floats
    alphas: tuple[float, ...]

    def of(self, kind: BlockKind, alpha: float) -> float:
        """The worth of a block per question, as if its questions were about different cases."""
        place = self.alphas.index
        if kind == "pairs":
            return float(self.values[:, place(alpha), 2].sum()) / 4
        singles = self.values[..., :2].mean(-1)
        asked = block_questions(kind, alpha, (0, 0))
        return float(sum(singles[question.context, place(question.alpha)] for question in asked)) / 4


def worth(posterior: Posterior) -> Worth:
    """The share of the verdict's entropy that each question is expected to remove, plus a quarter of the parameters'.

    As shares, so that the verdict still counts when little of it is open: in nats, questions about parameters would
    then be all that is asked.
    """
    field, weights = posterior.field, posterior.weights
    own = np.eye(len(VERDICTS))[field.verdict] * weights[:, None]
    mixed, shares = field.chances @ own, own.sum(0)
    by_verdict, whole = mixed / np.maximum(shares, 1e-300), mixed.sum(-1)
    unknown_verdict, unknown_parameters = (max(float(entropy(each, 0)), _LEAST_ENTROPY) for each in (shares, weights))
    values = []
    for place, replies in enumerate(GROUPS):
        total = entropy(whole[:, :, replies], 2)
        of_verdict = total - entropy(by_verdict[:, :, replies], 2) @ shares
        of_parameters = total - field.entropies[:, :, place] @ weights
        values.append(of_verdict / unknown_verdict + OF_PARAMETERS * of_parameters / unknown_parameters)
    return Worth(np.maximum(np.stack(values, -1), 0.0), posterior.alphas)


def preferences(kinds_and_alphas: Sequence[tuple[BlockKind, float]], worth: Worth) -> Floats:
    """The chance of each block to be chosen; they sum to 1."""
    values = np.array([worth.of(kind, alpha) for kind, alpha in kinds_and_alphas])
    shares = (values / values.max()) ** GREED if values.max() > 0 else np.ones_like(values)
    return np.asarray(shares / shares.sum())


def possible_blocks(alphas: Sequence[float]) -> list[tuple[BlockKind, float]]:
    """The blocks that a case's strengths allow: changes of both signs only where it has both."""
    return [(kind, alpha) for kind in KINDS for alpha in alphas if kind != "signs" or (alpha > 0 and -alpha in alphas)]
