"""What stands on the floor and holds other things."""

from __future__ import annotations

from veridical.suites.magic.scenes.kinds.kind import Piece, ThingKind
from veridical.suites.magic.scenes.kinds.shapes import oval, polygon, rect

TABLE = ThingKind(
    "table",
    stands=("floor",),
    small=0.2,
    large=0.35,
    holds=True,
    parts=(
        Piece(rect(0.3, 0.1, 0.4, 0.94), -0.35),
        Piece(rect(1.3, 0.1, 1.4, 0.94), -0.35),
        Piece(rect(0.12, 0.1, 1.58, 0.28), -0.18),
        Piece(polygon((0.1, 0.1), (0.25, 0.1), (0.22, 1.0), (0.12, 1.0))),
        Piece(polygon((1.45, 0.1), (1.6, 0.1), (1.58, 1.0), (1.48, 1.0))),
        Piece(rect(0.0, 0.0, 1.7, 0.13), 0.12),
    ),
)

BENCH = ThingKind(
    "bench",
    stands=("floor",),
    small=0.13,
    large=0.225,
    holds=True,
    parts=(
        Piece(rect(0.4, 0.55, 2.3, 0.7), -0.3),
        Piece(polygon((0.28, 0.18), (0.62, 0.18), (0.5, 1.0), (0.16, 1.0)), -0.08),
        Piece(polygon((2.08, 0.18), (2.42, 0.18), (2.54, 1.0), (2.2, 1.0)), -0.08),
        Piece(rect(0.1, 0.18, 2.6, 0.32), -0.22),
        Piece(rect(0.0, 0.0, 2.7, 0.21), 0.12),
    ),
)

STOOL = ThingKind(
    "stool",
    stands=("floor",),
    small=0.15,
    large=0.26,
    holds=True,
    parts=(
        Piece(rect(0.35, 0.15, 0.45, 0.94), -0.35),
        Piece(polygon((0.13, 0.15), (0.25, 0.15), (0.12, 1.0), (0.0, 1.0))),
        Piece(polygon((0.55, 0.15), (0.67, 0.15), (0.8, 1.0), (0.68, 1.0))),
        Piece(rect(0.08, 0.6, 0.72, 0.68), -0.15),
        Piece(rect(0.0, 0.0, 0.8, 0.17), 0.1),
        Piece(rect(0.0, 0.12, 0.8, 0.17), -0.2),
    ),
)

CABINET = ThingKind(
    "cabinet",
    stands=("floor",),
    small=0.22,
    large=0.39,
    holds=True,
    parts=(
        Piece(rect(0.08, 0.85, 0.2, 1.0), -0.4),
        Piece(rect(0.8, 0.85, 0.92, 1.0), -0.4),
        Piece(rect(0.03, 0.04, 0.97, 0.92), -0.12),
        Piece(rect(0.08, 0.13, 0.49, 0.87), 0.04),
        Piece(rect(0.51, 0.13, 0.92, 0.87), 0.04),
        Piece(rect(0.14, 0.2, 0.43, 0.8), -0.12),
        Piece(rect(0.57, 0.2, 0.86, 0.8), -0.12),
        Piece(rect(0.0, 0.0, 1.0, 0.08), 0.15),
        Piece(oval(0.455, 0.5, 0.024), paint=(58, 52, 48)),
        Piece(oval(0.545, 0.5, 0.024), paint=(58, 52, 48)),
    ),
)

SHELF = ThingKind(
    "shelf",
    stands=("floor",),
    small=0.25,
    large=0.44,
    holds=True,
    parts=(
        Piece(rect(0.02, 0.02, 0.6, 1.0), -0.5),
        Piece(rect(0.02, 0.31, 0.6, 0.37)),
        Piece(rect(0.02, 0.62, 0.6, 0.68)),
        Piece(rect(0.02, 0.91, 0.6, 0.97)),
        Piece(rect(0.02, 0.03, 0.1, 1.0)),
        Piece(rect(0.52, 0.03, 0.6, 1.0)),
        Piece(rect(0.0, 0.0, 0.62, 0.06), 0.15),
    ),
)

CHEST = ThingKind(
    "chest",
    stands=("floor",),
    small=0.15,
    large=0.26,
    holds=True,
    parts=(
        Piece(rect(0.05, 0.3, 1.45, 1.0)),
        Piece(rect(0.05, 0.9, 1.45, 1.0), -0.25),
        Piece(rect(0.0, 0.0, 1.5, 0.33), 0.1),
        Piece(rect(0.03, 0.33, 1.47, 0.38), -0.45),
        Piece(rect(0.2, 0.0, 0.3, 1.0), -0.28),
        Piece(rect(1.2, 0.0, 1.3, 1.0), -0.28),
        Piece(rect(0.66, 0.24, 0.84, 0.5, 0.03), paint=(214, 178, 92)),
        Piece(oval(0.75, 0.38, 0.035), paint=(58, 52, 48)),
    ),
)

CHAIR = ThingKind(
    "chair",
    stands=("floor",),
    small=0.22,
    large=0.385,
    parts=(
        Piece(rect(0.11, 0.6, 0.17, 0.95), -0.35),
        Piece(rect(0.38, 0.6, 0.44, 0.95), -0.35),
        Piece(rect(0.05, 0.03, 0.12, 0.6)),
        Piece(rect(0.43, 0.03, 0.5, 0.6)),
        Piece(rect(0.03, 0.0, 0.52, 0.13, 0.03), 0.08),
        Piece(rect(0.1, 0.2, 0.45, 0.26), -0.1),
        Piece(rect(0.1, 0.34, 0.45, 0.4), -0.1),
        Piece(rect(0.02, 0.6, 0.09, 1.0)),
        Piece(rect(0.46, 0.6, 0.53, 1.0)),
        Piece(rect(0.0, 0.52, 0.55, 0.62, 0.02), 0.12),
        Piece(rect(0.02, 0.62, 0.53, 0.66), -0.25),
    ),
)

FURNITURE = (TABLE, BENCH, STOOL, CABINET, SHELF, CHEST, CHAIR)
