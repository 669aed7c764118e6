"""The estimates of VIA-Bench: accuracies, baselines, how errors lean, bias apart from sensitivity, and differences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain

import numpy as np
import polars as pl

from veridical.judges import join_verdicts, judged_rates
from veridical.records import PROPORTION, Counts, Estimate, Json
from veridical.suite import sensitivity
from veridical.suite.contrasts import difference, holm_by
from veridical.suite.evidence import Evidence
from veridical.suite.rates import NOTHING, RATE_METHOD, Slice, cluster_rows, mean_rate
from veridical.suite.rows import OF_ALL, Keys, asked_rows, filter_to_level, groups
from veridical.suite.sensitivity import yes_bias_estimate
from veridical.suites.viabench.analysis.leanings import BY_CATEGORY, BY_FAMILY, beyond_guessing, leanings, pull
from veridical.suites.viabench.analysis.reasoning import reasoning, token_estimates
from veridical.suites.viabench.analysis.replies import (
    NAME,
    expectations,
    letter_replies,
    pieces,
    plain_replies,
    replies,
)
from veridical.suites.viabench.asking.marking import BY_FORM, GRADE
from veridical.suites.viabench.asking.readers import CHOICE, OPEN
from veridical.suites.viabench.asking.trials import SETTINGS
from veridical.suites.viabench.options import CATEGORIES
from veridical.suites.viabench.puzzles.puzzle import NO, YES

_ANOMALY, _FORWARD = pl.col("variant") == "unusual", pl.col("polarity") == "forward"
_DETECTION = (
    "a hit is an answer other than the usual one on an anomaly, a false alarm one on its normal version; log-linear "
    "correction; of answered, 'Not Sure' apart; Student's interval from a bootstrap of units within families"
)
_BIAS = (
    "P(Yes | as stated) + P(Yes | turned round) − 1, of answered, 'Not Sure' apart; Student's interval from a "
    "bootstrap of units within families"
)


def detections(rows: pl.DataFrame, note: str) -> Iterator[Estimate]:
    """`d_prime` and `criterion` of anomalies against their normal versions, over all and by family.

    Only families count whose usual answer is right on the normal version.
    """
    chosen = _decided(rows).filter(pl.col("category") == "anomalies").drop_nulls("usual")
    chosen = chosen.with_columns((1 - pl.col("as_usual")).alias("other"))
    for piece in pieces(chosen, [(), ("family",)], {}, note):
        yield from sensitivity.detections(piece, "other", _ANOMALY, _DETECTION)


def polarity_bias(rows: pl.DataFrame, note: str) -> Iterator[Estimate]:
    """`polarity bias`: how much more often Yes is said than the questions warrant, over all yes-no questions."""
    yes_no = pl.col("option").is_in([YES, NO]) & (pl.col("polarity") != "none")
    binary = _decided(rows).filter(yes_no)
    answers = binary.with_columns((pl.col("option") == YES).cast(pl.Float64).alias("yes"))
    (piece,) = pieces(answers, note=note)
    lacking = "no yes-no questions of both polarities were answered"
    yield yes_bias_estimate(piece, "polarity bias", "yes", _FORWARD, _BIAS, lacking)


def _decided(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.filter(pl.col("option").is_not_null() & (pl.col("kind") != "unsure"))


_BY = (*BY_FAMILY, ("variant",), ("category", "variant"), ("capability",), ("difficulty",), ("polarity",))
BY_VARIANT: tuple[Keys, ...] = (*BY_CATEGORY, ("variant",))
_WORST = "the worst reply to a unit, over its pictures and repeats, of all units"
_METHOD = "pairs of repeats that choose one option, of all pairs of a trial, averaged over trials"


def repetition(rows: pl.DataFrame, note: str) -> Iterator[Estimate]:
    """`consistency`, over all trials and by category, and accuracy per repeat.

    Nothing where trials are asked once; a trial of which one repeat was asked so far does not count for it.
    """
    if rows["repeat"].n_unique() < 2:
        return
    for piece in pieces(rows, [("repeat",), ("repeat", "category")], {}, note):
        yield piece.rate("accuracy", "right", OF_ALL)
    again = asked_rows(rows).filter(pl.len().over("trial") > 1)
    trials = again.group_by("trial", "unit", "family", "category", maintain_order=True).agg(
        _agreeing().alias("consistency")
    )
    if trials.is_empty():
        return
    for keys in BY_CATEGORY:
        for where, within in groups(trials, keys):
            same = rows.filter(pl.col("category") == where["category"]) if keys else rows
            piece = Slice(NAME, where, same, Counts.of(same), note)
            data = cluster_rows(within, ("consistency",), np.zeros(len(within), np.int64), 1)
            value, bounds = mean_rate(data, 0, (1.0,))
            yield piece.estimate("consistency", PROPORTION, f"{_METHOD}; {RATE_METHOD}", value, bounds)


def all_right(rows: pl.DataFrame, note: str) -> Iterator[Estimate]:
    """`all right`: units of which every picture is answered right in every repeat; a unit not all asked is left out."""
    whole = rows.filter(pl.col("status").is_not_null().all().over("unit"))
    units = whole.group_by("unit", "family", "category", maintain_order=True).agg(pl.col("right").min())
    for keys in BY_FAMILY if len(units) else ():
        for where, within in groups(units, keys):
            same = whole.filter(pl.col("unit").is_in(within["unit"].implode()))
            piece = Slice(NAME, where, same, Counts.of(same), note)
            value, bounds = mean_rate(cluster_rows(within, ("right",), np.zeros(len(within), np.int64), 1), 0, (1.0,))
            yield piece.estimate("all right", PROPORTION, f"{_WORST}; {RATE_METHOD}", value, bounds)


def _agreeing() -> pl.Expr:
    """Pairs of repeats that choose the same option, of all pairs."""
    options = pl.col("option").drop_nulls()
    # The counts come in any order, another each time, so they are used once.
    squares = options.value_counts().struct.field("count").cast(pl.Float64).pow(2).sum()
    return (squares - options.len()) / (pl.len() * (pl.len() - 1))


def estimates(evidence: Evidence) -> list[Estimate]:
    """All estimates of a run; those of settings that it does not have are left out."""
    rows = replies(evidence.outcomes())
    chosen, note = plain_replies(rows)
    every = [*_accuracies(chosen, note), *_by_arm(rows), *_judged(evidence), *_baselines(chosen, note)]
    every += [
        *_paired(rows, chosen, note),
        *leanings(chosen, expectations(evidence.outcomes()), note),
        *repetition(chosen, note),
    ]
    every += [*all_right(chosen, note), *token_estimates(chosen, note), *written_names(rows)]
    return [*every, *detections(chosen, note), *polarity_bias(chosen, note), *reasoning(rows)]


def decisive(evidence: Evidence) -> list[Estimate]:
    """Those of the `estimates` that a verdict rests on."""
    chosen, note = plain_replies(replies(evidence.outcomes()))
    rates = [each.rate("accuracy", "right", OF_ALL) for each in pieces(chosen, [("variant",), ("polarity",)], {}, note)]
    leaning = chain(pull(chosen, note, {}, BY_CATEGORY), beyond_guessing(chosen, note, {}, BY_CATEGORY))
    return [*rates, *_baselines(chosen, note), *_cost(chosen, note, [()]), *leaning]


def _accuracies(chosen: pl.DataFrame, note: str) -> Iterator[Estimate]:
    for piece in pieces(chosen, _BY, {}, note):
        yield piece.rate("accuracy", "right", OF_ALL)
    yield from _average(chosen, note)


def _average(
    chosen: pl.DataFrame,
    note: str,
    metric: str = "average",
    column: str = "right",
    where: dict[str, Json] | None = None,
) -> Iterator[Estimate]:
    """The plain mean of a column over the categories that the run has."""
    planned, chosen = chosen, asked_rows(chosen)
    present = [category for category in CATEGORIES if category in set(chosen["category"].unique())]
    if len(present) < 2:
        return
    cell = chosen["category"].replace_strict({name: k for k, name in enumerate(present)}, default=None)
    within = chosen.filter(cell.is_not_null())
    value, bounds = mean_rate(
        cluster_rows(within, (column,), cell.drop_nulls().to_numpy(), len(present)),
        0,
        (1 / len(present),) * len(present),
    )
    piece = Slice(NAME, where or {}, within, Counts.of(planned), note)
    yield piece.estimate(metric, PROPORTION, f"mean of {len(present)} categories; {RATE_METHOD}", value, bounds)


def _by_arm(rows: pl.DataFrame) -> Iterator[Estimate]:
    """Accuracy by system turn and sight, over all items and by category, if the run has more than one."""
    letters = letter_replies(rows)
    for name in ("cot", "sight"):
        if letters[name].n_unique() > 1:
            for piece in pieces(letters, [(name,), (name, "category")]):
                yield piece.rate("accuracy", "right", OF_ALL)


def _judged(evidence: Evidence) -> Iterator[Estimate]:
    outcomes = replies(evidence.outcomes())
    for form, metric in ((CHOICE, "judged accuracy"), (OPEN, "open accuracy")):
        if form not in set(outcomes["answer_form"].unique()):
            continue
        for keys in BY_CATEGORY:
            yield from judged_rates(NAME, evidence, GRADE, "correct", metric, keys=keys, among=partial(_of_form, form))
        if form == CHOICE:
            yield from _judged_averages(_of_form(form, join_verdicts(evidence, GRADE, "correct")))


def _judged_averages(rows: pl.DataFrame) -> Iterator[Estimate]:
    """The mean over categories by each judge, and over the columns of both protocols: the paper's Avg."""
    marks = pl.when(pl.col("verdict_status").is_null()).then(0.0).otherwise(pl.col("verdict"))
    for (judge, rubric), within in rows.drop_nulls("judge").group_by("judge", "rubric", maintain_order=True):
        where = {"judge": judge, "rubric": rubric}
        by_judge = within.with_columns(marks.alias("by_judge"))
        missing = by_judge["by_judge"].null_count()
        both = by_judge.with_columns(((pl.col("right") + pl.col("by_judge")) / 2).alias("by_both"))
        for metric, column in (("judged average", "by_judge"), ("average of both", "by_both")):
            if missing:
                reason = f"{missing:,} replies have no verdict"
                piece = Slice(NAME, where, both, Counts.of(both))
                yield piece.estimate(metric, PROPORTION, "mean of categories", None, NOTHING, reason)
            else:
                yield from _average(both, "", metric, column, where)


