"""Observers of a suite that are loaded when they are used: those that look, and those with a chosen mechanism."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from veridical.observers import Observer, Reply, TrialContext, without_arguments
from veridical.records import ChatTurn, Json, Trial

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from veridical.observers.plumbing import UserTurn

M = TypeVar("M", bound="DataclassInstance")


def looking_observer(
    name: str,
    help_text: str,
    look: str | Callable[[], Callable[[UserTurn], str]],
    *,
    same: bool = False,
    slow: bool = False,
) -> Observer:
    """An observer that sees messages alone and takes no arguments.

    `look` is the place of its function from what is shown to a reply, as `package.module:NAME`, or makes that function.
    """

    def opened(model_args: Mapping[str, Json], run: Path | None) -> Reply:  # noqa: ARG001 (it reads no run)
        from veridical.observers.plumbing import last_user_turn

        without_arguments(f"veridical/{name}", model_args)
        reply: Callable[[UserTurn], str] = _loaded(look) if isinstance(look, str) else look()
        return lambda messages, request: reply(last_user_turn(messages))  # noqa: ARG005 (it sees no trial)

    def identity(model_args: Mapping[str, Json]) -> dict[str, Json]:
        without_arguments(f"veridical/{name}", model_args)
        return {}

    return Observer(help=help_text, sees="messages", opened=opened, identity=identity, same=same, slow=slow)


def simulated_observer(help_text: str, reads: str, place: str) -> Observer:
    """An observer with a chosen mechanism, which reads the truth of its run.

    `place` is that of its `Simulation`, as `package.module:NAME`, or of a module with the functions `open_observer` and
    `identity`.
    """
    return Observer(
        help=help_text,
        sees="run",
        opened=lambda model_args, run: _loaded(place).open_observer(model_args, run),
        identity=lambda model_args: _loaded(place).identity(model_args),
        reads=reads,
    )


@dataclass(frozen=True)
class Simulation(Generic[M]):
    """Observers with a mechanism of one type, by name; they read the truth of the trials of a run.

    `reply` makes the reply to a trial from the mechanism, the seed, the trial and which repeat it is.
    """

    mechanisms: Mapping[str, M]
    default: str
    reply: Callable[[M, int, Trial, int], str]

    def mechanism_of(self, model_args: Mapping[str, Json]) -> tuple[M, int]:
        """The mechanism and the seed in the arguments `mechanism=NAME`, its fields, and `seed`; raises `InputError`."""
        from veridical.observers.simulation import mechanism_of

        return mechanism_of(model_args, self.mechanisms, self.default)

    def identity(self, model_args: Mapping[str, Json]) -> dict[str, Json]:
        """All arguments that define the observer, with defaults; raises `InputError` as `mechanism_of` does."""
        from veridical.observers.simulation import identity_of

        return identity_of(*self.mechanism_of(model_args))

    def open_observer(self, model_args: Mapping[str, Json], run: Path | None) -> Reply:
        """The replies to the trials of a run, each by its id and repeat; raises `InputError` for any other trial."""
        from veridical.observers.simulation import RunTrials

        trials, (mechanism, seed) = RunTrials(run), self.mechanism_of(model_args)

        def reply(messages: Sequence[ChatTurn], request: TrialContext | None) -> str:  # noqa: ARG001 (it sees nothing)
            return self.reply(mechanism, seed, *trials.of(request))

        return reply


def _loaded(place: str) -> Any:  # noqa: ANN401 (a function, or a simulation of one suite)
    module, _, name = place.partition(":")
    return getattr(import_module(module), name) if name else import_module(module)
