"""What words change in marks on the same clips, and what interventions on the picture change."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.records import Json
from veridical.suite.results import Cell, Result, Table, find
from veridical.suites.magicbench.analysis.marks import MARKS
from veridical.suites.magicbench.asking.aids import AIDS, NONE, PLACEBO, RING
from veridical.suites.magicbench.asking.cells import FORENSIC, NEUTRAL, THOUGHT, VISION_ONLY
from veridical.suites.magicbench.asking.ring import AID, CHOSEN
from veridical.suites.magicbench.presentation.marking import COLUMNS, WORDED, by_judge, judge_name, mark
from veridical.suites.magicbench.stimuli import COMPONENTS, HONEST, TYPES

LIE, MISDIRECTION, FILLER, SILENCE = TYPES
CUE, NOUNS, _ = COMPONENTS
_PAIRS = (
    "On the same clips, in points; p by flipping the signs of whole units, Holm over the rows of a judge and stance."
)
_FUNCTIONS = {CUE: "alerting", FILLER: "interference", NOUNS: "anchoring", LIE: "conflict"}
_BETWEEN = ((LIE, NOUNS), (NOUNS, CUE), (NOUNS, SILENCE), (CUE, SILENCE))


def paradox(results: Sequence[Result]) -> Table:
    """Spotlight gain on A and B, and agency loss on D, each against vision-only."""
    rows: list[tuple[Cell, ...]] = []
    for result, judge in by_judge(results):
        for stance in WORDED:
            for score in MARKS:
                where: dict[str, Json] = {"score": score, "stance": stance, **judge}
                gains = [find(result, "spotlight gain", {"type": kind, **where}) for kind in (LIE, MISDIRECTION)]
                each = [*gains, find(result, "agency loss", where)]
                if any(each):
                    cells = [cell for found in each for cell in (found, found.p if found else None)]
                    units = max(found.n_units for found in each if found is not None)
                    rows.append((result.model, judge_name(result, judge), stance, score.upper(), *cells, units))
    note = (
        "Spotlight: what words of type A (lie) and B (misdirection) add to vision-only. Crutch, or visual agency loss: "
        f"vision-only − an empty transcript (D), with the same frames. {_PAIRS}"
    )
    heads = ("Model", "Judge", "Stance", "Mark", "Gain on A", "p, A", "Gain on B", "p, B", "Loss on D", "p, D", "Units")
    return Table("magicbench-paradox", "Spotlight and crutch", note, heads, tuple(rows))


def components(results: Sequence[Result]) -> Table:
    """The paper's Table 4: CPA under parts of a patter, each against vision-only, and one part against another."""
    rows: list[tuple[Cell, ...]] = []
    for result, judge in by_judge(results):
        for stance in WORDED:
            own: list[tuple[Cell, ...]] = []
            for kind, base in (*((kind, VISION_ONLY) for kind in _FUNCTIONS), *_BETWEEN):
                where: dict[str, Json] = {"score": "cpa", "stance": stance, "words": kind, "against": base, **judge}
                each = find(result, "component effect", where)
                if each is not None:
                    alone = mark(result, "cpa", judge, stance, kind) if base == VISION_ONLY else None
                    label = _FUNCTIONS[kind] if base == VISION_ONLY else None
                    own.append(
                        (result.model, judge_name(result, judge), stance, kind, label, alone, base, each, each.p)
                    )
            rows += own if any(row[3] in (CUE, NOUNS) for row in own) else []
    note = (
        "Which part of a lie does it? A cue to look, the nouns alone, talk of something else, and the whole lie. Nouns "
        f"that help as much as the lie anchor; a cue that helps alerts. {_PAIRS} Ask with patter=cue,nouns."
    )
    heads = ("Model", "Judge", "Stance", "Words", "Function", "CPA", "Against", "Effect", "p")
    return Table("magicbench-components", "Parts of a patter", note, heads, tuple(rows))


def thought(results: Sequence[Result]) -> Table:
    """The paper's Table 5: image-of-thought beside other stances, its gain, and what it leaves."""
    rows: list[tuple[Cell, ...]] = []
    for result, judge in by_judge(results):
        if not any(mark(result, "cpa", judge, THOUGHT, kind) for kind in COLUMNS):
            continue
        who = (result.model, judge_name(result, judge))
        for stance in (VISION_ONLY, NEUTRAL, FORENSIC, THOUGHT):
            cells = [mark(result, "cpa", judge, stance, kind) for kind in COLUMNS]
            if any(cells):
                rows.append((*who, stance, *cells))
        for metric, label in (("iot gain", f"{THOUGHT} − {FORENSIC}"), ("iot residual", f"{VISION_ONLY} − {THOUGHT}")):
            found = [find(result, metric, {"score": "cpa", "type": kind, **judge}) for kind in COLUMNS]
            if any(found):
                rows.append((*who, label, *found))
    note = (
        "CPA of 100, and differences in points on the same clips. Image-of-thought: an inventory of the frames, then "
        "each claim held against it, then the mechanism. Vision-only − image-of-thought is what it leaves of the loss."
    )
    heads = ("Model", "Judge", "Stance", *COLUMNS.values())
    return Table("magicbench-thought", "Does image-of-thought help?", note, heads, tuple(rows))


