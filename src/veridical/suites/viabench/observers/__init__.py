"""VIA-Bench's embedded observers: one measures pictures, one has a mechanism of your choice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from veridical.observers import Observer, Reply, Told, without_arguments
from veridical.records import Json

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessage


def _pixel(model_args: Mapping[str, Json], run: Path | None) -> Reply:  # noqa: ARG001 (it reads no run)
    without_arguments("veridical/pixel", model_args)

    def reply(messages: Sequence[ChatMessage], request: Told | None) -> str:  # noqa: ARG001 (it sees no trial)
        from veridical.observers.plumbing import seen
        from veridical.suites.viabench.observers import pixel

        return pixel.reply(seen(messages))

    return reply


def _no_arguments(model_args: Mapping[str, Json]) -> dict[str, Json]:
    without_arguments("veridical/pixel", model_args)
    return {}


def _simulated(model_args: Mapping[str, Json], run: Path | None) -> Reply:
    from veridical.suites.viabench.observers.simulated import Simulated

    return Simulated(model_args, run).reply


def _mechanism(model_args: Mapping[str, Json]) -> dict[str, Json]:
    from veridical.suites.viabench.observers.simulated import identity_args

    return identity_args(model_args)


OBSERVERS: Mapping[str, Observer] = {
    "pixel": Observer(
        help="measures the picture with the code that verifies our own puzzles; it declines what pixels do not show",
        sees="messages",
        opened=_pixel,
        identity=_no_arguments,
    ),
    "simulated": Observer(
        help="sees nothing: reads the truth of the trial, and sees, recalls or guesses as you choose",
        sees="run",
        opened=_simulated,
        identity=_mechanism,
        reads="the truth of each trial, and no picture",
    ),
}
"""The observers by name; the model is `veridical/NAME`."""
