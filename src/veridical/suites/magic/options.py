"""What a set of MagiC can be asked to hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from veridical.base.options import Options, Recipe

SceneKind = Literal["room", "table"]
KINDS: tuple[SceneKind, ...] = ("room", "table")


class MagicOptions(Options):
    """Which scenes, and how large their pictures are."""

    scenes: tuple[SceneKind, ...] = Field(KINDS, min_length=1, description="Kinds of scenes.")
    width: int = Field(640, ge=480, le=1920, multiple_of=4, description="Width of the pictures in px; they are 4:3.")


DEMO: Mapping[str, Any] = {"units": 4}
"""The options of the sets of the demonstration."""

RECIPES = {
    "balanced": Recipe(
        note="Rooms and table tops, each with a question of every type; every answer is right equally often."
    ),
    "quick": Recipe(values={"units": 10}, note="A first look: ten scenes of each kind."),
}
