"""Rods of pieces that are joined to each other: stiff, until their joints are not locked any more."""

from __future__ import annotations

from veridical.suites.hocabench.physics.rendering.stage import BodyPart, Hinge, Material, SolidBody, Turn, Vector


def rod(
    name: str,
    count: int,
    part: BodyPart,
    step: Vector,
    start: Vector,
    parent: str,
    turn: Turn = (1.0, 0.0, 0.0, 0.0),
) -> tuple[SolidBody, ...]:
    """The pieces of a rod, each with the same part; the first is joined to the parent at `start`, the others by `step`.

    The joints turn around the axis away from the eye.
    """
    return tuple(
        SolidBody(
            name=f"{name}{k}",
            parts=(part,),
            at=step if k else start,
            turn=turn if not k else (1.0, 0.0, 0.0, 0.0),
            density=900,
            friction=0.5,
            bounce=0.2,
            hinge=Hinge(f"{name}{k - 1}" if k else parent, (0.0, 1.0, 0.0), 0.05),
        )
        for k in range(count)
    )


def steel(color: tuple[int, int, int] = (158, 164, 172)) -> Material:
    """Brushed steel."""
    return Material("metal", color, 0.7)
