"""What observers of the catalogue see in planned trials, and how they report it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from veridical.suites.viprobe.observers.simulation import answer_trials, facts, mark_outcomes

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Counts = NDArray[np.int64]
Drawn = Mapping[str, float]
"""The parameters of one observer."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Planned trials as arrays with one entry per trial.

    `figure` marks pictures with the classic figure, `bare` those of them without targets, `clutter` those with
    scattered inducers; `picture`, `unit` and `case` are numbers from 0. `started` goes from 0 for the first planned
    picture of the run to 1 for the last.
    """

    trials: pl.DataFrame
    alpha: Floats
    orientation: Floats
    started: Floats
    figure: Flags
    bare: Flags
    clutter: Flags
    directed: Flags
    reversed: Flags
    unchanged: Flags
    comparison: Flags
    picture: Counts
    unit: Counts
    case: Counts

    @classmethod
    def of(cls, trials: pl.DataFrame) -> Scene:
        """The scene of planned trials."""
        rows = facts(trials)
        flags = {name: rows[name].to_numpy() for name in ("figure", "bare", "directed", "reversed")}
        picture = rows["picture"].to_numpy()
        _, first, places = np.unique(picture, return_index=True, return_inverse=True)
        return cls(
            trials=trials,
            alpha=rows["alpha"].to_numpy(),
            orientation=rows["orientation"].to_numpy(),
            started=(first.argsort().argsort() / max(len(first) - 1, 1))[places],
            clutter=trials["variant"].is_in(["OS", "PS"]).to_numpy(),
            unchanged=(rows["unchanged"] == "1").fill_null(value=False).to_numpy(),
            comparison=rows["first"].is_not_null().to_numpy(),
            picture=picture,
            unit=rows["base"].to_numpy(),
            case=trials["family"].rank("dense").cast(pl.Int64).to_numpy() - 1,
            **flags,
        )

    def __len__(self) -> int:
        return len(self.alpha)

    def is_in(self, column: str, *names: str) -> Flags:
        """Marks the trials with one of these values in `column`."""
        return self.trials[column].is_in(names).fill_null(value=False).to_numpy()


class Impression(NamedTuple):
    """What each reply would report: targets are the `same`; in a comparison, the `first` option holds."""

    same: Flags
    first: Flags


def chance(rng: np.random.Generator, share: float | Floats, over: Counts) -> Flags:
    """A Bernoulli event with probability `share`, drawn once per number in `over`, such as pictures or units."""
    return np.asarray(rng.random(int(over.max(initial=-1)) + 1)[over] < share)


def replies(scene: Scene) -> Counts:
    """A distinct number per trial, for events drawn per reply."""
    return np.arange(len(scene))


def look(
    scene: Scene,
    rng: np.random.Generator,
    *,
    sigma: float | Floats,
    criterion: float | Floats,
    gain: float | Floats = 1.0,
    shift: float | Floats = 0.0,
    heavy: bool = False,
) -> Impression:
    """What is seen: gain · α + shift + noise of the picture, unchanged within the criterion; inducers alone at random.

    `heavy` noise is Student's t with 2 degrees of freedom and scale sigma.
    """
    pictures = int(scene.picture.max(initial=-1)) + 1
    noise = rng.standard_t(2, pictures) if heavy else rng.standard_normal(pictures)
    perceived = gain * scene.alpha + shift + sigma * noise[scene.picture]
    seen = Impression(np.abs(perceived) < criterion, perceived * scene.orientation > 0)
    return guessed(scene, seen, scene.bare, rng)


def offsets(scene: Scene, rng: np.random.Generator, spread: float) -> Floats:
    """A normal offset per unit, with standard deviation `spread`."""
    return np.asarray(spread * rng.standard_normal(int(scene.unit.max(initial=-1)) + 1)[scene.unit])


def guessed(scene: Scene, seen: Impression, where: Flags, rng: np.random.Generator) -> Impression:
    """Random answers in place of what was seen in the trials `where`, drawn per reply."""
    same, first = (chance(rng, 0.5, replies(scene)) for _ in range(2))
    return Impression(np.where(where, same, seen.same), np.where(where, first, seen.first))


def recalled(scene: Scene, seen: Impression, where: Flags, rng: np.random.Generator) -> Impression:
    """The remembered figure in place of what was seen in the trials `where`: "same", and a random comparison."""
    first = chance(rng, 0.5, replies(scene))
    return Impression(seen.same | where, np.where(where, first, seen.first))


def opposite(seen: Impression, where: Flags) -> Impression:
    """The opposite of what was seen in the trials `where`."""
    return Impression(seen.same ^ where, seen.first ^ where)


def reported(
    scene: Scene, seen: Impression, rng: np.random.Generator, *, yes_bias: float = 0.0, deaf: float = 0.0
) -> pl.DataFrame:
    """The marked outcomes of replies that report an impression.

    `deaf` is the share of pictures whose reversed question is answered as the forward one; `yes_bias` is the share of
    replies that are yes (below 0: no) regardless of the question.
    """
    yes = seen.same == scene.unchanged
    yes = yes ^ (scene.reversed & chance(rng, deaf, scene.picture))
    biased = chance(rng, abs(yes_bias), replies(scene))
    return worded(scene, np.where(biased, yes_bias > 0, yes), seen.first)


def worded(scene: Scene, yes: Flags, first: Flags) -> pl.DataFrame:
    """The marked outcomes of replies: yes or no or, in comparisons, the first or the second option."""
    expects = pl.col("expects").str
    options = scene.trials.select(expects.json_path_match(f"$.options[{k}]").alias(str(k)) for k in range(2))
    chosen = np.where(first, options["0"].to_numpy(), options["1"].to_numpy())
    return answer_trials(scene.trials, np.where(scene.comparison, chosen, np.where(yes, "1", "0")))


def without(outcomes: pl.DataFrame, missing: Flags, status: str | NDArray[np.str_]) -> pl.DataFrame:
    """The outcomes with the `missing` replies removed and marked with `status`."""
    gone = pl.lit(pl.Series(missing))
    reasons = pl.lit(pl.Series(np.broadcast_to(status, missing.shape), dtype=pl.String))
    nothing = pl.lit(None, pl.String)
    return mark_outcomes(
        outcomes.with_columns(
            pl.when(gone).then(reasons).otherwise("status").alias("status"),
            *(pl.when(gone).then(nothing).otherwise(name).alias(name) for name in ("answer", "text")),
        )
    )
