"""Simulated outcomes of one observer, and the verdicts of an instrument on them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple, Protocol

import numpy as np
import polars as pl

from studies.viprobe.validation.design import design_frame
from studies.viprobe.validation.observers.observer import NAMES, Needs, Observer
from veridical.records import Json


class Verdict(Protocol):
    """A name and its slice: {} for a whole run, {"case": ...}, {"task": "comparison"} or both."""

    @property
    def where(self) -> Mapping[str, Json]: ...

    @property
    def name(self) -> str: ...


class Judged(NamedTuple):
    """A verdict on an observer: `right`, `wrong` (neither right nor acceptable), or else acceptable.

    `clear` is whether a good instrument must be right here.
    """

    where: Mapping[str, Json]
    name: str
    right: bool
    wrong: bool
    clear: bool


@lru_cache(maxsize=8)
def planned(
    needs: Needs, units: int = 10, levels: int | None = None, cases: tuple[str, ...] | None = None
) -> pl.DataFrame:
    """The design that an observer needs, as unanswered outcomes in the order of the set; by default with `GRID`."""
    return design_frame(units, levels, cases, variants=needs.variants, tasks=needs.tasks, as_made=True)


def outcomes_of(observer: Observer, seed: int | Sequence[int], frame: pl.DataFrame) -> pl.DataFrame:
    """The outcomes of an observer, with parameters and replies drawn by the seed and the observer's name."""
    numbers = [seed] if isinstance(seed, int) else seed
    return observer.make(frame, np.random.default_rng([*numbers, _number(observer.name)]))


def judge(
    observer: Observer,
    seed: int | Sequence[int],
    frames: Callable[[Needs], pl.DataFrame],
    verdicts: Callable[[pl.DataFrame], Iterable[Verdict]],
) -> list[Judged]:
    """The verdicts on an observer at a seed, each compared with the right and acceptable ones of its slice.

    `frames` returns the planned design for an observer's needs, as `planned` does. Raises ValueError for a verdict that
    is not in `NAMES`.
    """
    judgments = []
    for each in verdicts(outcomes_of(observer, seed, frames(observer.needs))):
        if each.name not in NAMES:
            raise ValueError(f"verdict {each.name!r} on {observer.name}: known are {', '.join(NAMES)}")
        may = observer.expects(each.where)
        right = each.name in may.right
        clear = observer.clear_by_case if "case" in each.where else observer.clear
        judgments.append(Judged(each.where, each.name, right, not right and each.name not in may.acceptable, clear))
    return judgments


def _number(name: str) -> int:
    return int.from_bytes(sha256(name.encode()).digest()[:8])
