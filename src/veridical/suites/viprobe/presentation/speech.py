"""Whether a model says what it sees: its graded answers beside its spoken ones, in a table and in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from veridical.records import Estimate, Json
from veridical.suite.conclusions import Conclusion
from veridical.suite.evaluation import OPEN
from veridical.suite.results import Cell, Result, find, slice_values
from veridical.suite.tables import table
from veridical.suites.viprobe.analysis.replies import CONTEXTS
from veridical.suites.viprobe.presentation.terms import CONTEXT_NAMES

SEEN = 0.6
"""The area under the curve from which on changes are seen."""
HIDDEN = 10.0
"""How many points of response the answers may lack beside what they could say."""

SAYS, HIDES, UNSEEN = "sees, and says so", "sees, and does not say so", "does not see"
_BEFORE = (
    "These are probabilities of answers forced without reasons, the spoken answers come after reasons: what separates "
    "the two may be the reasons."
)
_LEANS = {True: "unchanged", False: "changed"}
_COLUMNS = {
    "Graded d'": "graded_d_prime",
    "Spoken d'": "spoken_d_prime",
    "Graded response": "graded_response",
    "Spoken response": "spoken_response",
    "Spoken − graded": "spoken_gap",
    "Neutral P": "neutral_probability",
    "Spoken criterion": "spoken_criterion",
}


def speech(result: Result, where: Mapping[str, Json]) -> Conclusion | None:
    """Whether a model sees changes, and says so, in a slice; `None` without graded answers. The tone is that of seeing.

    A rule applies only if the whole 95 % intervals of the area and of the gap satisfy it.
    """
    area, gap = (find(result, metric, where) for metric in ("graded_area", "spoken_gap"))
    if area is None or gap is None:
        return None
    if area.high is not None and area.high < SEEN:
        return Conclusion(UNSEEN, "Its probabilities do not tell changed from unchanged pictures either.", "bad")
    if area.low is None or area.low <= SEEN or gap.low is None or gap.high is None:
        return Conclusion(OPEN, "Cannot tell yet whether its probabilities follow the changes.", "open")
    if gap.high < -HIDDEN:
        return Conclusion(
            HIDES, f"Its probabilities tell changes that its answers do not: {_lean(result, where)}.", "good"
        )
    if gap.low > -HIDDEN:
        return Conclusion(SAYS, "Its answers report the changes that its probabilities tell.", "good")
    return Conclusion(OPEN, "Its probabilities follow the changes; cannot tell yet whether its answers do.", "open")


def _lean(result: Result, where: Mapping[str, Json]) -> str:
    """Toward which answer a model leans, as the criterion of its answers says."""
    criterion = find(result, "spoken_criterion", where)
    if criterion is None or criterion.value is None or abs(criterion.value) < HIDDEN / 100:
        return "it leans to one answer whichever way it is asked"
    return f"it leans to “{_LEANS[criterion.value > 0]}”"


def spoken_line(result: Result) -> str:
    """What graded answers add to a verdict, in a sentence or two; empty without them.

    That of controls comes first: what is not seen there cannot be said of figures.
    """
    found = {CONTEXT_NAMES[name]: speech(result, {"context": name}) for name in ("control", "figure")}
    places: dict[Conclusion, list[str]] = {}
    for name, each in found.items():
        if each is not None:
            places.setdefault(each, []).append(name)
    lines = [f"Graded answers on {' and '.join(names)}: {each.name}. {each.sentence}" for each, names in places.items()]
    return " ".join([*lines, forced_note(result)]).strip() if lines else ""


def forced_note(result: Result) -> str:
    """What is to be said of graded answers that were forced, which are of another moment; empty without them."""
    return "" if find(result, "graded_forced", {}) is None else _BEFORE


@table(
    "graded",
    "Graded and spoken answers",
    ("Pictures", "|α|", "Area", *_COLUMNS, "Threshold, |α|", "Reading", "Trials"),
    "Graded: the probability of “changed” where the answer stands, of which only the order counts, so that no leaning "
    "toward an answer changes it; an area of 50 % is chance. Spoken: the answers of the same replies. Response: hits − "
    "false alarms, as spoken, and as it would be if “changed” were said from the neutral probability on, where misses "
    "are as frequent as false alarms. A gap below 0: more is known than said. A neutral probability below 50 %, or a "
    "criterion above 0: it leans to “unchanged”. Threshold: the strength that ranks tell from none with a d' of 1.",
)
def graded_table(result: Result) -> Iterator[tuple[Cell, ...]]:
    """A row for each kind of picture, and for each strength of its changes."""
    for context in CONTEXTS:
        for magnitude in (None, *sorted(slice_values(result, "magnitude"))):
            where = {"context": context} | ({} if magnitude is None else {"magnitude": magnitude})
            area = find(result, "graded_area", where)
            if area is not None:
                strength = "all" if magnitude is None else f"{magnitude:g}"
                figures: list[Estimate | None] = [find(result, metric, where) for metric in _COLUMNS.values()]
                read = speech(result, where)
                threshold = find(result, "rank_threshold", where)
                name = CONTEXT_NAMES[context]
                yield name, strength, area, *figures, threshold, read.name if read else None, area.counts


@table(
    "calibration",
    "Do its probabilities mean what they say?",
    ("Replies with a probability", "Of forced answers", "Calibration error", "If calibrated", "Trials"),
    "Of all that were asked, the replies whose answer has a probability: none has where the provider gives none, or "
    "where reasons come first and no answer without them was forced. Calibration error, of answers that were not "
    "forced: how far P(changed) is from how often repeats of a question say so; beside it, what sampling alone would "
    "make of it if all probabilities were right.",
)
def calibration_table(result: Result) -> Iterator[tuple[Cell, ...]]:
    """A row for the run."""
    share = find(result, "graded_share", {})
    if share is not None:
        names = ("graded_forced", "calibration_error", "calibration_floor")
        yield share, *(find(result, name, {}) for name in names), share.counts
