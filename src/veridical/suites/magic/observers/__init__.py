"""MagiC's embedded observer, which has a mechanism of your choice."""

from __future__ import annotations

from collections.abc import Mapping

from veridical.observers import Observer
from veridical.suite.observers import simulated_observer

OBSERVERS: Mapping[str, Observer] = {
    "simulated": simulated_observer(
        "sees nothing: reads the truth of the trial, and looks, answers and heals as often as you choose",
        "the truth of each trial, and no picture",
        "veridical.suites.magic.observers.simulation:SIMULATION",
    )
}
"""The observers by name; the model is `veridical/NAME`."""
