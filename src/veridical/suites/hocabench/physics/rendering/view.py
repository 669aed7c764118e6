"""How a scene in three dimensions is filmed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from veridical.media.figures.style import Camera

RENDERED: Literal["rendered"] = "rendered"
Renderer = Literal["mujoco", "mitsuba"]
PASSES: dict[Renderer, int] = {"mujoco": 16, "mitsuba": 4}
"""From how many passes a renderer makes a picture: all of MuJoCo's are averaged, Mitsuba's are freed of noise."""
DRAFT = 1


@dataclass(frozen=True, slots=True)
class RenderedView:
    """How a stage is filmed: the camera, the height in px, the renderer, and how many passes make a picture."""

    camera: Camera
    height: int
    renderer: Renderer = "mujoco"
    passes: int = PASSES["mujoco"]

    @property
    def style(self) -> Literal["rendered"]:
        """Its name among the styles of drawing."""
        return RENDERED

    @property
    def width(self) -> int:
        """The width in px: even, 16:9."""
        return 2 * round(self.height * 16 / 9 / 2)
