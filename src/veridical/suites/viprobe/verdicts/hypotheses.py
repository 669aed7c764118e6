"""Possible effects of figures: the hypotheses that a verdict compares, and the flexible models that nest them."""

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
SHIFT_OF_ALL = Hypothesis("shift of all", "shift of all", (*OWN, model.SHIFT))
"""No rival of a verdict: what replies to figures and controls alike tell a shift on figures from."""
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
"""All effects of figures at once, so that habits do not absorb them."""

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
"""Effects under which replies report what is seen, not its opposite."""
