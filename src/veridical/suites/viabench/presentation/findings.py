"""A verdict on a run: does the model see what is unusual, or give the usual answer?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from veridical.records import Estimate
from veridical.stats import holm
from veridical.suite.conclusions import BoundedFigure, RunVerdict, more
from veridical.suite.findings import percent_of, valued_estimate
from veridical.suite.missing_replies import despite_missing, most_missing
from veridical.suite.opening import Tone
from veridical.suite.results import Result, find
from veridical.suite.rows import asked_rows
from veridical.suites.viabench.analysis.replies import plain_replies, replies
from veridical.suites.viabench.options import CATEGORIES
from veridical.suites.viabench.presentation.fills import filled_results

SEES, LITTLE, CHANCE = "sees", "sees little", "at chance"
RECALLS, IN_PART, AVOIDS = "recalls the usual", "recalls in part", "avoids the usual"
MIXED, ORDINARY, TURNED = "loses the unusual", "loses the ordinary", "depends on polarity"
MISSING, OPEN = "undetermined: answers missing", "undetermined"
CLOSE, HALF = 10.0, 0.5
"""The largest difference in points that counts as none, and a share seen."""
_LEVEL = 0.025
"""The one-sided level of the tests of categories."""


TERMS = {
    SEES: "Unusual pictures are seen as well as ordinary ones: accuracy is high, and the usual answer does not pull.",
    LITTLE: "Accuracy on unusual pictures is above chance by less than half of what chance leaves.",
    CHANCE: "Accuracy on unusual pictures is not clearly above that of a random choice.",
    RECALLS: "The usual answer is given where the picture shows another, more often than guessing would.",
    IN_PART: "The usual answer is given in some categories of puzzles.",
    AVOIDS: "Answers are wrong where the usual answer is right.",
    MIXED: "Illusions and anomalies are wrong far more often than their counterparts, whatever the usual answer.",
    ORDINARY: "Ordinary pictures are wrong far more often than illusions and anomalies.",
    TURNED: "Yes-no questions are answered right far more often as stated than turned round, or the other way.",
    MISSING: "More than 5 % of the replies to one kind of picture have no answer, and what they were may matter.",
}
"""The verdicts, for the glossary."""
NAMED_FROM = {RECALLS: 19, AVOIDS: 38, CHANCE: 76, SEES: 114}
"""The units from which four of five simulated runs are given a verdict, of observers with one lapse in ten."""


class _Figures(NamedTuple):
    """What a verdict rests on: bounds in points, those of accuracies above chance; `None` where undefined."""

    unusual: Estimate
    chance: float
    pull: Estimate | None
    beyond: Estimate | None
    cost: Estimate | None
    recalled: tuple[str, ...]
    turned: float


def verdict(result: Result) -> RunVerdict:
    """The verdict on a run, each rule on whole 95 % intervals; the first that holds counts. "Far" is over 10 points.

    - Answers missing: more than 5 % of the replies to unusual or to ordinary pictures have no answer; and more than
      10 %, or what they might have been (right, the usual answer, another) would change the verdict.
    - Recalls: where the usual answer is right, accuracy is far above where it is wrong, and there the usual answer is
      chosen far more often than any one other wrong option; one that guesses or is not sure about the unusual does not
      recall. In part: in a category, by Holm over the categories.
    - Avoids: the same below 0.
    - Loses the unusual, or the ordinary: accuracy on one kind of picture is far below that on the other.
    - At chance: unusual pictures are not far above chance.
    - Depends on polarity: the accuracies on yes-no questions as stated and turned round are far apart.
    - Sees little, or sees: unusual pictures are above chance by less, or more, than half of what chance leaves; to see,
      pull and cost are within 10 points of 0, and to see little, the pull is not below 0.

    Without ordinary counterparts nobody is said to see. Items of a release have none, and no usual answer: above chance
    no more is concluded.
    """
    missing = most_missing(asked_rows(plain_replies(replies(result.outcomes))[0]), ("variant",))
    return despite_missing(missing, _concluded(result), map(_concluded, filled_results(result)), MISSING)


def _concluded(result: Result) -> RunVerdict:
    """The verdict, whatever is missing."""
    figures = _figures(result)
    if figures is None:
        needs = ("illusions or anomalies, and their ordinary counterparts",)
        return RunVerdict(OPEN, "No verdict.", "A verdict takes both kinds of picture.", "open", needs)
    line = _line(figures, find(result, "not sure", {}))
    name, sentence, tone = next(_rules(figures), (OPEN, "", "open"))
    return (
        RunVerdict(name, sentence, line, tone) if sentence else _open(figures, line, result.outcomes["unit"].n_unique())
    )


def _rules(figures: _Figures) -> Iterator[tuple[str, str, Tone]]:
    """The verdicts whose rules hold, the one that counts first."""
    shown = f" Clearly so in {', '.join(figures.recalled)}." if figures.recalled else ""
    if _above(figures.pull, CLOSE) and _above(figures.beyond, CLOSE):
        yield RECALLS, f"Gives the usual answer, whether the picture shows it or not.{shown}", "bad"
    if figures.recalled:
        yield IN_PART, f"Gives the usual answer in some kinds of puzzle.{shown}", "bad"
    if _below(figures.pull, -CLOSE) and _below(figures.beyond, -CLOSE):
        yield AVOIDS, "Avoids the usual answer, even where it is right.", "bad"
    if _above(figures.cost, CLOSE):
        yield MIXED, "Is wrong more often on illusions and anomalies than on their ordinary counterparts.", "bad"
    if _below(figures.cost, -CLOSE):
        yield ORDINARY, "Is wrong more often on ordinary pictures than on illusions and anomalies.", "bad"
    if _below(figures.unusual, figures.chance + CLOSE / 100):
        yield CHANCE, "Is hardly right more often than a random choice.", "bad"
    if figures.turned > CLOSE:
        yield TURNED, "Is right far more often when a yes-no question is asked one way than the opposite way.", "bad"
    yield from _seen(figures)


def _seen(figures: _Figures) -> Iterator[tuple[str, str, Tone]]:
    """Whether it sees, or sees little, where differences between kinds of pictures are defined."""
    differences = [each for each in (figures.pull, figures.cost) if each is not None]
    half = figures.chance + HALF * (1 - figures.chance)
    # One that avoids the usual answer is right where that is wrong, and sees nothing.
    evaded = _below(figures.pull, 0.0)
    if differences and not evaded and _above(figures.unusual, figures.chance) and _below(figures.unusual, half):
        yield LITTLE, "Beats chance, but gets less than half of the way from there to all right.", "bad"
    near = all(_above(each, -CLOSE) and _below(each, CLOSE) for each in differences)
    if figures.cost is not None and near and _above(figures.unusual, half):
        yield SEES, "Sees what is unusual as well as what is ordinary.", "good"


def _open(figures: _Figures, line: str, units: int) -> RunVerdict:
    wanted = (more("units", units, NAMED_FROM),)
    if not _above(figures.unusual, figures.chance):
        return RunVerdict(OPEN, "Cannot tell yet whether it beats chance.", line, "open", wanted)
    if figures.cost is None:
        sentence = "Beats chance. Without ordinary counterparts, nobody can tell what the usual answer does."
        return RunVerdict(OPEN, sentence, line, "open", ("ordinary counterparts, or items that name the usual answer",))
    return RunVerdict(OPEN, "Beats chance. Cannot tell yet whether the usual answer draws it.", line, "open", wanted)


def _figures(result: Result) -> _Figures | None:
    unusual, chance = (valued_estimate(result, metric, {"variant": "unusual"}) for metric in ("accuracy", "chance"))
    if unusual is None or chance is None or chance.value is None:
        return None
    names = ("pull of the usual", "recall beyond guessing", "cost of the unusual")
    pull, beyond, cost = (valued_estimate(result, metric, {}) for metric in names)
    return _Figures(unusual, chance.value, pull, beyond, cost, tuple(_recalled(result, names[:2])), _turned(result))


def _recalled(result: Result, metrics: Sequence[str]) -> Iterator[str]:
    """The categories in which both the pull and the recall are far above 0, by Holm over the categories."""
    p: list[float | None] = []
    for category in CATEGORIES:
        both = [BoundedFigure.of(find(result, metric, {"category": category})) for metric in metrics]
        known = [each.p_above(CLOSE / 100) for each in both if each is not None]
        p.append(max(known) if len(known) == len(both) else None)
    for title, adjusted in zip(CATEGORIES.values(), holm(p), strict=True):
        if adjusted is not None and adjusted < _LEVEL:
            yield title


def _turned(result: Result) -> float:
    """The points between the accuracies on yes-no questions as stated and turned round, from bound to bound."""
    rates = [valued_estimate(result, "accuracy", {"polarity": polarity}) for polarity in ("forward", "reversed")]
    bounds = [(each.low, each.high) for each in rates if each and each.low is not None and each.high is not None]
    return 100 * (max(low for low, _ in bounds) - min(high for _, high in bounds)) if len(bounds) > 1 else 0.0


def _above(estimate: Estimate | None, bound: float) -> bool:
    return estimate is not None and estimate.low is not None and estimate.low > bound


def _below(estimate: Estimate | None, bound: float) -> bool:
    return estimate is not None and estimate.high is not None and estimate.high < bound


def _line(figures: _Figures, unsure: Estimate | None) -> str:
    parts = [f"Right on {percent_of(figures.unusual)} of illusions and anomalies"]
    for estimate, words in (
        (figures.cost, "{} on ordinary counterparts"),
        (figures.pull, "{} where the usual answer is right instead of wrong"),
        (figures.beyond, "it chooses a wrong usual answer {} more often than another wrong option"),
    ):
        if estimate is not None:
            parts.append(words.format(f"{estimate.value:+.0f} points [{estimate.low:+.0f}, {estimate.high:+.0f}]"))
    if unsure is not None and _above(unsure, HALF):
        parts.append(f"it says 'Not Sure' to {percent_of(unsure)} of all questions")
    return "; ".join(parts).replace("-", "−") + "."
