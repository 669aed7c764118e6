"""Table tops: things that lie on a plane, which is seen at a slant."""

from __future__ import annotations

from veridical.records import Box
from veridical.suite.nuisances import Nuisances
from veridical.suites.magic.scenes.graph import ASIDE, DEPTH
from veridical.suites.magic.scenes.layout import (
    FLAT,
    LARGE,
    SMALL,
    TRIES,
    CrowdedError,
    Direction,
    Layout,
    LayoutNeeds,
    Spot,
    mirror,
    sides,
)
from veridical.suites.magic.scenes.turns import shuffle

_ACROSS: dict[Direction, Direction] = {"left": "right", "right": "left"}


def table(nuisances: Nuisances, width: int, height: int, count: int, wanted: LayoutNeeds) -> Layout:
    """A table top with `count` things, those farther away first. Raises `CrowdedError` where they do not fit."""
    layout = Layout("table", width, height)
    nouns = shuffle(nuisances, FLAT)
    if wanted.extreme:
        layout.outermost, layout.extreme = wanted.extreme
        nouns.remove(layout.outermost)
        _outermost(layout, nuisances, layout.outermost)
    sizes = [nuisances.one_of((SMALL, SMALL, LARGE)) for _ in range(count)]
    kinds = [nouns.pop() for _ in range(min(count - len(layout.spots), len(nouns)))]
    if wanted.twins:
        kinds[1], sizes[:2] = kinds[0], shuffle(nuisances, (SMALL, LARGE))
    for k, kind in enumerate(kinds):
        strict = wanted.twins and k < 2
        _lay(layout, nuisances, kind, sizes[k], strict=strict)
    if len(layout.spots) != count:
        raise CrowdedError
    layout.spots.sort(key=lambda spot: spot.box.y1)
    if nuisances.between(0, 1) < 0.5:
        layout.extreme = _ACROSS.get(layout.extreme, layout.extreme) if layout.extreme else None
        return mirror(layout)
    return layout


def _outermost(layout: Layout, nuisances: Nuisances, kind: str) -> None:
    """The thing that is to be farthest out on the table, near the edge of the picture."""
    size = nuisances.one_of((SMALL, SMALL, LARGE))
    width, height = sides(kind, size, layout.height)
    across, along = nuisances.between(0.02, 0.98), nuisances.between(0.4, 0.97)
    x = {"left": 0.02, "right": 0.98}.get(layout.extreme or "", across) * (layout.width - width)
    base = {"front": 0.97, "back": 0.37}.get(layout.extreme or "", along) * layout.height
    box = Box(round(x), round(base) - height, round(x) + width, round(base))
    layout.spots.append(Spot(kind, size, box))


def _lay(layout: Layout, nuisances: Nuisances, kind: str, size: str, *, strict: bool) -> None:
    """Lays a thing on the table, small where there is no room for a large one, unless that is `strict`."""
    for tried in (size,) if strict or size == SMALL else (size, SMALL):
        width, height = sides(kind, tried, layout.height)
        for _ in range(TRIES):
            x = round(nuisances.between(0, layout.width - width))
            base = round(layout.height * nuisances.between(0.37, 0.97))
            box = Box(x, base - height, x + width, base)
            if layout.free(box) and _within(layout, box):
                layout.spots.append(Spot(kind, tried, box))
                return
    raise CrowdedError


def _within(layout: Layout, box: Box) -> bool:
    """Whether the outermost thing stays the outermost beside this box."""
    if layout.extreme is None:
        return True
    far, aside, depth = layout.spots[0].box, ASIDE * layout.width, DEPTH * layout.height
    return {
        "left": box.x0 >= far.x1 + aside,
        "right": box.x1 <= far.x0 - aside,
        "front": box.y1 <= far.y1 - depth,
        "back": box.y1 >= far.y1 + depth,
    }[layout.extreme]
