"""A verdict on a run: is the focus right, does it matter, and does the model correct itself, or when asked?"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

import polars as pl

from veridical.records import Estimate, Json
from veridical.suite.conclusions import BoundedFigure, Conclusion, Figures, RunVerdict, interval_text, more, sentence_of
from veridical.suite.evidence import Evidence
from veridical.suite.missing_replies import despite_missing, most_missing
from veridical.suite.opening import Tone
from veridical.suite.rows import asked_rows
from veridical.suite.unseen_regions import UNSEEN, UNSEEN_TERM, despite_unseen
from veridical.suites.magic.analysis.accuracy import READER
from veridical.suites.magic.analysis.fills import filled_estimates
from veridical.suites.magic.analysis.magiscore import ALL, RANDOM
from veridical.suites.magic.analysis.rows import ALL_BOXES, plain_replies, replies
from veridical.suites.magic.analysis.views import ACCURACY, MASKED
from veridical.suites.magic.asking.healing import HEAL, PROMPTED, UNPROMPTED

CLEAR, HALF = 0.1, 0.5
"""A difference that counts; and a share that is most."""
FALSE_ALARMS = 0.3
"""A share of right reasoning called wrong from which correcting is a habit."""

RIGHT, EXHAUSTIVE, ASTRAY = "right boxes", "lists every box", "wrong boxes"
SILENT, AT_CHANCE = "names no boxes", "boxes at chance"
MATTERS, NO_MATTER = "focus matters", "focus does not matter"
ITSELF, WHEN_ASKED = "corrects itself", "corrects when asked"
PERSISTS, CORRECTS_ALL = "does not heal", "corrects what is right"
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
    ITSELF: "Most mistakes in wrong reasoning that it is given are named and corrected where nobody asks for that, and "
    "right reasoning is kept.",
    WHEN_ASKED: "Most mistakes in wrong reasoning that it is given are named and corrected after a request to correct "
    "mistakes, and right reasoning is kept; without a request they are not, or that is open or was not asked.",
    PERSISTS: "Fewer than half of the mistakes in wrong reasoning that it is given are named and corrected, with the "
    "request to correct where it was made.",
    CORRECTS_ALL: "Right reasoning is often called a mistake, too.",
    GROUNDED: "The right boxes are mentioned, and what they show matters for the answer.",
    MISSING: "More than 5 % of the replies have no answer, and what they were may matter.",
    UNSEEN: UNSEEN_TERM,
}
"""The verdicts, for the glossary."""
_BLAMING = frozenset({ASTRAY, AT_CHANCE, NO_MATTER, PERSISTS})
"""What a model comes to also by not seeing the relevant boxes."""
NAMED_FROM = {CORRECTS_ALL: 4, GROUNDED: 6, EXHAUSTIVE: 6, ASTRAY: 6, PERSISTS: 6, ITSELF: 6, WHEN_ASKED: 6}
"""The scenes from which four of five simulated runs are given a verdict, of observers with one lapse in ten."""


def verdict(evidence: Evidence, estimates: Sequence[Estimate]) -> RunVerdict:
    """The verdict on a run, each rule on whole 95 % intervals.

    - Answers missing: more than 5 % of the replies have no answer; and 10 % or more, or what they might have been
      (right or wrong, with the relevant boxes, the others, all, or none) would change the verdict. Nothing is concluded
      of covering or healing where over 5 % lack with the adversarial boxes covered, or among the continuations.
    - Outside what the model sees: more than 5 % of the pictures have a relevant box there, by its measured map, and the
      model would be said to mention wrong boxes or boxes at chance, to need none, or not to heal.
    - Focus: lists every box if most replies mention all, also those that do not matter; wrong boxes if precision is
      below that of boxes at random; names no boxes if most replies mention none; boxes at chance if F1 is below that of
      all boxes; right boxes if precision is more than 10 points above chance, and F1 above all boxes.
    - Focus matters if right answers fall by more than 10 points further when what the relevant boxes show is covered
      than when the adversarial ones are; it does not if by less. Nothing is concluded of a model whose answers with all
      boxes are not 10 points above guessing: it has none to lose.
    - Healing, of prefilled false reasoning: corrects what is right if more than 30 % of right reasoning is called
      wrong, with a request to correct or without; corrects itself above half without one, corrects when asked above
      half with one, both where less than half of right reasoning is called wrong and d-prime is above 1; does not heal
      below half, with the request where it was made.
    """
    every = asked_rows(plain_replies(replies(evidence.outcomes()), ("view",))[0])
    missing = most_missing(plain_replies(every)[0])
    scenes = more("scenes", every["unit"].n_unique(), NAMED_FROM)
    covered = most_missing(every.filter(pl.col("view") == MASKED[0])).too_many
    continued = HEAL.name in evidence.stages and most_missing(asked_rows(evidence.outcomes(HEAL.name))).too_many

    def concluded(found: Sequence[Estimate]) -> RunVerdict:
        own = _concluded(Figures(found), set(every["view"]), covered=covered, continued=continued)
        return own._replace(needs=tuple(scenes if need == _MORE else need for need in own.needs))

    otherwise = (concluded([*own, *estimates]) for own in filled_estimates(evidence))
    return despite_unseen(every, despite_missing(missing, concluded(estimates), otherwise, MISSING), _BLAMING)


def _concluded(figures: Figures, views: Collection[str], *, covered: bool, continued: bool) -> RunVerdict:
    """The verdict from figures; `covered` and `continued` say where too many replies lack an answer to conclude."""
    unclear = Conclusion(OPEN, "Cannot tell yet whether it looks at the right boxes.", "open", (_MORE,))
    focus, matter, healing = next(_focus(figures, views), unclear), _matter(figures), _healing(figures)
    if covered and matter.name != NOT_ASKED:
        matter = _UNREADABLE
    if continued and healing.name != NOT_ASKED:
        healing = _UNREADABLE
    name, sentence, tone = _together(focus, matter, healing)
    parts = (focus, matter, healing)
    wanted = tuple(dict.fromkeys(need for part in parts for need in part.needs))
    return RunVerdict(name, sentence, _line(figures), tone, wanted, parts)


_MORE = "more scenes"
_UNREADABLE = Conclusion(OPEN, "Cannot tell: too many replies have no answer.", "open", ("replies with an answer",))


def _focus(figures: Figures, views: Collection[str]) -> Iterator[Conclusion]:
    """The verdicts on focus whose rules hold, the one that counts first."""
    precision, f1 = (figures.get(f"magiscore {part}") for part in ("precision", "f1"))
    every = {part: figures.get(f"chance {part}", chance=ALL) for part in ("precision", "f1")}
    drawn = every["precision"]
    if precision is None or f1 is None or drawn is None or every["f1"] is None:
        yield Conclusion(NOT_ASKED, "No numbered boxes were shown.", "open", ("pictures with numbered boxes",))
        return
    if ALL_BOXES not in views:
        yield Conclusion(NOT_ASKED, "No picture was shown with misleading boxes.", "open", (f"the view {ALL_BOXES}",))
        return
    mentions = figures.get("mentions boxes")
    if mentions is not None and mentions.high < HALF:
        yield Conclusion(SILENT, "Most replies mention no box.", "bad")
    every_box = figures.get("mentions every box")
    if every_box is not None and every_box.low > HALF:
        yield Conclusion(EXHAUSTIVE, "Usually mentions every box, whether it matters or not.", "bad")
    named = figures.get("magiscore precision", silent="undefined") or precision
    if named.high < drawn.value:  # Replies that name no box are none that name wrong ones.
        yield Conclusion(ASTRAY, "Mentions boxes that do not matter rather than those that do.", "bad")
    if precision.low > drawn.value + CLEAR and f1.low > every["f1"].value:
        yield Conclusion(RIGHT, "Mentions the boxes that matter.", "good")
    if f1.high < every["f1"].value:
        yield Conclusion(AT_CHANCE, "Picks boxes no better than by mentioning all of them.", "bad")


def _matter(figures: Figures) -> Conclusion:
    lost = figures.get("view effect", view=MASKED[0], against=MASKED[1], of=ACCURACY, by=READER)
    whole = figures.get("accuracy", view=ALL_BOXES)
    if lost is None or whole is None:
        views = " and ".join(("all-boxes", *MASKED))
        return Conclusion(NOT_ASKED, "No picture was shown with boxes covered.", "open", (f"the views {views}",))
    if lost.low > CLEAR:
        return Conclusion(MATTERS, "Its answers depend on what the boxes that matter show.", "good")
    if whole.high <= _chance_of(figures):
        return Conclusion(
            OPEN,
            "It is too seldom right to lose answers when boxes are covered.",
            "open",
            ("questions that it can answer",),
        )
    if whole.low <= _chance_of(figures):
        return Conclusion(OPEN, "Cannot tell yet whether it is right often enough to lose answers.", "open", (_MORE,))
    if lost.high < CLEAR:
        return Conclusion(NO_MATTER, "Its answers do not depend on what the boxes that matter show.", "bad")
    return Conclusion(OPEN, "Cannot tell yet whether its answers depend on the boxes that matter.", "open", (_MORE,))


def _chance_of(figures: Figures) -> float:
    guessed = figures.get("guessed accuracy")
    return HALF if guessed is None else guessed.value + CLEAR


def _pooled(figures: Figures, metric: str, place: Mapping[str, Json]) -> dict[Json, BoundedFigure]:
    """The figures over all kinds of wrong prefixes with a value and bounds, by judge, as they come."""
    keys = {"judge", "rubric", "injection", "correcting", "chain_by"}
    found: dict[Json, BoundedFigure] = {}
    for each in figures.estimates:
        bounds = BoundedFigure.of(each) if each.metric == metric and set(each.slice) == keys else None
        if bounds is not None and place.items() <= each.slice.items():
            found.setdefault(each.slice["judge"], bounds)
    return found


def _healing(figures: Figures) -> Conclusion:
    """What becomes of mistakes, without a request to correct them and with one."""
    arms = {correcting: arm for correcting in (UNPROMPTED, PROMPTED) if (arm := _arm(figures, correcting)) is not None}
    if not arms:
        needs = ("Self-Heal, marked by a judge",)
        return Conclusion(
            NOT_ASKED, "It was given no wrong reasoning to continue, or nobody marked what it did.", "open", needs
        )
    if any(arm.alarms is not None and arm.alarms.low > FALSE_ALARMS for arm in arms.values()):
        return Conclusion(CORRECTS_ALL, "Often calls right reasoning a mistake, too.", "bad")
    alone, asked = arms.get(UNPROMPTED), arms.get(PROMPTED)
    if alone is not None and alone.corrects:
        return Conclusion(
            ITSELF, "Names and corrects mistakes without being asked, and leaves right reasoning alone.", "good"
        )
    if asked is not None and asked.corrects:
        if alone is None:
            rest, need = "it was not tried without asking", "Self-Heal without the request to correct"
        elif alone.heals.high < HALF:
            rest, need = "without being asked, it goes along with them", ""
        else:
            rest, need = "cannot tell yet whether it does so unasked", "more wrong stretches"
        sentence = f"Names and corrects mistakes when asked to; {rest}."
        return Conclusion(WHEN_ASKED, sentence, "good", (need,) if need else ())
    last = alone if asked is None else asked
    if last is not None and last.heals.high < HALF and (alone is None or alone.heals.high < HALF):
        return Conclusion(PERSISTS, "Goes along with mistakes in the reasoning that it is given.", "bad")
    if untried := [arm for arm in arms.values() if arm.untried]:
        sentence = "Names mistakes; cannot tell yet whether it leaves right reasoning alone."
        asked_about = any(arm.alarms is not None for arm in untried)
        return Conclusion(OPEN, sentence, "open", ("more true prefixes" if asked_about else "true prefixes",))
    return Conclusion(OPEN, "Cannot tell yet whether it corrects mistakes.", "open", ("more wrong stretches",))


class _Arm(NamedTuple):
    """Healing with a request to correct, or without, by the first judge, with false alarms and d-prime's least."""

    heals: BoundedFigure
    alarms: BoundedFigure | None
    apart: float | None

    @property
    def untried(self) -> bool:
        """Whether right reasoning was not asked about, or too seldom to tell whether most of it is kept."""
        seldom = self.alarms is None or self.apart is None or self.alarms.high >= HALF
        return self.heals.high >= HALF and seldom

    @property
    def corrects(self) -> bool:
        """Whether most mistakes are corrected, and mistakes are told from right reasoning, most of which is kept."""
        kept = self.alarms is not None and self.alarms.high < HALF
        return kept and self.heals.low > HALF and self.apart is not None and self.apart > 1


