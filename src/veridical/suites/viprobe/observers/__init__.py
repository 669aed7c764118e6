"""VI-Probe's embedded observers: one measures, one recites, four are trained networks, one has a chosen mechanism."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from veridical.observers import Observer, Reply, Told, without_arguments
from veridical.records import Json, Trial

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessage

LEARNED = "learned-"
"""Prefix of the names of learned observers."""

Look = Callable[[bytes, str], str]
"""Maps the bytes of a picture and a text to a reply."""


def _pixel() -> Look:
    from veridical.suites.viprobe.observers.question import pixel_reply

    return pixel_reply


def _prior() -> Look:
    from veridical.suites.viprobe.observers.question import prior_reply

    return lambda _, text: prior_reply(text)


def _learned(name: str) -> Look:
    from veridical.suites.viprobe.observers import learned

    return learned.load(name).reply


def _simulated(model_args: Mapping[str, Json], run: Path | None) -> Reply:
    from veridical.suites.viprobe.observers.simulated import Simulated

    return Simulated(model_args, run).reply


def _mechanism(model_args: Mapping[str, Json]) -> dict[str, Json]:
    from veridical.suites.viprobe.observers.simulated import identity_args

    return identity_args(model_args)


def _once(trials: Sequence[Trial], repeats: int) -> None:
    from veridical.suites.viprobe.observers.simulated import require_able

    require_able(trials, repeats)


def _looking(name: str, opened: Callable[[], Look], help_text: str) -> Observer:
    """An observer that sees only messages and takes no arguments."""

    def open_(model_args: Mapping[str, Json], run: Path | None) -> Reply:  # noqa: ARG001 (it reads no run)
        without_arguments(f"veridical/{name}", model_args)
        look = opened()

        def reply(messages: Sequence[ChatMessage], request: Told | None) -> str:  # noqa: ARG001 (it sees no trial)
            from veridical.observers.plumbing import seen

            shown = seen(messages)
            return look(shown.first, shown.text)

        return reply

    def identity(model_args: Mapping[str, Json]) -> dict[str, Json]:
        without_arguments(f"veridical/{name}", model_args)
        return {}

    return Observer(help=help_text, sees="messages", opened=open_, identity=identity)


def _taught(name: str, help_text: str) -> tuple[str, Observer]:
    full = f"{LEARNED}{name}"
    return full, _looking(full, partial(_learned, full), help_text)


OBSERVERS: Mapping[str, Observer] = {
    "pixel": _looking(
        "pixel",
        _pixel,
        "measures the picture with the code that verifies our own stimuli: right on every picture that it can read",
    ),
    "prior": _looking("prior", _prior, "sees nothing: gives the usual answer to the question"),
    "simulated": Observer(
        help="sees nothing: reads the truth of the trial and answers by a mechanism of your choice",
        sees="run",
        opened=_simulated,
        identity=_mechanism,
        require_able=_once,
        same=True,
        reads="the truth of each trial, and no picture",
    ),
    **dict(
        (
            _taught(
                "textbook", "a small network, trained on each illusion in its classic form only, and on all controls"
            ),
            _taught("counterfactual", "the same network, trained on changed figures as well"),
            _taught("heldout", "the same network, trained on changed figures of two thirds of the cases"),
            _taught("controls", "the same network, trained on controls only: it never saw an inducer"),
        )
    ),
}
"""The observers by name; the model is `veridical/NAME`."""
