"""Whether answers about one base item are more alike than candidates say, and what their likelihood is then worth."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from veridical.suites.viprobe.sequential.blocks import CONTROL, FIGURE, QUESTIONS, BlockQuestion

_SURE = 2.0
"""Standard errors from which answers count as alike."""

_LEAST_VARIANCE = 0.02
"""Answers that are nearly sure beforehand say nothing of how alike they are."""


class Alikeness:
    """The correlation of what is surprising in answers about a figure and about its control, of one base item.

    The model has noise of pictures, not of base items: where these are alike, four answers tell less than four.
    """

    def __init__(self) -> None:
        self._products: list[float] = []

    def note(self, changed: Mapping[BlockQuestion, bool], expected: Callable[[BlockQuestion], float]) -> None:
        """Takes in the answers about a base item, whose chances to be "changed" were `expected`."""
        surprises: dict[tuple[int, float], float] = {}
        for question, value in changed.items():
            chance = expected(question)
            variance = chance * (1 - chance)
            if variance >= _LEAST_VARIANCE:
                surprises[question.context, question.alpha] = (value - chance) / np.sqrt(variance)
        for (context, alpha), surprise in surprises.items():
            if context == CONTROL and (FIGURE, alpha) in surprises:
                self._products.append(surprise * surprises[FIGURE, alpha])

    @property
    def dispersion(self) -> float:
        """What the log-likelihood is divided by: 1, or the design effect of alike answers where that is sure."""
        if len(self._products) < 2:
            return 1.0
        mean = float(np.mean(self._products))
        error = float(np.std(self._products, ddof=1)) / np.sqrt(len(self._products))
        return 1 + (QUESTIONS - 1) * min(mean, 1.0) if mean > _SURE * error else 1.0
