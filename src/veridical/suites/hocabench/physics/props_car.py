"""Cars seen from their side, one with its driver, and what stands at a street: houses, a billboard, lamps."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.media.draw.scene import Colour, Point
from veridical.media.figures.brush import HEIGHT, WIDTH, Brush, circle, rotate_points
from veridical.media.figures.grain import lighter
from veridical.suites.hocabench.physics.props_person import PersonLook, head

NOSE = 82.0
"""From a car's middle to its front, in units at scale 1."""
_BODY = [(-82, -20), (-82, -44), (-72, -52), (66, -50), (80, -42), (82, -20)]
_CABIN = [(-62, -50), (-42, -84), (16, -84), (46, -50)]
_WINDOWS = ([(-53, -52), (-38, -78), (-16, -78), (-16, -52)], [(-10, -52), (-10, -78), (13, -78), (36, -52)])
_GLASS: Colour = (196, 220, 232)
BUMPER = (-236.0, -16.0)
"""Where the front bumper is, as seen from where the rear wheel touches the ground, in units."""
_PARKED_BODY = (
    (-240, -24), (-244, -58), (-226, -76), (-168, -84), (-134, -126), (-20, -126), (22, -84), (48, -76), (54, -24),
)  # fmt: skip
_PARKED_WINDOWS = (
    ((-154, -84), (-126, -118), (-82, -118), (-82, -84)),
    ((-74, -84), (-74, -118), (-24, -118), (6, -84)),
)


def car(brush: Brush, at: Point, scale: float, color: Colour, turn: float, braking: bool) -> None:
    """A car facing right whose wheels stand at `at`, below its middle; `turn` (radians) is that of its wheels."""
    x, y = at

    def placed(points: list[tuple[int, int]]) -> list[Point]:
        return [(x + scale * px, y + scale * py) for px, py in points]

    brush.shadow((x, y + 1), 92 * scale, 7 * scale)
    brush.plain(placed(_CABIN), lighter(color, -0.08))
    brush.polygon(placed(_BODY), color)
    for window in _WINDOWS:
        brush.plain(placed(window), _GLASS)
    brush.line((x - 13 * scale, y - 50 * scale), (x - 13 * scale, y - 24 * scale), 2 * scale, lighter(color, -0.35))
    brush.plain(placed([(72, -45), (81, -41), (82, -33), (70, -35)]), (255, 244, 190))
    brush.plain(placed([(-82, -45), (-74, -45), (-74, -33), (-82, -33)]), (255, 40, 30) if braking else (120, 26, 26))
    for wheel in (-50, 50):
        centre = (x + wheel * scale, y - 19 * scale)
        brush.plain(circle(centre, 20 * scale), (38, 38, 42))
        brush.plain(circle(centre, 11 * scale, corners=20), (196, 200, 206))
        for spoke in (0.0, 1.5708):
            ends = rotate_points(
                [(centre[0] - 11 * scale, centre[1]), (centre[0] + 11 * scale, centre[1])], turn + spoke, centre
            )
            brush.line(ends[0], ends[1], 3.5 * scale, (96, 100, 108))


def street(brush: Brush, sky: Colour, curb: float, houses: tuple[Colour, ...]) -> None:
    """Sky, a row of houses, grass, and a street from y = `curb` down."""
    left, right = -20.0, WIDTH + 20.0
    brush.plain([(left, -20), (right, -20), (right, curb), (left, curb)], sky)
    for k, color in enumerate(houses):
        x = -30 + 172.0 * k
        roof, width = curb - 116 - 26 * (k % 2), 128.0
        brush.plain([(x - 8, roof), (x + width / 2, roof - 44), (x + width + 8, roof)], lighter(color, -0.45))
        brush.box(x, roof, x + width, curb - 20, color)
        for column in (0.2, 0.62):
            wx = x + column * width
            brush.plain([(wx, roof + 20), (wx + 26, roof + 20), (wx + 26, roof + 54), (wx, roof + 54)], (104, 122, 140))
    brush.box(left, curb - 26, right, curb - 10, (112, 156, 92))
    brush.box(left, curb - 10, right, curb, (188, 186, 180))
    brush.plain([(left, curb), (right, curb), (right, HEIGHT + 20), (left, HEIGHT + 20)], (98, 100, 106))


def billboard(brush: Brush, x: float, y: float, picture: int, foot: float) -> None:
    """A bright screen, 150 wide and 84 high, its upper left corner at (x, y), that shows one of two pictures."""
    for post in (x + 28, x + 122):
        brush.line((post, y + 84), (post, foot), 8, (84, 88, 96))
    brush.plain([(x - 5, y - 5), (x + 155, y - 5), (x + 155, y + 89), (x - 5, y + 89)], (52, 54, 60))
    below, sign = ((24, 62, 128), (250, 214, 70)) if not picture else ((244, 236, 214), (196, 40, 60))
    brush.plain([(x, y), (x + 150, y), (x + 150, y + 84), (x, y + 84)], below)
    if picture:
        brush.plain([(x + 75, y + 10), (x + 118, y + 72), (x + 32, y + 72)], sign)
    else:
        brush.plain(circle((x + 75, y + 42), 31), sign)


def street_lamp(brush: Brush, x: float, foot: float, top: float, light: Colour | None) -> None:
    """A mast with a floodlight that leans to the right; its light falls on everything below, if it is on."""
    brush.line((x, foot), (x, top), 7, (66, 70, 78))
    brush.line((x - 3, top), (x + 44, top), 6, (66, 70, 78))
    brush.plain([(x + 30, top - 4), (x + 72, top - 4), (x + 84, top + 16), (x + 18, top + 16)], (66, 70, 78))
    brush.plain(
        [(x + 20, top + 14), (x + 82, top + 14), (x + 74, top + 24), (x + 28, top + 24)], light or (150, 150, 146)
    )


def red_light(brush: Brush, x: float, foot: float, top: float) -> None:
    """A traffic light that shows red."""
    brush.line((x, foot), (x, top + 60), 6, (60, 62, 68))
    brush.plain([(x - 14, top), (x + 14, top), (x + 14, top + 72), (x - 14, top + 72)], (44, 46, 52))
    for k, color in enumerate(((250, 52, 40), (92, 78, 30), (32, 74, 44))):
        brush.plain(circle((x, top + 13 + 23 * k), 9.5, corners=20), color)


def parked_car(brush: Brush, rear: Point, color: Colour, tilt: float = 0.0, turn: float = 0.0) -> None:
    """A car that faces −x and stands with its rear wheel on `rear`; `tilt` lifts its front, `turn` rolls its wheels."""

    def placed(points: Sequence[Point]) -> list[Point]:
        return rotate_points([(rear[0] + x, rear[1] + y) for x, y in points], tilt, rear)

    brush.polygon(placed(_PARKED_BODY), color)
    for window in _PARKED_WINDOWS:
        brush.plain(placed(window), (196, 222, 232))
    centre = placed([(-104, -96)])[0]
    head(brush, PersonLook(150, color, hair=(70, 50, 40)), centre, 14, 3.14)
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
            one, two = rotate_points([(hub[0] - 14, hub[1]), (hub[0] + 14, hub[1])], turn + 1.05 * spoke, hub)
            brush.line(one, two, 3, (110, 114, 120))
