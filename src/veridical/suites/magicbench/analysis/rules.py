"""The rules of the verdict: what is concluded of sight, of a lie, of silence, and of calling tricks tricks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from veridical.records import POINTS, Estimate, Json
from veridical.suite.opening import Tone
from veridical.suites.magicbench.asking.cells import FORENSIC, VISION_ONLY
from veridical.suites.magicbench.stimuli import HONEST, TRICK, TYPES

WIDER = 4 / 3
"""How much wider an interval of 99 % is than one of 95 %, of few units."""


class Bounds(NamedTuple):
    """A figure with its interval, as shares of 1, and the share of its replies or verdicts that are missing."""

    value: float
    low: float
    high: float
    missing: float

    def __str__(self) -> str:
        return f"{100 * self.value:.0f} [{100 * self.low:.0f}, {100 * self.high:.0f}]".replace("-", "−")

    def inside(self, margin: float) -> bool:
        """Whether the whole interval is within a margin of 0."""
        return -margin < self.low and self.high < margin

    def above(self, limit: float) -> bool:
        """Whether the interval is above a limit, and would be if it were wider: that of about 99 %."""
        return self.value - WIDER * (self.value - self.low) > limit

    def below(self, limit: float) -> bool:
        """Whether the interval is below a limit, and would be if it were wider: that of about 99 %.

        >>> Bounds(0.0, -0.1, 0.1, 0.0).below(0.12), Bounds(0.0, -0.1, 0.1, 0.0).below(0.15)
        (False, True)
        """
        return self.value + WIDER * (self.high - self.value) < limit


class Figures:
    """The estimates of a run by metric and slice."""

    def __init__(self, estimates: Sequence[Estimate]) -> None:
        self._by_slice = {(each.metric, frozenset(each.slice.items())): each for each in reversed(estimates)}

    def get(self, metric: str, **where: Json) -> Bounds | None:
        """The figure in a slice, if it has a value and both bounds; points become shares."""
        each = self._by_slice.get((metric, frozenset(where.items())))
        if each is None or each.value is None or each.low is None or each.high is None:
            return None
        scale = 0.01 if each.unit == POINTS else 1.0
        counts = each.counts
        missing = 1 - counts.answered / counts.planned if counts.planned else 0.0
        return Bounds(scale * each.value, scale * each.low, scale * each.high, missing)


MOST_MISSING = 0.05
"""The largest share of replies, or of verdicts on them, that may be missing where something is concluded."""
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


class Part(NamedTuple):
    """What is concluded of one question: its name, a sentence, its tone, and what would decide it."""

    name: str
    sentence: str
    tone: Tone
    needs: tuple[str, ...] = ()


class Basis(NamedTuple):
    """What the rules take: the figures, the judge whose marks count (none: no marks do), and whether probes do."""

    figures: Figures
    judge: Mapping[str, Json] | None
    probes: bool

    def mark(self, metric: str, score: str = "cpa", **where: Json) -> Bounds | None:
        """A contrast of marks in the forensic stance, if there is one and verdicts are not missing."""
        if self.judge is None:
            return None
        found = self.figures.get(metric, score=score, stance=FORENSIC, **where, **self.judge)
        return found if found is not None and found.missing <= MOST_MISSING else None

    def looks(self, under: str) -> bool:
        """Whether anything is told apart: below 0, told apart changes with the way of guessing."""
        apart = self.figures.get("told apart", under=under) if self.probes else None
        return apart is not None and apart.above(0)

    def change(self, words: str) -> Bounds | None:
        """The change of told apart under some words, against vision-only."""
        return self.figures.get("change of told apart", words=words, against=VISION_ONLY) if self.probes else None


def sight(basis: Basis) -> Part:
    """What is seen, or explained, without words."""
    if basis.probes:
        apart = basis.figures.get("told apart", under=VISION_ONLY)
        if apart is None:
            return Part(NOT_ASKED, "", "open", (f"probes of tricks and controls, {VISION_ONLY}",))
        if apart.above(SEEN):
            return Part(SEES, "Sees the secret without words.", "good")
        if apart.below(SEEN):
            return Part(LITTLE, "Hardly tells tricks from their honest controls, even without words.", "bad")
        return Part(OPEN, "Whether it sees the secret without words is open.", "open", ("more clips",))
    alone = None if basis.judge is None else basis.figures.get("cpa", stance=VISION_ONLY, **basis.judge)
    if alone is None or alone.missing > MOST_MISSING:
        return Part(NOT_ASKED, "", "open", (f"probes, or judged explanations, {VISION_ONLY}",))
    if alone.above(ENOUGH):
        return Part(SEES, "Explains much without words.", "good")
    if alone.below(ENOUGH):
        return Part(EXPLAINS_LITTLE, "Explains little without words.", "bad")
    return Part(OPEN, "Whether it explains enough without words is open.", "open", ("more clips",))


def under_lie(basis: Basis) -> Part:
    """What a lie and misdirection change; the first rule that holds."""
    return next(_lied(basis), _unmoved(basis))


def _lied(basis: Basis) -> Iterator[Part]:
    change, pull = basis.change(LIE), basis.figures.get("pull of the lie", against=VISION_ONLY)
    apart = basis.figures.get("told apart", under=LIE)
    falls = change is not None and change.below(-CLEAR) and basis.looks(VISION_ONLY)
    if basis.probes and pull is not None and apart is not None:
        if pull.above(CLEAR) and (falls or apart.below(SEEN)):
            yield Part(BELIEVES, "Answers what the lie says, against what the clip shows.", "bad")
        if falls and pull.below(CLEAR):
            yield Part(LED, "Sees less under a lie, without believing it.", "bad")
    for kind in (LIE, MISDIRECTION):
        moved = basis.change(kind)
        if moved is not None and moved.above(CLEAR) and basis.looks(kind):
            yield Part(LED, f"Sees more under a {kind} than without words.".replace("a mis", "mis"), "bad")
    gain, resists = (basis.mark("spotlight gain", score, type=LIE) for score in ("cpa", "cfr"))
    if not basis.probes and gain is not None and resists is not None and gain.below(-CLEAR) and resists.below(-CLEAR):
        yield Part(BELIEVES, "Explains less, and resists less, under a lie.", "bad")
    for kind in (LIE, MISDIRECTION):
        gain = basis.mark("spotlight gain", type=kind)
        if gain is not None and gain.above(CLEAR):
            yield Part(LED, "Explains more where words name things, be they false.", "bad")


def _unmoved(basis: Basis) -> Part:
    changes = [basis.change(LIE), basis.change(MISDIRECTION)]
    marks = [basis.mark("spotlight gain", type=kind) for kind in (LIE, MISDIRECTION)]
    first = changes[0] if basis.probes else marks[0]
    if first is None:
        return Part(NOT_ASKED, "", "open", ("a lie over the same clips",))
    if all(each is None or each.inside(CLEAR) for each in (*changes, *marks)):
        return Part(UNMOVED, "A lie and misdirection change little.", "good")
    return Part(OPEN, "What a lie changes is open.", "open", ("more clips",))


def in_silence(basis: Basis) -> Part:
    """What an empty transcript changes against none."""
    change, loss = basis.change(SILENCE), basis.mark("agency loss")
    if change is not None and change.below(-CLEAR) and basis.looks(VISION_ONLY):
        return Part(LED, "Sees less in silence than without a transcript.", "bad")
    if loss is not None and loss.above(CLEAR):
        return Part(LED, "Explains less in silence than without a transcript.", "bad")
    if (change if basis.probes else loss) is None:
        return Part(NOT_ASKED, "", "open", ("silence over the same clips",))
    if all(each is None or each.inside(CLEAR) for each in (change, loss)):
        return Part(UNMOVED, "Silence changes little.", "good")
    return Part(OPEN, "What silence changes is open.", "open", ("more clips",))


def report(figures: Figures) -> Part:
    """Whether tricks are called tricks, and controls are not, without words."""
    plain = {"stance": VISION_ONLY, "words": "none"}
    alarms, hits = (figures.get("says trick", variant=variant, **plain) for variant in (HONEST, TRICK))
    if alarms is not None and alarms.above(OFTEN):
        return Part(ALARMED, "Calls most honest controls tricks.", "bad")
    if hits is not None and hits.below(SELDOM):
        return Part(TRUSTING, "Hardly ever says that a trick happened.", "bad")
    if alarms is None or hits is None:
        return Part(NOT_ASKED, "", "open")
    if alarms.high < hits.low:
        return Part(NOTICES, "Calls tricks tricks more often than controls.", "good")
    return Part(OPEN, "", "open")
