"""A suite of somebody else's: options of every type, some named like a verb's own flags, and no commands."""

from typing import Literal

from pydantic import Field

from veridical.base.options import Options, Recipe
from veridical.suite.record import Suite


class OtherOptions(Options):
    tempo: float = Field(1.5, gt=0, description="Speed.")
    loud: bool = Field(False, description="Whether there is sound.")
    color: Literal["red", "green"] = Field("red", description="Color of the ball.")
    sizes: tuple[int, ...] = Field((1, 2), description="Sizes.")
    names: list[str] | None = Field(None, description="Names.")
    weights: dict[str, float] = Field({}, description="Weights by name.")
    long_name: str = Field("x", description="A name of two words.")
    limit: int = Field(7, description="Has the name of an option of a run.")
    out: str = Field("home", description="Has the name of an option of make.")


RECIPES = {
    "calm": Recipe(note="Slow and quiet.", values={"tempo": 0.5}),
    "wild": Recipe(note="Fast and loud.", values={"tempo": 9.0, "loud": True, "sizes": (8, 9)}, fixed=("loud",)),
}
_MISSING = "tests.cli.elsewhere:MISSING"
SUITE = Suite(
    name="elsewhere",
    title="Elsewhere: balls that somebody else throws",
    citation="Nobody 2026",
    parts={
        "options": "tests.cli.elsewhere:OtherOptions",
        "recipes": "tests.cli.elsewhere:RECIPES",
        **dict.fromkeys(("design", "asking", "analysis"), _MISSING),
    },
)
