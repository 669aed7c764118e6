"""What lies about in a home, and what hangs on its walls."""

from __future__ import annotations

import math

from veridical.suites.magic.scenes.kinds.kind import Piece, ThingKind
from veridical.suites.magic.scenes.kinds.shapes import arc, heart, lathe, oval, polygon, rect, star, stroke

_DARK = (46, 42, 44)
_PALE = (246, 242, 232)

LAMP = ThingKind(
    "lamp",
    stands=("surface", "table"),
    small=0.14,
    large=0.25,
    form="round",
    parts=(
        Piece(rect(0.33, 0.4, 0.39, 0.8), paint=(150, 138, 120)),
        Piece(lathe(0.36, (0.5, 0.05), (0.62, 0.17), (0.78, 0.2), (0.9, 0.1), (0.94, 0.2), (1.0, 0.22))),
        Piece(polygon((0.17, 0.0), (0.55, 0.0), (0.72, 0.46), (0.0, 0.46))),
        Piece(polygon((0.018, 0.41), (0.702, 0.41), (0.72, 0.46), (0.0, 0.46)), 0.35),
        Piece(polygon((0.17, 0.0), (0.55, 0.0), (0.568, 0.05), (0.152, 0.05)), 0.35),
        Piece(polygon((0.235, 0.06), (0.285, 0.06), (0.25, 0.4), (0.16, 0.4)), 0.55),
        Piece(oval(0.28, 0.74, 0.04, 0.06), 0.55),
    ),
)

BOOK = ThingKind(
    "book",
    stands=("surface", "table"),
    small=0.1,
    large=0.18,
    materials=("wooden", "metal", "woven"),
    parts=(
        Piece(rect(0.66, 0.04, 0.74, 0.97), paint=(244, 236, 214)),
        Piece(rect(0.68, 0.04, 0.69, 0.97), paint=(206, 194, 166)),
        Piece(rect(0.715, 0.04, 0.72, 0.97), paint=(206, 194, 166)),
        Piece(rect(0.0, 0.0, 0.69, 1.0, 0.03)),
        Piece(rect(0.0, 0.0, 0.11, 1.0, 0.03), -0.3),
        Piece(rect(0.2, 0.16, 0.6, 0.4, 0.02), paint=_PALE),
        Piece(rect(0.26, 0.22, 0.54, 0.255), paint=_DARK),
        Piece(rect(0.31, 0.3, 0.49, 0.33), paint=_DARK),
    ),
)

BELL = ThingKind(
    "bell",
    stands=("surface", "table"),
    small=0.1,
    large=0.175,
    form="round",
    parts=(
        Piece(arc(0.45, 0.13, 0.13, 0.13, 0.06), -0.2),
        Piece(oval(0.45, 0.93, 0.09, 0.07), paint=_DARK),
        Piece(lathe(0.45, (0.2, 0.1), (0.26, 0.24), (0.5, 0.29), (0.72, 0.36), (0.86, 0.45), (0.93, 0.44))),
        Piece(rect(0.02, 0.83, 0.88, 0.88), -0.28),
        Piece(rect(0.19, 0.36, 0.71, 0.39), -0.28),
    ),
)

CROWN = ThingKind(
    "crown",
    stands=("surface", "table"),
    small=0.085,
    large=0.155,
    form="round",
    parts=(
        Piece(
            polygon(
                (0.02, 0.22), (0.3, 0.55), (0.36, 0.14), (0.56, 0.5), (0.7, 0.06), (0.84, 0.5), (1.04, 0.14),
                (1.1, 0.55), (1.38, 0.22), (1.28, 1.0), (0.12, 1.0),
            )
        ),
        Piece(rect(0.12, 0.78, 1.28, 1.0), -0.2),
        *(Piece(oval(x, y, 0.07), 0.2) for x, y in ((0.04, 0.2), (0.36, 0.12), (0.7, 0.07), (1.04, 0.12), (1.36, 0.2))),
        *(Piece(oval(x, 0.89, 0.05), paint=_PALE) for x in (0.3, 0.7, 1.1)),
    ),
)  # fmt: skip

