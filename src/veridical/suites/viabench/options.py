"""What a set of VIA-Bench can be asked to hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from veridical.base.options import Options, Recipe

Category = Literal["anomalies", "color", "motion", "gestalt", "geometric", "general"]
CATEGORIES: dict[Category, str] = {
    "anomalies": "visual anomalies",
    "color": "color illusions",
    "motion": "motion illusions",
    "gestalt": "Gestalt illusions",
    "geometric": "geometric and spatial illusions",
    "general": "general visual illusions",
}
"""The paper's six categories, in the order of its main table."""
CODES = dict(zip(CATEGORIES, ("VA", "CI", "MI", "GI", "GSI", "VI"), strict=True))
"""Their abbreviations in the paper."""


class VIABenchOptions(Options):
    """Which puzzles, and how large their pictures are."""

    puzzles: tuple[str, ...] | None = Field(
        None, description=f"Puzzles, or whole categories: {', '.join(CATEGORIES)}. Default: all."
    )
    size: int = Field(512, ge=256, le=2048, description="Longer side of the pictures in px.")
    written_names: bool = Field(
        False,
        description=(
            "Draw each familiar thing twice, above a blank strip and above its name: does the written name mislead?"
        ),
    )


DEMO: Mapping[str, Any] = {"units": 3, "size": 384}
"""The options of the sets of the demonstration."""

RECIPES = {
    "balanced": Recipe(
        note="Every puzzle with each of its answers, as an illusion or anomaly and as its ordinary counterpart."
    ),
    "quick": Recipe(values={"units": 3}, note="A first look: each puzzle at its three grades of difficulty."),
}
