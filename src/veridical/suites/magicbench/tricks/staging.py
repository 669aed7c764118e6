"""What all tricks share: the stage, its light and colors, and how hard the trick is to see through."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from veridical.media.draw.scene import Colour, Point
from veridical.media.figures.brush import HEIGHT, WIDTH, Brush, circle, face_brush
from veridical.media.figures.grain import lighter, mix_colors
from veridical.suite.nuisance_fields import draw
from veridical.suite.nuisances import Nuisances
from veridical.suites.magicbench.tricks.hands import LEFT, RIGHT, HandColors

Occluder = Literal["none", "glass", "candle"]
FAR, EDGE = 112.0, 306.0
"""Where the table top begins and ends, from the far side to the edge at the performer; below it is the lap."""
SKINS: dict[str, Colour] = {
    "ivory": (240, 204, 174),
    "beige": (230, 182, 146),
    "olive": (206, 154, 112),
    "brown": (158, 106, 72),
    "umber": (116, 76, 52),
}
SLEEVES: dict[str, Colour] = {"navy": (50, 58, 88), "wine": (96, 40, 52), "ash": (58, 58, 62), "pine": (34, 70, 60)}
CLOTHS: dict[str, Colour] = {
    "green": (46, 112, 82),
    "blue": (48, 84, 128),
    "red": (134, 48, 52),
    "grey": (96, 100, 106),
}
CURTAINS: dict[str, Colour] = {"plum": (72, 40, 62), "teal": (30, 62, 70), "brown": (78, 54, 40), "slate": (56, 60, 72)}
DISTRACTORS = ("pencil", "die", "key", "matchbox")


@dataclass(frozen=True, slots=True)
class Staging:
    """Nuisances and difficulty of a performance.

    `acting` does the secret move. `peek` (0 to 1) is how much of the tell shows, `tell` for how long, in seconds;
    `decoy` is how fast the other hand moves to draw attention, in units per second. `occluder` stands in front,
    `distractors` lie on the table. `lead` is when the action begins, in seconds, and `tempo` stretches the times.
    """

    mirrored: bool
    peek: float
    tell: float
    decoy: float
    occluder: Occluder
    distractors: tuple[str, ...]
    skin: str
    sleeve: str
    cloth: str
    curtain: str
    lead: float
    tempo: float

    @property
    def acting(self) -> str:
        """The hand that does the secret move, as it is seen: the right one unless the picture is mirrored."""
        return LEFT if self.mirrored else RIGHT

    @property
    def other(self) -> str:
        """The other hand."""
        return RIGHT if self.mirrored else LEFT

    @property
    def colors(self) -> HandColors:
        """The colors of hands and sleeves."""
        return HandColors(SKINS[self.skin], SLEEVES[self.sleeve])

    @property
    def lying(self) -> tuple[str, ...]:
        """What lies or stands about and has no part in the trick."""
        return self.distractors if self.occluder == "none" else (*self.distractors, self.occluder)


def staging(nuisances: Nuisances) -> Staging:
    """The staging of a unit; grades of the tell take turns, crossed with the side and the occluder."""
    peek, side, occluder = nuisances.in_turn(("0.6", "1.0", "0.3"), ("as is", "mirrored"), ("none", "glass", "candle"))
    first = int(nuisances.between(0, len(DISTRACTORS)))
    count = nuisances.one_of((0, 1, 2, 3))
    return Staging(
        mirrored=side == "mirrored",
        peek=float(peek),
        tell=nuisances.between(0.6, 1.4),
        decoy=nuisances.between(60.0, 200.0),
        occluder=occluder,  # type: ignore[arg-type]
        distractors=tuple(DISTRACTORS[(first + k) % len(DISTRACTORS)] for k in range(count)),
        skin=nuisances.one_of(sorted(SKINS)),
        sleeve=nuisances.one_of(sorted(SLEEVES)),
        cloth=nuisances.one_of(sorted(CLOTHS)),
        curtain=nuisances.one_of(sorted(CURTAINS)),
        lead=nuisances.between(0.7, 1.0),
        tempo=nuisances.between(0.92, 1.12),
    )


@dataclass(frozen=True, slots=True)
class TrickUnit:
    """The nuisances that the units of all families have."""

    staging: Staging = draw(lambda nuisances, _: staging(nuisances))

    def time(self, seconds: float) -> float:
        """When something happens that is planned `seconds` after the action begins."""
        return self.staging.lead + seconds * self.staging.tempo


SPOTS: tuple[Point, ...] = ((70.0, 150.0), (560.0, 146.0), (320.0, 136.0))
"""Where on the table the first, second and third distractor lie."""


def stage(brush: Brush, staging: Staging, spots: tuple[Point, ...] = SPOTS) -> Brush:
    """Paint the curtain, the table, the lap and what lies about; returns the brush for the picture's own sides."""
    brush = face_brush(brush, staging.mirrored)
    curtain, cloth = CURTAINS[staging.curtain], CLOTHS[staging.cloth]
    brush.plain([(-2, -2), (WIDTH + 2, -2), (WIDTH + 2, FAR), (-2, FAR)], curtain)
    for k in range(17):
        x = k * 40.0
        brush.veil([(x, -2), (x + 13, -2), (x + 11, FAR), (x - 2, FAR)], (0, 0, 0), 0.22)
        brush.veil([(x + 20, -2), (x + 29, -2), (x + 27, FAR), (x + 18, FAR)], (255, 255, 255), 0.06)
    steps = 14
    for k in range(steps):
        y0, y1 = (FAR + (EDGE - FAR) * (j / steps) ** 1.1 for j in (k, k + 1))
        tone = mix_colors(lighter(cloth, -0.3), lighter(cloth, 0.1), k / (steps - 1))
        brush.plain([(-2, y0 - 0.5), (WIDTH + 2, y0 - 0.5), (WIDTH + 2, y1), (-2, y1)], tone)
    brush.veil(circle((250, 214), 300, 76), (255, 255, 255), 0.07)
    brush.veil(circle((260, 212), 190, 50), (255, 255, 255), 0.06)
    brush.line((-2, FAR), (WIDTH + 2, FAR), 2.5, lighter(cloth, -0.55))
    for y, tall, color in ((EDGE, 9.0, (150, 100, 58)), (EDGE + 9, 5.0, (104, 66, 38))):
        brush.plain([(-2, y), (WIDTH + 2, y), (WIDTH + 2, y + tall), (-2, y + tall)], color)
    _lap(brush, lighter(SLEEVES[staging.sleeve], -0.35))
    for name, (x, y) in zip(staging.distractors, spots, strict=False):
        _LYING[name](brush, x, y)
    return brush


