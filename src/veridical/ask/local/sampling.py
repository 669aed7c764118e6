"""Sampling of tokens and ends of replies, row by row, so that no reply depends on others in its batch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from transformers import LogitsProcessor, StoppingCriteria

from veridical.ask.local.replies import Drawing


class Draw(LogitsProcessor):  # type: ignore[misc] # transformers may not be installed where types are checked
    """Keeps only the drawn token of each row's scores, so that the greedy choice is the draw."""

    def __init__(self, drawings: Sequence[Drawing]) -> None:
        self._drawings = drawings
        self._generators = [torch.Generator() for _ in drawings]
        for generator, drawing in zip(self._generators, drawings, strict=True):
            if drawing.seed is None:
                generator.seed()
            else:
                generator.manual_seed(drawing.seed)

    def __call__(self, input_ids: Any, scores: Any) -> Any:  # noqa: ANN401, ARG002 - of torch, by transformers' names
        if all(drawing.temperature == 0 for drawing in self._drawings):
            return scores
        left = scores.clone()
        for row, (drawing, generator) in enumerate(zip(self._drawings, self._generators, strict=True)):
            if drawing.temperature > 0:
                number = torch.rand((), generator=generator, dtype=torch.float64).item()
                left[row] = -torch.inf
                left[row, drawn(scores[row], drawing, number)] = 0.0
        return left


def drawn(scores: Any, drawing: Drawing, number: float) -> int:  # noqa: ANN401 - of torch
    """The token that a number in [0, 1) draws from scores of shape (tokens,), at a temperature above 0.

    The candidates are the `top_k` likeliest tokens, and of these the fewest whose probabilities sum to `top_p`. The
    number picks one by their cumulative probabilities, likeliest first.
    """
    ordered, tokens = torch.sort(scores.double() / drawing.temperature, descending=True, stable=True)
    if drawing.top_k is not None:
        ordered, tokens = ordered[: drawing.top_k], tokens[: drawing.top_k]
    sums = torch.softmax(ordered, -1).cumsum(-1)
    kept = min(int((sums < drawing.top_p).sum()) + 1, len(sums))
    place = int(torch.searchsorted(sums[:kept], number * float(sums[kept - 1]), right=True))
    return int(tokens[min(place, kept - 1)])


class Ended(StoppingCriteria):  # type: ignore[misc] # transformers may not be installed where types are checked
    """Ends each row at its own maximum length, or at once if its caller no longer waits."""

    def __init__(self, most: Sequence[int], abandoned: Sequence[Callable[[], bool]]) -> None:
        self._most, self._abandoned = most, abandoned
        self._start: int | None = None

    def __call__(self, input_ids: Any, scores: Any, **_: Any) -> Any:  # noqa: ANN401, ARG002 - of torch
        if self._start is None:
            self._start = input_ids.shape[1] - 1
        written = input_ids.shape[1] - self._start
        ended = [written >= most or gone() for most, gone in zip(self._most, self._abandoned, strict=True)]
        return torch.tensor(ended, device=input_ids.device)
