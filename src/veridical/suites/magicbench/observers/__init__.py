"""MagicBench's embedded observer, which has a mechanism of your choice."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from veridical.observers import Observer, Reply
from veridical.records import Json


def _simulated(model_args: Mapping[str, Json], run: Path | None) -> Reply:
    from veridical.suites.magicbench.observers.simulated import Simulated

    return Simulated(model_args, run).reply


def _mechanism(model_args: Mapping[str, Json]) -> dict[str, Json]:
    from veridical.suites.magicbench.observers.mechanism import identity_args

    return identity_args(model_args)


OBSERVERS: Mapping[str, Observer] = {
    "simulated": Observer(
        help="sees nothing: reads the truth of the trial, and sees, listens and believes as much as you choose",
        sees="run",
        opened=_simulated,
        identity=_mechanism,
        reads="the truth of each trial, and no clip",
    ),
}
"""The observers by name; the model is `veridical/NAME`."""
