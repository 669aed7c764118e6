"""VI-Probe's embedded observers: one measures, one recites, four are trained networks, one has a chosen mechanism."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from veridical.errors import InputError
from veridical.observers import Observer
from veridical.records import Trial
from veridical.suite.observers import looking_observer, simulated_observer

if TYPE_CHECKING:
    from veridical.observers.plumbing import UserTurn

LEARNED = "learned-"
"""Prefix of the names of learned observers."""

Look = Callable[["UserTurn"], str]
"""Maps what is shown to a reply."""


def _pixel() -> Look:
    from veridical.suites.viprobe.observers.question import pixel_reply

    return lambda shown: pixel_reply(shown.first, shown.text)


def _prior() -> Look:
    from veridical.suites.viprobe.observers.question import prior_reply

    return lambda shown: prior_reply(shown.text)


def _learned(name: str) -> Look:
    from veridical.suites.viprobe.observers import learned_observers

    network = learned_observers.load(name)
    return lambda shown: network.reply(shown.first, shown.text)


def _once(trials: Sequence[Trial], repeats: int) -> None:  # noqa: ARG001 (it has a reply to any trial)
    """Raises `InputError` for more than one repeat: the simulated observer has one reply per trial."""
    if repeats > 1:
        raise InputError(f"veridical/simulated has one reply per trial: leave out the {repeats} repeats")


_SIMULATED = simulated_observer(
    "sees nothing: reads the truth of the trial and answers by a mechanism of your choice",
    "the truth of each trial, and no picture",
    "veridical.suites.viprobe.observers.simulation",
)
_TAUGHT = {
    "textbook": "a small network, trained on each illusion in its classic form only, and on all controls",
    "counterfactual": "the same network, trained on changed figures as well",
    "heldout": "the same network, trained on changed figures of two thirds of the cases",
    "controls": "the same network, trained on controls only: it never saw an inducer",
}
OBSERVERS: Mapping[str, Observer] = {
    "pixel": looking_observer(
        "pixel",
        "measures the picture with the code that verifies our own stimuli: right on every picture that it can read",
        _pixel,
        slow=True,
    ),
    "prior": looking_observer("prior", "sees nothing: gives the usual answer to the question", _prior),
    "simulated": replace(_SIMULATED, require_able=_once, same=True, across_units=True),
    **{
        f"{LEARNED}{name}": looking_observer(
            f"{LEARNED}{name}", help_text, partial(_learned, f"{LEARNED}{name}"), slow=True
        )
        for name, help_text in _TAUGHT.items()
    },
}
"""The observers by name; the model is `veridical/NAME`."""
