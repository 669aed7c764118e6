"""The laws that the dropped ball keeps."""

from __future__ import annotations

from veridical.media.figures.clock import Clock
from veridical.suites.hocabench.physics.laws import each_frame, value
from veridical.suites.hocabench.physics.scene import Base, Law, States
from veridical.suites.hocabench.physics.scenes.dropped_ball_courses import FLOOR, GRAVITY


def falls_freely() -> Law:
    """Between contacts the ball's speed grows by the same amount in each frame, downwards."""

    def holds(base: Base, clock: Clock, states: States, k: int) -> bool:
        now, before = states[k].get("ball"), states[k - 1].get("ball")
        if now is None or before is None or value(states[k], "hand", "holds") or value(states[k - 1], "hand", "holds"):
            return True
        step = 1 / clock.rate
        speed, y = before["speed"] + GRAVITY * step, before["y"] + (before["speed"] + GRAVITY * step / 2) * step
        below = base.rest if before["y"] <= base.rest + 1e-6 else FLOOR - base.radius
        return y >= below - 1e-6 or (abs(now["speed"] - speed) < 1 and abs(now["y"] - y) < 0.1)

    return each_frame("the ball falls freely between its bounces", holds)


def stays_above() -> Law:
    """The ball does not enter the table."""

    def holds(base: Base, _clock: Clock, states: States, k: int) -> bool:
        return bool(value(states[k], "ball", "y") <= base.rest + 1e-6)

    return each_frame("the ball stays above the table top", holds)


def stays_in_being() -> Law:
    """The ball is in every frame; a hand that takes it away still holds it."""
    return each_frame("the ball persists", lambda _base, _clock, states, k: "ball" in states[k])
