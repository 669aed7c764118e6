"""The paper's Tables 2 and 3, other readings, errors, models and judges; what other views of the questions change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from veridical.judges import judge_tables
from veridical.records import Json
from veridical.suite.results import Cell, Result, Table, find
from veridical.suite.tables import P, TableSpec, estimate_rows, p_of, table
from veridical.suites.magic.analysis.accuracy import READER
from veridical.suites.magic.analysis.magiscore import ALL, BINS, MICRO, PARTS, RANDOM, SILENT
from veridical.suites.magic.analysis.measures import MEASURES
from veridical.suites.magic.analysis.views import ACCURACY, ANY, FOCUS, LOOKS, MASKED, PLACES, WRONG
from veridical.suites.magic.asking.grading import GRADE
from veridical.suites.magic.asking.readers import WITHOUT_EXCLUDED
from veridical.suites.magic.asking.trials import VIEWS
from veridical.suites.magic.presentation.markers import judged_accuracy, judges, marker
from veridical.suites.magic.presentation.tables.healing import healed_by_type, self_heal
from veridical.suites.magic.stimuli import QUESTION_TYPES

_BOTH: tuple[dict[str, Json], ...] = ({}, MICRO)
_HEADS = tuple(f"{part} {average}" for average in ("macro", "micro") for part in ("P", "R", "F1"))
_PATTERNS = {
    "exhaustive": "All boxes",
    "place": "Wrong box",
    "relation": "Wrong relation",
    "description": "Wrong description",
}


def _drawn(results: Sequence[Result]) -> Iterator[tuple[Cell, ...]]:
    """Rows of chance, on the questions of the first run."""
    for result in results[:1]:
        for name in (ALL, RANDOM):
            drawn = [find(result, f"chance {part}", {"chance": name, **where}) for where in _BOTH for part in PARTS]
            if any(drawn):
                yield name if name == ALL else f"{name}, as many as {result.model}", *[None] * 6, *drawn


@table(
    "magic-main",
    "Answers and focus",
    ("Size, B", "Thinks", "Judge", "Full", "Short", "Reader", *_HEADS),
    "Full, short: answers by a judge; reader: by rule on our scenes, by exact match otherwise. Boxes that a "
    "rationale mentions against the relevant ones: precision, recall and F1, as means over questions (macro) and "
    "from the counts of all (micro). A reply that mentions none scores 0. Last rows: all boxes, and as many as the "
    "first run mentions.",
    below=_drawn,
)
def main(result: Result) -> Iterator[tuple[Cell, ...]]:
    """The paper's Table 2, with a row for each judge of answers, and the rows of chance below."""
    focus = [find(result, f"magiscore {part}", where) for where in _BOTH for part in PARTS]
    about = result.about
    thinks = {None: None, True: "yes", False: "no"}[about.thinking if about else None]
    for judge in judges(result):
        answers = (
            judged_accuracy(result, judge, "full"),
            judged_accuracy(result, judge, "short"),
            find(result, "accuracy", {}),
        )
        yield about.size if about else None, thinks, judge, *answers, *focus


_PRECISION, _, _F1 = (f"magiscore {part}" for part in PARTS)
_EXCLUDED: dict[str, Json] = {"boxes": WITHOUT_EXCLUDED}
readings = TableSpec(
    name="magic-readings",
    title="Focus in other readings",
    note="Macro precision and F1. Silent: replies that mention no box score 0, or are left out; excluded: boxes "
    "named only to be excluded count, or do not. Beyond: a box that the picture does not have is mentioned.",
    columns={
        "P": _PRECISION,
        "F1": _F1,
        "P, silent left out": (_PRECISION, SILENT),
        "F1, silent left out": (_F1, SILENT),
        "P, excluded left out": (_PRECISION, _EXCLUDED),
        "F1, excluded left out": (_F1, _EXCLUDED),
        "Mentions a box": "mentions boxes",
        "Mentions all": "mentions every box",
        "Beyond": "boxes beyond",
    },
)


@table(
    "magic-by-focus",
    "Accuracy by focus",
    ("Judge", *(f"F1 {name}" for name in BINS), "Slope", "p"),
    "Right answers by the F1 of the boxes mentioned. Slope: points of accuracy for 10 points of F1, within "
    "question types; p by flipping the signs of whole scenes. It is no effect: easy questions may have both. "
    "No judge: by the reader.",
)
def focus_rows(result: Result) -> Iterator[tuple[Cell, ...]]:
    """Accuracy in each bin of the F1 of boxes, with the slope."""
    for each in result.estimates:
        if each.metric == "focus slope" and set(each.slice) == {"by"}:
            by = each.slice["by"]
            cells = [find(result, "accuracy by focus", {"focus": name, "by": by}) for name in BINS]
            yield marker(by), *cells, each, each.p


@table(
    "magic-types",
    "By question type",
    ("Type", "Short", "Reader", "P", "R", "F1", "F1 of all boxes", "StepSense", "Heals"),
    "Short: by the first judge. F1 of all boxes: what mentioning every box comes to. Heals: wrong prefixes of all "
    "kinds, prefilled, with the request to correct where it was made.",
)
def types(result: Result) -> Iterator[tuple[Cell, ...]]:
    """Answers, focus, StepSense and healing by question type."""
    for name in QUESTION_TYPES:
        where: dict[str, Json] = {"category": name}
        answers = (judged_accuracy(result, judges(result)[0], "short", **where), find(result, "accuracy", where))
        focus = [find(result, f"magiscore {part}", where) for part in PARTS]
        chance = find(result, "chance f1", {"chance": ALL, **where})
        steps = find(result, "stepsense", where)
        yield name, *answers, *focus, chance, steps, healed_by_type(result, name)


