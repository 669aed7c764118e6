"""What each verdict means in plain words, and how it speaks of a model."""

from __future__ import annotations

from collections.abc import Mapping

from veridical.suite.opening import Tone
from veridical.suite.unseen_regions import UNSEEN, UNSEEN_SENTENCE
from veridical.suites.viprobe.verdicts import names

SENTENCES: Mapping[str, str] = {
    names.VERIDICAL: "Perceives: sees changes on illusion figures as well as on their controls.",
    names.WEAK: "Sees poorly: misses small changes, on illusion figures and on controls alike.",
    names.ILLUSION: "Sees, but is fooled: the figure shifts what looks unchanged, as an illusion does.",
    names.LOSS: "Misses changes on illusion figures that it sees on their controls.",
    names.EVERYWHERE: "Misses changes on illusion figures and amid clutter, but not on controls.",
    names.MEMORY: "Recalls: answers as for the familiar figure, whatever was changed.",
    names.BLIND: "Is blind to the changes, or nearly so: its answers hardly depend on what was changed.",
    names.LANGUAGE: "Contradicts itself: its answers follow the wording of the question, or are guesses.",
    names.INVERTED: "Answers the opposite of what is there.",
    names.MIXED: "Differs from case to case: no single verdict holds.",
    names.NO_MODEL: "No verdict: no explanation fits the answers.",
    names.MISSING: "No verdict: too many answers are missing.",
    UNSEEN: UNSEEN_SENTENCE,
    names.OPEN: "Cannot tell yet: more than one explanation fits the answers.",
}
"""What each verdict says of a model."""


def tone(name: str) -> Tone:
    """Whether a verdict says that a model sees what is there, or that it does not, or neither."""
    if name == names.VERIDICAL:
        return "good"
    return "bad" if name in names.DECIDED else "open"
