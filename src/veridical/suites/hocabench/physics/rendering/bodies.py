"""Bodies that several scenes have: a banded ball that rolls, and a wooden crate."""

from __future__ import annotations

from veridical.media.figures.palette import COLORS
from veridical.suites.hocabench.physics.rendering.stage import BodyPart, Material, SolidBody, Turn, Vector, rotation


def rolling_ball(color: str, radius: float, at: Vector, speed: float, density: float, bounce: float) -> SolidBody:
    """A ball that rolls without slipping, to the right at a positive speed; its band shows how it turns."""
    return SolidBody(
        name="ball",
        parts=(BodyPart("sphere", (radius,), Material("band", COLORS[color], 0.5)),),
        at=at,
        turn=rotation("x", 60),
        velocity=(speed, 0.0, 0.0),
        spin=(0.0, speed / radius, 0.0),
        density=density,
        bounce=bounce,
    )


def crate(
    color: str,
    half: float,
    at: Vector,
    friction: float,
    turn: Turn = (1.0, 0.0, 0.0, 0.0),
    velocity: Vector = (0.0, 0.0, 0.0),
) -> SolidBody:
    """A crate of wood that is a little flatter than it is wide; `half` is half its width."""
    return SolidBody(
        name="crate",
        parts=(BodyPart("box", (half, half, 0.8 * half), Material("wood", COLORS[color], 0.15)),),
        at=at,
        turn=turn,
        velocity=velocity,
        density=600,
        friction=friction,
        bounce=0.05,
    )
