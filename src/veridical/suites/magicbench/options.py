"""What a set of MagicBench, and one for authoring, can be asked to hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from veridical.base.options import Options, Recipe

Hand = Literal["right hand", "left hand"]
Peek = Annotated[float, Field(ge=0.3, le=1)]
Front = Literal["none", "glass", "candle"]
PEEKS: tuple[Peek, ...] = (0.6, 1.0, 0.3)
HANDS: tuple[Hand, ...] = ("right hand", "left hand")
FRONTS: tuple[Front, ...] = ("none", "glass", "candle")
CYCLE = len(PEEKS) * len(HANDS) * len(FRONTS)
"""How many units of a family have each grade of the tell with each acting hand and each occluder once."""


class MagicBenchOptions(Options):
    """Which tricks, how hard they are to see through, and how their clips are made."""

    tricks: tuple[str, ...] | None = Field(None, description="Families of tricks. Default: all.")
    peeks: tuple[Peek, ...] = Field(PEEKS, min_length=1, description="How much of the tell shows, 0.3 to 1, in turn.")
    hands: tuple[Hand, ...] = Field(HANDS, min_length=1, description="Hands that do the secret move, in turn.")
    occluders: tuple[Front, ...] = Field(FRONTS, min_length=1, description="What stands in front, in turn.")
    height: int = Field(360, ge=180, le=1080, multiple_of=4, description="Height of the clips in px; they are 16:9.")
    rate: int = Field(24, ge=10, le=60, description="Frames per second.")


DEMO: Mapping[str, Any] = {"units": 5, "height": 180, "rate": 12, "tricks": ("cups", "coin", "lapping", "levitation")}
"""The options of the sets of the demonstration."""

RECIPES = {
    "balanced": Recipe(
        values={"units": CYCLE},
        note="Each family equally often, with each grade of the tell, acting hand and occluder; each trick with its "
        "honest control, and words of every kind over both.",
    ),
    "quick": Recipe(
        values={"units": 3},
        note="A first look at every family of tricks, from which the embedded observers get their names.",
    ),
}


class MagicAnnotateOptions(Options):
    """The options of every suite; nothing is drawn, `veridical import magic-clips` makes the sets."""


ANNOTATE_RECIPES = {
    "balanced": Recipe(note="Nothing is drawn: `veridical import magic-clips FOLDER` takes real clips.")
}
