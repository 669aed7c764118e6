"""Things at their places: what a scene is before it is painted or asked about."""

from __future__ import annotations

from typing import Literal, NamedTuple

from veridical.records import Box


class Placed(NamedTuple):
    """A thing in a scene: its noun, how it looks, its box in pixels, and the place of the thing that it stands on.

    `on` is `None` for what stands on the floor, hangs on the wall, or lies on the table top of a table scene.
    """

    kind: str
    color: str
    material: str
    size: str
    box: Box
    on: int | None = None


class Setting(NamedTuple):
    """A whole scene of `width` by `height` px: its things from back to front, and the number of its backdrop."""

    kind: Literal["room", "table"]
    width: int
    height: int
    things: tuple[Placed, ...]
    backdrop: int
