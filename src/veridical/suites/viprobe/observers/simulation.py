"""Observers with a chosen mechanism: they read the truth of each trial, and no picture.

They serve to validate the instruments and to plan sample sizes. The perceived difference, in units of α, is

    (1 − memory · recognized) · α + illusion + offset of the unit + noise,

where memory and illusion act only on figures with inducers. A picture whose perceived difference is within the
criterion looks unchanged. Noise is drawn once per picture, lapses once per reply.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from veridical.answers import mark_by_gold
from veridical.ask.outcomes import outcome_table
from veridical.errors import InputError
from veridical.observers import Reply, TrialContext
from veridical.observers.simulation import NAME, identity_of, mechanism_of, opened_run
from veridical.records import ChatTurn, Json, Trial
from veridical.suites.viprobe.asking.settings import PRIOR
from veridical.suites.viprobe.asking.trials import READERS
from veridical.suites.viprobe.design import DESIGN
from veridical.suites.viprobe.observers.question import phrase

FIGURES = ("O", "P", "OH", "PH", "I")
"""Picture types with the classic figure, on which memory and illusion act."""

_ANY_TRIAL = Trial(
    id="",
    suite="",
    stage="",
    stimulus="",
    unit="",
    family="",
    category="",
    variant="",
    messages=(),
    gold=None,
    reader="",
    prompt="",
)
_SIGMA_PER_JND = 1 / 0.6744897501960817
_SHARES = ("memory", "recognition", "lapse", "insensitivity")
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True)
class ViprobeMechanism:
    """The mechanism of a simulated observer. Differences are in units of α, shares in [0, 1].

    `memory`: weight of the remembered, unchanged figure against what is seen, in the share `recognition` of base items
    whose inducers are recognized. `jnd`: difference that is judged correctly in 75 % of cases despite noise (infinite:
    nothing is seen, and everything looks unchanged). `criterion`: smallest perceived difference that is reported.
    `illusion`: added to what is seen on figures whose illusion has a direction. `spread`: standard deviation of an
    offset per base item. `lapse`: share of random answers. `yes_bias` (−1 to 1): share of replies that are yes (below
    0: no) regardless of the question. `insensitivity`: share of pictures whose reversed question is answered as the
    forward one.
    """

    memory: float = 0.0
    recognition: float = 1.0
    jnd: float = 0.04
    criterion: float = 0.1
    illusion: float = 0.0
    spread: float = 0.0
    lapse: float = 0.0
    yes_bias: float = 0.0
    insensitivity: float = 0.0

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if not isinstance(value, int | float) or isinstance(value, bool) or math.isnan(value):
                raise InputError(f"{field.name} {value!r}: a number is allowed")
        for name in _SHARES:
            if not 0 <= getattr(self, name) <= 1:
                raise InputError(f"{name} {getattr(self, name)}: a share from 0 to 1 is allowed")
        if self.jnd <= 0:
            raise InputError(f"jnd {self.jnd}: a number above 0 is allowed")
        for name in ("criterion", "spread"):
            if not 0 <= getattr(self, name) < math.inf:
                raise InputError(f"{name} {getattr(self, name)}: a number from 0 up is allowed")
        if not -1 <= self.yes_bias <= 1 or not math.isfinite(self.illusion):
            raise InputError(
                f"yes_bias {self.yes_bias}, illusion {self.illusion}: -1 to 1, and any number, are allowed"
            )


MECHANISMS = {
    "veridical": ViprobeMechanism(),
    "memory_override": ViprobeMechanism(memory=1.0),
    "competition": ViprobeMechanism(memory=0.8, jnd=0.06),
    "visual_limit": ViprobeMechanism(jnd=0.4, criterion=0.4),
    "illusory_percept": ViprobeMechanism(illusion=0.5, criterion=0.2),
    "blind": ViprobeMechanism(jnd=math.inf),
    "language_limited": ViprobeMechanism(insensitivity=0.9),
}
"""A clear example of each mechanism."""


def simulate(trials: pl.DataFrame, mechanism: ViprobeMechanism, rng: np.random.Generator) -> pl.DataFrame:
    """The outcomes of an observer with this mechanism: every planned trial answered, in the same order.

    `trials` are unanswered outcomes of VI-Probe (`Run.outcomes` of a run without responses), with the truth that the
    observer reads: `alpha`, `congruent`, `variant`, `factors`, and the options in `expects`. The same `rng` state gives
    the same answers.
    """
    rows = facts(trials)
    base = rows["base"].to_numpy()
    recognized = (rng.random(int(base.max(initial=-1)) + 1) < mechanism.recognition)[base]
    perceived, unseen = _perceived(rows, recognized, mechanism, rng)
    same = np.abs(perceived) < mechanism.criterion
    lapses = rng.random(len(rows)) < mechanism.lapse
    coins = rng.random(len(rows)) < 0.5
    same = np.where(lapses | unseen, coins, same)
    binary = _yes_no_answers(rows, same, mechanism, rng)
    first = np.where(lapses | unseen | (perceived == 0), coins, perceived * rows["orientation"].to_numpy() > 0)
    chosen = np.where(first, rows["first"].to_numpy(), rows["second"].to_numpy())
    answers = np.where(rows["first"].is_null().to_numpy(), binary, chosen)
    answers = np.where(rows["unseen"].to_numpy(), _recalled(rows, recognized), answers)
    return answer_trials(trials, answers)


def answer_trials(trials: pl.DataFrame, answers: NDArray[np.str_] | NDArray[np.object_]) -> pl.DataFrame:
    """The trials with one marked answer each, in the suite's format."""
    outcomes = trials.with_columns(
        pl.lit("answered").alias("status"),
        pl.Series("answer", answers, dtype=pl.String),
        pl.Series("text", [phrase(answer, "Simulated.") for answer in answers], dtype=pl.String),
        pl.lit(1, pl.Int64).alias("attempt"),
        pl.lit(1, pl.Int64).alias("requests"),
        pl.lit(False).alias("cached"),
    )
    return mark_outcomes(outcomes)


