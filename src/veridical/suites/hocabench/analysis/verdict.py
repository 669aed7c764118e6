"""A verdict on a run: does the model notice what is impossible, in things and in what happens between them?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product, starmap
from typing import NamedTuple

import numpy as np
import polars as pl

from veridical.stats import holm
from veridical.suite.conclusions import BoundedFigure, RunVerdict, more
from veridical.suite.evidence import Evidence
from veridical.suite.missing_replies import LACKING, MOST_FILLED, despite_missing, fill_missing, most_missing
from veridical.suite.opening import Tone
from veridical.suite.rates import cluster_rows
from veridical.suite.rows import asked_rows
from veridical.suite.unseen_regions import UNSEEN, UNSEEN_TERM, despite_unseen
from veridical.suites.hocabench.analysis.figures import LAYERS, permuted_p
from veridical.suites.hocabench.analysis.rows import EXPLAINED_CONTROL, plain_replies, replies
from veridical.suites.hocabench.asking.readers import DESCRIPTION, PLAUSIBILITY
from veridical.suites.hocabench.stimuli import PLAUSIBLE, VIOLATING

SEES, WITHOUT_CONTROLS = "sees both layers", "tells the odd from the usual"
LAG, REVERSE = "existence without mechanism", "mechanism without existence"
VAGUE, LITTLE, BLIND = "notices, cannot say what", "sees little", "blind"
ODD, POSSIBLE, ODDNESS = "calls everything odd", "calls everything possible", "odd, not impossible"
MISSING, OPEN = "undetermined: answers missing", "undetermined"
HALF, NEAR, OFTEN, SURE = 0.5, 0.2, 0.6, 0.05
"""A share seen; a difference that counts as none, or as clear beyond it; a share from which an answer is a habit; and
the largest p of a gap."""
_ALARM, _CLEAR = 0.3, 0.05
"""Below the first difference, explained clips count as plausible to the model; above the second, some are seen."""
_OPTIONS = 4
_CLIPS = (VIOLATING, PLAUSIBLE, EXPLAINED_CONTROL)
_THINGS, _EVENTS = "impossible things", "impossible events"
_NAMED = 1 / _OPTIONS + HALF * (1 - 1 / _OPTIONS)
TERMS = {
    SEES: "Violating clips of both layers are called implausible, and their controls, also the explained, plausible.",
    WITHOUT_CONTROLS: (
        "Violating clips of both layers are called implausible and their controls plausible; without explained "
        "controls, looking for oddness alone would do."
    ),
    LAG: "Things that are impossible in themselves are noticed, impossible outcomes of events less than half the time.",
    REVERSE: "Impossible outcomes of events are noticed, things impossible in themselves less than half the time.",
    VAGUE: "Clips are rightly called implausible, but the description of what is wrong is chosen little above chance.",
    LITTLE: "Violating clips are called implausible more often than their controls, but by less than half.",
    BLIND: "Violating clips are hardly called implausible more often than their controls.",
    ODD: "Most clips are called implausible, violating or not.",
    POSSIBLE: "Most clips are called plausible, violating or not.",
    ODDNESS: "Clips whose odd event has a visible cause are called implausible: it looks for oddness.",
    MISSING: "More than 5 % of the replies to one kind of clip have no answer, and what they were may matter.",
    UNSEEN: UNSEEN_TERM,
}
"""The verdicts, for the glossary."""
_BLAMING = frozenset({LAG, REVERSE, VAGUE, LITTLE, BLIND, POSSIBLE})
"""The verdicts that a model comes to also by not seeing where the event is."""
NAMED_FROM = {ODD: 45, POSSIBLE: 45, SEES: 54, LAG: 54}
"""The units from which four of five simulated runs are given a verdict, of observers with one lapse in ten."""


class ClipRates(NamedTuple):
    """Shares called implausible and their differences, as shares; `None` where there is nothing to count.

    `apart` is violating − plausible, over all and by layer; `alarm` is explained − plausible; `named` is the accuracy
    of descriptions by layer; `gaps` are the p values, by Holm, of ontological − causal in both.
    """

    odd: BoundedFigure
    false: BoundedFigure
    apart: BoundedFigure
    by_layer: tuple[BoundedFigure | None, ...]
    alarm: BoundedFigure | None
    named: tuple[BoundedFigure | None, ...]
    gaps: tuple[float | None, ...]


def figures_of(said: pl.DataFrame, described: pl.DataFrame) -> ClipRates:
    """The figures, from the answered replies to Task I and those to Task III."""
    kinds = {name: said.filter(pl.col("variant") == name) for name in _CLIPS}
    by_layer = tuple(_apart(*(_of_layer(kinds[name], layer) for name in (VIOLATING, PLAUSIBLE))) for layer in LAYERS)
    explained = kinds[EXPLAINED_CONTROL]
    shared = kinds[PLAUSIBLE].filter(pl.col("unit").is_in(explained["unit"].unique().implode()))
    usable = (
        len(described) > 0
        and "blind" not in set(described["sight"])
        and most_missing(described, ("variant",)).share < MOST_FILLED
    )
    named = tuple(_rate(described.filter(pl.col("layer") == layer), "right") if usable else None for layer in LAYERS)
    p = [_gap_p(kinds[VIOLATING], kinds[PLAUSIBLE]), _permuted(_by_unit(described, "right")) if usable else None]
    odd, false, apart = _rate(kinds[VIOLATING]), _rate(kinds[PLAUSIBLE]), _apart(kinds[VIOLATING], kinds[PLAUSIBLE])
    assert odd
    assert false
    assert apart
    return ClipRates(odd, false, apart, by_layer, _apart(explained, shared), named, tuple(holm(p)))


def _of_layer(rows: pl.DataFrame, layer: str) -> pl.DataFrame:
    """The rows of a layer; all, where no row has one, as real clips of a release."""
    return rows if rows["layer"].null_count() == len(rows) else rows.filter(pl.col("layer") == layer)


def _rate(rows: pl.DataFrame, column: str = "implausible") -> BoundedFigure | None:
    if rows.is_empty():
        return None
    data = cluster_rows(rows, (column,), np.zeros(len(rows), np.int64), 1)
    return BoundedFigure(*(float(each) for each in data.measured.mean([1.0])))


def _apart(first: pl.DataFrame, second: pl.DataFrame) -> BoundedFigure | None:
    """How much more often the first rows are called implausible than the second."""
    if first.is_empty() or second.is_empty():
        return None
    side = np.repeat([0, 1], [len(first), len(second)])
    data = cluster_rows(pl.concat([first, second]), ("implausible",), side, 2)
    return BoundedFigure(*(float(each) for each in data.measured.contrast([1.0, -1.0])))


def _gap_p(violating: pl.DataFrame, plausible: pl.DataFrame) -> float | None:
    """p of ontological − causal in how far units are apart, by permutation of the layers of units."""
    own = _by_unit(violating, "implausible").rename({"score": "odd"})
    control = plausible.group_by("unit").agg(pl.col("implausible").mean().alias("false"))
    units = own.join(control, on="unit", how="left", maintain_order="left").with_columns(
        pl.col("false").fill_null(pl.col("false").mean()).fill_null(0.0)
    )
    return _permuted(units.with_columns(score=pl.col("odd") - pl.col("false")))


def _by_unit(rows: pl.DataFrame, column: str) -> pl.DataFrame:
    return rows.group_by("unit", maintain_order=True).agg(pl.col("layer").first(), score=pl.col(column).mean())


def _permuted(units: pl.DataFrame) -> float | None:
    layers = np.stack([(units["layer"] == layer).fill_null(value=False).to_numpy() for layer in LAYERS], 1)
    layers = layers.astype(float)
    if not layers.any(0).all():
        return None
    used = layers.any(1)
    return permuted_p((layers * units["score"].to_numpy()[:, None])[used], layers[used])


def verdict(evidence: Evidence) -> RunVerdict:
    """The verdict on a run, from Tasks I and III: the first rule that holds, each on whole 95 % intervals.

    "Apart" is how much more often violating clips are called implausible than plausible ones.

    - Answers missing: more than 5 % of the replies in Task I or III to one kind of clip have no answer; and 10 % or
      more, or what they might have been would change the verdict. Task III counts only where fewer than 10 % lack one.
    - Outside what the model sees: more than 5 % of one kind of clip have an event there, by its measured map, and the
      verdict would say that the model misses things (all but odd, and seen).
    - Apart by less than 20 points: calls everything odd, or possible, if over 60 % of all kinds are called so; else
      blind, unless descriptions are chosen clearly above chance. No name where plausible clips are called implausible
      more often, by over 5 points: one that sees nothing does not do that.
    - Odd, not impossible: explained clips are called implausible over 20 points more often than plausible ones.
    - Existence without mechanism: ontological clips are apart by more than half, causal ones by less than half, or the
      same of descriptions where both layers are apart, and the gap passes its test (permutation of the layers of units,
      by Holm over both tasks). The reverse likewise. Task II is no part of it: a preference for some names makes a gap.
    - Notices, cannot say what: both layers are apart by more than half, descriptions are right less than half as far
      as chance leaves.
    - Sees little: both layers are apart by less than half, and all by more than 5 points.
    - Sees both layers: both are apart by more than half, explained controls within 30 points of plausible ones, and
      descriptions, where they were asked, more than half as far right as chance leaves.
    """
    rows = replies(evidence.outcomes())
    chosen, described = (asked_rows(plain_replies(rows, task)[0]) for task in (PLAUSIBILITY, DESCRIPTION))
    kinds = set(chosen["variant"].unique())
    if "blind" in set(chosen["sight"].drop_nulls()) or not {VIOLATING, PLAUSIBLE} <= kinds:
        needs = ("Task I (is it plausible?) on violating and on plausible clips",)
        return RunVerdict(OPEN, "No verdict.", "A verdict takes violating and plausible clips.", "open", needs)
    missing, undescribed = (most_missing(each, ("variant",)) for each in (chosen, described))
    if missing.share < undescribed.share < MOST_FILLED:
        missing = undescribed
    concluded = _concluded(chosen, described)
    stated = despite_missing(missing, concluded, starmap(_concluded, _filled(chosen, described)), MISSING)
    return despite_unseen(chosen, stated, _BLAMING)


def _concluded(chosen: pl.DataFrame, described: pl.DataFrame) -> RunVerdict:
    """The verdict from the answered replies to Task I and the replies to Task III."""
    answered = chosen.drop_nulls("implausible")
    if not {VIOLATING, PLAUSIBLE} <= set(answered["variant"].unique()):
        return RunVerdict(
            OPEN, "No verdict.", "One kind of clip has no answered reply.", "open", ("replies with an answer",)
        )
    figures = figures_of(answered, described)
    line = _line(figures)
    name, sentence, tone = next(_rules(figures), (OPEN, "", "open"))
    if not sentence:
        units = more("units", answered["unit"].n_unique(), NAMED_FROM)
        needs = (units if all(figures.by_layer) else "ontological and causal clips",)
        return RunVerdict(OPEN, "Cannot tell yet whether it notices the impossible.", line, "open", needs)
    return RunVerdict(name, sentence, line, tone, ("explained controls",) if name == WITHOUT_CONTROLS else ())


def _filled(chosen: pl.DataFrame, described: pl.DataFrame) -> Iterator[tuple[pl.DataFrame, pl.DataFrame]]:
    """Both tasks with what is missing filled in: each kind of clip called odd or not, each layer described or not.

    A kind or a layer that lacks no reply is filled in one way, since the other is the same.
    """
    kinds = chosen.filter(LACKING)["variant"]
    layers = described.filter(LACKING).select(pl.when(pl.col("layer") == LAYERS[1]).then(1).otherwise(0))
    for odd in product(*((0.0, 1.0) if kind in kinds else (0.0,) for kind in _CLIPS)):
        said = pl.col("variant").replace_strict(_CLIPS, odd, return_dtype=pl.Float64)
        for right in product(*((0.0, 1.0) if place in layers.to_series() else (0.0,) for place in range(len(LAYERS)))):
            told = pl.col("layer").replace_strict(LAYERS, right, default=right[0], return_dtype=pl.Float64)
            yield fill_missing(chosen, implausible=said), fill_missing(described, right=told)


def _rules(figures: ClipRates) -> Iterator[tuple[str, str, Tone]]:
    """The verdicts whose rules hold, the one that counts first."""
    apart, alarm = figures.apart, figures.alarm
    if apart.high < NEAR:
        if apart.high < -_CLEAR:
            yield OPEN, "Calls plausible clips implausible more often than violating ones.", "open"
        elif min(figures.odd.low, figures.false.low) > OFTEN:
            yield ODD, "Calls most clips implausible, whatever they show.", "bad"
        elif max(figures.odd.high, figures.false.high) < 1 - OFTEN:
            yield POSSIBLE, "Calls most clips plausible, whatever they show.", "bad"
        elif all(each is None or each.high < _NAMED for each in figures.named):
            yield BLIND, "Hardly tells violating clips from their controls.", "bad"
        return
    if alarm is not None and alarm.low > NEAR and apart.low > NEAR:
        yield ODDNESS, "Calls whatever looks odd implausible, even where a visible cause explains it.", "bad"
    yield from _one_layer(figures)
    existence, mechanism = figures.by_layer
    if existence is None or mechanism is None:
        return
    if max(existence.high, mechanism.high) < HALF and apart.low > _CLEAR:
        yield LITTLE, "Tells violating clips from their controls, but less than half of the time.", "bad"
    if min(existence.low, mechanism.low) > HALF:
        yield from _noticed(figures)


def _one_layer(figures: ClipRates) -> Iterator[tuple[str, str, Tone]]:
    """One layer seen by more than half and the other by less, in what is noticed, else in what is described."""
    both = [each for each in figures.by_layer if each is not None]
    noticed = len(both) == 2 and min(each.low for each in both) > HALF
    for pair, p, half, words in (
        (figures.by_layer, figures.gaps[0], HALF, "Notices {}, but fewer than half of the {}."),
        (
            figures.named if noticed else (None, None),
            figures.gaps[1],
            _NAMED,
            "Notices both kinds, but describes {} much better than {}.",
        ),
    ):
        existence, mechanism = pair
        if existence is None or mechanism is None or p is None or p > SURE:
            continue
        if existence.low > half > mechanism.high:
            yield LAG, words.format(_THINGS, _EVENTS), "bad"
        if mechanism.low > half > existence.high:
            yield REVERSE, words.format(_EVENTS, _THINGS), "bad"


def _noticed(figures: ClipRates) -> Iterator[tuple[str, str, Tone]]:
    """What is concluded where both layers are noticed."""
    named = [each for each in figures.named if each is not None]
    if len(named) == 2 and max(each.high for each in named) < _NAMED:
        yield VAGUE, "Calls violating clips implausible, but seldom knows what is wrong with them.", "bad"
        return
    if any(each.value <= _NAMED or each.low <= 1 / _OPTIONS for each in named):
        return
    if figures.alarm is None:
        yield WITHOUT_CONTROLS, "Tells violating clips from their controls, for things and for events.", "good"
    elif figures.alarm.high < _ALARM:
        yield SEES, "Notices impossible things and events, and accepts what has a visible cause.", "good"


def _line(figures: ClipRates) -> str:
    """What a verdict rests on, in percent and points."""
    apart = _by_layer(figures.by_layer, "points", figures.gaps[0])
    first = f"Calls {figures.odd} % of violating and {figures.false} % of plausible clips implausible"
    parts = [f"{first}, which differ by {apart}" if apart else first]
    if figures.alarm is not None:
        parts.append(f"explained clips are called so {figures.alarm} points more often than plausible ones")
    if described := _by_layer(figures.named, "%", figures.gaps[1]):
        parts.append(f"picks the right description of {described}")
    return "; ".join(parts) + "."


def _by_layer(both: Sequence[BoundedFigure | None], unit: str, p: float | None) -> str:
    """A figure of each layer, and whether the gap between them passes its test."""
    shown = " and ".join(f"{each} {unit} ({name})" for name, each in zip(LAYERS, both, strict=True) if each is not None)
    return f"{shown}, a gap beyond chance" if p is not None and p <= SURE else shown
