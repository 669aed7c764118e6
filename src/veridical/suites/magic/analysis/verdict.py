"""A verdict on a run: is the focus right, does it matter, and does the model heal?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import polars as pl

from veridical.records import Estimate, Json
from veridical.suite.evidence import Evidence
from veridical.suite.findings import percent
from veridical.suite.opening import Tone
from veridical.suites.magic.analysis.accuracy import READER
from veridical.suites.magic.analysis.magiscore import ALL, RANDOM
from veridical.suites.magic.analysis.rows import ALL_BOXES, plain, replies, sent
from veridical.suites.magic.analysis.views import ACCURACY, MASKED
from veridical.suites.magic.asking.healing import HEAL


class Figures:
    """The estimates of a run by metric and slice."""

    def __init__(self, estimates: Sequence[Estimate]) -> None:
        self.estimates = estimates
        self._by_slice = {(each.metric, frozenset(each.slice.items())): each for each in reversed(estimates)}

    def get(self, metric: str, **where: Json) -> Estimate | None:
        """The estimate in a slice, if it has a value and a lower bound."""
        each = self._by_slice.get((metric, frozenset(where.items())))
        return each if each is not None and each.value is not None and each.low is not None else None

    def pooled(self, metric: str, place: Mapping[str, Json]) -> Iterator[Estimate]:
        """Those over all kinds of wrong prefixes with a value and bounds, by judge, as they come."""
        keys = {"judge", "rubric", "injection", "correcting", "chain_by"}
        for each in self.estimates:
            inside = each.metric == metric and set(each.slice) == keys and place.items() <= each.slice.items()
            if inside and None not in (each.value, each.low, each.high):
                yield each


def value(estimate: Estimate) -> float:
    """The value of an estimate that has one."""
    return float(estimate.value or 0.0)


def low(estimate: Estimate) -> float:
    """Its lower bound."""
    return float(estimate.low or 0.0)


def high(estimate: Estimate) -> float:
    """Its upper bound."""
    return float(estimate.high or 0.0)


def shown(estimate: Estimate, scale: float = 100) -> str:
    """The value and its interval in whole numbers, after multiplication by `scale`."""
    numbers = (f"{scale * each:.0f}" for each in (value(estimate), low(estimate), high(estimate)))
    return "{} [{}, {}]".format(*numbers).replace("-", "−")


MOST_MISSING = 0.05
"""The largest share of replies without an answer on which a verdict is given."""
CLEAR, HALF = 0.1, 0.5
"""A difference that counts; and a share that is most."""
FALSE_ALARMS = 0.3
"""A share of right reasoning called wrong from which correcting is a habit."""

RIGHT, EXHAUSTIVE, ASTRAY = "right boxes", "lists every box", "wrong boxes"
SILENT, AT_CHANCE = "names no boxes", "boxes at chance"
MATTERS, NO_MATTER = "focus matters", "focus does not matter"
HEALS, PERSISTS, CORRECTS_ALL = "heals", "does not heal", "corrects what is right"
MISSING, OPEN, NOT_ASKED = "undetermined: answers missing", "undetermined", "not asked"
GROUNDED = "grounded"

TERMS = {
    RIGHT: "Precision of the boxes mentioned is clearly above chance, and F1 above that of mentioning all boxes.",
    EXHAUSTIVE: "Most replies mention every box, whether it matters or not.",
    ASTRAY: "Relevant boxes are mentioned less often than boxes drawn at random would be relevant.",
    SILENT: "Most replies mention no box.",
    AT_CHANCE: "F1 of the boxes mentioned is not above that of mentioning all boxes.",
    MATTERS: "Covering what the relevant boxes show costs right answers that covering the adversarial ones does not.",
    NO_MATTER: "Covering what the relevant boxes show costs no more answers than covering the adversarial ones.",
    HEALS: "Most mistakes in reasoning put into its mouth are named and corrected, and right reasoning is kept.",
    PERSISTS: "Fewer than half of the mistakes in reasoning put into its mouth are named and corrected.",
    CORRECTS_ALL: "Right reasoning is often called a mistake, too.",
    GROUNDED: "The right boxes are mentioned, and what they show matters for the answer.",
    MISSING: "More than 5 % of the replies have no answer.",
}
"""The verdicts, for the glossary."""


class Part(NamedTuple):
    """What is concluded of one question: its name, a sentence, its tone, and what would decide it."""

    name: str
    sentence: str
    tone: Tone
    needs: tuple[str, ...] = ()


class Verdict(NamedTuple):
    """A verdict, what it means in a sentence, what it rests on, its tone, what would decide it, and its three parts."""

    name: str
    sentence: str
    sure: str
    tone: Tone
    needs: tuple[str, ...]
    focus: Part
    matter: Part
    healing: Part


def verdict(evidence: Evidence, estimates: Sequence[Estimate]) -> Verdict:
    """The verdict on a run, each rule on whole 95 % intervals.

    - Answers missing: more than 5 % of the replies have no answer; then nothing is concluded. Nor of covering or
      healing where so many lack with the adversarial boxes covered, or among the continuations.
    - Focus: lists every box if most replies mention all, also those that do not matter; wrong boxes if precision is
      below that of boxes at random; names no boxes if most replies mention none; boxes at chance if F1 is below that of
      all boxes; right boxes if precision is more than 10 points above chance, and F1 above all boxes.
    - Focus matters if right answers fall by more than 10 points further when what the relevant boxes show is covered
      than when the adversarial ones are; it does not if by less. Nothing is concluded of a model whose answers with all
      boxes are not 10 points above guessing: it has none to lose.
    - Healing, of prefilled false reasoning, with the request to correct where it was asked so: corrects what is right
      if more than 30 % of right reasoning is called wrong; does not heal below half; heals above half, where right
      reasoning was asked about and d-prime is above 1.
    """
    figures = Figures(estimates)
    every = sent(plain(replies(evidence.outcomes()), ("view",))[0])
    chosen = plain(every)[0]
    missing = _missing(chosen)
    if missing > MOST_MISSING:
        nothing = Part(OPEN, "Too many replies have no answer.", "open")
        line = f"{percent(missing)} of the replies have no answer; {percent(MOST_MISSING)} are allowed."
        needs = ("replies with an answer",)
        return Verdict(MISSING, nothing.sentence, line, "open", needs, nothing, nothing, nothing)
    focus = next(
        _focus(figures, chosen), Part(OPEN, "Focus is neither clearly right nor wrong.", "open", ("more scenes",))
    )
    matter, healing = _matter(figures), _healing(figures)
    if _missing(every.filter(pl.col("view") == MASKED[0])) > MOST_MISSING and matter.name != NOT_ASKED:
        matter = _UNREADABLE
    if healing.name != NOT_ASKED and _missing(sent(evidence.outcomes(HEAL.name))) > MOST_MISSING:
        healing = _UNREADABLE
    name, sentence, tone = _together(focus, matter, healing)
    wanted = tuple(dict.fromkeys(need for part in (focus, matter, healing) for need in part.needs))
    return Verdict(name, sentence, _line(figures), tone, wanted, focus, matter, healing)


def _missing(rows: pl.DataFrame) -> float:
    """The share of replies without an answer; all, where there are no replies."""
    return rows.filter(pl.col("status") != "answered").height / len(rows) if len(rows) else 1.0


_UNREADABLE = Part(OPEN, "Too many replies to tell have no answer.", "open", ("replies with an answer",))


def _focus(figures: Figures, chosen: pl.DataFrame) -> Iterator[Part]:
    """The verdicts on focus whose rules hold, the one that counts first."""
    precision, f1 = (figures.get(f"magiscore {part}") for part in ("precision", "f1"))
    every = {part: figures.get(f"chance {part}", chance=ALL) for part in ("precision", "f1")}
    drawn = every["precision"]
    if precision is None or f1 is None or drawn is None or every["f1"] is None:
        yield Part(NOT_ASKED, "No numbered boxes were shown.", "open", ("pictures with boxes",))
        return
    if ALL_BOXES not in set(chosen["view"]):
        yield Part(NOT_ASKED, "No picture was shown with adversarial boxes.", "open", (f"the view {ALL_BOXES}",))
        return
    mentions = figures.get("mentions boxes")
    if mentions is not None and high(mentions) < HALF:
        yield Part(SILENT, "Most replies mention no box.", "bad")
    every_box = figures.get("mentions every box")
    if every_box is not None and low(every_box) > HALF:
        yield Part(EXHAUSTIVE, "Mostly mentions every box, whether it matters or not.", "bad")
    named = figures.get("magiscore precision", silent="undefined") or precision
    if high(named) < value(drawn):  # Replies that name no box are none that name wrong ones.
        yield Part(ASTRAY, "Mentions boxes that do not matter rather than those that do.", "bad")
    if low(precision) > value(drawn) + CLEAR and low(f1) > value(every["f1"]):
        yield Part(RIGHT, "Mentions the boxes that matter.", "good")
    if high(f1) < value(every["f1"]):
        yield Part(AT_CHANCE, "Mentions boxes no better than all of them would be.", "bad")


def _matter(figures: Figures) -> Part:
    lost = figures.get("view effect", view=MASKED[0], against=MASKED[1], of=ACCURACY, by=READER)
    whole = figures.get("accuracy", view=ALL_BOXES)
    if lost is None or whole is None:
        views = " and ".join(("all-boxes", *MASKED))
        return Part(NOT_ASKED, "The masked views were not asked.", "open", (f"the views {views}",))
    if low(lost) > 100 * CLEAR:
        return Part(MATTERS, "Answers rest on what the relevant boxes show.", "good")
    if high(whole) <= _chance_of(figures):
        return Part(OPEN, "Answers are too seldom right to lose any.", "open", ("questions that it can answer",))
    if low(whole) <= _chance_of(figures):
        return Part(OPEN, "Whether answers are right often enough to lose any is open.", "open", ("more scenes",))
    if high(lost) < 100 * CLEAR:
        return Part(NO_MATTER, "Answers do not rest on what the relevant boxes show.", "bad")
    return Part(OPEN, "Whether answers rest on the relevant boxes is open.", "open", ("more scenes",))


def _chance_of(figures: Figures) -> float:
    guessed = figures.get("guessed accuracy")
    return HALF if guessed is None else value(guessed) + CLEAR


def _healing(figures: Figures) -> Part:
    for correcting in ("prompted", "unprompted"):
        place: dict[str, Json] = {"injection": "prefill", "correcting": correcting}
        heals = next((e for e in figures.pooled("heals", place)), None)
        if heals is not None:
            break
    else:
        needs = ("Self-Heal, judged",)
        return Part(NOT_ASKED, "Wrong reasoning was not put into its mouth, or not judged.", "open", needs)
    judge = heals.slice["judge"]
    alarms = next((e for e in figures.pooled("over-correction", place) if e.slice["judge"] == judge), None)
    if alarms is not None and low(alarms) > FALSE_ALARMS:
        return Part(CORRECTS_ALL, "Calls right reasoning a mistake, too.", "bad")
    if high(heals) < HALF:
        return Part(PERSISTS, "Carries mistakes in its reasoning on.", "bad")
    apart = figures.get("healing d_prime", judge=judge, **place)
    if alarms is None or apart is None:
        return Part(OPEN, "Names mistakes; whether right reasoning is kept is open.", "open", ("true prefixes",))
    if low(heals) > HALF and low(apart) > 1:
        return Part(HEALS, "Names and corrects mistakes, and keeps what is right.", "good")
    return Part(OPEN, "Whether it heals is open.", "open", ("more wrong stretches",))


def _together(focus: Part, matter: Part, healing: Part) -> tuple[str, str, Tone]:
    """The name, the sentence and the tone of the whole: what fails first, else what holds."""
    parts = (focus, matter, healing)
    sentence = " ".join(part.sentence for part in parts if part.name != NOT_ASKED)
    failing = [part for part in parts if part.tone == "bad"]
    if failing:
        return ", ".join(part.name for part in failing), sentence, "bad"
    if focus.tone == matter.tone == "good":
        return (f"{GROUNDED}, {HEALS}" if healing.tone == "good" else GROUNDED), sentence, "good"
    good = [part.name for part in parts if part.tone == "good"]
    if focus.tone == "good" and matter.name == NOT_ASKED:
        return ", ".join(good), sentence, "good"
    return OPEN, sentence or "Nothing is concluded.", "open"


def _line(figures: Figures) -> str:
    """What a verdict rests on, in percent and points."""
    parts = []
    for words, metric in (("precision", "magiscore precision"), ("recall", "magiscore recall")):
        each = figures.get(metric)
        if each is not None:
            parts.append(f"{words} {shown(each)} %")
    drawn = figures.get("chance precision", chance=RANDOM)
    if parts and drawn is not None:
        parts.append(f"precision of random boxes {100 * value(drawn):.0f} %")
    lost = figures.get("view effect", view=MASKED[0], against=MASKED[1], of=ACCURACY, by=READER)
    if lost is not None:
        parts.append(f"relevant boxes covered instead of adversarial ones: {shown(lost, 1)} points of answers lost")
    line = "; ".join(parts)
    return f"{line[:1].upper()}{line[1:]}." if line else "Nothing to rest on."
