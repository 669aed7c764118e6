"""What words change in marks on the same clips, and what interventions on the picture change."""

from __future__ import annotations

from collections.abc import Iterator

from veridical.records import Estimate, Json
from veridical.suite.results import Result, find
from veridical.suite.tables import Column, P, RowHead, TableSpec, Where, cells_of, drop_keys
from veridical.suites.magicbench.analysis.marks import MARKS
from veridical.suites.magicbench.asking.aids import AIDS, NONE, PLACEBO
from veridical.suites.magicbench.asking.cells import FORENSIC, NEUTRAL, THOUGHT, VISION_ONLY
from veridical.suites.magicbench.asking.ring import AID, CHOSEN
from veridical.suites.magicbench.presentation.marking import (
    COLUMNS,
    WORDED,
    judge_name,
    judges,
    mark,
    mark_of_row,
    stance_rows,
)
from veridical.suites.magicbench.stimuli import COMPONENTS, HONEST, TYPES

LIE, MISDIRECTION, FILLER, SILENCE = TYPES
CUE, NOUNS, _ = COMPONENTS
_PAIRS = (
    "On the same clips, in points; p by flipping the signs of whole units, Holm over the rows of a judge and stance."
)
_FUNCTIONS: dict[str, str] = {CUE: "alerting", FILLER: "interference", NOUNS: "anchoring", LIE: "conflict"}
_BETWEEN = ((LIE, NOUNS), (NOUNS, CUE), (NOUNS, SILENCE), (CUE, SILENCE))


def _marks(result: Result) -> Iterator[RowHead]:
    """A row for each judge, stance with words, and mark."""
    for head, where in stance_rows(result, WORDED):
        for score in MARKS:
            yield (*head, score.upper()), {"score": score, **where}


_CHANGES: dict[str, Column] = {
    "Gain on A": ("spotlight gain", {"type": LIE}),
    "p, A": P,
    "Gain on B": ("spotlight gain", {"type": MISDIRECTION}),
    "p, B": P,
    "Loss on D": "agency loss",
    "p, D": P,
}


def _most_units(result: Result, where: Where) -> int:
    cells = cells_of(result, where, _CHANGES.values())
    return max((cell.n_units for cell in cells if isinstance(cell, Estimate)), default=0)


paradox = TableSpec(
    name="magicbench-paradox",
    title="Spotlight and crutch",
    note="Spotlight: what words of type A (lie) and B (misdirection) add to vision-only. Crutch, or visual agency "
    f"loss: vision-only − an empty transcript (D), with the same frames. {_PAIRS}",
    about=("Judge", "Stance", "Mark"),
    rows=_marks,
    columns={**_CHANGES, "Units": _most_units},
)


def _components(result: Result) -> Iterator[RowHead]:
    """Parts of a patter against vision-only and each other, in stances in which a cue or nouns were heard."""
    for head, where in stance_rows(result, WORDED):
        pairs = (*((kind, VISION_ONLY) for kind in _FUNCTIONS), *_BETWEEN)
        places: list[dict[str, Json]] = [{**where, "score": "cpa", "words": k, "against": base} for k, base in pairs]
        own = [place for place in places if find(result, "component effect", place)]
        if any(place["words"] in (CUE, NOUNS) for place in own):
            for place in own:
                function = _FUNCTIONS[str(place["words"])] if place["against"] == VISION_ONLY else None
                yield (*head, place["words"], function), place


def _alone(result: Result, where: Where) -> Estimate | None:
    """The CPA under a part of a patter, beside its effect against vision-only."""
    own = drop_keys(where, "score", "words", "against")
    return mark(result, "cpa", own, str(where["words"])) if where["against"] == VISION_ONLY else None


components = TableSpec(
    name="magicbench-components",
    title="Parts of a patter",
    note="Which part of a lie does it? A cue to look, the nouns alone, talk of something else, and the whole lie. "
    f"Nouns that help as much as the lie anchor; a cue that helps alerts. {_PAIRS} Ask with patter=cue,nouns.",
    about=("Judge", "Stance", "Words", "Function"),
    rows=_components,
    columns={"CPA": _alone, "Against": lambda _, where: str(where["against"]), "Effect": "component effect", "p": P},
)


