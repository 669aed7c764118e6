"""A car with its driver, seen from the side."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.media.draw.scene import Colour, Point
from veridical.media.figures.brush import Brush, circle, turned
from veridical.media.figures.grain import lighter
from veridical.suites.hocabench.physics.props_person import Look, head

BUMPER = (-236.0, -16.0)
"""Where the front bumper is, as seen from where the rear wheel touches the ground, in units."""
_BODY = (
    (-240, -24), (-244, -58), (-226, -76), (-168, -84), (-134, -126), (-20, -126), (22, -84), (48, -76), (54, -24),
)  # fmt: skip
_WINDOWS = (((-154, -84), (-126, -118), (-82, -118), (-82, -84)), ((-74, -84), (-74, -118), (-24, -118), (6, -84)))


def parked_car(brush: Brush, rear: Point, color: Colour, tilt: float = 0.0, turn: float = 0.0) -> None:
    """A car that faces −x and stands with its rear wheel on `rear`; `tilt` lifts its front, `turn` rolls its wheels."""

    def placed(points: Sequence[Point]) -> list[Point]:
        return turned([(rear[0] + x, rear[1] + y) for x, y in points], tilt, rear)

    brush.polygon(placed(_BODY), color)
    for window in _WINDOWS:
        brush.plain(placed(window), (196, 222, 232))
    centre = placed([(-104, -96)])[0]
    head(brush, Look(150, color, hair=(70, 50, 40)), centre, 14, 3.14)
    brush.plain(placed([(-78, -126), (-74, -126), (-74, -84), (-82, -84)]), color)
    for line, width, tone in ((((-78, -84), (-78, -30)), 2.5, -0.35), (((-66, -70), (-48, -70)), 4.0, -0.5)):
        start, end = placed(line)
        brush.line(start, end, width, lighter(color, tone))
    brush.plain(placed([(-246, -36), (56, -36), (54, -22), (-244, -22)]), (62, 64, 70))
    brush.plain(circle(placed([(-233, -60)])[0], 9, 10), (255, 240, 190))
    brush.plain(placed([(46, -70), (54, -70), (54, -52), (46, -52)]), (200, 50, 44))
    for x in (-182.0, 0.0):
        hub = placed([(x, -30)])[0]
        brush.disc(hub, 30, (40, 40, 44), "rubber", turn)
        brush.plain(circle(hub, 15), (190, 194, 200))
        for spoke in range(3):
            one, two = turned([(hub[0] - 14, hub[1]), (hub[0] + 14, hub[1])], turn + 1.05 * spoke, hub)
            brush.line(one, two, 3, (110, 114, 120))