def _of_form(form: str, rows: pl.DataFrame) -> pl.DataFrame:
    """The replies with that form of answer under the run's first system turn and sight."""
    own = pl.col("rubric").is_null() | (pl.col("rubric") == BY_FORM[form].name)
    return plain_replies(replies(rows).filter(own), form)[0]


def _baselines(chosen: pl.DataFrame, note: str) -> Iterator[Estimate]:
    """What a reply that looks at nothing comes to: chance, and the best constant answer to each question."""
    guessed = chosen.with_columns((1 / pl.col("live_options")).alias("guess"))
    question = ["family", "polarity"]
    shares = [
        chosen.group_by([*question, each]).len().group_by(question).agg(pl.col("len").max() / pl.col("len").sum())
        for each in ("label", "gold")
    ]
    best = shares[0].join(shares[1], on=question, suffix="_by_letter", nulls_equal=True)
    best = best.select(*question, pl.max_horizontal("len", "len_by_letter").alias("constant"))
    constant = chosen.join(best, on=question, how="left", maintain_order="left", nulls_equal=True)
    for keys in BY_VARIANT:
        for metric, column, rows in (("chance", "guess", guessed), ("best constant", "constant", constant)):
            for piece in pieces(rows, [keys], {}, note):
                value = float(np.mean(piece.rows[column].to_numpy())) if len(piece.rows) else None
                yield piece.computed(metric, PROPORTION, "computed from the items", value)


