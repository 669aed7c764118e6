"""The laws that the crate on the ramp keeps."""

from __future__ import annotations

from veridical.media.figures.clock import Clock
from veridical.suites.hocabench.physics.laws import each_frame, value
from veridical.suites.hocabench.physics.scene import Base, Law, State, States
from veridical.suites.hocabench.physics.scenes.ramp_courses import GRIP, LENGTH


def _free(states: States, k: int) -> bool:
    """Whether the crate is there in this frame and the one before, and no hand holds it."""
    return all("crate" in state and not value(state, "hand", "holds") for state in states[k - 1 : k + 1])


def _lies(state: State) -> bool:
    """Whether the crate is at rest on the carpet."""
    return value(state, "crate", "way") >= LENGTH and value(state, "crate", "speed") == 0


def gets_no_slower() -> Law:
    """On a straight ramp the crate gets no slower, and does not turn round, unless a hand holds it."""

    def holds(_base: Base, _clock: Clock, states: States, k: int) -> bool:
        now = states[k]
        if not _free(states, k) or now["plank"]["sag"] or now["crate"]["way"] >= LENGTH:
            return True
        return now["crate"]["speed"] >= states[k - 1]["crate"]["speed"] - 1

    return each_frame("the crate gets no slower on its way down", holds)


def brakes() -> Law:
    """A crate that comes sliding onto the carpet gets slower by nine tenths of the carpet's braking, or is at rest."""

    def holds(_base: Base, clock: Clock, states: States, k: int) -> bool:
        before = states[k - 1]
        if not _free(states, k) or before["crate"]["way"] < LENGTH or any(map(_lies, states[:k])):
            return True
        return value(states[k], "crate", "speed") <= max(0.0, before["crate"]["speed"] - 0.9 * GRIP / clock.rate)

    return each_frame("the carpet brakes the crate", holds)


def lies_still() -> Law:
    """A crate at rest on the carpet stays at rest unless a hand moves it."""

    def holds(_base: Base, _clock: Clock, states: States, k: int) -> bool:
        return not (_free(states, k) and _lies(states[k - 1])) or _lies(states[k])

    return each_frame("the crate stays at rest", holds)


def stays_in_being() -> Law:
    """The crate is in every frame; a hand that takes it away still holds it."""
    return each_frame("the crate persists", lambda _base, _clock, states, k: "crate" in states[k])