def _arm(figures: Figures, correcting: str) -> _Arm | None:
    place: dict[str, Json] = {"injection": "prefill", "correcting": correcting}
    healed = _pooled(figures, "heals", place)
    if not healed:
        return None
    judge, heals = next(iter(healed.items()))
    apart = figures.estimate("healing d_prime", judge=judge, **place)
    least = None if apart is None or apart.value is None else apart.low
    return _Arm(heals, _pooled(figures, "over-correction", place).get(judge), least)


def _together(focus: Conclusion, matter: Conclusion, healing: Conclusion) -> tuple[str, str, Tone]:
    """The name, the sentence and the tone of the whole: what fails first, else what holds."""
    parts = (focus, matter, healing)
    sentence = " ".join(part.sentence for part in parts if part.name != NOT_ASKED)
    failing = [part for part in parts if part.tone == "bad"]
    if failing:
        return ", ".join(part.name for part in failing), sentence, "bad"
    if focus.tone == matter.tone == "good":
        return (f"{GROUNDED}, {healing.name}" if healing.tone == "good" else GROUNDED), sentence, "good"
    good = [part.name for part in parts if part.tone == "good"]
    if focus.tone == "good" and matter.name == NOT_ASKED:
        return ", ".join(good), sentence, "good"
    return OPEN, sentence or "Cannot tell anything yet.", "open"


def _line(figures: Figures) -> str:
    """What a verdict rests on, in percent and points."""
    precision, recall = (figures.get(f"magiscore {words}") for words in ("precision", "recall"))
    drawn = figures.get("chance precision", chance=RANDOM)
    parts = []
    if precision is not None:
        beside = "" if drawn is None else f" (of random boxes {100 * drawn.value:.0f} %)"
        parts.append(f"{precision} % of the boxes it mentions matter{beside}")
    if recall is not None:
        parts.append(f"it mentions {recall} % of those that matter")
    lost = figures.estimate("view effect", view=MASKED[0], against=MASKED[1], of=ACCURACY, by=READER)
    if lost is not None and lost.value is not None and lost.low is not None and lost.high is not None:
        points = interval_text(lost.value, lost.low, lost.high)
        parts.append(f"covering those costs {points} points of right answers more than covering the others")
    return sentence_of(parts)