def _paired(rows: pl.DataFrame, chosen: pl.DataFrame, note: str) -> Iterator[Estimate]:
    """Differences on the same units: shown − blind, each system turn − none, ordinary − unusual."""
    letters = letter_replies(rows)
    seeing = letters.filter(pl.col("cot") == "none") if "none" in set(letters["cot"].unique()) else letters
    yield from _effect(seeing, "sight", "gain over blind", "shown", "blind", {})
    shown = letters.filter(pl.col("sight") == "shown")
    turns: list[Estimate] = []
    for turn in ("zero-shot", "manual"):
        turns += _effect(shown, "cot", "cot effect", turn, "none", {"cot": turn})
    for kind in (("cot",), ("cot", "category")):
        yield from holm_by(each for each in turns if tuple(each.slice) == kind)
    yield from _cost(chosen, note)


def _cost(chosen: pl.DataFrame, note: str, by: Sequence[Keys] = BY_CATEGORY) -> Iterator[Estimate]:
    return _effect(chosen, "variant", "cost of the unusual", "ordinary", "unusual", {}, note, by)


def _effect(
    rows: pl.DataFrame,
    column: str,
    metric: str,
    plus: str,
    minus: str,
    where: dict[str, Json],
    note: str = "",
    by: Sequence[Keys] = BY_CATEGORY,
) -> Iterator[Estimate]:
    present = set(rows[column].unique())
    if not {plus, minus} <= present:
        return
    sides = (pl.col(column) == plus, pl.col(column) == minus, f"{plus} − {minus}")
    for piece in pieces(rows, by, where, note):
        yield difference(piece, metric, "right", sides)


def written_names(rows: pl.DataFrame) -> Iterator[Estimate]:
    """`accuracy` by whether the name is written below a picture, and `cost of the name`: without − with.

    Over the pictures that are shown both ways, by variant and by family; nothing where there are none.
    """
    both = letter_replies(rows, names=True).filter(pl.col("sight") == "shown").drop_nulls("name_written")
    shown, note = filter_to_level(both, {"cot": "none"}, SETTINGS)
    if shown["name_written"].n_unique() < 2:
        return
    written = pl.col("name_written")
    sides = (~written, written, "without the name − with it")
    for keys in ((), ("variant",), ("family",)):
        for piece in pieces(shown, [("name_written", *keys)], {}, note):
            yield piece.rate("accuracy", "right", OF_ALL)
        yield from holm_by(
            difference(piece, "cost of the name", "right", sides) for piece in pieces(shown, [keys], {}, note)
        )
