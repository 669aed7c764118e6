"""One observer at one seed, and what a verdict function makes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple, Protocol

import numpy as np
import polars as pl

from veridical.records import Json
from veridical.suites.viprobe.validation.design import design_frame
from veridical.suites.viprobe.validation.observers.known import NAMES, Known, Needs


class Verdict(Protocol):
    """A name, and the slice that it is about: {} for all of a run, {"case": ...}, {"task": "comparison"} or both."""

    @property
    def where(self) -> Mapping[str, Json]: ...

    @property
    def name(self) -> str: ...


class Judged(NamedTuple):
    """A verdict on an observer: right; wrong, where it is neither right nor acceptable; or, being neither, acceptable.

    `clear` tells whether a good instrument has to be right here.
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
    """The design that an observer needs, as outcomes not yet asked, in the order of the set; by default with `GRID`."""
    return design_frame(units, levels, cases, variants=needs.variants, tasks=needs.tasks, as_made=True)


def asked(known: Known, seed: int | Sequence[int], frame: pl.DataFrame) -> pl.DataFrame:
    """The outcomes of an observer drawn by the seed; observers of other names draw other numbers by the same seed."""
    numbers = [seed] if isinstance(seed, int) else seed
    return known.make(frame, np.random.default_rng([*numbers, _number(known.name)]))


def judge(
    known: Known,
    seed: int | Sequence[int],
    frames: Callable[[Needs], pl.DataFrame],
    verdicts: Callable[[pl.DataFrame], Iterable[Verdict]],
) -> list[Judged]:
    """The verdicts on an observer at a seed, each held against what is right and acceptable of its slice.

    `frames` gives the planned design for what an observer needs, such as `planned`. Raises ValueError for a verdict
    that is not in the vocabulary `NAMES`.
    """
    found = []
    for each in verdicts(asked(known, seed, frames(known.needs))):
        if each.name not in NAMES:
            raise ValueError(f"verdict {each.name!r} on {known.name}: known are {', '.join(NAMES)}")
        may = known.expects(each.where)
        right = each.name in may.right
        clear = known.clear_by_case if "case" in each.where else known.clear
        found.append(Judged(each.where, each.name, right, not right and each.name not in may.acceptable, clear))
    return found


def _number(name: str) -> int:
    return int.from_bytes(sha256(name.encode()).digest()[:8])