def mark_outcomes(outcomes: pl.DataFrame) -> pl.DataFrame:
    """The outcomes with `correct` as the suite's readers mark an answer; a missing answer is incorrect.

    `correct` is null for trials without a gold answer and for trials that were not asked.
    """
    rows = outcomes.with_columns(pl.col("status").is_not_null().alias("_has_status"))
    cases = rows.select("answer", "gold", "_has_status").unique()
    marks = [_mark(*case) for case in cases.iter_rows()]
    marks_by_case = cases.with_columns(pl.Series("correct", marks, dtype=pl.Boolean))
    keys = ["answer", "gold", "_has_status"]
    joined = rows.drop("correct").join(marks_by_case, on=keys, how="left", nulls_equal=True, maintain_order="left")
    return joined.select(outcomes.columns)


def _mark(answer: str | None, gold: str | None, has_status: bool) -> bool | None:
    if gold is None or not has_status:
        return None
    return answer is not None and mark_by_gold(answer, replace(_ANY_TRIAL, gold=gold)).correct


def facts(trials: pl.DataFrame) -> pl.DataFrame:
    """What a simulated observer reads of each trial: one row per trial, in the same order.

    `alpha`, `figure`, `bare` (inducers alone), `directed` and `orientation` (sign of the value at a positive alpha)
    describe the picture, which is `unseen` where textbooks are asked about; `unchanged` is the answer for an unchanged
    picture; `reversed`, `first` and `second` (options of a comparison) describe the question; `picture` and `base`
    number pictures and base items from 0.
    """
    factors, settings, expects = (pl.col(name).str for name in ("factors", "settings", "expects"))
    value = factors.json_path_match("$.value").cast(pl.Float64, strict=False)
    facts = trials.select(
        pl.col("alpha").fill_null(0.0),
        pl.col("variant").is_in(FIGURES).alias("figure"),
        (pl.col("variant") == "I").alias("bare"),
        (settings.json_path_match("$.sight") == PRIOR).fill_null(value=False).alias("unseen"),
        (settings.json_path_match("$.polarity") == "reversed").fill_null(value=False).alias("reversed"),
        factors.json_path_match("$.answer_if_unchanged").alias("unchanged"),
        expects.json_path_match("$.options[0]").alias("first"),
        expects.json_path_match("$.options[1]").alias("second"),
        (value * pl.col("alpha")).sign().alias("sign"),
        pl.col("congruent").is_not_null().any().over("family").alias("directed"),
        pl.struct("stimulus", "repeat").rank("dense").cast(pl.Int64).alias("picture") - 1,
        pl.col("unit").rank("dense").cast(pl.Int64).alias("base") - 1,
    )
    signs = pl.col("sign").filter(pl.col("sign") != 0).first().over("base")
    return facts.with_columns(signs.fill_null(1.0).alias("orientation"))