@table(
    "magic-steps",
    "Right steps, right answers",
    ("Size, B", "StepSense", "Checkable steps", "Short", "Reader"),
    "Right steps among those that a rule can check against our scene. The paper's StepSense is by people.",
)
def steps(result: Result) -> Iterator[tuple[Cell, ...]]:
    """The paper's Table 3, by rule: right steps beside right answers, and how many steps can be checked."""
    if own := find(result, "stepsense", {}):
        answers = (judged_accuracy(result, judges(result)[0], "short"), find(result, "accuracy", {}))
        yield result.about.size if result.about else None, own, find(result, "checkable steps", {}), *answers


errors = TableSpec(
    name="magic-errors",
    title="Error patterns",
    note="Replies with each pattern, by rule on our scenes: all boxes mentioned, a thing placed in another's box, a "
    "wrong spatial relation, a wrong description of a thing in its box. A reply may have several.",
    about=("Among", "Type"),
    rows=lambda _: (
        ((among, label), {"among": among, **where})
        for among in (WRONG, ANY)
        for label, where in (("all", {}), *((name, {"category": name}) for name in QUESTION_TYPES))
    ),
    columns={head: ("error pattern", {"pattern": name}) for name, head in _PATTERNS.items()},
)


def sizes(results: Sequence[Result]) -> Table:
    """The main figures by group and size, where a file of models states them."""
    stated = [(about, each) for each in results if (about := each.about) and (about.size is not None or about.group)]
    rows = tuple(
        (
            about.group,
            about.family,
            about.size,
            result.model,
            find(result, "magiscore f1", {}),
            judged_accuracy(result, judges(result)[0], "short"),
            find(result, "accuracy", {}),
            find(result, "stepsense", {}),
            self_heal(result),
        )
        for about, result in sorted(
            stated, key=lambda each: (each[0].group or "", each[0].family or "", each[0].size or 0.0)
        )
    )
    note = "Group, family and size as the file of models states them. Heals: prefilled, by the first judge."
    heads = ("Group", "Family", "Size, B", "Model", "F1 of boxes", "Short", "Reader", "StepSense", "Heals")
    return Table("magic-sizes", "By size and group", note, heads, rows)


agreement = TableSpec(
    name="magic-agreement",
    title="Do judges agree?",
    note="Cohen's kappa: 1 is full agreement, 0 that of chance. The reader marks by rule or exact match.",
    about=("Rubric", "Judge", "With"),
    rows=estimate_rows(
        "agreement", lambda _, at: (str(at["rubric"]), str(at["judge"]), marker(at["against"]) or "reader")
    ),
    columns={"Kappa": "agreement"},
)


def judge_pair_tables(results: Sequence[Result]) -> list[Table]:
    """How often pairs of judges give the same verdict."""
    marked = [result for result in results if judges(result) != [None] and GRADE.name in result.evidence.stages]
    return judge_tables(marked, GRADE, "right", "short accuracy", MEASURES["short accuracy"])[1:]


WORDS = {
    "all-boxes": "all boxes",
    "relevant-boxes": "relevant boxes alone",
    "relevant-masked": "relevant boxes covered",
    "adversarial-masked": "adversarial boxes covered",
    "renumbered": "other numbers",
    "blind": "no picture",
}
ASKS = {LOOKS: "all that ask for colors or materials", PLACES: "all that ask for places or sizes"}


@table(
    "magic-views",
    "Answers by view",
    ("View", "Judge", "Short", "Reader"),
    "Right answers in each view of the same questions. What changes is tested on pairs in the table before.",
)
def view_levels(result: Result) -> Iterator[tuple[Cell, ...]]:
    """Answers in each view."""
    for view in VIEWS:
        if reader := find(result, "accuracy", {"view": view}):
            for judge in judges(result):
                yield WORDS[view], judge, judged_accuracy(result, judge, "short", view=view), reader


@table(
    "magic-view-effects",
    "Is focus causal?",
    ("View", "Judge", "Answers", "p", "P of boxes", "R of boxes", "F1 of boxes", "p of F1"),
    "On the same questions, in points; p by a sign-flip test of scenes, Holm over the views. If answers rest on "
    "what the relevant boxes show, covering these costs more than covering the adversarial ones. No judge: answers "
    "by the reader.",
)
def view_effects(result: Result) -> Iterator[tuple[Cell, ...]]:
    """The effects of views on answers and focus, a row for each view and each who marks answers."""
    for each in result.estimates:
        place = each.slice
        if each.metric == "view effect" and place["of"] == ACCURACY and not {"category", "asks"} & set(place):
            words = f"{WORDS[str(place['view'])]} − {WORDS[str(place['against'])]}"
            own = [find(result, "view effect", {**place, "of": part}) for part in FOCUS]
            yield words, marker(place["by"]), each, each.p, *own, p_of(own[-1])


_PAIR: dict[str, Json] = {"view": MASKED[0], "against": MASKED[1], "of": ACCURACY, "by": READER}
view_types = TableSpec(
    name="magic-view-types",
    title="Is focus causal, by question type?",
    note="Right answers with the adversarial boxes covered − with the relevant ones covered; p of types by Holm over "
    "the views. A covered box still shows where a thing is and how large, so that some questions about places and "
    "sizes can be answered all the same: only colors and materials are hidden.",
    about=("Type",),
    rows=lambda _: (
        *(((name,), {**_PAIR, "category": name}) for name in QUESTION_TYPES),
        *(((words,), {**_PAIR, "asks": asks}) for asks, words in ASKS.items()),
    ),
    columns={"Effect": "view effect", "p": P},
)
