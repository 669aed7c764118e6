"""The laws that the block on the tilting board keeps."""

from __future__ import annotations

from veridical.media.figures.clock import Clock
from veridical.suites.hocabench.physics.laws import each_frame, value
from veridical.suites.hocabench.physics.scene import Base, Law, States


def comes_loose() -> Law:
    """A block that nothing holds starts to slide once the board is steeper than its slip angle."""

    def holds(base: Base, _clock: Clock, states: States, k: int) -> bool:
        held = any("block" not in state or value(state, "hand", "holds") for state in states[k - 1 : k + 1])
        steep = states[k - 1]["board"]["angle"] >= base.slip - 1e-9
        moved = any(value(state, "block", "speed") for state in states[: k + 1])
        return bool(held or not steep or moved)

    return each_frame("a block on a steep board slides", holds)


def never_climbs() -> Law:
    """The block's speed is never up the board."""
    return each_frame("the block does not slide up", lambda _b, _c, states, k: value(states[k], "block", "speed") >= 0)


def stays_in_being() -> Law:
    """The block is in every frame; a hand that takes it away still holds it."""
    return each_frame("the block persists", lambda _base, _clock, states, k: "block" in states[k])
