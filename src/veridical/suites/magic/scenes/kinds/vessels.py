"""What one drinks and pours from, and carries things in."""

from __future__ import annotations

from veridical.suites.magic.scenes.kinds.kind import Piece, ThingKind
from veridical.suites.magic.scenes.kinds.shapes import arc, lathe, oval, polygon, rect, stroke

MUG = ThingKind(
    "mug",
    stands=("surface", "table"),
    small=0.095,
    large=0.17,
    form="round",
    parts=(
        Piece(arc(0.92, 0.53, 0.34, 0.31, 0.12, -90, 90)),
        Piece(lathe(0.46, (0.08, 0.46), (0.55, 0.46), (0.9, 0.42), (1.0, 0.34))),
        Piece(oval(0.46, 0.1, 0.46, 0.1), 0.3),
        Piece(oval(0.46, 0.105, 0.4, 0.075), -0.45),
    ),
)

VASE = ThingKind(
    "vase",
    stands=("floor", "surface", "table"),
    small=0.13,
    large=0.23,
    form="round",
    parts=(
        Piece(
            lathe(0.3, (0.04, 0.2), (0.1, 0.16), (0.24, 0.115), (0.55, 0.3), (0.75, 0.26), (0.94, 0.15), (1.0, 0.17))
        ),
        Piece(oval(0.3, 0.04, 0.2, 0.04), 0.3),
        Piece(oval(0.3, 0.043, 0.16, 0.027), -0.45),
        Piece(rect(0.19, 0.215, 0.41, 0.235), -0.25),
    ),
)

BOWL = ThingKind(
    "bowl",
    stands=("surface", "table"),
    small=0.075,
    large=0.135,
    form="round",
    parts=(
        Piece(rect(0.6, 0.88, 1.2, 1.0, 0.04), -0.25),
        Piece(lathe(0.9, (0.16, 0.9), (0.4, 0.84), (0.7, 0.64), (0.92, 0.34))),
        Piece(oval(0.9, 0.17, 0.9, 0.17), 0.3),
        Piece(oval(0.9, 0.185, 0.8, 0.125), -0.4),
    ),
)

BOTTLE = ThingKind(
    "bottle",
    stands=("surface", "table"),
    small=0.14,
    large=0.245,
    form="round",
    parts=(
        Piece(
            lathe(
                0.18, (0.05, 0.075), (0.26, 0.075), (0.32, 0.09), (0.46, 0.18), (0.5, 0.18), (0.95, 0.18), (1.0, 0.165)
            )
        ),
        Piece(rect(0.09, 0.03, 0.27, 0.085, 0.02), -0.3),
        Piece(rect(0.115, 0.0, 0.245, 0.04, 0.015), paint=(226, 208, 176)),
        Piece(rect(0.0, 0.6, 0.36, 0.61), -0.25),
        Piece(rect(0.0, 0.86, 0.36, 0.87), -0.25),
    ),
)

TEAPOT = ThingKind(
    "teapot",
    stands=("surface", "table"),
    small=0.11,
    large=0.195,
    form="round",
    parts=(
        Piece(arc(0.32, 0.55, 0.32, 0.3, 0.09, 90, 275), -0.1),
        Piece(stroke([(1.1, 0.78), (1.3, 0.66), (1.36, 0.42), (1.5, 0.3)], 0.2, 0.1), -0.1),
        Piece(lathe(0.75, (0.24, 0.26), (0.34, 0.42), (0.6, 0.52), (0.85, 0.42), (0.94, 0.32), (1.0, 0.34))),
        Piece(lathe(0.75, (0.12, 0.08), (0.16, 0.2), (0.25, 0.3)), 0.15),
        Piece(rect(0.44, 0.245, 1.06, 0.275), -0.35),
        Piece(oval(0.75, 0.07, 0.075), -0.15),
    ),
)

GOBLET = ThingKind(
    "goblet",
    stands=("surface", "table"),
    small=0.125,
    large=0.22,
    form="round",
    parts=(
        Piece(lathe(0.28, (0.5, 0.05), (0.66, 0.045), (0.8, 0.05), (0.9, 0.08), (0.95, 0.23), (1.0, 0.25))),
        Piece(oval(0.28, 0.62, 0.085, 0.045), -0.2),
        Piece(lathe(0.28, (0.06, 0.26), (0.2, 0.28), (0.38, 0.23), (0.5, 0.1), (0.54, 0.04))),
        Piece(oval(0.28, 0.06, 0.26, 0.06), 0.3),
        Piece(oval(0.28, 0.065, 0.22, 0.043), -0.45),
    ),
)

BUCKET = ThingKind(
    "bucket",
    stands=("floor", "table"),
    small=0.15,
    large=0.265,
    form="round",
    parts=(
        Piece(arc(0.46, 0.4, 0.44, 0.4, 0.035, 180, 360), -0.4),
        Piece(polygon((0.02, 0.36), (0.9, 0.36), (0.78, 0.93), (0.7, 1.0), (0.22, 1.0), (0.14, 0.93))),
        Piece(oval(0.46, 0.37, 0.46, 0.085), 0.3),
        Piece(oval(0.46, 0.38, 0.4, 0.06), -0.45),
        Piece(polygon((0.075, 0.6), (0.845, 0.6), (0.83, 0.66), (0.09, 0.66)), -0.22),
    ),
)

VESSELS = (MUG, VASE, BOWL, BOTTLE, TEAPOT, GOBLET, BUCKET)
