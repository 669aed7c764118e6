"""How moving pictures are drawn and filmed."""

from typing import Literal

Style = Literal["flat", "shaded", "textured"]
STYLES: tuple[Style, ...] = ("flat", "shaded", "textured")
Camera = Literal["still", "drifting"]
CAMERAS: tuple[Camera, ...] = ("still", "drifting")
