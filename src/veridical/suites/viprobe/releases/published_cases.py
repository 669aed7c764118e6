"""The 27 published cases of VI-Probe as released: direction of changes, questions, and doubtful labels.

Sun et al. 2026, arXiv:2601.22150. The release has no truth as data, no reversed questions and no directions of the
illusions; they are stated here. A reversed question is the exact complement of the released one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

TYPES = {
    "original": "O",
    "perturbed": "P",
    "original_control": "OC",
    "perturbed_control": "PC",
    "original_with_guide": "OH",
    "perturbed_with_guide": "PH",
}
"""Picture types by their name in folders and tables of the release."""

_CHANGED = ("P", "PC", "PH")
_CONTROLS = ("OC", "PC")
_HINTED = ("OH", "PH")
_SIZE = range(1, 12)
_NO_TARGETS_LEFT = (12, 13, 14, 17, 18)
_FINE = 0.1


@dataclass(frozen=True, slots=True)
class PublishedCase:
    """One published case.

    `sign` is that of a change of strength (above 1: positive) in the direction of the illusion, `None` for an illusion
    without direction; `side` names the target that changes, `None` if all do. `state` completes "the targets are ..."
    for the unchanged figure, `measurand` "measure ...".
    """

    number: int
    name: str
    sign: int | None
    side: str | None
    state: str
    measurand: str
    question_reversed: str

    @property
    def category(self) -> str:
        """What changes: size, color or orientation."""
        return "size" if self.number in _SIZE else "color" if self.number <= 18 else "orientation"

    @property
    def yes_if_unchanged(self) -> bool:
        """Whether the answer to the forward question about the unchanged figure is yes."""
        return self.number not in (15, 16)

    def label(self, variant: str) -> str | None:
        """The true answer to the forward question, "1" or "0"; `None` for a control that changes the question."""
        if not self.yes_if_unchanged and variant in _CONTROLS:
            return None
        return str(int((variant in _CHANGED) != self.yes_if_unchanged))

    def alpha(self, variant: str, strength: float) -> float:
        """The signed strength in [-1, 1] of a multiplier from 0.5 to 1.5; positive in the direction of the illusion.

        >>> CASES[1].alpha("P", 1.2), CASES[25].alpha("P", 1.5), CASES[1].alpha("O", 1.0)
        (0.4, -1.0, 0.0)
        """
        return round((self.sign or 1) * (strength - 1) / 0.5, 4) + 0.0 if variant in _CHANGED else 0.0

    def doubts(self, variant: str, strength: float) -> Iterator[str]:
        """Reasons to doubt the label of such a picture, or its comparison with controls."""
        for numbers, variants, doubt in _DOUBTS:
            if self.number in numbers and variant in variants:
                yield doubt
        if self.number in _SIZE and variant in _CHANGED and abs(strength - 1) < _FINE - 1e-9:
            yield "a change of less than a tenth may be lost, since the release rounds to whole pixels"

    def shows_targets(self, variant: str) -> bool:
        """Whether the targets can be measured: some hints are painted over them."""
        return not (variant in _HINTED and self.number in _NO_TARGETS_LEFT)


_ALL = tuple(TYPES.values())
_DOUBTS: tuple[tuple[Collection[int], tuple[str, ...], str], ...] = (
    ((21, 22), _CHANGED, "the question is whether lines are straight; they stay straight but are no longer parallel"),
    ((15, 16), _ALL, "whether the unchanged figure has boundaries depends on the meaning of the word"),
    ((15, 16), _CONTROLS, "the control adds gaps between the regions, and its truth is not published"),
    ((15, 16), _CHANGED, "a strength below 1 draws thinner borders, which is no change in the opposite direction"),
    ((17,), _ALL, "the question is about the color of noise; contrast and mean change together"),
    ((26,), _CHANGED, "the slant of the line changes as well and reveals the label by itself"),
    ((19, 20, 27), _CHANGED, "drawn by another rasterizer than the unchanged figure"),
    ((9, 10), _CONTROLS, "one target has another color than in the figure"),
    ((12, 13, 14), _CONTROLS, "the background is black, not the mean of the inducers"),
    ((18,), _CONTROLS, "a weak edge remains: the inducer is not removed"),
    ((23, 24), _CONTROLS, "the poles are black: their contrast differs"),
    ((26,), _CONTROLS, "the gap remains: the inducer is not removed"),
    (_NO_TARGETS_LEFT, _HINTED, "the hint is painted over the targets"),
    ((27,), _HINTED, "the hint removes most of the inducer"),
)

_LINES = "equally long", "the length of each horizontal black line"
_DISCS = "equally large", "the diameter of each filled disc"
_SQUARES = "equally large", "the side of each of the two squares"
_PENTAGONS = "equally large", "the side of each of the two pentagons"
_GAPS = "equally far apart", "the distance from A to B and the distance from B to C"
_SHADE = "of the same colour", "the colour of each of the two targets"
_BANDS = (
    "separated by no line that is drawn there",
    "the shade of any line between two neighbouring regions against the shades on both sides of it",
)
_STRAIGHT = "how far the middle of each {} lies off the straight line between its ends"
_LEVEL = "both straight", _STRAIGHT.format("horizontal line")
_UPRIGHT = "both straight", _STRAIGHT.format("vertical line")
_LEVEL_RED = "all straight", "the course of each horizontal red line"
_UPRIGHT_RED = "all straight", "the course of each vertical red line"
_POLES = "parallel", "the lean of each column"
_LINE_UP = "parts of one straight line", "the line on which each slanted segment lies"
_SIDES = (
    "bounded by straight sides",
    "how far the middle of each side of the squares lies off the straight line between its corners",
)
_NO_BOUNDARY = "Is a boundary line missing between at least one pair of neighbouring regions?"
_NOT_PARALLEL = "Are the two columns not parallel to each other?"
_NOT_IN_LINE = "Do the solid red line and the solid black line fail to form one straight line?"
_OTHER_SHADE = "Away from the middle, do the left and the right area differ in colour?"
_OTHER_GAP = "Is the distance from A to B different from the distance from B to C?"
_CASES = (
    PublishedCase(1, "muller_lyer", 1, "bottom", *_LINES, "Do the two black lines differ in length?"),
    PublishedCase(2, "circle_muller_lyer", 1, "bottom", *_LINES, "Do the two black lines differ in length?"),
    PublishedCase(3, "ponzo", 1, "top", *_LINES, "Do the two black horizontal lines differ in length?"),
    PublishedCase(4, "ponzo_trapezoid", 1, "top", *_LINES, "Do the two black horizontal lines differ in length?"),
    PublishedCase(5, "ebbinghaus", 1, "left", *_DISCS, "Do the two orange discs differ in size?"),
    PublishedCase(6, "ebbinghaus_rectangular", 1, "left", *_DISCS, "Do the two orange discs differ in size?"),
    PublishedCase(7, "delboeuf", 1, "right", *_DISCS, "Do the two filled discs differ in size?"),
    PublishedCase(8, "oppel_kundt", 1, "right", *_GAPS, _OTHER_GAP),
    PublishedCase(9, "irradiation", 1, "left", *_SQUARES, "Do the two squares that are asked about differ in size?"),
    PublishedCase(
        10, "irradiation_pentagon", 1, "left", *_PENTAGONS, "Do the two pentagons that are asked about differ in size?"
    ),
    PublishedCase(11, "circle_ponzo", 1, "right", *_DISCS, "Do the two discs differ in size?"),
    PublishedCase(12, "cornsweet", 1, "left", *_SHADE, "Do the two discs differ in colour?"),
    PublishedCase(13, "simultaneous_contrast", 1, "left", *_SHADE, "Do the two small squares differ in colour?"),
    PublishedCase(14, "munker_white", 1, "left", *_SHADE, "Do the left and the right bars differ in colour?"),
    PublishedCase(15, "mach_band", None, None, *_BANDS, _NO_BOUNDARY),
    PublishedCase(16, "mach_band_case2", None, None, *_BANDS, _NO_BOUNDARY),
    PublishedCase(17, "chubb", 1, "right", *_SHADE, "Do the two textured discs differ in colour?"),
    PublishedCase(18, "cornsweet_case1", 1, "right", *_SHADE, _OTHER_SHADE),
    PublishedCase(19, "hering", 1, None, *_LEVEL, "Is at least one of the two horizontal lines curved?"),
    PublishedCase(20, "hering_vertical", 1, None, *_UPRIGHT, "Is at least one of the two vertical lines curved?"),
    PublishedCase(21, "zollner", 1, None, *_LEVEL_RED, "Is at least one of the horizontal red lines not straight?"),
    PublishedCase(
        22, "zollner_vertical", -1, None, *_UPRIGHT_RED, "Is at least one of the vertical red lines not straight?"
    ),
    PublishedCase(23, "twisted_cord", -1, None, *_POLES, _NOT_PARALLEL),
    PublishedCase(24, "twisted_cord_light", -1, None, *_POLES, _NOT_PARALLEL),
    PublishedCase(25, "poggendorff", -1, "right", *_LINE_UP, _NOT_IN_LINE),
    PublishedCase(26, "poggendorff_horizontal", 1, "top", *_LINE_UP, _NOT_IN_LINE),
    PublishedCase(27, "ehrenstein", None, None, *_SIDES, "Does at least one of the two squares have a curved side?"),
)
CASES = {case.number: case for case in _CASES}
"""The published cases by their number."""
