"""Figures in which equal lengths look unequal because one seems to lie farther away."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from veridical.media.draw import Item, Line, Polygon
from veridical.media.draw.scene import Point
from veridical.records import Box
from veridical.suites.viprobe.illusions.case import BLACK, INKS, Case, Figure, Frame, box_around
from veridical.suites.viprobe.illusions.length import LENGTH, LONGER, REACH, measure_lines, rulers

_MARGIN = 0.04


@dataclass(frozen=True, slots=True, kw_only=True)
class Receding:
    """Two level lines of one length between edges that come together towards `far`, the top or the bottom.

    The edges are `gap` apart at the far line and `spread` times that at the near one.
    """

    width: int
    height: int
    changed: str
    far: str
    ink: str
    length: float
    stroke: float
    x: float
    top: float
    bottom: float
    gap: float
    spread: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Ponzo(Receding):
    """Between two black rails, `rail` thick."""

    rail: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PonzoTrapezoid(Receding):
    """On a trapezoid of a light grey."""

    shade: int


def _lines(frame: Frame) -> dict[str, Any]:
    """What all base items share; 8 % are left between the far line at its longest and the edges."""
    changed, far = frame.in_turn(("top", "bottom"), ("top", "bottom"))
    length = frame.base_scale(60, 88) * frame.scale
    return {
        "width": frame.size,
        "height": round(frame.size / 2),
        "changed": changed,
        "far": far,
        "ink": frame.one_of(tuple(INKS)),
        "length": length,
        "stroke": frame.stroke(2.4, 3.6),
        "x": frame.px(248, 264),
        "top": frame.px(60, 70),
        "bottom": frame.px(186, 196),
        "gap": length * (1 + REACH) * frame.between(1.08, 1.14),
        "spread": frame.between(2.0, 2.25),
    }


def _sample_rails(frame: Frame) -> Ponzo:
    lines, rail = _lines(frame), frame.stroke(2.0, 3.2)
    return Ponzo(**(lines | {"gap": lines["gap"] + 3 * rail}), rail=rail)


def _sample_trapezoid(frame: Frame) -> PonzoTrapezoid:
    return PonzoTrapezoid(**_lines(frame), shade=frame.one_of((200, 210, 220)))


def _length(base: Receding, place: str, alpha: float) -> float:
    """The line at a place; congruent change lengthens the far line, which looks longer, or shortens the near one."""
    if place != base.changed:
        return base.length
    return base.length * (1 + REACH * alpha * (1 if base.far == base.changed else -1))


def _edges(base: Receding) -> tuple[tuple[Point, Point], tuple[Point, Point]]:
    """The left and the right edge, each from its end at the top of the picture to the one at the bottom."""
    far, near = (base.top, base.bottom) if base.far == "top" else (base.bottom, base.top)
    ends = (_MARGIN * base.height, (1 - _MARGIN) * base.height)
    upper, lower = (base.gap * (1 + (base.spread - 1) * (y - far) / (near - far)) / 2 for y in ends)
    left, right = (((base.x + side * upper, ends[0]), (base.x + side * lower, ends[1])) for side in (-1, 1))
    return left, right


def _figure(base: Receding, alpha: float, inducers: tuple[Item, ...]) -> Figure:
    lines: list[Item] = []
    for place, y in (("top", base.top), ("bottom", base.bottom)):
        half = _length(base, place, alpha) / 2
        lines.append(Line((base.x - half, y), (base.x + half, y), base.stroke, INKS[base.ink]))
    beyond = base.length / 4
    return Figure(
        width=base.width,
        height=base.height,
        inducers=inducers,
        targets=tuple(lines),
        hint=rulers(base.x, base.length, (base.top - beyond, base.bottom + beyond), base.stroke),
    )


def _between_rails(base: Ponzo, alpha: float) -> Figure:
    return _figure(base, alpha, tuple(Line(start, end, base.rail, BLACK) for start, end in _edges(base)))


def _on_trapezoid(base: PonzoTrapezoid, alpha: float) -> Figure:
    left, right = _edges(base)
    return _figure(base, alpha, (Polygon((*left, *right[::-1]), (base.shade, base.shade, base.shade)),))


def _value(base: Receding, alpha: float) -> float:
    return _length(base, "top", alpha) - _length(base, "bottom", alpha)


def _regions(base: Receding) -> tuple[Box, ...]:
    y = base.top if base.changed == "top" else base.bottom
    half, thick = base.length * (1 + REACH) / 2, base.stroke / 2
    return (box_around((base.x - half, base.x + half), (y - thick, y + thick), base.width, base.height),)


CASES = (
    Case(
        name="ponzo",
        number=3,
        title="Ponzo",
        category="size",
        sees="The line where the rails come together looks longer than the other.",
        truth="Both horizontal lines have the same length.",
        source="Ponzo 1911; VI-Probe, Table 4, case 3",
        factor=LENGTH,
        question="Is the upper {ink} line exactly as long as the lower {ink} line?",
        question_reversed="Is the upper {ink} line longer or shorter than the lower {ink} line?",
        comparison=LONGER,
        state="equally long",
        measurand="the length of each horizontal {ink} line",
        departs="Published: black lines of whole pixels that run into the rails; the upper, far one always changes.",
        sample=_sample_rails,
        geometry=_between_rails,
        value=_value,
        regions=_regions,
        read=measure_lines,
        smallest_size=128,
    ),
    Case(
        name="ponzo_trapezoid",
        number=4,
        title="Ponzo trapezoid",
        category="size",
        sees="The line where the trapezoid is narrow looks longer than the one where it is wide.",
        truth="Both horizontal lines have the same length.",
        source="After Ponzo 1911; VI-Probe, Table 4, case 4",
        factor=LENGTH,
        question="Are the upper and the lower {ink} line equal in length?",
        question_reversed="Are the upper and the lower {ink} line unequal in length?",
        comparison=LONGER,
        state="equal in length",
        measurand="the length of each horizontal {ink} line",
        departs="Published: black lines of whole pixels that overrun the trapezoid; the upper one always changes.",
        sample=_sample_trapezoid,
        geometry=_on_trapezoid,
        value=_value,
        regions=_regions,
        read=measure_lines,
        smallest_size=128,
    ),
)
