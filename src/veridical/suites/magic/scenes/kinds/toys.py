"""What one plays with."""

from __future__ import annotations

from veridical.suites.magic.scenes.kinds.kind import Piece, ThingKind
from veridical.suites.magic.scenes.kinds.shapes import lathe, oval, polygon, rect, star, stroke

_DARK = (46, 42, 44)
_PALE = (244, 238, 226)

BALL = ThingKind(
    "ball",
    stands=("floor", "surface", "table"),
    small=0.085,
    large=0.155,
    form="ball",
    parts=(
        Piece(oval(0.5, 0.5, 0.5)),
        Piece(stroke([(0.16, 0.14), (0.42, 0.42), (0.55, 0.75), (0.54, 0.995)], 0.045), -0.28),
        Piece(stroke([(0.01, 0.58), (0.3, 0.66), (0.7, 0.62), (0.985, 0.42)], 0.045), -0.28),
    ),
)

CAR = ThingKind(
    "car",
    stands=("floor", "surface", "table"),
    small=0.1,
    large=0.175,
    parts=(
        Piece(polygon((0.5, 0.45), (0.72, 0.03), (0.8, 0.0), (1.42, 0.0), (1.5, 0.04), (1.75, 0.45))),
        Piece(polygon((0.66, 0.4), (0.82, 0.1), (1.06, 0.1), (1.06, 0.4)), paint=(214, 230, 240)),
        Piece(polygon((1.16, 0.4), (1.16, 0.1), (1.39, 0.1), (1.57, 0.4)), paint=(214, 230, 240)),
        Piece(polygon((0.0, 0.55), (0.06, 0.46), (0.3, 0.42), (2.0, 0.42), (2.1, 0.5), (2.1, 0.8), (0.0, 0.8))),
        Piece(rect(0.0, 0.68, 2.1, 0.74), -0.25),
        Piece(oval(0.52, 0.76, 0.24), paint=_DARK),
        Piece(oval(1.58, 0.76, 0.24), paint=_DARK),
        Piece(oval(0.52, 0.76, 0.11), paint=(206, 206, 204)),
        Piece(oval(1.58, 0.76, 0.11), paint=(206, 206, 204)),
        Piece(rect(0.02, 0.52, 0.1, 0.62, 0.03), paint=(252, 246, 214)),
    ),
)

BOAT = ThingKind(
    "boat",
    stands=("surface", "table"),
    small=0.125,
    large=0.22,
    parts=(
        Piece(rect(0.455, 0.0, 0.495, 0.6), paint=(122, 104, 86)),
        Piece(polygon((0.52, 0.04), (0.9, 0.5), (0.52, 0.5)), paint=_PALE),
        Piece(polygon((0.43, 0.1), (0.43, 0.5), (0.14, 0.5)), paint=(226, 218, 202)),
        Piece(
            polygon(
                (0.0, 0.55), (1.05, 0.55), (1.0, 0.72), (0.9, 0.88), (0.8, 1.0), (0.2, 1.0), (0.1, 0.88), (0.04, 0.72)
            )
        ),
        Piece(polygon((0.0, 0.55), (1.05, 0.55), (1.03, 0.62), (0.018, 0.62)), 0.3),
    ),
)

DUCK = ThingKind(
    "duck",
    stands=("surface", "table"),
    small=0.105,
    large=0.185,
    parts=(
        Piece(polygon((0.0, 0.3), (0.18, 0.23), (0.18, 0.37)), paint=(236, 128, 28)),
        Piece(stroke([(1.02, 0.62), (1.13, 0.52), (1.18, 0.4)], 0.22, 0.06), -0.12),
        Piece(oval(0.66, 0.72, 0.48, 0.28)),
        Piece(stroke([(0.36, 0.3), (0.38, 0.48), (0.44, 0.66)], 0.4, 0.44)),
        Piece(oval(0.36, 0.235, 0.235)),
        Piece(stroke([(0.62, 0.66), (0.8, 0.74), (1.04, 0.6)], 0.14, 0.12), -0.3),
        Piece(oval(0.29, 0.2, 0.05), paint=_PALE),
        Piece(oval(0.285, 0.2, 0.028), paint=_DARK),
    ),
)

