"""What a set of HOCA-Bench can be asked to hold, and one for annotation, for which nothing is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field

from veridical.base.options import Options, Recipe
from veridical.media.figures.style import CAMERAS, STYLES, Camera, Style


class HOCABenchOptions(Options):
    """Which anomalies, and how their clips are made."""

    sub_types: tuple[str, ...] | None = Field(
        None, description="Sub-types of the taxonomy, or whole domains. Default: all eighteen."
    )
    scenes: tuple[str, ...] | None = Field(None, description="Only these scenes. Default: all.")
    styles: tuple[Style, ...] = Field(STYLES, min_length=1, description="Styles of drawing, in turn.")
    cameras: tuple[Camera, ...] = Field(CAMERAS, min_length=1, description="Still or drifting cameras, in turn.")
    panels: int = Field(
        12, ge=0, description="Number of clips with two or three anomalies at a time; none with fewer than four scenes."
    )
    sequences: int = Field(
        12,
        ge=0,
        description="Number of clips whose anomalous intervals are to be found; none with fewer than three scenes.",
    )
    height: int = Field(360, ge=180, le=1080, multiple_of=4, description="Height of the clips in px; they are 16:9.")
    rate: int = Field(24, ge=10, le=60, description="Frames per second.")
    seconds: float = Field(4.0, ge=4.0, le=10.0, description="Duration of a clip, in seconds.")


DEMO: Mapping[str, Any] = {"units": 3, "height": 180, "rate": 10, "panels": 1, "sequences": 3}
"""The options of the sets of the demonstration."""

RECIPES = {
    "balanced": Recipe(
        note="Each sub-type equally often: a violating clip, its plausible control and, for many, an explained control."
    ),
    "quick": Recipe(values={"units": 2, "panels": 4, "sequences": 4}, note="A first look at every sub-type."),
}


class HocaAnnotateOptions(Options):
    """The options of every suite; `veridical import videos` makes the sets of this one."""


ANNOTATE_RECIPES = {"balanced": Recipe(note="Nothing is drawn: `veridical import videos FOLDER` takes your clips.")}
