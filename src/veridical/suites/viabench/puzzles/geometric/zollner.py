"""The Zöllner figure: long lines that short hatches make look tilted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from veridical.media.draw import Item, Scene
from veridical.media.figures.hering import hatched, tilted
from veridical.suite.nuisances import Nuisances
from veridical.suites.viabench.puzzles.geometric.marks import INKS, panel, traces, yes_if
from veridical.suites.viabench.puzzles.puzzle import NO, YES, Pixels, Puzzle, Variant, yes_no

_TILTS = (3.4, 2.7, 2.1)
_READ = 0.9


@dataclass(frozen=True, slots=True)
class Field:
    """The nuisances: the long lines' number and direction, the hatches' angle, the tilt when there is one."""

    lines: int
    degrees: float
    gap: float
    half: float
    stroke: float
    hatch: float
    angle: float
    tilt: float
    along: bool
    ink: int
    size: int


def _sample(nuisances: Nuisances, grade: int) -> Field:
    along, angle = nuisances.one_of((True, False)), nuisances.between(28, 36) * nuisances.one_of((-1, 1))
    lines = nuisances.one_of((5, 6))
    return Field(
        lines=lines,
        degrees=nuisances.one_of((0.0, 90.0, 45.0, -45.0)) + nuisances.between(-4, 4),
        gap=nuisances.px(54, 58),
        half=nuisances.px(162, 174),
        stroke=nuisances.stroke(4.6, 5.6),
        hatch=nuisances.px(36, 42),
        angle=angle,
        tilt=_TILTS[grade - 1] * (-1 if along else 1) * (1 if angle > 0 else -1),
        along=along,
        ink=nuisances.one_of(range(len(INKS))),
        size=nuisances.size,
    )


def _draw(field: Field, answer: str, variant: Variant) -> tuple[Scene]:
    ink, middle = INKS[field.ink], field.size / 2
    across = math.radians(field.degrees)
    hatches: list[Item] = []
    lines: list[Item] = []
    steps = int(2 * field.half / (0.62 * field.hatch))
    for k in range(field.lines):
        side = 1 if k % 2 else -1
        away = (k - (field.lines - 1) / 2) * field.gap
        center = middle + away * math.sin(across), middle + away * math.cos(across)
        degrees = field.degrees + (side * field.tilt if answer == NO else 0.0)
        line = tilted(center, field.half, degrees, field.stroke, ink.target)
        (x0, y0), (x1, y1) = line.start, line.end
        at = [(j + 0.7) / (steps + 0.4) for j in range(steps)]
        middles = [(x0 + t * (x1 - x0), y0 + t * (y1 - y0)) for t in at]
        turn = side * field.angle if variant == "unusual" else 90.0
        hatches += hatched(middles, field.hatch, degrees + turn, 0.7 * field.stroke, ink.inducer)
        lines.append(line)
    return (Scene(field.size, field.size, ink.page, (panel(field.size, ink), *hatches, *lines)),)


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:  # noqa: ARG001
    """Whether the long lines, by their color, have one direction."""
    lines = [mark for mark in traces(pictures[0]) if mark.length > 0.5 * pictures[0].shape[1]]
    if len(lines) < 4:
        return None
    first = lines[0].degrees
    turns = [(mark.degrees - first + 90) % 180 - 90 for mark in lines]
    return yes_if(max(turns) - min(turns) < _READ)


ZOLLNER = Puzzle(
    name="zollner",
    title="Zöllner",
    category="geometric",
    capability="shape and orientation",
    sees="long lines that tilt toward each other, because of the hatches",
    truth="whether the long lines are drawn parallel",
    source="Zöllner 1860",
    graded="a smaller tilt: 3.4, 2.7, 2.1 degrees either way",
    question="Are the long lines in the image parallel to each other?",
    question_reversed="Do the long lines in the image tilt toward each other in pairs?",
    sample=_sample,
    answers=yes_no,
    draw=_draw,
    usual=lambda field, answer, variant: NO if variant == "unusual" and (answer == YES or field.along) else None,
    read=_read,
)
