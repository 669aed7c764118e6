"""The gallery: one page that shows every family of tricks, beside a folder of pictures."""

from __future__ import annotations

from pathlib import Path

from veridical.base.files import check_stems
from veridical.errors import InputError
from veridical.report.gallery.page import Group, former, render, write
from veridical.suites.magicbench.presentation.gallery.plates import plate
from veridical.suites.magicbench.tricks.trick import FAMILIES


def write_gallery(folder: Path, *, size: int = 320, seed: int = 0) -> Path:
    """The path of `index.html` in the folder, after it and the PNG of each strip were written there.

    Shown is one unit of every family as a trick and as its control; frames are `size` px wide. Raises `InputError` for
    a number out of range, or a folder that is neither new, empty nor a former gallery.
    """
    if not 320 <= size <= 1280 or seed < 0:
        raise InputError(f"gallery of frames of {size} px, seed {seed}: allowed are 320 to 1280 px, and seeds from 0")
    check_stems("family", FAMILIES)
    old = former(folder, "png")
    plates = [plate(family, number, size=size, seed=seed) for number, family in enumerate(FAMILIES, 1)]
    page = render(__package__, [Group("tricks", "Tricks", plates)], size=size, seed=seed)
    pictures = ((picture.file, picture.data) for each in plates for picture in each.pictures)
    return write(folder, page, pictures, old)
