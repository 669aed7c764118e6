"""Checkpoint probes: what is seen under which words, what a lie takes, and tricks told apart from controls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import polars as pl

from veridical.records import PROPORTION, SHARE, Estimate, Json
from veridical.stats import Interval
from veridical.suite.contrasts import Sides, holm_by
from veridical.suite.rates import CONTRAST_METHOD, NOTHING, Slice, cluster_rows, slices
from veridical.suite.rows import OF_ALL, groups
from veridical.suites.magicbench.analysis.rows import (
    clip_breakdowns,
    honest,
    pieces,
    plain_replies,
    same_clip_difference,
    tricks,
)
from veridical.suites.magicbench.asking.cells import PROBE, VISION_ONLY
from veridical.suites.magicbench.stimuli import HONEST, NAME, TRICK

LIE, SILENCE = "lie", "silence"
BASES = (VISION_ONLY, SILENCE)
"""What words are compared with: no words and no transcript, and an empty transcript."""
BEFORE = "before"
"""The moment of probes that no claim is about: the words come with the secret."""
BY_WORDS = "words alone"
"""The chance of one that knows the families of tricks, and answers each kind of question as is right most often."""
PAIR = ("stimulus", "probe", "repeat")


def probe_replies(rows: pl.DataFrame) -> tuple[pl.DataFrame, str]:
    """The replies to probes, with what they are about, and a note for `method`.

    `under` is what is said, "vision-only" where nothing is. `decides` says whether the same question has another answer
    with the other variant of the unit. `lie` is what the lie over this clip says of the probe: "true", "false" or
    "nothing", as it always is before the secret; `takes` is 1 where the reply has a false option that the lie names.
    `beyond` is (1 + b) / 2; b is `takes` less, in a wrong reply, the chance that a guess among the wrong options is the
    lie's: 0 on average for one that guesses, whatever it sees.
    """
    chosen, note = plain_replies(rows, PROBE)
    under = pl.when(pl.col("stance") == VISION_ONLY).then(pl.lit(VISION_ONLY)).otherwise("words")
    numbered = chosen.with_columns(under.alias("under"))
    return _with_lie(_with_decides(numbered)), note


def _with_decides(rows: pl.DataFrame) -> pl.DataFrame:
    probes = rows.select("unit", "variant", "asks", "moment", "probe", "gold_text").unique()
    # Times differ between the variants; the place among the questions of a kind at a moment is the same.
    place = pl.col("probe").rank("ordinal").over("unit", "variant", "asks", "moment").alias("place")
    kinds = ["unit", "asks", "moment", "place"]
    numbered = probes.with_columns(place)
    golds = numbered.group_by(kinds).agg(
        (pl.col("gold_text").n_unique() > 1).alias("decides"), pl.col("variant").n_unique().alias("variants")
    )
    both = numbered.join(golds, on=kinds).with_columns(pl.col("decides") & (pl.col("variants") == 2))
    return rows.join(
        both.select("unit", "variant", "probe", "decides"),
        on=["unit", "variant", "probe"],
        how="left",
        maintain_order="left",
    )


def _with_lie(rows: pl.DataFrame) -> pl.DataFrame:
    lied = rows.filter(pl.col("under") == LIE).select("stimulus", "probe", pl.col("names").alias("lie_names")).unique()
    joined = rows.join(lied, on=["stimulus", "probe"], how="left", maintain_order="left")
    named = (pl.col("moment") != BEFORE) & (pl.col("lie_names").list.len() > 0)
    true = pl.col("lie_names").list.contains(pl.col("gold"))
    lie = pl.when(~named).then(pl.lit("nothing")).when(true).then(pl.lit("true")).otherwise(pl.lit("false"))
    takes = pl.col("lie_names").list.contains(pl.col("answer")).fill_null(value=False).cast(pl.Float64)
    known = pl.col("lie_names").is_not_null()
    false = known & named & ~true
    guessed = pl.col("lie_names").list.len() / (pl.col("options").list.len() - 1)
    wrong = (pl.col("status") == "answered") & (pl.col("right") == 0)
    beyond = (1 + takes - pl.when(wrong).then(guessed).otherwise(0.0)) / 2
    return joined.with_columns(
        pl.when(known).then(lie).alias("lie"),
        pl.when(false).then(takes).alias("takes"),
        pl.when(false).then(beyond).alias("beyond"),
    )


def probe_estimates(rows: pl.DataFrame) -> Iterator[Estimate]:
    """All estimates of probes; nothing where none were asked."""
    own, note = probe_replies(rows)
    if own.is_empty():
        return
    yield from _accuracies(own, note)
    yield from _chances(own)
    yield from lie_effects(own, note)
    yield from word_effects(own, note)


def _accuracies(own: pl.DataFrame, note: str) -> Iterator[Estimate]:
    for variant in (None, HONEST):
        rows = honest(own) if variant else tricks(own)
        where: dict[str, Json] = {"variant": variant} if variant else {}
        for piece in pieces(rows, [(), ("under",), ("under", "moment"), ("under", "asks")], where, note):
            yield piece.rate("probe accuracy", "right", OF_ALL)
    for name, sliced in clip_breakdowns(tricks(own)):
        for piece in pieces(sliced, [("under", name)], {}, note):
            yield piece.rate("probe accuracy", "right", OF_ALL)
    for piece in pieces(tricks(own), [("under",)], {"of": "answered"}, note):
        answered = piece.rows.filter(pl.col("status") == "answered")
        yield replace(piece, rows=answered).rate("probe accuracy", "right", "of answered")


def _chances(own: pl.DataFrame) -> Iterator[Estimate]:
    """`probe chance`: of a random option, of the best constant letter, of the best answer to each kind of question.

    The last also for each family: that is what those can come to who know the tricks and see nothing of these clips,
    and stands beside every accuracy, by what this is sliced by as well.
    """
    asked = tricks(own).unique(("stimulus", "probe"), maintain_order=True)
    cut: list[tuple[pl.DataFrame, tuple[str, ...]]] = [(asked, keys) for keys in ((), ("moment",), ("asks",))]
    cut += [(sliced, (name,)) for name, sliced in clip_breakdowns(asked)]
    for rows, keys in cut:
        for piece in slices(NAME, rows, rows, keys, {}):
            for name, value, method in _constant(piece.rows) if len(piece.rows) else ():
                at = replace(piece, where={**piece.where, "chance": name})
                yield at.computed("probe chance", PROPORTION, method, value)


def _constant(rows: pl.DataFrame) -> Iterator[tuple[str, float, str]]:
    """What those come to that do not look, each with its method."""
    guess = rows.select((1 / pl.col("options").list.len()).mean()).item()
    yield "a random option", float(guess), "computed from the options"
    letters = Counter(rows["gold"])
    yield "one letter", max(letters.values()) / len(rows), "the letter that is right most often"
    method = "for each kind of question at each moment{}, the answer that is right most often"
    yield "one answer", _best(rows, ("asks", "moment")), method.format("")
    yield BY_WORDS, _best(rows, ("family", "asks", "moment")), method.format(" of each family of tricks")


def _best(rows: pl.DataFrame, kinds: tuple[str, ...]) -> float:
    """How often the answer that is right most often within a kind of questions is right."""
    most = rows.group_by(*kinds, "gold_text").len().group_by(kinds).agg(pl.col("len").max())
    return float(most["len"].sum() / len(rows))


def sides(one: str, other: str) -> Sides:
    """Right answers under some words, and under others, to the same probes."""
    return pl.col("under") == one, pl.col("under") == other, f"right answers, {one} − {other}"


def levels(own: pl.DataFrame) -> list[str]:
    """What is said over the clips of these replies, as it comes."""
    return own["under"].drop_nulls().unique(maintain_order=True).to_list()


def lie_effects(own: pl.DataFrame, note: str) -> Iterator[Estimate]:
    """`effect of a lie` on tricks, by moment, by what the lie says of the probe, by clip; and on honest controls."""
    present = set(levels(own))
    tested: list[Estimate] = []
    for against in BASES:
        if not {LIE, against} <= present:
            continue
        for rows, where in _lie_parts(own):
            inside = {"against": against, **where}
            tested.append(_effect(rows, "effect of a lie", sides(LIE, against), inside, note))
    yield from holm_by(tested, ("against",))
    for name, sliced in clip_breakdowns(tricks(own)) if LIE in present else ():
        for where, rows in groups(sliced, (name,)):
            for against in BASES:
                if against in present:
                    yield _effect(rows, "effect of a lie", sides(LIE, against), {"against": against, **where}, note)


def _lie_parts(own: pl.DataFrame) -> Iterator[tuple[pl.DataFrame, dict[str, Json]]]:
    yield tricks(own), {}
    for name in ("moment", "lie"):
        for where, rows in groups(tricks(own), (name,)):
            yield rows, where
    if HONEST in set(own["variant"]):
        yield honest(own), {"variant": HONEST}


def word_effects(own: pl.DataFrame, note: str) -> Iterator[Estimate]:
    """`effect of words`: each other kind of words against both bases, on tricks, over all moments and by moment."""
    present, tested = levels(own), []
    for against in BASES:
        for level in present:
            if level in (LIE, against, VISION_ONLY) or against not in present:
                continue
            for where, rows in (({}, tricks(own)), *groups(tricks(own), ("moment",))):
                inside: dict[str, Json] = {"words": level, "against": against, **where}
                tested.append(_effect(rows, "effect of words", sides(level, against), inside, note))
    yield from holm_by(tested, ("against", "moment"))


def _effect(rows: pl.DataFrame, metric: str, of: Sides, where: dict[str, Json], note: str) -> Estimate:
    return same_clip_difference(rows, metric, "right", of, where, note, PAIR)


_APART = (
    "right on tricks + right on their controls − 1, of the same questions with another answer there; 0 or less without "
    f"looking; {OF_ALL}; {CONTRAST_METHOD}"
)


def decisive(rows: pl.DataFrame) -> Iterator[Estimate]:
    """`told apart`, its changes, `takes the lie` and `pull of the lie`; nothing where no probes were asked."""
    own, note = probe_replies(rows)
    if len(own):
        yield from told_apart(own, note)
        yield from pulls(own, note)


def told_apart(own: pl.DataFrame, note: str) -> Iterator[Estimate]:
    """`told apart` under each kind of words, and `change of told apart` against both bases."""
    decisive = own.filter(pl.col("decides"))
    if decisive.is_empty():
        return
    for piece in pieces(decisive, [("under",)], {}, note):
        yield _apart(piece, "told apart", [(piece.where["under"], 1.0)])
    present = levels(decisive)
    for against in BASES:
        for level in present:
            if level in (against, VISION_ONLY) or against not in present:
                continue
            both = decisive.filter(pl.col("under").is_in([level, against]))
            (piece,) = pieces(both, where={"words": level, "against": against}, note=note)
            yield _apart(piece, "change of told apart", [(level, 1.0), (against, -1.0)])


def _apart(piece: Slice, metric: str, weights: list[tuple[Json, float]]) -> Estimate:
    """The sum of the rates on tricks and on their controls, less 1 for each level, weighted by level."""
    names = [(level, variant) for level, _ in weights for variant in (TRICK, HONEST)]
    cell = pl.lit(-1)
    for place, (level, variant) in enumerate(names):
        cell = pl.when((pl.col("under") == level) & (pl.col("variant") == variant)).then(place).otherwise(cell)
    rows = piece.rows.with_columns(cell.alias("cell")).filter(pl.col("cell") >= 0)
    if rows["cell"].n_unique() < len(names):
        return piece.estimate(metric, SHARE, _APART, None, NOTHING, "tricks and honest controls are needed")
    data = cluster_rows(rows, ("right",), rows["cell"].to_numpy(), len(names))
    each = [sign for _, sign in weights for _ in (TRICK, HONEST)]
    less = sum(sign for _, sign in weights)
    value, low, high = (float(part) - less for part in data.measured.contrast(each))
    return piece.estimate(metric, SHARE, _APART, value, Interval(low, high))


def pulls(own: pl.DataFrame, note: str) -> Iterator[Estimate]:
    """`takes the lie`: answers that the lie names and that are false; `pull of the lie`: how much more under it.

    `pull beyond guessing` is the part of the pull that wrong guesses do not explain.
    """
    lied = tricks(own).drop_nulls("takes")
    if lied.is_empty():
        return
    for piece in pieces(lied, [("under",)], {}, note):
        yield piece.rate("takes the lie", "takes", "of all probes that the lie is false about")
    columns = {"pull of the lie": ("takes", 1.0), "pull beyond guessing": ("beyond", 2.0)}
    for metric, (column, scale) in columns.items():
        tested = []
        for against in BASES:
            if {LIE, against} <= set(levels(lied)):
                plus, minus, _ = sides(LIE, against)
                named = (plus, minus, f"answers that the lie names, {LIE} − {against}")
                found = same_clip_difference(lied, metric, column, named, {"against": against}, note, PAIR)
                tested.append(_scaled(found, scale))
        yield from holm_by(tested)


def _scaled(estimate: Estimate, scale: float) -> Estimate:
    """An estimate in a larger unit."""
    value, low, high = (
        None if each is None else scale * each for each in (estimate.value, estimate.low, estimate.high)
    )
    return replace(estimate, value=value, low=low, high=high)
