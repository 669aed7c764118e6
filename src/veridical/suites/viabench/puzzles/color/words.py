"""Pseudo-isochromatic plates with a short word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from veridical.media.draw import Scene
from veridical.suite.nuisances import Nuisances
from veridical.suites.viabench.puzzles.color.dots import Field, field_scene, read_text
from veridical.suites.viabench.puzzles.color.plates import field_of
from veridical.suites.viabench.puzzles.puzzle import Pixels, Puzzle, Variant

_EM, _HEIGHT = 0.82, 0.56
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
class Word:
    """The nuisances of a plate with a word: its field, and which set of words it is from."""

    field: Field
    group: int


def _sample(nuisances: Nuisances, grade: int) -> Word:
    group = nuisances.one_of(range(len(_WORDS)))
    return Word(field_of(nuisances, grade, _HEIGHT, _EM), group)


def _draw(word: Word, answer: str, variant: Variant) -> tuple[Scene]:
    return (field_scene(word.field, answer, by_lightness=variant == "ordinary"),)


def _read(pictures: Sequence[Pixels], answers: Sequence[str]) -> str | None:
    """The word whose letters cover the dots of the rarer hue."""
    return read_text(pictures[0], answers, _EM)


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
    sample=_sample,
    answers=lambda word: _WORDS[word.group],
    draw=_draw,
    usual=lambda word, answer, variant: None,  # noqa: ARG005
    read=_read,
)
