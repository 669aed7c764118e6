"""Intervals for the numbers of questions: the blind baseline, the prompts and the ranks."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from veridical.published.printed import Sheet
from veridical.published.replicate import Check, Finding
from veridical.published.viabench.layout import BLIND, CATEGORIES, CHANCE, PAPER, SECTIONS, of, questions
from veridical.stats import Interval, linear, wilson

PRIORS = Check(
    paper=PAPER,
    place="Section 2.2, main results table",
    claim="The text does not reveal the right option: it is independent of textual priors.",
    computation="The blind model's accuracy with Wilson's 95 % interval for the category's number of questions; it "
    "must include the accuracy of random choice.",
    consequence=1,
    cause="In some categories most questions share one answer, which prior knowledge gives (a still picture does not "
    "move) or rules out. There, accuracy measures agreement with the prior as much as perception.",
    doubt="The paper makes the claim about the construction of questions, and reports the blind model's accuracy "
    "itself. The comparison is with the printed chance level; a blind model may also guess by a rule other than the "
    "prior.",
    instead="In viabench every possible answer of a question has a picture, so a fixed answer is right equally often, "
    "whatever it is; veridical/text learns from questions and options alone, for comparison.",
)
PROMPTED = Check(
    paper=PAPER,
    place="Section 4.4, CoT table",
    claim="Step-by-step prompts often lower accuracy.",
    computation="Difference of the averages over the six categories under Match, with a 95 % interval from Wilson's "
    "intervals of the twelve rates at one reply per question, unpaired; a fall must exclude 0.",
    consequence=1,
    cause="Differences of a point or less were interpreted without intervals. Five runs of the same questions do not "
    "add questions.",
    doubt="The abstract claims less, that step-by-step prompts hardly help, which these numbers do not contradict. "
    "Questions count as a sample from a population and prompts as unpaired: pairing, which needs the replies, could "
    "narrow the intervals.",
    instead="Instructions are compared by paired differences on the same pictures, with intervals and sign-flip tests.",
)
AHEAD = Check(
    paper=PAPER,
    place="Main results table",
    claim="Within a section each model is ahead of the next in rank.",
    computation="Neighbors whose difference of averages over the six categories under Match has a 95 % interval above "
    "0, from Wilson's intervals of the twelve rates at one reply per question, unpaired.",
    consequence=3,
    cause="Ranks were given without intervals; one to two hundred questions per category cannot order models that are "
    "a few points apart.",
    instead="veridical compare gives paired differences of two runs on the same trials, with intervals.",
)


def findings() -> Iterator[Finding]:
    """Findings on statements about differences, with intervals for the numbers of questions."""
    yield from _priors()
    yield from _prompted()
    yield from _ahead()


def difference(first: tuple[Sheet, str, str], second: tuple[Sheet, str, str]) -> tuple[float, Interval]:
    """Difference in points of two rows' plain means over categories under Match, and its unpaired 95 % interval.

    A row is given by its sheet, label and group.
    """
    labels = [f"{category} / Match" for category in CATEGORIES]
    rates, sizes, weights = [], [], []
    for sign, (sheet, row, group) in ((1, first), (-1, second)):
        for label in labels:
            cell = sheet.value(row, label, group)
            rates.append(float(cell.low + cell.high) / 200)
            sizes.append(questions()[label.split(" / ")[0]])
            weights.append(sign / len(labels))
    bounds = [wilson(min(rate, 1.0), n) for rate, n in zip(rates, sizes, strict=True)]
    low, high = linear(weights, rates, bounds)
    value = 100 * sum(weight * rate for weight, rate in zip(weights, rates, strict=True))
    return value, Interval(100 * (low or 0.0), 100 * (high or 0.0))


def _priors() -> Iterator[Finding]:
    sheet = of("main")
    for category in CATEGORIES:
        blind = sheet.value(BLIND, f"{category} / Match")
        chance = float(sheet.text(CHANCE, f"{category} / Match"))
        low, high = wilson(float(blind.low + blind.high) / 200, questions()[category])
        low, high = 100 * (low or 0.0), 100 * (high or 0.0)
        shown = f"{sheet.text(BLIND, f'{category} / Match')} [{low:.1f}, {high:.1f}]"
        yield PRIORS.holds(category, f"random choice {chance:.2f}", low <= chance <= high, shown)


def _prompted() -> Iterator[Finding]:
    sheet = of("cot")
    for group in sheet.groups():
        normal, *prompts = sheet.rows(group)
        for prompt in prompts:
            value, (low, high) = difference((sheet, prompt, group), (sheet, normal, group))
            falls = high is not None and high < 0
            yield PROMPTED.holds(f"{group}, {prompt}", "falls", falls, f"{value:+.2f} [{low:+.1f}, {high:+.1f}] points")


def _ahead() -> Iterator[Finding]:
    sheet = of("main")
    for section in SECTIONS:
        rows = sorted(sheet.rows(section), key=lambda row: int(sheet.text(row, "Rank")))
        lows = [difference((sheet, one, section), (sheet, next_, section))[1].low for one, next_ in pairwise(rows)]
        yield AHEAD.every(section, [low is not None and low > 0 for low in lows])
