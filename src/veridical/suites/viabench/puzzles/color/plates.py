"""Pseudo-isochromatic plates: a number or a word in dots that differ from their ground in hue alone."""

from __future__ import annotations

from veridical.media.draw import Scene
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles.color.dots import DotField, field_scene, read_text
from veridical.suites.viabench.puzzles.puzzle import Puzzle, Variant

_EM = 1.16
_WORD_EM, _WORD_HEIGHT = 0.82, 0.56
_ALIKE = ("38", "68", "56", "17", "27", "89", "35", "49", "23", "58")
_WORDS = (
    ("CAT", "CAR", "CUT", "CUP"),
    ("SUN", "SON", "RUN", "RAN"),
    ("BED", "BAD", "BEE", "BET"),
    ("HAT", "HOT", "HUT", "HAY"),
    ("PEN", "PIN", "PAN", "TEN"),
    ("DOG", "DIG", "FOG", "FIG"),
    ("TOP", "TIP", "TAP", "TOY"),
    ("SEA", "TEA", "SET", "TEN"),
)


class Plate(BaseItem):
    """The nuisances of a plate: its field, and two digits for each place of its number."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.tens, self.ones = nuisances.one_of(_ALIKE), nuisances.one_of(_ALIKE)
        self.field = DotField(nuisances, grade, 0.0, _EM)


class WordPlate(BaseItem):
    """The nuisances of a plate with a word: its field, and which set of words it is from."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.group = nuisances.one_of(range(len(_WORDS)))
        self.field = DotField(nuisances, grade, _WORD_HEIGHT, _WORD_EM)


def _draw(plate: Plate | WordPlate, answer: str, variant: Variant) -> tuple[Scene]:
    return (field_scene(plate.field, answer, by_lightness=variant == "ordinary"),)


PLATES = Puzzle(
    name="plates",
    title="Plate with a number",
    category="color",
    capability="color",
    sees="dots of mixed lightness; a number stands in them by hue alone",
    truth="the number whose digits the dots of one hue fill",
    source="ours, after Ishihara 1917",
    graded="less chroma and a smaller difference in hue: from 210 down to 72 degrees",
    question="Which number do the dots in the image form?",
    sample=Plate,
    answers=lambda plate: tuple(sorted(a + b for a in plate.tens for b in plate.ones)),
    draw=_draw,
    read=lambda pictures, answers: read_text(pictures[0], answers, _EM),
)

WORDS = Puzzle(
    name="words",
    title="Plate with a word",
    category="color",
    capability="color",
    sees="dots of mixed lightness; a word stands in them by hue alone",
    truth="the word whose letters the dots of one hue fill",
    source="ours, after Ishihara 1917, with words as in Gao et al. 2025",
    graded="less chroma and a smaller difference in hue: from 210 down to 72 degrees",
    question="Which word do the dots in the image form?",
    sample=WordPlate,
    answers=lambda word: _WORDS[word.group],
    draw=_draw,
    read=lambda pictures, answers: read_text(pictures[0], answers, _WORD_EM),
)
