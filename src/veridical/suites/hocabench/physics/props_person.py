"""People as puppets of limbs: from the side, walking, and from the front or from behind.

Angles are in radians from straight down. A thigh or an upper arm is positive forwards, a knee positive where the shin
goes back, an elbow positive where the forearm comes forward. A head's turn is 0 towards +x, π/2 towards the viewer,
π towards −x and −π/2 away from the viewer.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from veridical.media.draw.scene import Colour, Point
from veridical.media.figures.brush import Brush, capsule, circle
from veridical.media.figures.grain import lighter

SHOES: Colour = (52, 46, 44)
_THIGH, _SHIN, _TRUNK, _UPPER, _FORE = 0.25, 0.235, 0.31, 0.17, 0.16
"""Lengths of limbs as shares of a person's height."""


@dataclass(frozen=True, slots=True)
class PersonLook:
    """A person's height in units, and their colors."""

    height: float
    coat: Colour
    trousers: Colour = (58, 66, 88)
    skin: Colour = (226, 178, 144)
    hair: Colour = (74, 50, 36)


@dataclass(frozen=True, slots=True)
class PersonPose:
    """The angles of a person who is seen from the side: near and far limbs, the head's turn."""

    thighs: tuple[float, float] = (0.0, 0.0)
    knees: tuple[float, float] = (0.05, 0.05)
    arms: tuple[float, float] = (0.0, 0.0)
    elbows: tuple[float, float] = (0.15, 0.15)
    head: float = 0.0
    stretch: float = 1.0
    """By how much the near arm is longer than an arm is."""


def stride(phase: float, march: float = 0.0, backward: float = 0.0) -> PersonPose:
    """A moment of a walk, one cycle per 2π: `march` (0 to 1) lifts the knees high, `backward` bends them forwards.

    >>> min(stride(1.0).knees) > 0 > min(stride(1.0, backward=1.0).knees)
    True
    """
    legs = [_leg(at, march, backward) for at in (phase, phase + math.pi)]
    swing = 0.5 * math.sin(phase)
    elbow = 0.35 + 0.5 * march
    return PersonPose((legs[0][0], legs[1][0]), (legs[0][1], legs[1][1]), (-swing, swing), (elbow, elbow))


def _leg(phase: float, march: float, backward: float) -> tuple[float, float]:
    """Thigh and knee of a leg, whose foot is in the air while the cosine of the phase is positive."""
    lifted = max(0.0, math.cos(phase))
    thigh, knee = 0.46 * math.sin(phase), 0.12 + 0.7 * lifted
    thigh, knee = thigh + march * 0.85 * lifted, knee + march * 0.75 * lifted
    wrong = 0.3 * math.sin(phase) - 0.38, -0.75 - 0.8 * lifted
    return thigh + backward * (wrong[0] - thigh), knee + backward * (wrong[1] - knee)


def reach(start: Point, length: float, angle: float) -> Point:
    """Where a limb ends that hangs from `start` at an angle."""
    return start[0] + length * math.sin(angle), start[1] + length * math.cos(angle)


def hip_height(look: PersonLook, pose: PersonPose) -> float:
    """How high the hips are, in units, when the lower foot stands on the ground."""
    drops = (
        _THIGH * math.cos(thigh) + _SHIN * math.cos(thigh - knee)
        for thigh, knee in zip(pose.thighs, pose.knees, strict=True)
    )
    return look.height * (max(drops) + 0.02)


def side_view(brush: Brush, look: PersonLook, pose: PersonPose, foot: Point) -> Point:
    """Paint a person who faces +x and stands at `foot`; returns where the near hand is."""
    size, (x, ground) = look.height, foot
    hip = (x, ground - hip_height(look, pose))
    neck = (x + 0.02 * size, hip[1] - _TRUNK * size)
    shoulder = (neck[0], neck[1] + 0.035 * size)
    _side_arm(brush, look, pose, shoulder, 1)
    _side_leg(brush, look, pose, hip, 1)
    _side_leg(brush, look, pose, hip, 0)
    brush.plain(capsule((neck[0], neck[1] - 0.05 * size), neck, 0.03 * size, 0.034 * size), lighter(look.skin, -0.1))
    brush.polygon(
        capsule((neck[0], neck[1] + 0.05 * size), (hip[0], hip[1] + 0.03 * size), 0.07 * size, 0.078 * size),
        look.coat,
        "fabric",
    )
    head(brush, look, (neck[0] + 0.012 * size, neck[1] - 0.105 * size), 0.082 * size, pose.head)
    return _side_arm(brush, look, pose, shoulder, 0)


def _side_leg(brush: Brush, look: PersonLook, pose: PersonPose, hip: Point, which: int) -> None:
    """One leg, painted as far away and darker where `which` is 1."""
    size, color = look.height, lighter(look.trousers, -0.28 * which)
    knee = reach(hip, _THIGH * size, pose.thighs[which])
    ankle = reach(knee, _SHIN * size, pose.thighs[which] - pose.knees[which])
    brush.plain(capsule(ankle, (ankle[0] + 0.075 * size, ankle[1] + 0.006 * size), 0.026 * size, 0.02 * size), SHOES)
    brush.plain(capsule(hip, knee, 0.062 * size, 0.045 * size), color)
    brush.plain(capsule(knee, ankle, 0.044 * size, 0.03 * size), color)


