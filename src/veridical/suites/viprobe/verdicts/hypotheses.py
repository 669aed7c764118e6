"""What figures may do: the explanations that a verdict weighs, and the models that are free to do all of it."""

from __future__ import annotations

from veridical.suites.viprobe.verdicts import model
from veridical.suites.viprobe.verdicts.model import (
    CRITERION,
    CRITERION_RATIO,
    NOISE,
    NOISE_RATIO,
    OWN,
    SHARE,
    Hypothesis,
)

NOTHING = Hypothesis("nothing", "nothing", OWN)
SHIFT = Hypothesis("shift", "shift", (*OWN, model.SHIFT))
LOSS = (
    Hypothesis("loss", "picture", (*OWN, SHARE)),
    Hypothesis("loss", "reply", (*OWN, SHARE)),
    Hypothesis("loss", "blunt", (*OWN, NOISE_RATIO, CRITERION_RATIO)),
)
FLAT = Hypothesis("flat", "flat", (NOISE, CRITERION))
INVERTED = (Hypothesis("inverted", "inverted", OWN), Hypothesis("inverted", "inverted figures", OWN))
RIVALS = (NOTHING, SHIFT, *LOSS, FLAT, *INVERTED)

_ALL = (*OWN, model.SHIFT, NOISE_RATIO, CRITERION_RATIO)
FLEXIBLE = (
    Hypothesis("flexible", "picture", (*_ALL, SHARE)),
    Hypothesis("flexible", "reply", (*_ALL, SHARE)),
    Hypothesis("flexible", "inverted", _ALL),
    Hypothesis("flexible", "inverted figures", _ALL),
)
"""What may happen to figures besides each other, so that habits are not blamed for it."""

RIVALS_IN_COMPARISONS = (
    NOTHING,
    SHIFT,
    LOSS[0],
    Hypothesis("loss", "blunt", (*OWN, NOISE_RATIO)),
    FLAT,
    INVERTED[0],
    INVERTED[1],
)
FLEXIBLE_IN_COMPARISONS = tuple(
    Hypothesis(each.name, each.effect, tuple(place for place in each.free if place != CRITERION_RATIO))
    for each in FLEXIBLE
    if each.effect != "reply"
)

UPRIGHT = ("nothing", "shift", "picture", "reply", "blunt")
"""The effects under which what is seen is answered, not its opposite."""
