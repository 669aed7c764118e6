"""The sequential part of VI-Probe."""

from veridical.suite.sequential import SequentialPart
from veridical.suites.viprobe.sequential.blocks import VARIANTS
from veridical.suites.viprobe.sequential.questioner import start

SEQUENTIAL = SequentialPart(
    note=(
        "Perceives or recalls: four questions about each of many base items, in rounds of 48; stops by the model or, "
        "without one, by bets on base items."
    ),
    start=start,
    usual=200,
    most=1200,
    values={"variants": VARIANTS, "units": 12},
    settings={"task": ("yes-no",), "polarity": ("forward", "reversed"), "instruction": ("none",), "sight": ("shown",)},
)
"""A design of 12 units has 27 cases with 1,296 questions."""