def _side_arm(brush: Brush, look: PersonLook, pose: PersonPose, shoulder: Point, which: int) -> Point:
    size, color = look.height, lighter(look.coat, -0.3 if which else -0.14)
    long = size * (pose.stretch if which == 0 else 1.0)
    elbow = reach(shoulder, _UPPER * long, pose.arms[which])
    wrist = reach(elbow, _FORE * long, pose.arms[which] + pose.elbows[which])
    brush.disc(wrist, 0.028 * size, look.skin)
    brush.plain(capsule(shoulder, elbow, 0.036 * size, 0.03 * size), color)
    brush.plain(capsule(elbow, wrist, 0.03 * size, 0.024 * size), color)
    return wrist


def head(brush: Brush, look: PersonLook, centre: Point, radius: float, turn: float) -> None:
    """A head whose face looks where `turn` says; from behind only its hair is seen."""
    (x, y), r = centre, radius
    ahead, near = math.cos(turn), math.sin(turn)
    brush.plain(circle((x - 0.16 * r * ahead, y - 0.12 * r), 1.04 * r, 1.08 * r), look.hair)
    wide = r * (0.68 + 0.14 * near if near >= 0 else 0.68 * (1 + 1.25 * near))
    if wide > 0.06 * r:
        middle = (x + (0.98 * r - wide) * ahead, y + 0.14 * r)
        brush.plain(circle(middle, wide, 0.86 * r), look.skin)
    if near > -0.45:
        brush.plain(
            capsule((x + 0.7 * r * ahead, y + 0.1 * r), (x + 1.12 * r * ahead, y + 0.28 * r), 0.09 * r, 0.13 * r),
            lighter(look.skin, -0.14),
        )
        lip = [x + 0.8 * r * math.cos(turn + side) for side in (-0.3 if near > 0.3 else 0.1, 0.5)]
        brush.line((lip[0], y + 0.6 * r), (lip[1], y + 0.6 * r), 0.12 * r, (150, 70, 64))
    for side in (-0.45, 0.45):
        if math.sin(turn + side) > 0:
            eye = (x + 0.82 * r * math.cos(turn + side), y)
            brush.plain(circle(eye, 0.2 * r, 0.17 * r, 12), (250, 250, 250))
            brush.plain(circle((eye[0] + 0.05 * r * ahead, eye[1]), 0.11 * r, 0.12 * r, 12), (40, 34, 32))


@dataclass(frozen=True, slots=True)
class Bust:
    """The angles of a person who is seen from the front or from behind: the arm at the side of +x, and the head."""

    arm: float = 0.12
    elbow: float = 0.08
    head: float = math.pi / 2


def front_view(brush: Brush, look: PersonLook, bust: Bust, neck: Point, back: bool = False) -> None:
    """Paint a person down to the hips, from the front or from the back; `neck` is where the shoulders meet."""
    size, (x, y) = look.height, neck
    shoulders, hips = 0.125 * size, 0.095 * size
    for side, arm, elbow in ((-1, 0.12, 0.08), (1, bust.arm, bust.elbow)):
        shoulder = (x + side * (shoulders - 0.012 * size), y + 0.045 * size)
        joint = reach(shoulder, side * _UPPER * size, arm)
        joint = (joint[0], shoulder[1] + _UPPER * size * math.cos(arm))
        wrist = (
            joint[0] + side * _FORE * size * math.sin(arm + elbow),
            joint[1] + _FORE * size * math.cos(arm + elbow),
        )
        brush.plain(capsule(shoulder, joint, 0.042 * size, 0.036 * size), lighter(look.coat, -0.14))
        palm = (wrist[0] + 0.24 * (wrist[0] - joint[0]), wrist[1] + 0.24 * (wrist[1] - joint[1]))
        brush.plain(capsule(wrist, palm, 0.026 * size, 0.036 * size), look.skin)
        brush.plain(capsule(joint, wrist, 0.036 * size, 0.028 * size), lighter(look.coat, -0.14))
    brush.plain(
        capsule((x, y - 0.06 * size), (x, y + 0.02 * size), 0.038 * size, 0.045 * size), lighter(look.skin, -0.1)
    )
    top, corner = y + 0.005 * size, 0.05 * size
    outline = [(x + hips, y + 0.4 * size), (x - hips, y + 0.4 * size), (x - shoulders, top + corner)]
    for middle, first in ((-shoulders + corner, math.pi), (shoulders - corner, 1.5 * math.pi)):
        for k in range(6):
            angle = first + 0.1 * math.pi * k
            outline.append((x + middle + corner * math.cos(angle), top + corner + corner * math.sin(angle)))
    brush.polygon(outline, look.coat, "paper")
    dark = lighter(look.coat, -0.45)
    if back:
        brush.plain(circle((x, y + 0.045 * size), 0.075 * size, 0.05 * size), lighter(look.coat, -0.25))
        brush.text((x, y + 0.2 * size), "7", 0.2 * size, lighter(look.coat, 0.75))
    else:
        brush.plain([(x - 0.045 * size, top), (x + 0.045 * size, top), (x, y + 0.1 * size)], lighter(look.skin, -0.1))
        brush.line((x, y + 0.1 * size), (x, y + 0.4 * size), 0.008 * size, dark)
        for k in range(3):
            brush.disc((x, y + (0.14 + 0.07 * k) * size), 0.011 * size, dark)
    head(brush, look, (x, y - 0.105 * size), 0.085 * size, bust.head)
