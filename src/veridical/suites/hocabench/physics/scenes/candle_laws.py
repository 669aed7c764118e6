"""The laws that events by candlelight keep or break."""

from __future__ import annotations

from veridical.media.figures.clock import Clock
from veridical.suites.hocabench.physics.laws import each_frame, value
from veridical.suites.hocabench.physics.scene import Base, Law, States
from veridical.suites.hocabench.physics.scenes.candle_courses import AWAY, HIGH, cast


def burns() -> Law:
    """Paper in a flame burns on until it is used up."""

    def holds(_base: Base, _clock: Clock, states: States, k: int) -> bool:
        if not all(value(states[j], "paper", "within") and value(states[j], "flame", "lit") for j in (k - 1, k)):
            return True
        now, before = (value(states[j], "paper", "charred") for j in (k, k - 1))
        return now > before or now == 1

    return each_frame("paper in a flame burns", holds)


def melts_by_heat() -> Law:
    """Wax keeps its form unless a torch heats it."""

    def holds(_base: Base, _clock: Clock, states: States, k: int) -> bool:
        now, before = (value(states[j], "stub", "melted") for j in (k, k - 1))
        return now == before or value(states[k], "torch", "away", 1.0) == 0

    return each_frame("wax melts by heat only", holds)


def shadows_fall_away() -> Law:
    """The cup's shadow falls away from the light that shines on it."""

    def holds(base: Base, _clock: Clock, states: States, k: int) -> bool:
        if value(states[k], "cup", "lift", AWAY) > HIGH:
            return "shadow" not in states[k]
        return abs(value(states[k], "shadow", "reach") - cast(base, states[k], states[k]["cup"]["x"])) < 1

    return each_frame("the shadow falls away from the light", holds)


def could_be_built() -> Law:
    """What a hand puts on the table is a body that can be built, or a picture."""
    return each_frame(
        "what is put on the table can be built",
        lambda _base, _clock, states, k: value(states[k], "piece", "impossible") <= value(states[k], "piece", "drawn"),
    )
