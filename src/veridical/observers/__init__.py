"""Embedded observers: they validate the instruments, and travel the road of any model."""

from __future__ import annotations

from collections.abc import Mapping

LEARNED = "learned-"
OBSERVERS: Mapping[str, str] = {
    "pixel": "measures the picture with the code that verifies our own stimuli: right where that can read it",
    "prior": "sees nothing: answers what is usual for the question",
    "replay": "sees nothing: repeats the replies of a run or of a file",
    "simulated": "sees nothing: reads the truth of the trial and answers by a mechanism that you choose",
    f"{LEARNED}textbook": "a small network, taught each illusion in its classic form alone, and all controls",
    f"{LEARNED}counterfactual": "the same network, taught changed figures as well",
    f"{LEARNED}heldout": "the same network, taught changed figures of two thirds of the cases",
    f"{LEARNED}controls": "the same network, taught controls alone: it never saw an inducer",
}
"""The observers by name, asked as `veridical/NAME`, with what each does."""
