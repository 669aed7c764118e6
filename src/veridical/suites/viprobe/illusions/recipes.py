"""Named designs: how many base items, which strengths, which pictures."""

from __future__ import annotations

from veridical.stimulus_set import Recipe

RECIPES = {
    "balanced": Recipe(
        units=10,
        levels=10,
        note="Every nuisance varies from unit to unit; sides and directions are counterbalanced; all picture types.",
    ),
    "paper": Recipe(
        units=11,
        levels=10,
        variants=("O", "P", "OC", "PC", "OH", "PH"),
        size=512,
        fixed=True,
        note=(
            "The published design, base scales x strengths: 11 x 10 for size, 10 x 10 for colour, 11 x 10 for "
            "orientation, so 290 originals and 2,900 perturbed pictures of each type, on our exact geometry. What each "
            "case deliberately does not reproduce stands in its record."
        ),
    ),
    "quick": Recipe(
        units=2, levels=4, variants=("O", "P", "OC", "PC"), note="A first look: two units, four strengths, no hints."
    ),
}
