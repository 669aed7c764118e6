"""HOCA-Bench's embedded observers: one measures motion in the clips, one has a mechanism of your choice."""

from __future__ import annotations

from collections.abc import Mapping

from veridical.observers import Observer
from veridical.suite.observers import looking_observer, simulated_observer

OBSERVERS: Mapping[str, Observer] = {
    "motion": looking_observer(
        "motion",
        "a baseline that reads the clips: it calls odd what changes suddenly from frame to frame",
        "veridical.suites.hocabench.observers.motion:reply",
        same=True,
        slow=True,
    ),
    "simulated": simulated_observer(
        "sees nothing: reads the truth of the trial, and notices anomalies of a layer as often as you choose",
        "the truth of each trial, and no clip",
        "veridical.suites.hocabench.observers.simulation:SIMULATION",
    ),
}
"""The observers by name; the model is `veridical/NAME`."""