def _thought(result: Result) -> Iterator[RowHead]:
    """Stances beside image-of-thought, its gain, and what it leaves, where it was asked for."""
    for judge in judges(result):
        name = judge_name(result, judge)
        if any(mark(result, "cpa", {"stance": THOUGHT, **judge}, kind) for kind in COLUMNS):
            for stance in (VISION_ONLY, NEUTRAL, FORENSIC, THOUGHT):
                yield (name, stance), {"metric": "cpa", "stance": stance, **judge}
            yield (name, f"{THOUGHT} − {FORENSIC}"), {"metric": "iot gain", "score": "cpa", **judge}
            yield (name, f"{VISION_ONLY} − {THOUGHT}"), {"metric": "iot residual", "score": "cpa", **judge}


thought = TableSpec(
    name="magicbench-thought",
    title="Does image-of-thought help?",
    note="CPA of 100, and differences in points on the same clips. Image-of-thought: an inventory of the frames, then "
    "each claim held against it, then the mechanism. Vision-only − image-of-thought is what it leaves of the loss.",
    about=("Judge", "Stance"),
    rows=_thought,
    columns={head: mark_of_row(kind) for kind, head in COLUMNS.items()},
)
ceiling = TableSpec(
    name="magicbench-ceiling",
    title="The ceiling",
    note="Marks with the true principle in place of the words.",
    about=("Judge", "Stance", "Mark"),
    rows=_marks,
    columns={"With the truth": "truth ceiling"},
)
gaps = TableSpec(
    name="magicbench-gaps",
    title="Between types",
    note="CPA under words of a type − in silence, in points. Our clips hear all types: the gap is that of the words. A "
    "release has other clips for each type (different): the gap is also that of the clips, and no test is made.",
    about=("Judge", "Stance", "Clips"),
    rows=lambda result: (
        ((*head, clips), {"score": "cpa", "clips": clips, **where})
        for head, where in stance_rows(result, WORDED)
        for clips in ("same", "different")
    ),
    columns={
        "A − D": ("type gap", {"type": LIE}),
        "p, A": P,
        "B − D": ("type gap", {"type": MISDIRECTION}),
        "p, B": P,
        "C − D": ("type gap", {"type": FILLER}),
        "p, C": P,
    },
)
controls = TableSpec(
    name="magicbench-controls",
    title="Honest controls",
    note="CPA of explanations of honest controls, in which nothing is hidden. The same words are spoken over a trick "
    "and over its control.",
    about=("Judge", "Stance"),
    rows=lambda result: stance_rows(result, WORDED),
    columns={head: ("cpa", {"type": kind, "variant": HONEST}) for kind, head in COLUMNS.items()},
)
CHOICES = {"discrepant": "bad with words, good without", "failed": "bad with words", "every": "all with words"}
_NAMES = {
    "none": "asked again, no aid",
    "ring": "ring",
    "placebo": "placebo ring",
    "magnified": "magnified",
    "dense": "more frames",
}


def _aided(result: Result) -> Iterator[RowHead]:
    for judge in judges(result):
        for level, words in CHOICES.items():
            for aid in AIDS:
                where: dict[str, Json] = {"score": "cpa", CHOSEN: level, AID: aid, **judge}
                if find(result, "aided marks", where):
                    yield (judge_name(result, judge), words, _NAMES[aid]), where


def _since(result: Result, where: Where) -> Estimate | None:
    """What was recovered since the items were chosen; without an aid, the regression to the mean."""
    if where[AID] != NONE:
        return find(result, "recovery with regression", where)
    return find(result, "regression to the mean", drop_keys(where, AID))


aids = TableSpec(
    name="magicbench-aids",
    title="Does it help to point?",
    note="CPA of 100. Items are chosen because their marks were bad, so that they do better when asked again, with no "
    "aid at all: regression to the mean, the change of the row without an aid. Since chosen has that in it; beyond "
    "asking again, and beyond the placebo ring, do not. In points, on the same items.",
    about=("Judge", "Items", "Frames"),
    rows=_aided,
    columns={
        "CPA": "aided marks",
        "Since chosen": _since,
        "Beyond asking again": ("effect of an aid", {"against": NONE}),
        "p, again": P,
        "Beyond the placebo": ("effect of an aid", {"against": PLACEBO}),
        "p, placebo": P,
    },
)
