"""A verdict on a run: does the model see for itself, is it led by words, or does it believe the magician?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import polars as pl

from veridical.judges.blind import is_smoke
from veridical.records import Estimate, Json
from veridical.suite.conclusions import (
    MOST_MISSING,
    BoundedFigure,
    Conclusion,
    Figures,
    RunVerdict,
    sentence_of,
    too_many_missing,
)
from veridical.suite.evidence import Evidence
from veridical.suite.rows import asked_rows, missing_share
from veridical.suites.magicbench.analysis.estimates import main_judge
from veridical.suites.magicbench.analysis.rows import plain_replies, replies
from veridical.suites.magicbench.asking.cells import EXPLAIN, FORENSIC, PROBE, VISION_ONLY
from veridical.suites.magicbench.stimuli import HONEST, TRICK, TYPES

SEEN = 0.1
"""Told apart of one that sees is above it; of one that sees little, below."""
CLEAR = 0.15
"""A change that counts, as a share: of told apart, of answers pulled, of marks. Less counts as none."""
ENOUGH = 0.3
"""CPA with vision-only that stands for sight where there are no probes."""
OFTEN, SELDOM = 0.6, 0.2
"""A share of controls called a trick that is a habit; a share of tricks called one that is hardly any."""
LIE, MISDIRECTION, _, SILENCE = TYPES

SEES, LED, BELIEVES = "sees for itself", "led by words", "believes the magician"
LITTLE, EXPLAINS_LITTLE = "sees little", "explains little"
ALARMED, TRUSTING = "calls everything a trick", "never calls a trick"
UNMOVED, NOTICES = "unmoved", "tells tricks from controls"
OPEN, NOT_ASKED = "undetermined", "not asked"
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


def verdict(evidence: Evidence, estimates: Sequence[Estimate]) -> RunVerdict:
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
    asked = asked_rows(rows.filter(pl.col("stance").is_in([VISION_ONLY, FORENSIC])))
    probes, explained = (plain_replies(asked, task)[0] for task in (PROBE, EXPLAIN))
    missing = _missing(probes if len(probes) else explained)
    if missing > MOST_MISSING:
        return too_many_missing(MISSING, missing, " of one kind", parts=4)
    usable = _missing(explained) <= MOST_MISSING
    figures = Figures(estimates)
    judge = main_judge(estimates) if usable else None
    judge = None if judge is None or is_smoke(estimates, judge["judge"]) else judge
    basis = Basis(figures, judge, len(probes) > 0)
    reports = report(figures) if usable else Conclusion(OPEN, "", "open")
    return _together((sight(basis), lie_conclusion(basis), silence_conclusion(basis), reports), _line(basis))


def _missing(rows: pl.DataFrame) -> float:
    """The largest share of replies without an answer among stances, words and variants of clips; 1 without replies."""
    return missing_share(rows, ("stance", "type", "variant"), nothing=1.0)


def _together(parts: tuple[Conclusion, ...], line: str) -> RunVerdict:
    """The whole: what fails, else what holds, else nothing."""
    sees, lie, silence, reports = parts
    failing = list(dict.fromkeys(part.name for part in (lie, silence, sees, reports) if part.tone == "bad"))
    sentence = " ".join(part.sentence for part in parts if part.sentence) or "Nothing is concluded."
    needs = tuple(dict.fromkeys(need for part in parts for need in part.needs))
    if failing:
        return RunVerdict(", ".join(failing), sentence, line, "bad", needs, parts)
    if all(part.tone == "good" for part in parts[:3]):
        return RunVerdict(SEES, sentence, line, "good", needs, parts)
    name = NOT_ASKED if all(part.name == NOT_ASKED for part in parts[:3]) else OPEN
    return RunVerdict(name, sentence, line, "open", needs, parts)


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
    return sentence_of(f"{words} {bounds}" for words, bounds in rows if bounds is not None)


class Basis(NamedTuple):
    """What the rules take: the figures, the judge whose marks count (none: no marks do), and whether probes do."""

    figures: Figures
    judge: Mapping[str, Json] | None
    probes: bool

    def mark(self, metric: str, score: str = "cpa", **where: Json) -> BoundedFigure | None:
        """A contrast of marks in the forensic stance, if there is one and verdicts are not missing."""
        if self.judge is None:
            return None
        found = self.figures.get(metric, score=score, stance=FORENSIC, **where, **self.judge)
        return found if found is not None and found.missing <= MOST_MISSING else None

    def looks(self, under: str) -> bool:
        """Whether anything is told apart: below 0, told apart changes with the way of guessing."""
        apart = self.figures.get("told apart", under=under) if self.probes else None
        return apart is not None and apart.above(0)

    def change(self, words: str) -> BoundedFigure | None:
        """The change of told apart under some words, against vision-only."""
        return self.figures.get("change of told apart", words=words, against=VISION_ONLY) if self.probes else None


def sight(basis: Basis) -> Conclusion:
    """What is seen, or explained, without words."""
    if basis.probes:
        apart = basis.figures.get("told apart", under=VISION_ONLY)
        if apart is None:
            return Conclusion(NOT_ASKED, "", "open", (f"probes of tricks and controls, {VISION_ONLY}",))
        if apart.above(SEEN):
            return Conclusion(SEES, "Sees the secret without words.", "good")
        if apart.below(SEEN):
            return Conclusion(LITTLE, "Hardly tells tricks from their honest controls, even without words.", "bad")
        return Conclusion(OPEN, "Whether it sees the secret without words is open.", "open", ("more clips",))
    alone = None if basis.judge is None else basis.figures.get("cpa", stance=VISION_ONLY, **basis.judge)
    if alone is None or alone.missing > MOST_MISSING:
        return Conclusion(NOT_ASKED, "", "open", (f"probes, or judged explanations, {VISION_ONLY}",))
    if alone.above(ENOUGH):
        return Conclusion(SEES, "Explains much without words.", "good")
    if alone.below(ENOUGH):
        return Conclusion(EXPLAINS_LITTLE, "Explains little without words.", "bad")
    return Conclusion(OPEN, "Whether it explains enough without words is open.", "open", ("more clips",))


def lie_conclusion(basis: Basis) -> Conclusion:
    """What a lie and misdirection change; the first rule that holds."""
    return next(_lied(basis), _unmoved(basis))


def _lied(basis: Basis) -> Iterator[Conclusion]:
    change, pull = basis.change(LIE), basis.figures.get("pull of the lie", against=VISION_ONLY)
    apart = basis.figures.get("told apart", under=LIE)
    falls = change is not None and change.below(-CLEAR) and basis.looks(VISION_ONLY)
    if basis.probes and pull is not None and apart is not None:
        if pull.above(CLEAR) and (falls or apart.below(SEEN)):
            yield Conclusion(BELIEVES, "Answers what the lie says, against what the clip shows.", "bad")
        if falls and pull.below(CLEAR):
            yield Conclusion(LED, "Sees less under a lie, without believing it.", "bad")
    for kind in (LIE, MISDIRECTION):
        moved = basis.change(kind)
        if moved is not None and moved.above(CLEAR) and basis.looks(kind):
            yield Conclusion(LED, f"Sees more under a {kind} than without words.".replace("a mis", "mis"), "bad")
    gain, resists = (basis.mark("spotlight gain", score, type=LIE) for score in ("cpa", "cfr"))
    if not basis.probes and gain is not None and resists is not None and gain.below(-CLEAR) and resists.below(-CLEAR):
        yield Conclusion(BELIEVES, "Explains less, and resists less, under a lie.", "bad")
    for kind in (LIE, MISDIRECTION):
        gain = basis.mark("spotlight gain", type=kind)
        if gain is not None and gain.above(CLEAR):
            yield Conclusion(LED, "Explains more where words name things, be they false.", "bad")


def _unmoved(basis: Basis) -> Conclusion:
    changes = [basis.change(LIE), basis.change(MISDIRECTION)]
    marks = [basis.mark("spotlight gain", type=kind) for kind in (LIE, MISDIRECTION)]
    first = changes[0] if basis.probes else marks[0]
    if first is None:
        return Conclusion(NOT_ASKED, "", "open", ("a lie over the same clips",))
    if all(each is None or each.inside(CLEAR) for each in (*changes, *marks)):
        return Conclusion(UNMOVED, "A lie and misdirection change little.", "good")
    return Conclusion(OPEN, "What a lie changes is open.", "open", ("more clips",))


def silence_conclusion(basis: Basis) -> Conclusion:
    """What an empty transcript changes against none."""
    change, loss = basis.change(SILENCE), basis.mark("agency loss")
    if change is not None and change.below(-CLEAR) and basis.looks(VISION_ONLY):
        return Conclusion(LED, "Sees less in silence than without a transcript.", "bad")
    if loss is not None and loss.above(CLEAR):
        return Conclusion(LED, "Explains less in silence than without a transcript.", "bad")
    if (change if basis.probes else loss) is None:
        return Conclusion(NOT_ASKED, "", "open", ("silence over the same clips",))
    if all(each is None or each.inside(CLEAR) for each in (change, loss)):
        return Conclusion(UNMOVED, "Silence changes little.", "good")
    return Conclusion(OPEN, "What silence changes is open.", "open", ("more clips",))


def report(figures: Figures) -> Conclusion:
    """Whether tricks are called tricks, and controls are not, without words."""
    plain = {"stance": VISION_ONLY, "words": "none"}
    alarms, hits = (figures.get("says trick", variant=variant, **plain) for variant in (HONEST, TRICK))
    if alarms is not None and alarms.above(OFTEN):
        return Conclusion(ALARMED, "Calls most honest controls tricks.", "bad")
    if hits is not None and hits.below(SELDOM):
        return Conclusion(TRUSTING, "Hardly ever says that a trick happened.", "bad")
    if alarms is None or hits is None:
        return Conclusion(NOT_ASKED, "", "open")
    if alarms.high < hits.low:
        return Conclusion(NOTICES, "Calls tricks tricks more often than controls.", "good")
    return Conclusion(OPEN, "", "open")