DRUM = ThingKind(
    "drum",
    stands=("floor", "surface", "table"),
    small=0.1,
    large=0.18,
    form="round",
    parts=(
        Piece(lathe(0.6, (0.14, 0.57), (0.86, 0.57), (1.0, 0.5), smooth=False)),
        *(
            Piece(stroke([(0.07 + 0.265 * k, top), (0.07 + 0.265 * (k + 1), bottom)], 0.028), paint=_PALE)
            for k, (top, bottom) in enumerate(((0.28, 0.84), (0.84, 0.28), (0.28, 0.84), (0.84, 0.28)))
        ),
        Piece(lathe(0.6, (0.8, 0.6), (0.92, 0.6), (1.0, 0.52), smooth=False), -0.25),
        Piece(lathe(0.6, (0.16, 0.6), (0.3, 0.6), smooth=False), -0.25),
        Piece(oval(0.6, 0.16, 0.6, 0.16), -0.05),
        Piece(oval(0.6, 0.15, 0.54, 0.125), paint=_PALE),
    ),
)

ROBOT = ThingKind(
    "robot",
    stands=("surface", "table"),
    small=0.13,
    large=0.23,
    parts=(
        Piece(rect(0.345, 0.04, 0.375, 0.14), paint=_DARK),
        Piece(oval(0.36, 0.035, 0.035), paint=(222, 222, 218)),
        Piece(rect(0.0, 0.44, 0.12, 0.78, 0.05), -0.2),
        Piece(rect(0.6, 0.44, 0.72, 0.78, 0.05), -0.2),
        Piece(rect(0.2, 0.75, 0.32, 1.0), -0.2),
        Piece(rect(0.4, 0.75, 0.52, 1.0), -0.2),
        Piece(rect(0.15, 0.93, 0.33, 1.0, 0.03), -0.35),
        Piece(rect(0.39, 0.93, 0.57, 1.0, 0.03), -0.35),
        Piece(rect(0.28, 0.34, 0.44, 0.44), -0.35),
        Piece(rect(0.12, 0.42, 0.6, 0.82, 0.04)),
        Piece(rect(0.15, 0.11, 0.57, 0.38, 0.05), 0.08),
        Piece(oval(0.27, 0.22, 0.05), paint=_PALE),
        Piece(oval(0.45, 0.22, 0.05), paint=_PALE),
        Piece(oval(0.27, 0.22, 0.022), paint=_DARK),
        Piece(oval(0.45, 0.22, 0.022), paint=_DARK),
        Piece(rect(0.27, 0.305, 0.45, 0.335), paint=_DARK),
        Piece(rect(0.24, 0.5, 0.48, 0.62, 0.02), paint=_PALE),
        Piece(rect(0.27, 0.54, 0.4, 0.58), paint=_DARK),
    ),
)

TREE = ThingKind(
    "tree",
    stands=("surface", "table"),
    small=0.13,
    large=0.23,
    parts=(
        Piece(rect(0.27, 0.8, 0.37, 0.95), paint=(112, 84, 62)),
        Piece(rect(0.14, 0.92, 0.5, 1.0, 0.02), paint=(112, 84, 62)),
        Piece(polygon((0.32, 0.42), (0.64, 0.84), (0.0, 0.84)), -0.12),
        Piece(polygon((0.32, 0.2), (0.58, 0.6), (0.06, 0.6))),
        Piece(polygon((0.32, 0.03), (0.51, 0.36), (0.13, 0.36)), 0.12),
        Piece(star(0.32, 0.06, 0.065, 0.03), paint=(250, 238, 190)),
    ),
)

TOYS = (BALL, CAR, BOAT, DUCK, DRUM, ROBOT, TREE)
