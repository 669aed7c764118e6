"""VIA-Bench's embedded observers: one measures pictures, one has a mechanism of your choice."""

from __future__ import annotations

from collections.abc import Mapping

from veridical.observers import Observer
from veridical.suite.observers import looking_observer, simulated_observer

OBSERVERS: Mapping[str, Observer] = {
    "pixel": looking_observer(
        "pixel",
        "measures the picture with the code that verifies our own puzzles; it declines what pixels do not show",
        "veridical.suites.viabench.observers.pixel:reply",
        slow=True,
    ),
    "simulated": simulated_observer(
        "sees nothing: reads the truth of the trial, and sees, recalls or guesses as you choose",
        "the truth of each trial, and no picture",
        "veridical.suites.viabench.observers.simulation:SIMULATION",
    ),
}
"""The observers by name; the model is `veridical/NAME`."""
