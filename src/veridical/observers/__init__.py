"""Embedded observers: they validate the instruments, and travel the road of any model. Here are the general ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from veridical.errors import InputError
from veridical.observers.replay import Replay, identity_args, require_known
from veridical.records import ChatTurn, Json, Trial

if TYPE_CHECKING:
    from veridical.ask.clients import ReplyOrFailure

Sees = Literal["messages", "trial", "run"]


class TrialContext(NamedTuple):
    """What an observer that sees trials is told beside the messages: the trial's id, and which repeat it is.

    `opaque` is the id under which the trial is exported.
    """

    trial: str
    repeat: int = 1
    opaque: str | None = None


Reply = Callable[[Sequence[ChatTurn], "TrialContext | None"], "str | ReplyOrFailure"]
"""From a conversation, and what is told of the trial where the observer sees trials, to a reply."""


@dataclass(frozen=True, kw_only=True)
class Observer:
    """An embedded observer, asked as `veridical/NAME`.

    `help` says in a line what it does. What it `sees` is messages (text and media as bytes), the trial's id beside
    them, or the whole run (trials, true answers); one that sees a run is told its folder. `opened` makes it from model
    arguments and raises `InputError` for one that is not allowed. `identity` is what the arguments mean to a run's
    identity, and raises `InputError` for what nobody but the run may give. `require_able` raises `InputError` for
    trials and repeats that it has no replies to, `require_known` for arguments that are about other trials (it is given
    what makes the id under which a trial is exported). `lacks` says what an argument must still give before anything
    can be asked, such as a file. `reads` says what an observer that sees more than messages reads. One that gives the
    `same` reply each time is asked once, however often the suite asks others. One whose reply
    to a unit depends on the other units of its run is one `across_units`, and is asked about all of them in one run.
    One that computes for milliseconds is `slow`: workers ask it where a run has any.
    """

    help: str
    sees: Sees
    opened: Callable[[Mapping[str, Json], Path | None], Reply]
    identity: Callable[[Mapping[str, Json]], dict[str, Json]] = dict
    require_able: Callable[[Sequence[Trial], int], None] = lambda *_: None
    require_known: Callable[[Mapping[str, Json], Sequence[Trial], Callable[[str], str]], None] = lambda *_: None
    lacks: Callable[[Mapping[str, Json]], str | None] = lambda *_: None
    reads: str | None = None
    same: bool = False
    across_units: bool = False
    slow: bool = False

    @property
    def sees_trial(self) -> bool:
        """Whether the trial's id is to travel beside the messages."""
        return self.sees != "messages"


def without_arguments(name: str, model_args: Mapping[str, Json]) -> None:
    """Raises `InputError` where an observer that takes no arguments is given one."""
    if model_args:
        raise InputError(f"{name} takes no model argument, and '{next(iter(model_args))}' is given")


def _text_only(model_args: Mapping[str, Json], run: Path | None) -> Reply:
    from veridical.observers.text_classifier import TextClassifier

    without_arguments("veridical/text", model_args)
    return TextClassifier(run).reply


def _no_arguments(model_args: Mapping[str, Json]) -> dict[str, Json]:
    without_arguments("veridical/text", model_args)
    return {}


def _require_learnable(trials: Sequence[Trial], repeats: int) -> None:
    """Raises `InputError` for trials none of which has a true answer, and for repeats, which would be the same."""
    if repeats > 1:
        raise InputError("veridical/text gives the same reply each time: say --repeats 1")
    if all(trial.gold is None for trial in trials):
        raise InputError("veridical/text: no trial has a true answer to learn from")


GENERAL: Mapping[str, Observer] = {
    "replay": Observer(
        help="sees nothing: repeats the replies of a run or of a file",
        sees="trial",
        opened=lambda model_args, _: Replay(model_args).reply,
        identity=identity_args,
        require_known=require_known,
        lacks=lambda model_args: None if "answers" in model_args else "a file of replies",
        reads="replies in a file, found by the trial's id",
    ),
    "text": Observer(
        help="sees no picture: a classifier of the words, trained on the true answers of the run's other units",
        sees="run",
        opened=_text_only,
        identity=_no_arguments,
        require_able=_require_learnable,
        same=True,
        across_units=True,
        reads="the words of each trial, and the true answers of other units",
    ),
}
"""Observers for trials of any suite, by name; a suite's own stand in its record."""
