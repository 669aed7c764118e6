"""What a set of the probe can be asked to hold."""

from __future__ import annotations

from pydantic import Field

from veridical.base.options import Options, Recipe


class ProbeOptions(Options):
    """The options of every suite, and one of its own."""

    units: int = Field(3, ge=1, le=100, description="Base items per family.")
    dots: int = Field(8, ge=2, le=10, description="Most dots in a picture.")


RECIPES = {
    "balanced": Recipe(note="All five families."),
    "quick": Recipe(note="A first look.", values={"units": 2}),
}