def ceiling(results: Sequence[Result]) -> Table:
    """The ceiling with the truth."""
    rows: list[tuple[Cell, ...]] = []
    for result, judge in by_judge(results):
        for stance in WORDED:
            for score in MARKS:
                where: dict[str, Json] = {"score": score, "stance": stance, **judge}
                top = find(result, "truth ceiling", where)
                if top is not None:
                    rows.append((result.model, judge_name(result, judge), stance, score.upper(), top))
    note = "Marks with the true principle in place of the words."
    heads = ("Model", "Judge", "Stance", "Mark", "With the truth")
    return Table("magicbench-ceiling", "The ceiling", note, heads, tuple(rows))


def gaps(results: Sequence[Result]) -> Table:
    """Types against silence in one stance: on the same clips of ours; on released ones clips differ."""
    rows: list[tuple[Cell, ...]] = []
    for result, judge in by_judge(results):
        for stance in WORDED:
            for clips in ("same", "different"):
                where: dict[str, Json] = {"score": "cpa", "stance": stance, "clips": clips, **judge}
                cells = [find(result, "type gap", {"type": kind, **where}) for kind in (LIE, MISDIRECTION, FILLER)]
                if any(cells):
                    tests = [each.p if each else None for each in cells]
                    both = [cell for pair in zip(cells, tests, strict=True) for cell in pair]
                    rows.append((result.model, judge_name(result, judge), stance, clips, *both))
    note = (
        "CPA under words of a type − in silence, in points. Our clips hear all types: the gap is that of the words. A "
        "release has other clips for each type (different): the gap is also that of the clips, and no test is made."
    )
    heads = ("Model", "Judge", "Stance", "Clips", "A − D", "p, A", "B − D", "p, B", "C − D", "p, C")
    return Table("magicbench-gaps", "Between types", note, heads, tuple(rows))


def controls(results: Sequence[Result]) -> Table:
    """Marks of honest controls."""
    rows: list[tuple[Cell, ...]] = []
    for result, judge in by_judge(results):
        for stance in WORDED:
            where: dict[str, Json] = {"stance": stance, **judge}
            cells = [find(result, "cpa", {"type": kind, "variant": HONEST, **where}) for kind in COLUMNS]
            if any(cells):
                rows.append((result.model, judge_name(result, judge), stance, *cells))
    note = (
        "CPA of explanations of honest controls, in which nothing is hidden. The same words are spoken over a trick "
        "and over its control."
    )
    heads = ("Model", "Judge", "Stance", *COLUMNS.values())
    return Table("magicbench-controls", "Honest controls", note, heads, tuple(rows))


LEVELS = ("discrepant", "failed", "every")
CHOICES = {
    "discrepant": "bad with words, good without",
    "failed": "bad with words",
    "every": "all with words",
}
NAMES = {
    "none": "asked again, no aid",
    "ring": "ring",
    "placebo": "placebo ring",
    "magnified": "magnified",
    "dense": "more frames",
}


def aids(results: Sequence[Result]) -> Table:
    """CPA of the chosen items with each aid, and what the aid does beyond asking again."""
    rows: list[tuple[Cell, ...]] = []
    for result, judge in by_judge(results):
        for level in LEVELS:
            for aid in AIDS:
                where: dict[str, Json] = {"score": "cpa", CHOSEN: level, AID: aid, **judge}
                each = find(result, "aided marks", where)
                if each is None:
                    continue
                again = {key: value for key, value in where.items() if key != AID}
                since = find(result, "recovery with regression", where) if aid != NONE else None
                regressed = find(result, "regression to the mean", again) if aid == NONE else None
                effect = find(result, "effect of an aid", {**where, "against": NONE}) if aid != NONE else None
                own = find(result, "effect of an aid", {**where, "against": PLACEBO}) if aid == RING else None
                tests = (effect, effect.p if effect else None, own, own.p if own else None)
                rows.append(
                    (
                        result.model,
                        judge_name(result, judge),
                        CHOICES[level],
                        NAMES[aid],
                        each,
                        since or regressed,
                        *tests,
                    )
                )
    note = (
        "CPA of 100. Items are chosen because their marks were bad, so that they do better when asked again, with no "
        "aid at all: regression to the mean, the change of the row without an aid. Since chosen has that in it; beyond "
        "asking again, and beyond the placebo ring, do not. In points, on the same items."
    )
    heads = ("Model", "Judge", "Items", "Frames", "CPA", "Since chosen", "Beyond asking again", "p, again")
    columns = (*heads, "Beyond the placebo", "p, placebo")
    return Table("magicbench-aids", "Does it help to point?", note, columns, tuple(rows))
