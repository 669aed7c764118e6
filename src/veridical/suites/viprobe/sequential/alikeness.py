"""Whether answers about one base item are more alike than candidates say, and what their likelihood is then worth."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from veridical.suites.viprobe.sequential.blocks import CONTROL, FIGURE, QUESTIONS, BlockQuestion

_SURE = 2.0
"""Standard errors from which answers count as alike."""

_LEAST = 10
_LEAST_VARIANCE = 0.02
"""Answers that are nearly sure beforehand say nothing of how alike they are."""


class Alikeness:
    """The correlation of what is surprising in answers about a figure and about its control, of one base item.

    The model has noise of pictures, not of base items: where these are alike, four answers tell less than four.
    """

    def __init__(self) -> None:
        self._items: list[Mapping[BlockQuestion, bool]] = []

    def note(self, changed: Mapping[BlockQuestion, bool]) -> None:
        """Takes in the answers about a base item."""
        self._items.append(changed)

    def dispersion(self, expected: Callable[[BlockQuestion], float]) -> float:
        """What the log-likelihood is divided by: 1, or the design effect of alike answers where that is sure.

        `expected` is the chance of "changed" given all replies: what candidates share is no likeness of items.
        """
        products = [product for item in self._items for product in _products(item, expected)]
        if len(products) < _LEAST:
            return 1.0
        mean, error = float(np.mean(products)), float(np.std(products, ddof=1)) / np.sqrt(len(products))
        return 1 + (QUESTIONS - 1) * min(mean, 1.0) if mean > _SURE * error else 1.0


def _products(item: Mapping[BlockQuestion, bool], expected: Callable[[BlockQuestion], float]) -> Iterator[float]:
    """The product of the surprises of each figure and its control."""
    surprises: dict[tuple[int, float], float] = {}
    for question, value in item.items():
        chance = expected(question)
        variance = chance * (1 - chance)
        if variance >= _LEAST_VARIANCE:
            surprises[question.context, question.alpha] = (value - chance) / np.sqrt(variance)
    for (context, alpha), surprise in surprises.items():
        if context == CONTROL and (FIGURE, alpha) in surprises:
            yield surprise * surprises[FIGURE, alpha]