def _perceived(
    rows: pl.DataFrame, recognized: Flags, mechanism: ViprobeMechanism, rng: np.random.Generator
) -> tuple[Floats, Flags]:
    """The perceived difference of each trial's picture, and whether it can only be answered at random."""
    picture, base = rows["picture"].to_numpy(), rows["base"].to_numpy()
    offset = (mechanism.spread * rng.standard_normal(int(base.max(initial=-1)) + 1))[base]
    noise = rng.standard_normal(int(picture.max(initial=-1)) + 1)[picture]
    figure, bare = rows["figure"].to_numpy(), rows["bare"].to_numpy()
    recited = bare & recognized & (rng.random(len(rows)) < mechanism.memory)
    if math.isinf(mechanism.jnd):
        return np.zeros(len(rows)), np.zeros(len(rows), bool)
    seen = rows["alpha"].to_numpy() * (1 - mechanism.memory * (figure & recognized))
    pushed = mechanism.illusion * (figure & rows["directed"].to_numpy())
    perceived = seen + pushed + offset + noise * mechanism.jnd * _SIGMA_PER_JND
    return np.where(bare, 0.0, perceived), bare & ~recited


def _yes_no_answers(
    rows: pl.DataFrame, same: Flags, mechanism: ViprobeMechanism, rng: np.random.Generator
) -> NDArray[np.str_]:
    """The answers to yes-no questions, in the suite's format."""
    unchanged = (rows["unchanged"] == "1").fill_null(value=False).to_numpy()
    yes = np.where(same, unchanged, ~unchanged)
    picture = rows["picture"].to_numpy()
    deaf = (rng.random(int(picture.max(initial=-1)) + 1) < mechanism.insensitivity)[picture]
    yes = np.where(deaf & rows["reversed"].to_numpy(), ~yes, yes)
    biased = rng.random(len(rows)) < abs(mechanism.yes_bias)
    return np.where(np.where(biased, mechanism.yes_bias > 0, yes), "1", "0")


def _recalled(rows: pl.DataFrame, recognized: Flags) -> NDArray[np.object_]:
    """The answers to questions without a picture: those of an unchanged figure where it is known, else the others."""
    unchanged = rows["unchanged"].to_numpy()
    return np.where(recognized, unchanged, np.where(unchanged == "1", "0", "1"))


_UNNAMED = "veridical"
_WORDS = {"inf": math.inf}


def open_observer(model_args: Mapping[str, Json], run: Path | None) -> Reply:
    """The replies of an observer with a chosen mechanism to the trials of a run's folder, by the trial's id.

    Raises `InputError` for an invalid model argument and, at the first reply, for a run that cannot be read.
    """
    mechanism, seed = mechanism_and_seed(model_args)

    @cache
    def replies() -> dict[str, str]:
        trials = opened_run(run).trials()
        planned = outcome_table(NAME, trials, {}, READERS, factors=DESIGN.factors)
        answered = simulate(planned, mechanism, np.random.default_rng(seed))
        return dict(answered.select("trial", "text").iter_rows())

    def reply(messages: Sequence[ChatTurn], request: TrialContext | None) -> str:  # noqa: ARG001 (it sees nothing)
        trial_id = request.trial if request else None
        if trial_id not in replies():
            raise InputError(f"{NAME} got trial {trial_id!r}, which its run does not contain")
        return replies()[trial_id]

    return reply


def mechanism_and_seed(model_args: Mapping[str, Json]) -> tuple[ViprobeMechanism, int]:
    """The mechanism and the seed in the arguments `mechanism=NAME`, fields of `ViprobeMechanism`, and `seed`.

    Fields replace those of the named mechanism (default: the veridical one); "inf" is a valid number. Raises
    `InputError` for an unknown name or an invalid value.

    >>> mechanism, seed = mechanism_and_seed({"mechanism": "competition", "jnd": 0.1})
    >>> mechanism.memory, mechanism.jnd, seed
    (0.8, 0.1, 0)
    """
    return mechanism_of(model_args, MECHANISMS, _UNNAMED, _number)


def identity(model_args: Mapping[str, Json]) -> dict[str, Json]:
    """All arguments that define the observer, with defaults; raises `InputError` as `mechanism_and_seed` does."""
    mechanism, seed = mechanism_and_seed(model_args)
    numbers = {key: "inf" if value == math.inf else value for key, value in identity_of(mechanism, seed).items()}
    return {"mechanism": str(model_args.get("mechanism", _UNNAMED)), **numbers}


def _number(name: str, value: Json) -> float:
    try:
        return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else _WORDS[value]
    except (KeyError, OverflowError, TypeError):
        raise InputError(f"{name} {str(value)[:40]!r}: a number is allowed") from None
