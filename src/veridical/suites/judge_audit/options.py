"""Which items a set for judges holds."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from veridical.base.options import Options, Recipe

Family = Literal["short-answer", "attack"]
Part = Literal["tune", "measure", "fresh"]
FAMILIES: tuple[Family, ...] = ("short-answer", "attack")


class JudgesOptions(Options):
    """Which corpora, and how much of them; nothing is drawn at random, so the seed changes nothing."""

    units: int = Field(1000, ge=1, le=1000, description="Most items of each kind.")
    corpora: tuple[Family, ...] = Field(FAMILIES, description="Corpora: short-answer, attack.")
    part: Part = Field("measure", description="Part of the short answers: tune, measure, fresh.")


RECIPES = {
    "balanced": Recipe(note="The short answers to measure on, and all attacks."),
    "answers": Recipe(note="Labeled short answers.", values={"corpora": ("short-answer",)}, fixed=("corpora",)),
    "attacks": Recipe(
        note="Replies that try to sway a judge, and the same without the attempt.",
        values={"corpora": ("attack",)},
        fixed=("corpora",),
    ),
}
