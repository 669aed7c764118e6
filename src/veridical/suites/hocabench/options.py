"""What a set of HOCA-Bench can be asked to hold, and one for annotation, for which nothing is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, Self

from pydantic import Field, model_validator

from veridical.base.options import Options, Recipe
from veridical.errors import InputError
from veridical.media.figures.style import CAMERAS, STYLES, Camera

Drawing = Literal["flat", "shaded", "textured", "rendered"]
_LEAST_DRAWN: Final = 180


class HOCABenchOptions(Options):
    """Which anomalies, and how their clips are made."""

    sub_types: tuple[str, ...] | None = Field(
        None, description="Sub-types of the taxonomy, or whole domains. Default: all eighteen."
    )
    scenes: tuple[str, ...] | None = Field(None, description="Only these scenes. Default: all.")
    styles: tuple[Drawing, ...] = Field(
        STYLES, min_length=1, description="Styles of drawing, in turn; rendered ones are in three dimensions."
    )
    cameras: tuple[Camera, ...] = Field(CAMERAS, min_length=1, description="Still or drifting cameras, in turn.")
    panels: int = Field(
        12, ge=0, description="Number of clips with two or three anomalies at a time; none with fewer than four scenes."
    )
    sequences: int = Field(
        12,
        ge=0,
        description="Number of clips whose anomalous intervals are to be found; none with fewer than three scenes.",
    )
    height: int = Field(
        360,
        ge=90,
        le=1080,
        multiple_of=2,
        description="Height of the clips in px; they are 16:9. Drawn ones: from 180.",
    )
    rate: int = Field(24, ge=10, le=60, description="Frames per second.")
    seconds: float = Field(4.0, ge=4.0, le=10.0, description="Duration of a clip, in seconds.")
    renderer: Literal["mujoco", "mitsuba"] | None = Field(
        None, description="What renders clips in three dimensions: mujoco is quick, mitsuba traces light."
    )
    draft: bool | None = Field(
        None, description="Render pictures in one pass, not 16 (mujoco) or 4 (mitsuba): coarse, but sooner."
    )

    @model_validator(mode="before")
    @classmethod
    def _complete(cls, stated: Mapping[str, Any]) -> Mapping[str, Any]:
        """Renderer and passes are stated of sets with rendered clips, and of no others."""
        own = {name: stated.get(name) for name in ("renderer", "draft")}
        if "rendered" in (stated.get("styles") or ()):
            return {**stated, "renderer": own["renderer"] or "mujoco", "draft": bool(own["draft"])}
        for name, value in own.items():
            if value is not None and value is not False:
                raise InputError(f"--{name} is for rendered clips: add --styles rendered, or leave it out")
        return {**stated, **dict.fromkeys(own)}

    @model_validator(mode="after")
    def _large_enough(self) -> Self:
        """In drawings that are smaller, a cause of an odd event is too small for a check of the clip to see it."""
        if self.height < _LEAST_DRAWN and set(self.styles) != {"rendered"}:
            raise InputError(
                f"--height {self.height} is for rendered clips alone: drawn ones are {_LEAST_DRAWN} to 1080 px high"
            )
        return self


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
