"""Self-Heal: what becomes of reasoning that has gone wrong, and of reasoning that has not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import polars as pl

from veridical.judges import Marking, join_verdicts, judged_rates
from veridical.judges.judged_outcomes import COMBINED
from veridical.records import Counts, Estimate, Unit
from veridical.suite.contrasts import difference, holm_by
from veridical.suite.evidence import Evidence
from veridical.suite.rates import Slice
from veridical.suite.rows import asked_rows, groups, with_settings
from veridical.suite.sensitivity import detections
from veridical.suites.magic.asking.healing import HEAL_GRADE, HEAL_OWN_GRADE
from veridical.suites.magic.stimuli import NAME

FALSE = ("region", "relation", "description")
"""The prefixes of our scenes that state something false."""
WRONG = (*FALSE, "annotated")
"""The prefixes that Self-Heal is pooled over; a listing states nothing false, and own prefixes stand apart."""
TRUE, LISTING, OWN = "true", "listing", "own"
HEAL, STEADY = "heal", "steady"
OUTCOMES = {"states": "states the correction", "heals": "names the mistake and corrects it"}
KEYS = ("injection", "correcting", "chain_by")
COUNT = Unit(name="count", digits=0, low=0.0)
_DETECTION = (
    "a hit is a mistake that is named on a false prefix, a false alarm one on a true prefix; log-linear correction; "
    "Student's interval from a bootstrap of units within families"
)


def healing(evidence: Evidence) -> Iterator[Estimate]:
    """All estimates of Self-Heal, those of own prefixes apart; nothing where it was not asked."""
    for marking in (HEAL_GRADE, HEAL_OWN_GRADE):
        if marking.about not in evidence.stages:
            continue
        continued = stretches(evidence.outcomes(marking.about))
        if continued.is_empty():
            continue
        yield from _numbers(continued)
        if marking.name in evidence.stages:
            yield from _rates(evidence, marking)
            yield from _requests(evidence, marking)
            yield from _detections(evidence, marking)


def decisive(evidence: Evidence) -> Iterator[Estimate]:
    """Those of the estimates that a verdict rests on: over all kinds of wrong prefixes, and on true ones."""
    for score, metric, kinds in (("heals", "heals", (HEAL, WRONG)), ("denies", "over-correction", (STEADY, (TRUE,)))):
        yield from judged_rates(NAME, evidence, HEAL_GRADE, score, metric, keys=KEYS, among=partial(_among, *kinds))
    yield from _detections(evidence, HEAL_GRADE)


def stretches(outcomes: pl.DataFrame) -> pl.DataFrame:
    """The continuations with the settings, whose chain it was, and which stretch of it (the number of its last step).

    A stage of own prefixes has the level "own" of `prefix`.
    """
    named = with_settings(outcomes, ("prefix", "injection", "correcting"))
    own = pl.when(pl.col("stage") == HEAL_OWN_GRADE.about).then(pl.lit(OWN))
    return named.with_columns(
        pl.coalesce(own, "prefix").alias("prefix"),
        pl.col("injection").fill_null("prefill"),
        pl.coalesce(pl.col("expects").str.json_path_match("$.chain_by"), "chain_by").fill_null("").alias("chain_by"),
        pl.col("expects").str.json_path_match("$.stretch[1]").fill_null("").alias("stretch"),
    )


def _numbers(continued: pl.DataFrame) -> Iterator[Estimate]:
    """`wrong stretches`: how many mistakes there are to heal, each counted once, by whose chain and kind of prefix."""
    wrong = continued.filter(pl.col("prefix") != TRUE)
    for keys in (("chain_by",), ("chain_by", "prefix")):
        pooled = wrong if "prefix" in keys else wrong.filter(pl.col("prefix").is_in(WRONG))
        for where, rows in groups(pooled, keys):
            number = float(rows.select("stimulus", "prefix", "stretch").n_unique())
            yield Slice(NAME, where, rows, Counts.of(rows)).computed("wrong stretches", COUNT, "counted", number)


def _among(rubric: str, prefixes: tuple[str, ...], rows: pl.DataFrame) -> pl.DataFrame:
    """The continuations of these prefixes that were asked for, with the verdicts by a rubric."""
    own = rows.filter(pl.col("rubric").is_null() | (pl.col("rubric") == rubric))
    return asked_rows(stretches(own)).filter(pl.col("prefix").is_in(prefixes))


def _rates(evidence: Evidence, marking: Marking) -> Iterator[Estimate]:
    """`states` and `heals` by kind of prefix and pooled, `over-correction` on true ones; by judge.

    Own prefixes are a kind of their own, and in nothing that is pooled.
    """
    wrong = partial(_among, HEAL, WRONG)
    every = partial(_among, HEAL, (*WRONG, LISTING, OWN))
    plans: list[tuple[str, tuple[str, ...], Callable[[pl.DataFrame], pl.DataFrame]]] = []
    steady = partial(_among, STEADY, (TRUE,))
    for score in OUTCOMES:
        plans.append((score, (*KEYS, "prefix"), every))
        plans += [(score, keys, wrong) for keys in (KEYS, (*KEYS, "category")) if marking is HEAL_GRADE]
    plans += [("denies", keys, steady) for keys in (KEYS, (*KEYS, "category")) if marking is HEAL_GRADE]
    for score, keys, among in plans:
        metric = "over-correction" if score == "denies" else score
        yield from judged_rates(NAME, evidence, marking, score, metric, keys=keys, among=among)


def verdicts(evidence: Evidence, marking: Marking, score: str) -> Iterator[tuple[str, pl.DataFrame]]:
    """The continuations with `value`, the score of each (0 where there is nothing to judge), by judge."""
    each = join_verdicts(evidence, marking, score).drop_nulls("judge")
    value = pl.when(pl.col("verdict_status").is_null()).then(0.0).otherwise(pl.col("verdict"))
    rubric = STEADY if score == "denies" else HEAL
    prefixes = (TRUE,) if score == "denies" else (*WRONG, OWN)
    for (judge,), rows in each.filter(~pl.col("judge").is_in(COMBINED)).group_by("judge", maintain_order=True):
        yield str(judge), _among(rubric, prefixes, rows).with_columns(value.alias("value")).drop_nulls("value")


def _requests(evidence: Evidence, marking: Marking) -> Iterator[Estimate]:
    """`request effect`: what the request to correct changes on the same stretches; p by Holm over the outcomes."""
    tested: list[Estimate] = []
    for score in (*OUTCOMES, "denies"):
        for judge, rows in verdicts(evidence, marking, score):
            for where, own in groups(rows, ("injection", "chain_by"), {"of": score, "judge": judge}):
                same = ("stimulus", "prefix", "stretch", "repeat")
                paired = own.filter(pl.col("correcting").n_unique().over(same) == 2)
                if not paired.is_empty():
                    piece = Slice(NAME, where, paired, Counts.of(own))
                    asked = pl.col("correcting") == "prompted"
                    sides = (asked, ~asked, "prompted − unprompted")
                    tested.append(difference(piece, "request effect", "value", sides))
    yield from holm_by(tested, ("judge", "injection", "chain_by"), together=True)


def _detections(evidence: Evidence, marking: Marking) -> Iterator[Estimate]:
    """`healing d_prime` and `healing criterion`: false prefixes told from true ones, on our scenes, by judge."""
    alarms = dict(verdicts(evidence, marking, "denies"))
    for judge, named in verdicts(evidence, marking, "names"):
        noise = alarms.get(judge)
        if noise is None or noise.is_empty():
            continue
        signal = named.filter(pl.col("prefix").is_in(FALSE))
        for where, own in groups(signal, ("injection", "correcting"), {"judge": judge}):
            place = [pl.col(name) == where[name] for name in ("injection", "correcting")]
            both = pl.concat([own, noise.filter(place)], how="diagonal")
            piece = Slice(NAME, where, both, Counts.of(both))
            metrics, kinds = ("healing d_prime", "healing criterion"), "false and true prefixes"
            yield from detections(piece, "value", pl.col("prefix") != TRUE, _DETECTION, metrics, kinds)
