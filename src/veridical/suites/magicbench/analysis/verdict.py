"""A verdict on a run: does the model see for itself, which words take from that, and does it believe the magician?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import polars as pl

from veridical.judges.blind import is_smoke
from veridical.records import Estimate
from veridical.suite.conclusions import BoundedFigure, Conclusion, Figures, RunVerdict, more, sentence_of
from veridical.suite.evidence import Evidence
from veridical.suite.missing_replies import MOST_MISSING, despite_missing, most_missing
from veridical.suite.rows import asked_rows
from veridical.suite.unseen_regions import UNSEEN, UNSEEN_TERM, despite_unseen
from veridical.suites.magicbench.analysis.changes import CLEAR, KINDS, Basis
from veridical.suites.magicbench.analysis.estimates import main_judge
from veridical.suites.magicbench.analysis.fills import filled_probes
from veridical.suites.magicbench.analysis.probes import decisive
from veridical.suites.magicbench.analysis.rows import plain_replies, replies
from veridical.suites.magicbench.asking.cells import EXPLAIN, FORENSIC, PROBE, VISION_ONLY
from veridical.suites.magicbench.stimuli import HONEST, TRICK

SEEN = 0.1
"""Told apart of one that sees is above it; of one that sees little, below."""
BELIEF, PART = 0.2, 1 / 3
"""A pull beyond guessing below this, or this part of the fall, stands for no belief where told apart falls under a lie.

