"""Blocks of four questions about a base item, and the fixed random order in which base items come."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from veridical.errors import InputError
from veridical.records import Chunk, Trial
from veridical.suite.sequential import TrialPool
from veridical.suites.viprobe.asking.settings import ways_in_order
from veridical.suites.viprobe.illusions import CASES
from veridical.suites.viprobe.illusions.legible import alphas_of
from veridical.suites.viprobe.illusions.make import chunks
from veridical.suites.viprobe.options import VIProbeOptions

BlockKind = Literal["contrast", "signs", "pairs"]
KINDS: tuple[BlockKind, ...] = ("contrast", "signs", "pairs")
"""Changed and unchanged picture, of control and figure; changes of both signs, of both; both questions about each."""

QUESTIONS = 4
"""How many questions a block has. A base item has one block, so that it counts once."""

MOST_STRENGTHS = 16
"""Of more signed strengths, so many are asked about, evenly among them."""

_VARIANTS = {("control", False): "OC", ("control", True): "PC", ("figure", False): "O", ("figure", True): "P"}
CONTROL, FIGURE = 0, 1
_CONTEXTS = ("control", "figure")
VARIANTS = tuple(_VARIANTS.values())


class BlockQuestion(NamedTuple):
    """A question of a block: context, strength, and whether its yes means "same" (half 0) or "changed" (half 1)."""

    context: int
    alpha: float
    half: int


@dataclass(frozen=True)
class Block:
    """A base item that is asked about: its case by its place, its kind and strength, and its questions.

    A `uniform` one is of the fixed random order; the others were chosen for what they are expected to tell.
    """

    case: int
    chunk: Chunk
    kind: BlockKind
    alpha: float
    questions: tuple[BlockQuestion, ...]
    uniform: bool


def block_questions(kind: BlockKind, alpha: float, halves: Sequence[int]) -> tuple[BlockQuestion, ...]:
    """The questions of a block; `halves` has which question is asked of controls, and of figures.

    >>> [question.alpha for question in block_questions("signs", 0.4, (0, 1))]
    [0.4, -0.4, 0.4, -0.4]
    """
    if kind == "pairs":
        return tuple(BlockQuestion(context, alpha, half) for context in (CONTROL, FIGURE) for half in (0, 1))
    others = 0.0 if kind == "contrast" else -alpha
    return tuple(
        BlockQuestion(context, each, half)
        for context, half in zip((CONTROL, FIGURE), halves, strict=True)
        for each in (alpha, others)
    )


class CaseOrder:
    """The base items in a fixed random order: the case that was asked least comes next, each item once."""

    def __init__(self, options: VIProbeOptions) -> None:
        self._rng = np.random.default_rng([options.seed, 0])
        by_case: dict[str, list[Chunk]] = {}
        for chunk in chunks(options):
            by_case.setdefault(chunk.family, []).append(chunk)
        self.cases = tuple(by_case)
        self.alphas = tuple(_strengths(name, options) for name in self.cases)
        self._items = [[items[place] for place in self._rng.permutation(len(items))] for items in by_case.values()]
        self._next = self._in_turn()

    @property
    def items(self) -> int:
        """How many base items there are in all."""
        return sum(map(len, self._items))

    def next(self) -> tuple[int, Chunk] | None:
        """The place of a case with its next base item, or `None` where none is left."""
        return next(self._next, None)

    def _in_turn(self) -> Iterator[tuple[int, Chunk]]:
        for depth in range(max(map(len, self._items))):
            for case in self._rng.permutation(len(self.cases)):
                if depth < len(self._items[case]):
                    yield int(case), self._items[case][depth]


def _strengths(case: str, options: VIProbeOptions) -> tuple[float, ...]:
    """The strengths of a case that are asked about, those of both signs alike where the design has both."""
    every = alphas_of(CASES[case], options)
    if len(every) <= MOST_STRENGTHS:
        return every
    return tuple(every[place] for place in np.linspace(0, len(every) - 1, MOST_STRENGTHS).round().astype(int))


class TrialIndex:
    """The trials of base items by picture and question, each item's asked for once."""

    def __init__(self, pool: TrialPool) -> None:
        self._pool = pool
        self._held: dict[Chunk, Mapping[tuple[str, float, str], Trial]] = {}

    def trial(self, chunk: Chunk, question: BlockQuestion, *, forward_first: bool) -> Trial:
        """The trial of a question; raises `InputError` where the design or the settings have none."""
        if chunk not in self._held:
            self._held = {chunk: _by_question(self._pool(chunk))}
        variant = _VARIANTS[_CONTEXTS[question.context], question.alpha != 0]
        polarity = "forward" if (question.half == 0) == forward_first else "reversed"
        found = self._held[chunk].get((variant, question.alpha, polarity))
        if found is None:
            raise InputError(
                f"{chunk.family}, base item {chunk.index}, has no {polarity} yes-no question about {variant}: "
                f"verdicts need {', '.join(VARIANTS)} in both polarities"
            )
        return found


def _by_question(trials: Sequence[Trial]) -> dict[tuple[str, float, str], Trial]:
    yes_no = [trial for trial in trials if trial.settings.get("task") == "yes-no" and trial.variant in VARIANTS]
    asked = {(trial.settings["instruction"], trial.settings["placement"]) for trial in yes_no}
    first = next(iter(ways_in_order(asked)), None)
    return {
        (trial.variant, float(trial.factors["alpha"]), trial.settings["polarity"]): trial
        for trial in yes_no
        if (trial.settings["instruction"], trial.settings["placement"]) == first
    }
