"""HOCA-Bench's embedded observers: one measures motion in the clips, one has a mechanism of your choice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from veridical.observers import Observer, Reply, Told, without_arguments
from veridical.records import Json

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessage


def _motion(model_args: Mapping[str, Json], run: Path | None) -> Reply:  # noqa: ARG001 (it reads no run)
    without_arguments("veridical/motion", model_args)

    def reply(messages: Sequence[ChatMessage], request: Told | None) -> str:  # noqa: ARG001 (it sees no trial)
        from veridical.observers.plumbing import seen
        from veridical.suites.hocabench.observers import motion

        return motion.reply(seen(messages))

    return reply


def _no_arguments(model_args: Mapping[str, Json]) -> dict[str, Json]:
    without_arguments("veridical/motion", model_args)
    return {}


def _simulated(model_args: Mapping[str, Json], run: Path | None) -> Reply:
    from veridical.suites.hocabench.observers.simulated import Simulated

    return Simulated(model_args, run).reply


def _mechanism(model_args: Mapping[str, Json]) -> dict[str, Json]:
    from veridical.suites.hocabench.observers.simulated import identity_args

    return identity_args(model_args)


OBSERVERS: Mapping[str, Observer] = {
    "motion": Observer(
        help="a baseline that reads the clips: it calls odd what changes suddenly from frame to frame",
        sees="messages",
        opened=_motion,
        identity=_no_arguments,
        same=True,
    ),
    "simulated": Observer(
        help="sees nothing: reads the truth of the trial, and notices anomalies of a layer as often as you choose",
        sees="run",
        opened=_simulated,
        identity=_mechanism,
        reads="the truth of each trial, and no clip",
    ),
}
"""The observers by name; the model is `veridical/NAME`."""