It is at least half of the fall for one that believes.
"""
ENOUGH = 0.3
"""CPA with vision-only that stands for sight where there are no probes."""
OFTEN, SELDOM = 0.6, 0.2
"""A share of controls called a trick that is a habit; a share of tricks called one that is hardly any."""
LIE, MISDIRECTION, FILLER, SILENCE = KINDS[:4]

SEES, LED, BELIEVES = "sees for itself", "led by words", "believes the magician"
MISLED, DISTRACTED = "led by misdirection", "distracted by talk"
LITTLE, EXPLAINS_LITTLE = "sees little", "explains little"
ALARMED, TRUSTING = "calls everything a trick", "never calls a trick"
UNMOVED, NOTICES = "unmoved", "tells tricks from controls"
OPEN, NOT_ASKED = "undetermined", "not asked"
MISSING = "undetermined: answers missing"
TERMS = {
    SEES: "Tells tricks from their controls without words, and no kind of words that was asked, nor silence, changes "
    "that by more than 0.15.",
    LED: "Sees, or explains, clearly less in silence or clearly more under words than without any transcript; or sees "
    "less under a lie without believing it, or under a cue, nouns or the truth; or takes a lie's word where it is "
    "unsure.",
    BELIEVES: "Under a lie it answers what the lie says, and no longer tells tricks from controls.",
    MISLED: "Sees, or explains, clearly less under misdirection than without words.",
    DISTRACTED: "Sees, or explains, clearly less under filler, talk of something else, than without words.",
    LITTLE: "Even with no words to mislead it, it hardly tells tricks from their honest controls.",
    EXPLAINS_LITTLE: "CPA is below 30 without words; there are no probes.",
    ALARMED: "Most honest controls are called tricks, without words.",
    TRUSTING: "Tricks are hardly ever called tricks, without words.",
    MISSING: "More than 5 % of the replies of one kind have no answer, and what they were may matter.",
    UNSEEN: UNSEEN_TERM,
}
"""The verdicts, for the glossary."""
_BLAMING = frozenset({LED, BELIEVES, MISLED, DISTRACTED, LITTLE, EXPLAINS_LITTLE, TRUSTING})
"""What a model comes to also by not seeing where the secret move shows."""
NAMED_FROM = {LED: 16, BELIEVES: 20, LITTLE: 30, SEES: 100}
"""The units from which four of five simulated runs are given a verdict, of observers with one lapse in ten."""
FALLS = {MISDIRECTION: MISLED, FILLER: DISTRACTED}
"""What a model is called from which a kind of words takes sight; `LED` where no other name is here."""
_UNDER = {
    LIE: "with a lie",
    MISDIRECTION: "with misdirection",
    FILLER: "with unrelated talk",
    SILENCE: "in silence",
    "cue": "with a cue to look",
    "nouns": "with bare nouns",
    "truth": "with the truth about the trick",
}
ABOUT = ("Without words", *(_UNDER[kind].capitalize() for kind in KINDS), "Whether it reports tricks")
"""What the parts of a verdict are about."""
_NEEDED = {LIE: "the same clips with a lie", SILENCE: "the same clips in silence"}
"""The kinds without which nobody is said to see for itself."""
_MORE = "more clips"
_STAYS, _UNKNOWN = "Does about as well {} as without words.", "Cannot tell yet whether it does as well {}."


def verdict(evidence: Evidence, estimates: Sequence[Estimate]) -> RunVerdict:
    """The verdict on a run, each rule on whole intervals: of 99 % for what is shown, of 95 % for what changes little.

    Told apart is P(right | trick) + P(right | control) − 1, of probes whose answers differ between the two: it is 0 or
    less for any that does not look at the clip, whatever it answers. Marks are CPA in the forensic stance.

    - Answers missing: more than 5 % of the probes, or of the explanations where there are no probes, lack an answer
      under some words and with some variant of clips; and 10 % or more, or what the answers to probes might have been
      (right, the lie's, another) would change the verdict. Explanations count for nothing where over 5 % of them lack.
    - Outside what the model sees: in more than 5 % of one kind of clip the secret move shows there, by its
      measured map, and the model would be said to see or explain little, to be led by words, or never to call a trick.
    - Sight: told apart without words is above 0.1 (sees) or below (sees little).
    - Words, one rule for every kind that was asked, silence among them: told apart, and marks, fall or rise by more
      than 0.15 against vision-only, Holm over the kinds; or both stay within 0.15 (unmoved). A fall is led by
      misdirection, distracted by talk (filler), and led by words of any other kind and in silence; a rise is led by
      words. One that rises in silence is helped by the instruction: words are then compared with silence.
    - A lie: believes the magician if the answers that the lie names rise by more than 15 points on tricks, and more
      than guesses in the place of sight would make them, and told apart falls by more than 0.15, or is below 0.1; led
      by words if one of the two happens and the other does not.
    - Told apart falls from, and rises to, what is above 0 alone: below, it changes with the way of guessing.
    - Report: calls everything a trick if more than 60 % of controls are called one; never calls a trick if less than
      20 % of tricks are.
    - Sees for itself: it sees, and is unmoved by a lie, by silence, and by each other kind that was asked.

    Marks that are a smoke test enter nothing. Without probes, as on a release, CPA with vision-only above 30 stands
    for sight, and marks for the rest; belief is a fall of both CPA and CFR under a lie.
    """
    rows = replies(evidence.outcomes())
    asked = asked_rows(rows.filter(pl.col("stance").is_in([VISION_ONLY, FORENSIC])))
    probes, explained = (plain_replies(asked, task)[0] for task in (PROBE, EXPLAIN))
    missing = most_missing(probes if len(probes) else explained, _KINDS)
    usable = not most_missing(explained, _KINDS).too_many
    units = more("units", asked["unit"].n_unique(), NAMED_FROM)

    def concluded(found: Sequence[Estimate]) -> RunVerdict:
        own = _concluded(found, probes=len(probes) > 0, usable=usable)
        return own._replace(needs=tuple(units if need == _MORE else need for need in own.needs))

    otherwise = (concluded([*decisive(own), *estimates]) for own in filled_probes(rows))
    stated = despite_missing(missing, concluded(estimates), otherwise if len(probes) else None, MISSING)
    return despite_unseen(probes if len(probes) else explained, stated, _BLAMING)


def _concluded(estimates: Sequence[Estimate], *, probes: bool, usable: bool) -> RunVerdict:
    """The verdict from figures, with `probes` or without; `usable` says whether explanations count."""
    figures = Figures(estimates)
    judge = main_judge(estimates) if usable else None
    judge = None if judge is None or is_smoke(estimates, judge["judge"]) else judge
    basis = Basis(figures, judge, probes)
    reports = report(figures) if usable else Conclusion(OPEN, "", "open")
    return _together(sight(basis), words_conclusions(basis), reports, _line(basis))


_KINDS = ("stance", "type", "variant")
"""Replies are counted by stance, words and variant of clips."""


def _together(sees: Conclusion, words: dict[str, Conclusion], reports: Conclusion, line: str) -> RunVerdict:
    """The whole: what fails, else what holds, else nothing."""
    parts = (sees, *words.values(), reports)
    failing = list(dict.fromkeys(part.name for part in (*words.values(), sees, reports) if part.tone == "bad"))
    sentence = " ".join(_sentences(sees, words, reports)) or "Cannot tell anything yet."
    needs = tuple(dict.fromkeys(need for part in parts for need in part.needs))
    if failing:
        return RunVerdict(", ".join(failing), sentence, line, "bad", needs, parts)
    needed = [sees, *(part for kind, part in words.items() if kind in _NEEDED or part.name != NOT_ASKED)]
    if all(part.tone == "good" for part in needed):
        return RunVerdict(SEES, sentence, line, "good", needs, parts)
    name = NOT_ASKED if all(part.name == NOT_ASKED for part in needed) else OPEN
    return RunVerdict(name, sentence, line, "open", needs, parts)


def _sentences(sees: Conclusion, words: dict[str, Conclusion], reports: Conclusion) -> Iterator[str]:
    """The sentences of the parts, those that say the same of several kinds of words as one."""
    alike = {
        text: [kind for kind, part in words.items() if part.sentence == text.format(_UNDER[kind])]
        for text in (_STAYS, _UNKNOWN)
    }
    merged = {kind for kinds in alike.values() for kind in kinds}
    own = (part.sentence for kind, part in words.items() if kind not in merged)
    for sentence in (sees.sentence, *own):
        if sentence:
            yield sentence
    for text, kinds in alike.items():
        if kinds:
            *first, last = (_UNDER[kind] for kind in kinds)
            yield text.format(f"{', '.join(first)} and {last}" if first else last)
    if reports.sentence:
        yield reports.sentence


def _line(basis: Basis) -> str:
    """What a verdict rests on, in points of 100."""
    apart, pull, beyond = basis.apart(VISION_ONLY), basis.pull, basis.belief
    rows = [
        None if apart is None else f"tells tricks from controls by {apart} points of 100 without words",
        _changes("this changes by", basis.seen.changes),
        None if pull is None else f"the lie's answer is given {pull} points more often with a lie",
        None if beyond is None else f"{beyond} points beyond guessing",
        _changes("CPA changes by", basis.explained.changes),
    ]
    return sentence_of(row for row in rows if row)


def _changes(words: str, changes: Mapping[str, BoundedFigure | None]) -> str:
    """The changes under each kind of words that was asked, in points."""
    shown = [f"{bounds} {_UNDER[kind]}" for kind in KINDS if (bounds := changes[kind]) is not None]
    return f"{words} {', '.join(shown)}" if shown else ""


def sight(basis: Basis) -> Conclusion:
    """What is seen, or explained, without words."""
    if basis.probes:
        apart = basis.apart(VISION_ONLY)
        if apart is None:
            return Conclusion(
                NOT_ASKED, "", "open", (f"questions about tricks and their controls without words ({VISION_ONLY})",)
            )
        if apart.above(SEEN):
            return Conclusion(SEES, "Sees the secret move when there are no words.", "good")
        if apart.below(SEEN):
            return Conclusion(LITTLE, "Even without words, hardly tells tricks from their honest controls.", "bad")
        return Conclusion(OPEN, "Cannot tell yet whether it sees the secret move.", "open", (_MORE,))
    alone = None if basis.judge is None else basis.figures.get("cpa", stance=VISION_ONLY, **basis.judge)
    if alone is None or alone.missing > MOST_MISSING:
        return Conclusion(
            NOT_ASKED, "", "open", (f"questions, or explanations that a judge marks, without words ({VISION_ONLY})",)
        )
    if alone.above(ENOUGH):
        return Conclusion(SEES, "Without words, explains much of the trick.", "good")
    if alone.below(ENOUGH):
        return Conclusion(EXPLAINS_LITTLE, "Without words, explains little of the trick.", "bad")
    return Conclusion(OPEN, "Cannot tell yet whether it explains enough of the trick.", "open", (_MORE,))


def words_conclusions(basis: Basis) -> dict[str, Conclusion]:
    """What each kind of words changes; of each the first rule that holds."""
    return {kind: next(_moved(basis, kind), _unmoved(basis, kind)) for kind in KINDS}


def _moved(basis: Basis, kind: str) -> Iterator[Conclusion]:
    seen, explained, under = basis.seen, basis.explained, _UNDER[kind]
    if kind == LIE:
        yield from _lied(basis)
    elif kind in seen.falls:
        yield Conclusion(FALLS.get(kind, LED), f"Sees less {under} than without words.", "bad")
    if kind in seen.rises and kind != SILENCE:
        yield Conclusion(LED, f"Sees more {under} than without words.", "bad")
    if kind in explained.falls and kind != LIE:
        yield Conclusion(FALLS.get(kind, LED), f"Explains less {under} than without words.", "bad")
    if kind in explained.rises and kind != SILENCE:
        yield Conclusion(LED, f"Explains more {under} than without words.", "bad")


def _lied(basis: Basis) -> Iterator[Conclusion]:
    """A lie that is believed, or that takes without being believed, or is believed without taking."""
    pull, belief, apart, change = basis.pull, basis.belief, basis.apart(LIE), basis.seen.changes[LIE]
    falls = LIE in basis.seen.falls
    least = max(BELIEF, 0.0 if change is None else -PART * change.value)
    if basis.pulled and (falls or (apart is not None and apart.below(SEEN))):
        yield Conclusion(BELIEVES, "With a lie, answers what the lie says and not what the clip shows.", "bad")
    if falls and (pull is None or pull.below(CLEAR) or (belief is not None and belief.below(least))):
        yield Conclusion(LED, "Sees less with a lie, but does not believe the lie.", "bad")
    if basis.pulled and change is not None and change.above(-CLEAR) and apart is not None and apart.above(SEEN):
        yield Conclusion(LED, "Goes by the lie where it is unsure, but still tells tricks from controls.", "bad")
    if LIE not in basis.explained.falls or (basis.probes and (falls or pull is None or basis.pulled)):
        return
    resists = basis.resistance
    if not basis.probes and resists is not None and resists.below(-CLEAR):
        yield Conclusion(BELIEVES, "With a lie, explains less and resists the lie less.", "bad")
    if basis.probes or (resists is not None and resists.above(-CLEAR)):
        yield Conclusion(LED, "Explains less with a lie than without words.", "bad")


def _unmoved(basis: Basis, kind: str) -> Conclusion:
    moves, under = (basis.seen, basis.explained), _UNDER[kind]
    if moves[0 if basis.probes else 1].changes[kind] is None:
        return Conclusion(NOT_ASKED, "", "open", (_NEEDED[kind],) if kind in _NEEDED else ())
    helped = kind == SILENCE and any(kind in each.rises for each in moves)
    unpulled = kind != LIE or basis.pull is None or basis.pull.high < CLEAR
    if unpulled and all(each.stays(kind) or (kind == SILENCE and kind in each.rises) for each in moves):
        words = "Does better with an empty transcript than with none: the instruction itself helps." if helped else ""
        return Conclusion(UNMOVED, words or _STAYS.format(under), "good")
    if kind in basis.seen.guessed and sight(basis).name == LITTLE:
        sentence = f"Guesses differently {under}; it had seen nothing that words could take away."
        return Conclusion(OPEN, sentence, "open")
    return Conclusion(OPEN, _UNKNOWN.format(under), "open", (_MORE,))


def report(figures: Figures) -> Conclusion:
    """Whether tricks are called tricks, and controls are not, without words."""
    plain = {"stance": VISION_ONLY, "words": "none"}
    alarms, hits = (figures.get("says trick", variant=variant, **plain) for variant in (HONEST, TRICK))
    if alarms is not None and alarms.above(OFTEN):
        return Conclusion(ALARMED, "Calls most honest controls tricks.", "bad")
    if hits is not None and hits.below(SELDOM):
        return Conclusion(TRUSTING, "Hardly ever says that there was a trick.", "bad")
    if alarms is None or hits is None:
        return Conclusion(NOT_ASKED, "", "open")
    if alarms.high < hits.low:
        return Conclusion(NOTICES, "Says that there was a trick more often of tricks than of controls.", "good")
    return Conclusion(OPEN, "", "open")