CLOCK = ThingKind(
    "clock",
    stands=("surface", "wall", "table"),
    small=0.11,
    large=0.195,
    parts=(
        Piece(oval(0.5, 0.5, 0.5)),
        Piece(oval(0.5, 0.5, 0.35), -0.35),
        Piece(oval(0.5, 0.5, 0.325), paint=_PALE),
        *(
            Piece(
                oval(0.5 + 0.27 * math.cos(k * math.pi / 6), 0.5 + 0.27 * math.sin(k * math.pi / 6), 0.02), paint=_DARK
            )
            for k in range(12)
        ),
        Piece(stroke([(0.5, 0.53), (0.5, 0.29)], 0.035), paint=_DARK),
        Piece(stroke([(0.48, 0.49), (0.65, 0.58)], 0.04), paint=_DARK),
        Piece(oval(0.5, 0.5, 0.035), paint=_DARK),
    ),
)

MIRROR = ThingKind(
    "mirror",
    stands=("wall",),
    small=0.16,
    large=0.28,
    parts=(
        Piece(oval(0.36, 0.5, 0.36, 0.5)),
        Piece(oval(0.36, 0.5, 0.25, 0.39), -0.35),
        Piece(oval(0.36, 0.5, 0.235, 0.375), paint=(206, 222, 230)),
        Piece(polygon((0.2, 0.68), (0.44, 0.2), (0.52, 0.26), (0.27, 0.76)), paint=(236, 244, 248)),
        Piece(polygon((0.33, 0.78), (0.55, 0.34), (0.57, 0.38), (0.37, 0.79)), paint=(236, 244, 248)),
    ),
)

PICTURE = ThingKind(
    "picture",
    stands=("wall",),
    small=0.14,
    large=0.25,
    parts=(
        Piece(rect(0.0, 0.0, 1.3, 1.0)),
        Piece(rect(0.16, 0.16, 1.14, 0.84), -0.4),
        Piece(rect(0.18, 0.18, 1.12, 0.82), paint=(246, 242, 232)),
        Piece(rect(0.24, 0.24, 1.06, 0.76), paint=(206, 222, 232)),
        Piece(oval(0.86, 0.36, 0.08), paint=(252, 246, 222)),
        Piece(polygon((0.24, 0.66), (0.46, 0.38), (0.64, 0.58), (0.78, 0.48), (1.06, 0.7), (1.06, 0.76), (0.24, 0.76)),
             paint=(150, 156, 160)),
        Piece(rect(0.24, 0.7, 1.06, 0.76), paint=(196, 194, 184)),
    ),
)  # fmt: skip

STAR = ThingKind(
    "star",
    stands=("wall",),
    small=0.13,
    large=0.225,
    parts=(
        Piece(star(0.5, 0.53, 0.53, 0.23)),
        *(
            Piece(
                polygon(
                    (0.5, 0.53),
                    (0.5 + 0.53 * math.sin(k * 0.4 * math.pi), 0.53 - 0.53 * math.cos(k * 0.4 * math.pi)),
                    (
                        0.5 + 0.23 * math.sin((k + 0.5) * 0.4 * math.pi),
                        0.53 - 0.23 * math.cos((k + 0.5) * 0.4 * math.pi),
                    ),
                ),
                -0.15,
            )
            for k in range(5)
        ),
    ),
)

HEART = ThingKind(
    "heart",
    stands=("wall",),
    small=0.12,
    large=0.21,
    parts=(Piece(heart(0.0, 0.0, 1.0)), Piece(heart(0.17, 0.13, 0.66), -0.25), Piece(heart(0.2, 0.155, 0.6), 0.08)),
)

HOME = (LAMP, BOOK, BELL, CROWN)
HUNG = (CLOCK, MIRROR, PICTURE, STAR, HEART)
