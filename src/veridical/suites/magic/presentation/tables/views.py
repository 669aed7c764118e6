"""What other views of the same questions change."""

from __future__ import annotations

from collections.abc import Iterator

from veridical.records import Json
from veridical.suite.results import Cell, Result, find
from veridical.suite.tables import P, TableSpec, p_of, table
from veridical.suites.magic.analysis.accuracy import READER
from veridical.suites.magic.analysis.views import ACCURACY, FOCUS, LOOKS, MASKED, PLACES
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


@table(
    "magic-views",
    "Answers by view",
    ("View", "Judge", "Short", "Reader"),
    "Right answers in each view of the same questions. What changes is tested on pairs in the table before.",
)
def levels(result: Result) -> Iterator[tuple[Cell, ...]]:
    """Answers in each view."""
    for view in VIEWS:
        if reader := find(result, "accuracy", {"view": view}):
            for judge in judges(result):
                yield WORDS[view], judge, judged(result, judge, "short", view=view), reader


@table(
    "magic-view-effects",
    "Is focus causal?",
    ("View", "Judge", "Answers", "p", "P of boxes", "R of boxes", "F1 of boxes", "p of F1"),
    "On the same questions, in points; p by a sign-flip test of scenes, Holm over the views. If answers rest on "
    "what the relevant boxes show, covering these costs more than covering the adversarial ones. No judge: answers "
    "by the reader.",
)
def effects(result: Result) -> Iterator[tuple[Cell, ...]]:
    """The effects of views on answers and focus, a row for each view and each who marks answers."""
    for each in result.estimates:
        place = each.slice
        if each.metric == "view effect" and place["of"] == ACCURACY and not {"category", "asks"} & set(place):
            words = f"{WORDS[str(place['view'])]} − {WORDS[str(place['against'])]}"
            own = [find(result, "view effect", {**place, "of": part}) for part in FOCUS]
            yield words, marker(place["by"]), each, each.p, *own, p_of(own[-1])


_PAIR: dict[str, Json] = {"view": MASKED[0], "against": MASKED[1], "of": ACCURACY, "by": READER}
by_type = TableSpec(
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
