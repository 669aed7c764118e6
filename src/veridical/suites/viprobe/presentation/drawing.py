"""What VI-Probe's figures share: a drawing made to an SVG document, colors, and a grid of small panels."""

from __future__ import annotations

from typing import Any

CONTEXT_COLOURS = {"figure": "#b5482f", "control": "#1f5f99", "clutter": "#7d5ba6", "hint": "#6b6f00"}
"""Of blue, brick, violet and olive each pair differs in lightness as well as in hue."""

SIGNED = "← opposing   α   congruent →"
"""The label of an axis of signed strengths."""


MARKS: dict[str, dict[str, Any]] = {
    "figure": {"color": CONTEXT_COLOURS["figure"], "markerfacecolor": "white", "markersize": 5.5, "linewidth": 2.2},
    "control": {"color": CONTEXT_COLOURS["control"], "markersize": 2.6, "linewidth": 1.2},
    "clutter": {"color": CONTEXT_COLOURS["clutter"], "markersize": 3.0, "linewidth": 1.0},
    "hint": {"color": CONTEXT_COLOURS["hint"], "markersize": 3.5, "linewidth": 1.0},
}
"""Figures are drawn first, wide and hollow, so that controls that coincide with them leave both to be seen."""

SHAPES = {"figure": "o", "control": "s", "clutter": "d", "hint": "^"}
LINES = {"figure": "-", "control": "--", "clutter": "-.", "hint": ":"}
