"""What a lie does to seeing, whether a trick is called one, and whether confidence is earned."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.records import Json
from veridical.suite.results import Cell, Result, Table, find
from veridical.suites.magicbench.analysis.noticed import BINS
from veridical.suites.magicbench.analysis.rows import CLAIMED
from veridical.suites.magicbench.analysis.seeing import BASES
from veridical.suites.magicbench.asking.cells import VISION_ONLY
from veridical.suites.magicbench.presentation.marking import ORDER, by_judge, judge_name, stances, words
from veridical.suites.magicbench.stimuli import COMPONENTS, HONEST, OWN, TRICK, TYPES

MOMENTS = ("before", "during", "after")
UNDER = (VISION_ONLY, *TYPES, *COMPONENTS, OWN)
"""What is said over the clips of probes, in the order of rows and curves."""
CHANCES = ("a random option", "one letter", "one answer")
_PARTS: dict[str, dict[str, Json]] = {
    "all": {},
    **{f"{moment} the secret": {"moment": moment} for moment in MOMENTS},
    "of which the lie is false": {"lie": "false"},
    "of which the lie is true": {"lie": "true"},
    "of which the lie says nothing": {"lie": "nothing"},
    "on honest controls": {"variant": HONEST},
}


def effects(results: Sequence[Result]) -> Table:
    """The effect of a lie on seeing, by moment, by what the lie says, and on honest controls."""
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        for against in BASES:
            for label, where in _PARTS.items():
                each = find(result, "effect of a lie", {"against": against, **where})
                if each is not None:
                    rows.append((result.model, against, label, each, each.p, each.n_units, each.counts))
    note = (
        "The same probes of the same tricks, under a lie and without it: right answers, in points, below 0 where the "
        "lie takes from seeing. No model marks anything. p by flipping the signs of whole units, Holm over the rows of "
        "a run. Nothing claimed is about the time before the secret, so that an effect there is not one of being told."
    )
    heads = ("Model", "Lie against", "Probes", "Effect", "p", "Units", "Trials")
    return Table("magicbench-lie", "What a lie does to seeing", note, heads, tuple(rows))


def probes(results: Sequence[Result]) -> Table:
    """Right answers to probes by what is said, chance below them, and what is told apart and taken from a lie."""
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        for level in words(result, "probe accuracy", "under", UNDER):
            own: list[dict[str, Json]] = [{"under": level}, *({"under": level, "moment": each} for each in MOMENTS)]
            cells = [find(result, "probe accuracy", where) for where in own]
            control = find(result, "probe accuracy", {"under": level, "variant": HONEST})
            apart, takes = (find(result, name, {"under": level}) for name in ("told apart", "takes the lie"))
            counts = cells[0].counts if cells[0] else None
            rows.append((result.model, level, *cells, control, apart, takes, counts))
    for result in results[:1]:
        for name in CHANCES:
            places: list[dict[str, Json]] = [{"chance": name}, *({"chance": name, "moment": each} for each in MOMENTS)]
            drawn = [find(result, "probe chance", where) for where in places]
            if any(drawn):
                rows.append((f"chance: {name}", None, *drawn, None, None, None, None))
    note = (
        "Right answers to multiple choice about the state of a trick: where the thing is, in which hand, under which "
        "cup, whether it is in view. Told apart: of questions whose answer differs between trick and control, right on "
        "both − 1; 0 or less for who does not look. Takes the lie: answers that are the lie's, where it is false. The "
        "last rows look at nothing: a random option, the best letter, the best answer to each kind of question."
    )
    heads = ("Model", "Words", "All", *(each.capitalize() for each in MOMENTS), "On controls", "Told apart")
    return Table("magicbench-probes", "Probes", note, (*heads, "Takes the lie", "Trials"), tuple(rows))


def others(results: Sequence[Result]) -> Table:
    """What words of other kinds change in probes; silence against vision-only is visual agency loss, unmarked."""
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        for against in BASES:
            for level in words(result, "effect of words", "words", UNDER):
                where: dict[str, Json] = {"words": level, "against": against}
                whole = find(result, "effect of words", where)
                if whole is not None:
                    each = [find(result, "effect of words", {**where, "moment": moment}) for moment in MOMENTS]
                    change = find(result, "change of told apart", where)
                    rows.append((result.model, level, against, whole, whole.p, *each, change))
    note = (
        "The same for other words, in points of right answers to the same probes. Silence against vision-only: both "
        "have the frames alone, and an empty transcript is all that differs. Change of told apart: 1 is all of it."
    )
    heads = ("Model", "Words", "Against", "Effect", "p", *(each.capitalize() for each in MOMENTS))
    return Table("magicbench-words", "Other words", note, (*heads, "Change of told apart"), tuple(rows))


def kinds(results: Sequence[Result]) -> Table:
    """Right answers by what a probe asks."""
    asks = {"place": "Place", "hand": "Hand", "under": "Under a cup", "view": "In view"}
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        for level in words(result, "probe accuracy", "under", UNDER):
            cells = [find(result, "probe accuracy", {"under": level, "asks": each}) for each in asks]
            if any(cells):
                rows.append((result.model, level, *cells))
    note = "Right answers on tricks by the kind of question."
    return Table("magicbench-kinds", "Probes by kind", note, ("Model", "Words", *asks.values()), tuple(rows))


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
