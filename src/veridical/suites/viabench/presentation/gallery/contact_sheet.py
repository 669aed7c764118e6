"""All puzzles in one picture: of each an illusion or anomaly that shows another answer than it suggests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from veridical.base.options import parsed
from veridical.errors import InputError
from veridical.media.draw import Item, Scene, area_resize, rasterise
from veridical.report.gallery.page import INK, SOFT, WHITE, framed_picture, line_of_text
from veridical.suites.viabench.options import CATEGORIES, CODES, VIABenchOptions
from veridical.suites.viabench.puzzles.make import sampled
from veridical.suites.viabench.puzzles.puzzle import GRADES, VARIANTS, Pixels, Puzzle

_TITLE, _CAPTION, _HEAD, _LINE, _GAP = 0.11, 0.09, 0.22, 0.16, 0.1


def contact_sheet(puzzles: Sequence[Puzzle], *, columns: int = 8, tile: int = 190, seed: int = 0) -> NDArray[np.uint8]:
    """One picture of the puzzles in rows by category, shape (height, width, 3), uint8, each with its title below it.

    A category begins a row unless all of it fits into the rest of one. Each picture stands in a square of `tile` px,
    reduced by area from 512 px, or from `tile` where that is more. Raises `InputError` without a puzzle, or for a
    number out of range.
    """
    if not puzzles or columns < 1 or not 64 <= tile <= 1024 or seed < 0:
        raise InputError(
            f"contact sheet of {len(puzzles)} puzzles in {columns} columns, tile {tile}, seed {seed}: "
            "allowed are 1 puzzle or more, 1 column or more, tiles of 64 to 1024 px, seeds from 0"
        )
    gap, head, line = (round(tile * share) for share in (_GAP, _HEAD, _LINE))
    items: list[Item] = []
    last = 0
    for row, column, category, puzzle in _places(puzzles, columns):
        x, y = gap + column * (tile + gap), row * (head + tile + line) + head
        if category:
            title = f"{category[0].upper()}{category[1:]} ({CODES[puzzle.category]})"
            items.append(line_of_text(title, x, y - 0.36 * head, _TITLE * tile, 2 * tile, INK))
        items += framed_picture(area_resize(_picture(puzzle, max(512, tile), seed), tile), x, y, tile)
        items.append(line_of_text(puzzle.title, x, y + tile + 0.72 * line, _CAPTION * tile, tile, SOFT))
        last = row
    across = gap + min(columns, len(puzzles)) * (tile + gap)
    return rasterise(Scene(across, (last + 1) * (head + tile + line) + gap, WHITE, tuple(items)))


def _places(puzzles: Sequence[Puzzle], columns: int) -> Iterator[tuple[int, int, str, Puzzle]]:
    """Row and column of each puzzle, and the title of its category where that begins."""
    place = 0
    for category, title in CATEGORIES.items():
        members = [puzzle for puzzle in puzzles if puzzle.category == category]
        if place % columns + len(members) > columns:
            place += -place % columns
        for index, puzzle in enumerate(members):
            yield *divmod(place, columns), "" if index else title, puzzle
            place += 1


def _picture(puzzle: Puzzle, size: int, seed: int) -> Pixels:
    """The first picture of the easiest unit that shows another answer than it suggests, the last such answer."""
    options = parsed(VIABenchOptions, {"size": size, "seed": seed})
    base = next(base for base, grade, _ in (sampled(puzzle, options, k) for k in range(len(GRADES))) if grade == 1)
    unusual = [answer for answer in puzzle.answers(base) if VARIANTS[0] in puzzle.variants(base, answer)]
    other = [answer for answer in unusual if puzzle.usual(base, answer, VARIANTS[0]) not in (None, answer)]
    drawn = puzzle.draw(base, (other or unusual)[-1], VARIANTS[0])[0]
    return rasterise(drawn) if isinstance(drawn, Scene) else drawn
