"""What other views of the same questions change, and the error patterns."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.records import Json
from veridical.suite.results import Cell, Result, Table, find
from veridical.suites.magic.analysis.accuracy import READER
from veridical.suites.magic.analysis.views import ACCURACY, ANY, FOCUS, LOOKS, PLACES, WRONG
from veridical.suites.magic.asking.trials import VIEWS
from veridical.suites.magic.presentation.markers import judged, judges, marker
from veridical.suites.magic.stimuli import QUESTION_TYPES

WORDS = {
    "all-boxes": "all boxes",
    "relevant-boxes": "relevant boxes alone",
    "relevant-masked": "relevant boxes covered",
    "adversarial-masked": "adversarial boxes covered",
    "renumbered": "other numbers",
    "blind": "no picture",
}
ASKS = {LOOKS: "all that ask for colors or materials", PLACES: "all that ask for places or sizes"}
PATTERNS = {
    "exhaustive": "All boxes",
    "place": "Wrong box",
    "relation": "Wrong relation",
    "description": "Wrong description",
}


def levels(results: Sequence[Result]) -> Table:
    """Answers in each view."""
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        for view in VIEWS:
            where: dict[str, Json] = {"view": view}
            reader = find(result, "accuracy", where)
            rows += [
                (result.model, WORDS[view], judge, judged(result, judge, "short", **where), reader)
                for judge in (judges(result) if reader else ())
            ]
    note = "Right answers in each view of the same questions. What changes is tested on pairs in the table before."
    return Table("magic-views", "Answers by view", note, ("Model", "View", "Judge", "Short", "Reader"), tuple(rows))


def effects(results: Sequence[Result]) -> Table:
    """The effects of views on answers and focus, a row for each view and each who marks answers."""
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        for each in result.estimates:
            place = each.slice
            if each.metric == "view effect" and place["of"] == ACCURACY and not {"category", "asks"} & set(place):
                words = f"{WORDS[str(place['view'])]} − {WORDS[str(place['against'])]}"
                own = [find(result, "view effect", {**place, "of": part}) for part in FOCUS]
                f1 = own[-1]
                rows.append((result.model, words, marker(place["by"]), each, each.p, *own, f1.p if f1 else None))
    note = (
        "On the same questions, in points; p by a sign-flip test of scenes, Holm over the views. If answers rest on "
        "what the relevant boxes show, covering these costs more than covering the adversarial ones. No judge: answers "
        "by the reader."
    )
    heads = ("Model", "View", "Judge", "Answers", "p", "P of boxes", "R of boxes", "F1 of boxes", "p of F1")
    return Table("magic-view-effects", "Is focus causal?", note, heads, tuple(rows))


def by_type(results: Sequence[Result]) -> Table:
    """What covering the relevant boxes costs beyond covering the others, by question type."""
    rows: list[tuple[Cell, ...]] = []
    pair: dict[str, Json] = {"view": "adversarial-masked", "against": "relevant-masked", "of": "accuracy"}
    for result in results:
        for name in QUESTION_TYPES:
            each = find(result, "view effect", {**pair, "by": READER, "category": name})
            if each is not None:
                rows.append((result.model, name, each, each.p))
        for asks, words in ASKS.items():
            each = find(result, "view effect", {**pair, "by": READER, "asks": asks})
            if each is not None:
                rows.append((result.model, words, each, each.p))
    note = (
        "Right answers with the adversarial boxes covered − with the relevant ones covered; p of types by Holm over "
        "the views. A covered box still shows where a thing is and how large, so that some questions about places and "
        "sizes can be answered all the same: only colors and materials are hidden."
    )
    return Table(
        "magic-view-types", "Is focus causal, by question type?", note, ("Model", "Type", "Effect", "p"), tuple(rows)
    )


def steps(results: Sequence[Result]) -> Table:
    """The paper's Table 3, by rule: right steps beside right answers, and how many steps can be checked."""
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        own = find(result, "stepsense", {})
        if own is not None:
            size = result.about.size if result.about else None
            answers = (judged(result, judges(result)[0], "short"), find(result, "accuracy", {}))
            rows.append((result.model, size, own, find(result, "checkable steps", {}), *answers))
    note = "Right steps among those that a rule can check against our scene. The paper's StepSense is by people."
    heads = ("Model", "Size, B", "StepSense", "Checkable steps", "Short", "Reader")
    return Table("magic-steps", "Right steps, right answers", note, heads, tuple(rows))


def errors(results: Sequence[Result]) -> Table:
    """The paper's four error patterns, counted by rule."""
    rows: list[tuple[Cell, ...]] = []
    for result in results:
        for among in (WRONG, ANY):
            for label, where in (("all", {}), *((name, {"category": name}) for name in QUESTION_TYPES)):
                places = [{"pattern": name, "among": among, **where} for name in PATTERNS]
                cells = [find(result, "error pattern", place) for place in places]
                if any(cells):
                    rows.append((result.model, among, label, *cells))
    note = (
        "Replies with each pattern, by rule on our scenes: all boxes mentioned, a thing placed in another's box, a "
        "wrong spatial relation, a wrong description of a thing in its box. A reply may have several."
    )
    heads = ("Model", "Among", "Type", *PATTERNS.values())
    return Table("magic-errors", "Error patterns", note, heads, tuple(rows))
