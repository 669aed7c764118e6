"""What simulated observers share, with a mechanism that no suite has."""

import math
from dataclasses import asdict, dataclass
from itertools import product

import pytest

from veridical.errors import InputError
from veridical.observers import TrialContext
from veridical.observers.simulation import RunTrials, identity_of, mechanism_of, require_within


@dataclass(frozen=True)
class Mechanism:
    sharp: float = 0.5
    tilt: float = 0.0

    def __post_init__(self):
        require_within(self, "fraction", signed=("tilt",))


MECHANISMS = {"plain": Mechanism(), "keen": Mechanism(sharp=1.0, tilt=-0.5)}


@pytest.mark.parametrize(
    ("name", "sharp", "tilt", "seed"), list(product(("keen", None), (0, None), (1, None), (5, None)))
)
def test_what_is_left_out_is_as_in_the_named_mechanism_and_the_identity_makes_the_same_observer(
    name, sharp, tilt, seed
):
    every = {"mechanism": name, "sharp": sharp, "tilt": tilt, "seed": seed}
    args = {key: value for key, value in every.items() if value is not None}
    mechanism, own = mechanism_of(args, MECHANISMS, "plain")
    usual = {**asdict(MECHANISMS[name or "plain"]), "seed": 0}
    expected = usual | {key: value for key, value in args.items() if key != "mechanism"}
    assert identity_of(mechanism, own) == expected
    assert mechanism_of(expected, MECHANISMS, "plain") == mechanism_of(expected, MECHANISMS, "keen") == (mechanism, own)


@pytest.mark.parametrize(
    ("args", "line"),
    [
        ({"sharq": 1}, "unknown model argument 'sharq': did you mean 'sharp'? known: mechanism, seed, sharp, tilt"),
        ({"mechanism": "kean"}, "unknown mechanism 'kean': did you mean 'keen'? known: keen, plain"),
        ({"seed": -1}, "seed -1: a whole number from 0 up is allowed"),
        ({"seed": True}, "seed True: a whole number from 0 up is allowed"),
        ({"sharp": -0.1}, "sharp -0.1: a fraction from 0 to 1 is allowed"),
        ({"sharp": True}, "sharp True: a fraction from 0 to 1 is allowed"),
        ({"sharp": math.nan}, "sharp nan: a fraction from 0 to 1 is allowed"),
        ({"tilt": -1.5}, "tilt -1.5: a fraction from -1 to 1 is allowed"),
        ({"tilt": "1"}, "tilt '1': a fraction from -1 to 1 is allowed"),
    ],
)
def test_an_argument_that_is_not_allowed_is_one_line(args, line):
    with pytest.raises(InputError) as caught:
        mechanism_of(args, MECHANISMS, "plain")
    assert str(caught.value) == line


def test_a_number_may_be_written_as_the_observer_reads_it():
    half = mechanism_of(
        {"tilt": "one half"}, MECHANISMS, "plain", lambda name, value: {("tilt", "one half"): 0.5}[name, value]
    )
    assert half == (Mechanism(tilt=0.5), 0)


@pytest.mark.parametrize(
    ("request_", "line"), [(None, "got a trial"), (TrialContext("t"), "use it with `veridical run` only")]
)
def test_without_a_run_there_is_no_trial(request_, line):
    with pytest.raises(InputError, match=f"^veridical/simulated .*{line}"):
        RunTrials(None).of(request_)
