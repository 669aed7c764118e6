"""Intervals of R for the numbers of pictures, compared with the thresholds behind the text's conclusions."""

from __future__ import annotations

from collections.abc import Iterator

from veridical.published.replicate import Check, Finding
from veridical.published.viprobe.layout import LEVELS, ORIGINALS, PAPER, SIZE_ORIGINALS, of, text
from veridical.stats import Interval, linear, ratio, wilson

_COMPUTATION = (
    "95 % interval of |O − P| / |OC − PC| from Wilson's intervals of the four rates; it must lie on the stated side of "
    "the threshold. Pictures count as independent, although those of one original are not."
)
_CAUSE = "R was compared with its threshold without an interval; a ratio of differences has a wide one."
_INSTEAD = "R has an interval over base items. Verdicts come from a model fitted to the replies, or are undetermined."

ABOVE = Check(
    paper=PAPER,
    place="Section 4.2.2, Table 2",
    claim="GPT-5, GPT-5-Mini and Gemini-2.5-Flash have R above 1.2: memory override.",
    computation=_COMPUTATION,
    consequence=1,
    cause=_CAUSE,
    doubt="The paper states point values, not intervals. The interval treats pictures as independent, although ten "
    "share one original and are paired with it; the true interval may be wider or narrower.",
    instead=_INSTEAD,
)
BELOW = Check(
    paper=PAPER,
    place="Section 4.2.2, Table 2",
    claim="All Qwen models have R below 1: limits of visual processing.",
    computation=_COMPUTATION,
    consequence=2,
    cause=_CAUSE,
    doubt="As for the models with R above 1.2: a statement about point values is compared with an interval.",
    instead=_INSTEAD,
)
EARLIER = Check(
    paper=PAPER,
    place="Appendix B.2.1, Table 8",
    claim="Both Claude 3.5 models have R above 1.2, unlike the earlier OpenAI models.",
    computation=_COMPUTATION,
    consequence=2,
    cause=_CAUSE,
    doubt="As for the models with R above 1.2: a statement about point values is compared with an interval.",
    instead=_INSTEAD,
)
TWO = ("illusion / original", "illusion / perturbed", "control / original", "control / perturbed")
EIGHT = ("original", "perturbed", "original control", "perturbed control")


def findings() -> Iterator[Finding]:
    """Findings on the statements about R."""
    high, one = (float(text(row, label, "Table 2")) for row, label in (("frontier models", "R above"), _QWEN))
    for model in ("GPT-5", "GPT-5-Mini", "Gemini-2.5-Flash"):
        low, _ = interval(rates("2", model, TWO), ORIGINALS)
        yield _finding(ABOVE, model, "2", TWO, ORIGINALS, f"above {high}", low is not None and low > high)
    for model in of("2").rows("Qwen"):
        _, top = interval(rates("2", model, TWO), ORIGINALS)
        yield _finding(BELOW, model, "2", TWO, ORIGINALS, f"below {one:g}", top is not None and top < one)
    for model in of("8").rows("Anthropic"):
        low, _ = interval(rates("8", model, EIGHT), SIZE_ORIGINALS)
        yield _finding(EARLIER, model, "8", EIGHT, SIZE_ORIGINALS, f"above {high}", low is not None and low > high)


def rates(name: str, model: str, labels: tuple[str, ...]) -> tuple[float, ...]:
    """O, P, OC and PC of a model as proportions."""
    return tuple(float(of(name).text(model, label)) / 100 for label in labels)


def interval(cells: tuple[float, ...], originals: int) -> Interval:
    """The 95 % interval of R from O, P, OC and PC as proportions, over independent pictures.

    >>> [round(bound, 2) for bound in interval((0.9172, 0.0445, 0.9655, 0.5224), 290)]
    [1.84, 2.14]
    """
    o, p, oc, pc = cells
    (above, high), (below, low) = (_drop(first, second, originals) for first, second in ((o, p), (oc, pc)))
    return ratio(above, below, high, low)


def _drop(original: float, perturbed: float, originals: int) -> tuple[float, Interval]:
    """The size of a difference, and its interval."""
    sign = 1 if original >= perturbed else -1
    bounds = [wilson(original, originals), wilson(perturbed, originals * LEVELS)]
    return abs(original - perturbed), linear([sign, -sign], [original, perturbed], bounds)


def _finding(
    check: Check, model: str, name: str, labels: tuple[str, ...], originals: int, statement: str, fact: bool
) -> Finding:
    low, high = interval(rates(name, model, labels), originals)
    shown = f"[{low:.2f}, {'no bound' if high is None else f'{high:.2f}'}]"
    return check.holds(model, f"{of(name).text(model, 'R')}, {statement}", fact, shown)


_QWEN = ("Qwen models", "R below")
