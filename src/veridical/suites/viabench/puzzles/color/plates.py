"""Pseudo-isochromatic plates: a number or a word in dots that differ from their ground in hue alone."""

from __future__ import annotations

from dataclasses import dataclass

from veridical.media.draw import Scene
from veridical.suite.nuisances import Nuisances
from veridical.suites.viabench.puzzles.color.dots import PACKINGS, PAPERS, Field, field_scene, read_text
from veridical.suites.viabench.puzzles.puzzle import Puzzle, Variant

_EM = 1.16
_WORD_EM, _WORD_HEIGHT = 0.82, 0.56
_ALIKE = ("38", "68", "56", "17", "27", "89", "35", "49", "23", "58")
TURNS = ((150.0, 210.0), (95.0, 125.0), (72.0, 86.0))
"""Degrees of hue between text and ground, by grade."""
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


@dataclass(frozen=True, slots=True)
class Plate:
    """The nuisances of a plate: its field, and two digits for each place of its number."""

    field: Field
    tens: str
    ones: str


def field_of(nuisances: Nuisances, grade: int, height: float, em: float) -> Field:
    """A field of dots whose text differs from the ground by the grade's hue angle."""
    size = nuisances.size
    return Field(
        radius=nuisances.between(0.44, 0.475) * size,
        height=height,
        em=em,
        packing=nuisances.one_of(PACKINGS),
        flipped=nuisances.one_of((False, True)),
        hue=nuisances.between(0, 360),
        turn=nuisances.between(*TURNS[grade - 1]) * nuisances.one_of((-1, 1)),
        chroma=nuisances.between(*((36, 40), (33, 37), (31, 34))[grade - 1]),
        paper=nuisances.one_of(PAPERS),
        scatter=nuisances.scatter(),
        size=size,
    )


def _sample(nuisances: Nuisances, grade: int) -> Plate:
    tens, ones = nuisances.one_of(_ALIKE), nuisances.one_of(_ALIKE)
    return Plate(field_of(nuisances, grade, 0.0, _EM), tens, ones)


@dataclass(frozen=True, slots=True)
class Word:
    """The nuisances of a plate with a word: its field, and which set of words it is from."""

    field: Field
    group: int


def _sample_word(nuisances: Nuisances, grade: int) -> Word:
    group = nuisances.one_of(range(len(_WORDS)))
    return Word(field_of(nuisances, grade, _WORD_HEIGHT, _WORD_EM), group)


def _draw(plate: Plate | Word, answer: str, variant: Variant) -> tuple[Scene]:
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
    sample=_sample,
    answers=lambda plate: tuple(sorted(a + b for a in plate.tens for b in plate.ones)),
    draw=_draw,
    usual=lambda plate, answer, variant: None,  # noqa: ARG005
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
    sample=_sample_word,
    answers=lambda word: _WORDS[word.group],
    draw=_draw,
    usual=lambda word, answer, variant: None,  # noqa: ARG005
    read=lambda pictures, answers: read_text(pictures[0], answers, _WORD_EM),
)
