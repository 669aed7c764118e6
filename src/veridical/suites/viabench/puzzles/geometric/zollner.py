"""The Zöllner figure: long lines that short hatches make look tilted."""

from __future__ import annotations

import math
from collections.abc import Sequence

from veridical.media.draw import Item, Scene
from veridical.media.figures.hering import hatch_lines, tilted_line
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.geometric.marks import INKS, panel, traces
from veridical.suites.viabench.puzzles.puzzle import NO, Pixels, Puzzle, Variant, misleading_figure, yes_if

_TILTS = (3.4, 2.7, 2.1)
_READ = 0.9


class HatchField(BaseItem):
    """The nuisances: the long lines' number and direction, the hatches' angle, the tilt when there is one."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.along, self.angle = nuisances.one_of((True, False)), nuisances.between(28, 36) * nuisances.one_of((-1, 1))
        self.lines = nuisances.one_of((5, 6))
        self.degrees = nuisances.one_of((0.0, 90.0, 45.0, -45.0)) + nuisances.between(-4, 4)
        self.gap = nuisances.px(54, 58)
        self.half = nuisances.px(162, 174)
        self.stroke = nuisances.stroke(4.6, 5.6)
        self.hatch = nuisances.px(36, 42)
        self.tilt = _TILTS[grade - 1] * (-1 if self.along else 1) * (1 if self.angle > 0 else -1)
        self.ink = nuisances.one_of(range(len(INKS)))
        self.size = nuisances.size


def _draw(field: HatchField, answer: str, variant: Variant) -> tuple[Scene]:
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
        line = tilted_line(center, field.half, degrees, field.stroke, ink.target)
        (x0, y0), (x1, y1) = line.start, line.end
        at = [(j + 0.7) / (steps + 0.4) for j in range(steps)]
        middles = [(x0 + t * (x1 - x0), y0 + t * (y1 - y0)) for t in at]
        turn = side * field.angle if variant == "unusual" else 90.0
        hatches += hatch_lines(middles, field.hatch, degrees + turn, 0.7 * field.stroke, ink.inducer)
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
    sample=HatchField,
    draw=_draw,
    usual=misleading_figure(lambda field: field.along),
    read=_read,
)
