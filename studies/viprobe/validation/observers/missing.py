"""A perfect perceiver and an observer that recalls every figure, with replies missing in six ways."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from studies.viprobe.validation.observers.lapsing import PERFECT, perfect
from studies.viprobe.validation.observers.observer import (
    LOSS,
    MISSING,
    VERIDICAL,
    Expected,
    Observer,
    Ranges,
    expected,
)
from studies.viprobe.validation.observers.scene import (
    Counts,
    Drawn,
    Flags,
    Scene,
    chance,
    recalled,
    replies,
    reported,
    without,
)

WEAK_BELOW = 0.25
EVEN = ("unparsed", "refused", "truncated", "error")
_Gone = Callable[[Scene, Drawn, pl.DataFrame, np.random.Generator], Flags]
Status = str | NDArray[np.str_]


class _Kind(NamedTuple):
    """One pattern of missing replies: which, for what reason, and the expected verdicts on both observers."""

    name: str
    status: str
    box: Ranges
    gone: _Gone
    sees: Expected
    why_sees: str
    recalls: Expected
    why_recalls: str


def _on(scene: Scene, drawn: Drawn, _: pl.DataFrame, rng: np.random.Generator, *, types: tuple[str, ...]) -> Flags:
    """The share `missing` of replies about these picture types."""
    return scene.is_in("variant", *types) & chance(rng, drawn["missing"], replies(scene))


def _pictures(scene: Scene, drawn: Drawn, _: pl.DataFrame, rng: np.random.Generator) -> Flags:
    """Both replies about the share `missing` of perturbed pictures."""
    return scene.is_in("variant", "P", "PC") & chance(rng, drawn["missing"], scene.picture)


def _weak(scene: Scene, drawn: Drawn, _: pl.DataFrame, rng: np.random.Generator) -> Flags:
    """Both replies about the share `missing` of weakly changed figures, and a tenth of that share of strong ones."""
    share = np.where(np.abs(scene.alpha) < WEAK_BELOW, drawn["missing"], 0.1 * drawn["missing"])
    return scene.is_in("variant", "P") & chance(rng, share, scene.picture)


def _even(scene: Scene, drawn: Drawn, _: pl.DataFrame, rng: np.random.Generator) -> Flags:
    return chance(rng, drawn["missing"], replies(scene))


def _reversed(scene: Scene, drawn: Drawn, _: pl.DataFrame, rng: np.random.Generator) -> Flags:
    return scene.reversed & chance(rng, drawn["missing"], replies(scene))


def _wrong(scene: Scene, drawn: Drawn, outcomes: pl.DataFrame, rng: np.random.Generator) -> Flags:
    """The share `missing` of the replies that would be wrong."""
    wrong = outcomes["correct"].eq(other=False).fill_null(value=False).to_numpy()
    return np.asarray(wrong & chance(rng, drawn["missing"], replies(scene)))


def _answer(scene: Scene, drawn: Drawn, rng: np.random.Generator, *, kind: _Kind, recalls: bool) -> pl.DataFrame:
    seen = perfect(scene, drawn, rng)
    outcomes = reported(scene, recalled(scene, seen, scene.figure, rng) if recalls else seen, rng)
    gone = kind.gone(scene, drawn, outcomes, rng)
    reasons = np.array(EVEN)[_number(rng, scene)] if kind.status == "each" else kind.status
    return without(outcomes, gone, reasons)


def _number(rng: np.random.Generator, scene: Scene) -> Counts:
    return rng.integers(len(EVEN), size=len(scene))


_HIDDEN = "The missing answers could decide between seeing and not seeing."
_SHOWN = "It recalls each figure; whether the remaining answers show that depends on the bound."
_KINDS = (
    _Kind(
        name="P truncated in 80 %",
        status="truncated",
        box={**PERFECT, "missing": (0.75, 0.85)},
        gone=partial(_on, types=("P",)),
        sees=expected(MISSING),
        why_sees=_HIDDEN,
        recalls=expected(MISSING, [LOSS]),
        why_recalls="It recalls each figure, but four in five answers on figures are missing.",
    ),
    _Kind(
        name="weak P refused",
        status="refused",
        box={**PERFECT, "missing": (0.6, 0.9)},
        gone=_weak,
        sees=expected(MISSING),
        why_sees=_HIDDEN,
        recalls=expected([LOSS, MISSING]),
        why_recalls="Strong changes are answered and missed; no filling of the weak ones alters that.",
    ),
    _Kind(
        name="P and PC refused in 40 %",
        status="refused",
        box={**PERFECT, "missing": (0.35, 0.45)},
        gone=_pictures,
        sees=expected(MISSING),
        why_sees=_HIDDEN,
        recalls=expected([LOSS, MISSING]),
        why_recalls=_SHOWN,
    ),
    _Kind(
        name="even 15 %",
        status="each",
        box={**PERFECT, "missing": (0.13, 0.17)},
        gone=_even,
        sees=expected([VERIDICAL, MISSING]),
        why_sees="It sees; answers are missing at random, equally in all types but too many for a bound of ten points.",
        recalls=expected([LOSS, MISSING]),
        why_recalls="It recalls each figure, and no filling of 15 % closes the gap to controls.",
    ),
    _Kind(
        name="one polarity unparsed",
        status="unparsed",
        box={**PERFECT, "missing": (0.6, 0.8)},
        gone=_reversed,
        sees=expected(MISSING, [VERIDICAL]),
        why_sees="It sees, as all forward questions show; a third of all answers is missing.",
        recalls=expected([LOSS, MISSING]),
        why_recalls=_SHOWN,
    ),
    _Kind(
        name="refused where it would be wrong",
        status="refused",
        box={"sigma": (0.003, 0.01), "criterion": (0.12, 0.25), "missing": (0.85, 0.95)},
        gone=_wrong,
        sees=expected(MISSING),
        why_sees="It sees all but weak changes, and exactly the wrong answers are missing.",
        recalls=expected(MISSING, [LOSS]),
        why_recalls="It recalls each figure, but nearly all answers that would show it are missing.",
    ),
)


def _pair(kind: _Kind) -> Iterator[Observer]:
    for recalls, who, may, why in (
        (False, "sees", kind.sees, kind.why_sees),
        (True, "recalls", kind.recalls, kind.why_recalls),
    ):
        yield Observer(
            name=f"{who}, {kind.name}",
            group="missing answers",
            why=why,
            box=kind.box,
            answer=partial(_answer, kind=kind, recalls=recalls),
            overall=may,
            by_case=may,
            clear_by_case=True,
        )


OBSERVERS = tuple(observer for kind in _KINDS for observer in _pair(kind))
