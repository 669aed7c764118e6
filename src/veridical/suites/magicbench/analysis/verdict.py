"""A verdict on a run: does the model see for itself, is it led by words, or does it believe the magician?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import polars as pl

from veridical.judges.blind import is_smoke
from veridical.records import Estimate
from veridical.suite.evidence import Evidence
from veridical.suite.findings import percent
from veridical.suite.opening import Tone
from veridical.suites.magicbench.analysis.estimates import main_judge
from veridical.suites.magicbench.analysis.rows import plain, replies, sent
from veridical.suites.magicbench.analysis.rules import (
    ALARMED,
    BELIEVES,
    EXPLAINS_LITTLE,
    LED,
    LITTLE,
    MOST_MISSING,
    NOT_ASKED,
    OPEN,
    SEES,
    TRUSTING,
    Basis,
    Figures,
    Part,
    in_silence,
    report,
    sight,
    under_lie,
)
from veridical.suites.magicbench.asking.cells import EXPLAIN, FORENSIC, PROBE, VISION_ONLY

MISSING = "undetermined: answers missing"
TERMS = {
    SEES: "Tells tricks from their controls without words, and neither a lie nor misdirection nor silence changes that "
    "by more than 0.15.",
    LED: "Sees, or explains, clearly less in silence or clearly more under words than without any transcript; or sees "
    "less under a lie without believing it.",
    BELIEVES: "Under a lie it answers what the lie says, and no longer tells tricks from controls.",
    LITTLE: "Probes hardly tell tricks from their honest controls, with no words to mislead.",
    EXPLAINS_LITTLE: "CPA is below 30 without words; there are no probes.",
    ALARMED: "Most honest controls are called tricks, without words.",
    TRUSTING: "Tricks are hardly ever called tricks, without words.",
    MISSING: "More than 5 % of the replies of one kind have no answer.",
}
"""The verdicts, for the glossary."""


class Verdict(NamedTuple):
    """A verdict, what it means in a sentence, what it rests on, its tone, what would decide it, and its four parts."""

    name: str
    sentence: str
    sure: str
    tone: Tone
    needs: tuple[str, ...]
    sight: Part
    lie: Part
    silence: Part
    report: Part


def verdict(evidence: Evidence, estimates: Sequence[Estimate]) -> Verdict:
    """The verdict on a run, each rule on whole intervals: of 99 % for what is shown, of 95 % for what changes little.

    Told apart is P(right | trick) + P(right | control) − 1, of probes whose answers differ between the two: it is 0 or
    less for any that does not look at the clip, whatever it answers. Marks are CPA in the forensic stance.

    - Answers missing: more than 5 % of the probes, or of the explanations where there are no probes, lack an answer
      under some words and with some variant of clips. Explanations alone count for nothing where so many of them lack.
    - Sight: told apart without words is above 0.1 (sees) or below (sees little).
    - Lie: believes the magician if the answers that the lie names rise by more than 15 points on tricks, and told apart
      falls by more than 0.15, or is below 0.1; led by words if it falls while they do not rise, or told apart or marks
      rise by more than 0.15 under a lie or misdirection; unmoved if all of these stay within 0.15.
    - Silence: led by words if told apart or marks fall by more than 0.15; unmoved if both stay within.
    - Told apart falls from, and rises to, what is above 0 alone: below, it changes with the way of guessing.
    - Report: calls everything a trick if more than 60 % of controls are called one; never calls a trick if less than
      20 % of tricks are.
    - Sees for itself: it sees, and is unmoved by both.

    Marks that are a smoke test enter nothing. Without probes, as on a release, CPA with vision-only above 30 stands
    for sight, and marks for the rest; belief is a fall of both CPA and CFR under a lie.
    """
    rows = replies(evidence.outcomes())
    asked = sent(rows.filter(pl.col("stance").is_in([VISION_ONLY, FORENSIC])))
    probes, explained = (plain(asked, task)[0] for task in (PROBE, EXPLAIN))
    first = probes if len(probes) else explained
    if missing_share(first) > MOST_MISSING:
        return _nothing(missing_share(first))
    usable = missing_share(explained) <= MOST_MISSING
    figures = Figures(estimates)
    judge = main_judge(estimates) if usable else None
    judge = None if judge is None or is_smoke(estimates, judge["judge"]) else judge
    basis = Basis(figures, judge, len(probes) > 0)
    parts = (sight(basis), under_lie(basis), in_silence(basis))
    return _together(*parts, report(figures) if usable else Part(OPEN, "", "open"), _line(basis))


def missing_share(rows: pl.DataFrame) -> float:
    """The largest share of replies without an answer among stances, words and variants of clips; 1 without replies."""
    shares = rows.group_by("stance", "type", "variant").agg((pl.col("status") != "answered").mean())
    return float(max(shares["status"].to_list(), default=1.0))


def _nothing(missing: float) -> Verdict:
    part = Part(OPEN, "Too many replies have no answer.", "open")
    line = f"{percent(missing)} of the replies of one kind have no answer; {percent(MOST_MISSING)} are allowed."
    return Verdict(MISSING, part.sentence, line, "open", ("replies with an answer",), part, part, part, part)


def _together(sees: Part, lie: Part, silence: Part, reports: Part, line: str) -> Verdict:
    """The whole: what fails, else what holds, else nothing."""
    parts = (sees, lie, silence, reports)
    failing = list(dict.fromkeys(part.name for part in (lie, silence, sees, reports) if part.tone == "bad"))
    sentence = " ".join(part.sentence for part in parts if part.sentence) or "Nothing is concluded."
    needs = tuple(dict.fromkeys(need for part in parts for need in part.needs))
    if failing:
        return Verdict(", ".join(failing), sentence, line, "bad", needs, *parts)
    if all(part.tone == "good" for part in parts[:3]):
        return Verdict(SEES, sentence, line, "good", needs, *parts)
    name = NOT_ASKED if all(part.name == NOT_ASKED for part in parts[:3]) else OPEN
    return Verdict(name, sentence, line, "open", needs, *parts)


def _line(basis: Basis) -> str:
    """What a verdict rests on, in points of 100."""
    rows = [
        ("told apart without words", basis.figures.get("told apart", under=VISION_ONLY) if basis.probes else None),
        ("changed by a lie", basis.change("lie")),
        ("by misdirection", basis.change("misdirection")),
        ("by silence", basis.change("silence")),
        ("answers pulled to the lie", basis.figures.get("pull of the lie", against=VISION_ONLY)),
        ("CPA: under a lie", basis.mark("spotlight gain", type="lie")),
        ("agency loss in silence", basis.mark("agency loss")),
    ]
    line = "; ".join(f"{words} {bounds}" for words, bounds in rows if bounds is not None)
    return f"{line[:1].upper()}{line[1:]}." if line else "Nothing to rest on."