def bare_stage(base: TrickUnit, brush: Brush) -> None:
    """Paint the stage of a unit without anything of the trick."""
    stage(brush, base.staging)


def _lap(brush: Brush, color: Colour) -> None:
    top, low, right = EDGE + 14, HEIGHT + 2, WIDTH + 2
    brush.plain([(-2, top), (right, top), (right, low), (-2, low)], lighter(color, -0.55))
    for x in (215.0, 425.0):
        brush.plain(circle((x, HEIGHT + 22), 122, 62), color)
        brush.plain(circle((x - 10, HEIGHT + 20), 96, 46), lighter(color, 0.09))
    brush.veil([(-2, top), (right, top), (right, top + 10), (-2, top + 10)], (0, 0, 0), 0.35)


def occluder(brush: Brush, staging: Staging, x: float, foot: float = EDGE - 6) -> None:
    """Paint what stands in front, if anything does: with its foot at (x, foot)."""
    if staging.occluder == "none":
        return
    with brush.of(staging.occluder):
        brush.shadow((x + 4, foot), 26, 6, 0.4)
        if staging.occluder == "candle":
            brush.plain([(x - 17, foot), (x + 17, foot), (x + 12, foot - 8), (x - 12, foot - 8)], (176, 140, 60))
            brush.plain([(x - 7, foot - 8), (x + 7, foot - 8), (x + 7, foot - 74), (x - 7, foot - 74)], (236, 228, 206))
            brush.plain([(x + 2, foot - 8), (x + 7, foot - 8), (x + 7, foot - 74), (x + 2, foot - 74)], (206, 196, 170))
            brush.plain([(x - 4, foot - 78), (x + 3, foot - 80), (x, foot - 98)], (250, 196, 74))
        else:
            sides = [(x - 24, foot - 84), (x + 24, foot - 84), (x + 19, foot), (x - 19, foot)]
            brush.veil(sides, (226, 240, 248), 0.2)
            water = [(x - 23, foot - 40), (x + 23, foot - 40), (x + 19, foot), (x - 19, foot)]
            brush.veil(water, (120, 180, 214), 0.28)
            glint = [(x - 20, foot - 80), (x - 14, foot - 80), (x - 11, foot - 6), (x - 16, foot - 6)]
            brush.veil(glint, (255, 255, 255), 0.5)
            brush.curve(circle((x, foot - 84), 24, 4)[:32], 1.4, (236, 244, 248))


def _pencil(brush: Brush, x: float, y: float) -> None:
    brush.veil([(x - 34, y + 7), (x + 36, y - 3), (x + 36, y + 1), (x - 34, y + 11)], (0, 0, 0), 0.3)
    brush.line((x - 34, y + 5), (x + 28, y - 5), 6, (226, 168, 40))
    brush.plain([(x + 28, y - 8), (x + 28, y - 2), (x + 38, y - 6.4)], (238, 214, 176))


def _die(brush: Brush, x: float, y: float) -> None:
    brush.shadow((x + 3, y + 11), 16, 4, 0.4)
    brush.plain([(x - 11, y - 7), (x + 11, y - 7), (x + 11, y + 12), (x - 11, y + 12)], (232, 230, 224))
    brush.plain([(x - 11, y - 7), (x + 11, y - 7), (x + 7, y - 13), (x - 7, y - 13)], (252, 252, 250))
    for dx, dy in ((-6, -2), (6, 8), (0, 3)):
        brush.disc((x + dx, y + dy), 2.2, (40, 40, 44))


def _key(brush: Brush, x: float, y: float) -> None:
    brush.ring((x - 16, y), 8, 4, (168, 172, 178))
    brush.line((x - 8, y), (x + 24, y - 2), 4, (168, 172, 178))
    brush.line((x + 17, y - 1), (x + 17, y + 7), 4, (150, 154, 160))
    brush.line((x + 23, y - 1), (x + 23, y + 6), 4, (150, 154, 160))


def _matchbox(brush: Brush, x: float, y: float) -> None:
    brush.shadow((x + 3, y + 10), 28, 5, 0.4)
    brush.plain([(x - 24, y - 8), (x + 20, y - 12), (x + 26, y + 2), (x - 20, y + 7)], (216, 178, 64))
    brush.plain([(x - 20, y + 7), (x + 26, y + 2), (x + 26, y + 8), (x - 20, y + 13)], (118, 62, 44))


_LYING = {"pencil": _pencil, "die": _die, "key": _key, "matchbox": _matchbox}
