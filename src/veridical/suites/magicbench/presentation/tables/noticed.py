"""Does it say that a trick happened: hits, false alarms, d-prime and criterion; and is its confidence earned?"""

from __future__ import annotations

from collections.abc import Sequence

from veridical.records import Json
from veridical.suite.results import Cell, Result, Table, find
from veridical.suites.magicbench.analysis.confidence import BINS
from veridical.suites.magicbench.analysis.rows import CLAIMED
from veridical.suites.magicbench.presentation.marking import ORDER, by_judge, judge_name, stances, words
from veridical.suites.magicbench.stimuli import COMPONENTS, HONEST, OWN, TRICK, TYPES

SAID = ("none", *TYPES, *COMPONENTS, OWN)
"""What is said over clips of explanations, in the order of rows and points; none without a transcript."""


def noticing(results: Sequence[Result]) -> Table:
    """Hits and false alarms, d-prime and criterion, by stance and words."""
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        for stance in ORDER:
            for said in words(result, "d_prime", "words", SAID):
                where: dict[str, Json] = {"stance": stance, "words": said}
                both = [find(result, "says trick", {**where, "variant": variant}) for variant in (TRICK, HONEST)]
                if any(both):
                    told = [find(result, metric, where) for metric in ("d_prime", "criterion")]
                    rows.append((result.model, stance, said, *both, *told))
    note = (
        "Explanations that say that a trick happened: on tricks hits, on honest controls false alarms. d-prime: how "
        "well the two are told apart, 0 for not at all. Criterion: readiness, below 0 'trick' comes readily, above 0 a "
        "clip is taken for honest."
    )
    heads = ("Model", "Stance", "Words", "On tricks", "On controls", "d-prime", "Criterion")
    return Table("magicbench-noticing", "Does it say that a trick happened?", note, heads, tuple(rows))


def alarms(results: Sequence[Result]) -> Table:
    """False alarms on honest controls by whether what is claimed over them is true there."""
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        for stance in ORDER:
            for said in words(result, "false alarms", "words", SAID):
                where: dict[str, Json] = {"stance": stance, "words": said}
                cells = [find(result, "false alarms", {**where, "claimed": claimed}) for claimed in CLAIMED]
                if any(cells):
                    rows.append((result.model, stance, said, *cells))
    note = (
        "Honest controls called a trick. The control hears the words of its trick: what lies over the trick may be "
        "true over the control, so that alarms are split by it."
    )
    heads = ("Model", "Stance", "Words", *(each.capitalize() for each in CLAIMED))
    return Table("magicbench-alarms", "False alarms on honest controls", note, heads, tuple(rows))


def confidence(results: Sequence[Result]) -> Table:
    """Stated confidence beside what it is worth, by stance, with the curve of calibration."""
    bins = [f"{100 * low:.0f} to {100 * high:.0f}" for low, high in BINS]
    rows: list[tuple[Cell, ...]] = []
    for result, judge in by_judge(results):
        for stance in stances(result, judge):
            where: dict[str, Json] = {"stance": stance, **judge}
            cells = [find(result, name, where) for name in ("confidence", "overconfidence")]
            if any(cells):
                curve = [find(result, "entailed", {**where, "confidence": each}) for each in bins]
                rows.append((result.model, judge_name(result, judge), stance, *cells, *curve))
    note = (
        "An explanation follows from the constraints if its CPA is 7 of 10 or more. Overconfidence: mean confidence − "
        "the share that follows, in points. Follows at: the share that does, by stated confidence."
    )
    heads = ("Model", "Judge", "Stance", "Confidence", "Overconfidence")
    more = tuple(f"Follows at {each}" for each in bins)
    return Table("magicbench-confidence", "Is its confidence earned?", note, (*heads, *more), tuple(rows))
