"""The gallery: one page that shows every puzzle with its questions and its truth, beside a folder of pictures."""

from __future__ import annotations

from pathlib import Path

from veridical.base.files import check_stems
from veridical.base.options import parsed
from veridical.report.gallery.page import Group, former, render, write
from veridical.suites.viabench.options import CATEGORIES, CODES, VIABenchOptions
from veridical.suites.viabench.presentation.gallery.plates import plate
from veridical.suites.viabench.puzzles import PUZZLES


def write_gallery(folder: Path, *, size: int = 320, seed: int = 0) -> Path:
    """The path of `index.html` in the folder, after it and the PNG of each picture were written there.

    Shown is the first unit of every puzzle and grade of difficulty, with each answer and variant, `size` px on the
    longer side, in the same bytes as in a set. Raises `InputError` for a number out of range, or a folder that is
    neither new, empty nor a former gallery.
    """
    parsed(VIABenchOptions, {"size": size, "seed": seed})
    check_stems("puzzle", PUZZLES)
    old = former(folder, "png")
    plates = [plate(puzzle, number, size=size, seed=seed) for number, puzzle in enumerate(PUZZLES.values(), 1)]
    groups = [
        Group(
            name,
            f"{title[0].upper()}{title[1:]} ({CODES[name]})",
            [each for each in plates if each.puzzle.category == name],
        )
        for name, title in CATEGORIES.items()
    ]
    page = render(__package__, groups, size=size, seed=seed)
    pictures = ((picture.file, picture.data) for each in plates for picture in each.pictures)
    return write(folder, page, pictures, old)
