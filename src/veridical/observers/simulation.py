"""What simulated observers share: a mechanism read from model arguments, its limits, and the trials of their run."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from veridical.ask import Run
from veridical.errors import InputError, unknown
from veridical.observers import TrialContext
from veridical.records import Json, Trial

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

NAME = "veridical/simulated"
Mechanism = TypeVar("Mechanism", bound="DataclassInstance")


class RunTrials:
    """The trials of a run's folder, found by what an observer that sees runs gets beside the messages.

    They are read again for a trial that is new, as in a run that asks in rounds.
    """

    def __init__(self, run: Path | None) -> None:
        self._run = run
        self._by_id: dict[str, Trial] = {}

    def of(self, request: TrialContext | None) -> tuple[Trial, int]:
        """The trial that is asked, and which repeat it is, from 1; raises `InputError` where the run has no such trial.

        Raises `InputError`, too, where there is no run, or where it cannot be read.
        """
        if request is not None and request.trial not in self._by_id:
            self._by_id = {trial.id: trial for trial in opened_run(self._run).trials()}
        if request is None or request.trial not in self._by_id:
            raise InputError(f"{NAME} got a trial that its run does not contain")
        return self._by_id[request.trial], request.repeat


def opened_run(run: Path | None) -> Run:
    """The run in a folder; raises `InputError` where there is none, or where it cannot be read."""
    if run is None:
        raise InputError(f"{NAME} reads the truth from a run's folder: use it with `veridical run` only")
    return Run.open(run)


def mechanism_of(
    model_args: Mapping[str, Json],
    mechanisms: Mapping[str, Mechanism],
    default: str,
    number: Callable[[str, Json], Json] = lambda _, value: value,
) -> tuple[Mechanism, int]:
    """The mechanism and the seed in the arguments `mechanism=NAME`, fields of the mechanism, and `seed` (else 0).

    The mechanisms are dataclasses of one type. Fields replace those of the named mechanism (else the `default` one);
    `number` makes a field's value from its name and its argument. Raises `InputError` for an argument or a mechanism
    that is not known, for a seed that is no whole number from 0 up, and as `number` and the mechanism itself do.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Guesser:
    ...     sees: float = 0.0
    ...     alarms: float = 0.25
    >>> mechanism_of({"sees": 0.5, "seed": 3}, {"guesser": Guesser()}, "guesser")
    (Guesser(sees=0.5, alarms=0.25), 3)
    """
    names = [field.name for field in fields(mechanisms[default])]
    accepted = ("mechanism", *names, "seed")
    for name in model_args:
        if name not in accepted:
            raise unknown("model argument", name, accepted)
    mechanism = str(model_args.get("mechanism", default))
    if mechanism not in mechanisms:
        raise unknown("mechanism", mechanism, mechanisms)
    seed = model_args.get("seed", 0)
    if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
        raise InputError(f"seed {seed!r}: a whole number from 0 up is allowed")
    own = {name: number(name, model_args[name]) for name in names if name in model_args}
    return replace(mechanisms[mechanism], **own), seed


def identity_of(mechanism: DataclassInstance, seed: int) -> dict[str, Json]:
    """All arguments that define an observer, with defaults: each field of its mechanism, and the seed.

    >>> from dataclasses import make_dataclass
    >>> identity_of(make_dataclass("Mechanism", ["sees"])(0.5), 3)
    {'sees': 0.5, 'seed': 3}
    """
    return {**asdict(mechanism), "seed": seed}


def require_within(mechanism: DataclassInstance, kind: str, signed: Collection[str] = ()) -> None:
    """Raises `InputError`, which says what `kind` of number is allowed, for a field that is no number from 0 to 1.

    Fields that are `signed` may lie from -1 to 1. Bounds are included; truth values and NaN are no numbers.

    >>> from dataclasses import make_dataclass
    >>> require_within(make_dataclass("Mechanism", ["sees"])(1.5), "share")
    Traceback (most recent call last):
    veridical.errors.InputError: sees 1.5: a share from 0 to 1 is allowed
    """
    for field in fields(mechanism):
        value, least = getattr(mechanism, field.name), -1 if field.name in signed else 0
        if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= 1:
            raise InputError(f"{field.name} {value!r}: a {kind} from {least} to 1 is allowed")
