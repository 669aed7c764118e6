"""Odd one out: one letter among many is drawn mirror-reversed."""

from __future__ import annotations

from veridical.media.draw import Polygon, Scene, TextLine, rasterise
from veridical.suite.nuisances import BaseItem, Nuisances
from veridical.suites.viabench.puzzles import shapes
from veridical.suites.viabench.puzzles.gestalt.glyphs import PAINTS
from veridical.suites.viabench.puzzles.gestalt.grid import ASKED, Grid, odd_one_out
from veridical.suites.viabench.puzzles.puzzle import Pixels, Puzzle

_LETTERS = (("F", "R", "4", "G"), ("K", "E", "P", "5", "7"), ("S", "Z", "N", "2"))


class Letters(BaseItem):
    """The nuisances: the letter, its color, and whether each stands on a tile of its own."""

    def __init__(self, nuisances: Nuisances, grade: int) -> None:
        self.letter = nuisances.one_of(_LETTERS[grade - 1])
        self.paint = nuisances.one_of(list(PAINTS))
        self.tiled = nuisances.one_of((True, False))
        self.grid = Grid(nuisances, grade)


def _cell(base: Letters, paint: str, odd: bool) -> Pixels:
    pitch, shade = base.grid.pitch, PAINTS[paint]
    items: list[Polygon | TextLine] = []
    middle = pitch / 2
    if base.tiled:
        low, high, corner = 0.07 * pitch, 0.93 * pitch, 0.16 * pitch
        items = [
            Polygon(shapes.rounded_box(low, low + 0.02 * pitch, high, high + 0.03 * pitch, corner), shade.dark),
            Polygon(shapes.rounded_box(low, low, high, high - 0.02 * pitch, corner), shade.body),
        ]
        middle -= 0.01 * pitch
    color = (255, 255, 255) if base.tiled else shade.dark
    items.append(TextLine((pitch / 2, middle), base.letter, (0.66 if base.tiled else 0.86) * pitch, color))
    cell = rasterise(Scene(pitch, pitch, base.grid.panel, tuple(items)))
    return cell[:, ::-1] if odd else cell


MIRRORED = Puzzle(
    name="mirrored",
    title="One is mirrored",
    capability="shape and orientation",
    sees="a field of equal characters",
    truth="the place of the one that is mirror-reversed",
    source="ours, after Neisser 1963 and Frith 1974: search among mirrored letters",
    graded="characters that differ less from their mirror image, and more and smaller ones",
    question='In which row and column is the "{letter}" that is the wrong way round, as in a mirror?' + ASKED,
    sample=Letters,
    **odd_one_out(_cell),
)
