"""The gallery: one page that shows every noun in each of its looks, beside a folder of pictures."""

from __future__ import annotations

from pathlib import Path

from veridical.base.files import check_stems
from veridical.errors import InputError
from veridical.report.gallery.page import Group, former, render, write
from veridical.suites.magic.presentation.gallery.examples import EXAMPLES
from veridical.suites.magic.presentation.gallery.plates import Plate, noun, scene
from veridical.suites.magic.scenes.kinds import KINDS, THEMES


def write_gallery(folder: Path, *, size: int = 80) -> Path:
    """The path of `index.html` in the folder, after it and the PNG of each plate were written there.

    Each noun stands in squares of `size` px, one for each of its looks. Raises `InputError` for a size out of range, or
    a folder that is neither new, empty nor a former gallery.
    """
    if not 48 <= size <= 320:
        raise InputError(f"gallery with squares of {size} px: allowed are 48 to 320 px")
    check_stems("noun", KINDS)
    old = former(folder, "png")
    scenes = [scene(name, number) for number, name in enumerate(EXAMPLES, 1)]
    groups = [Group("scenes", "Scenes", scenes)]
    count = len(scenes)
    for theme, kinds in THEMES.items():
        members = [noun(kind, number, size=size) for number, kind in enumerate(kinds, count + 1)]
        groups.append(Group(theme.replace(" ", "-"), f"{theme[0].upper()}{theme[1:]}", members))
        count += len(members)
    page = render(__package__, groups, size=size, nouns=len(KINDS))
    plates: list[Plate] = [plate for group in groups for plate in group.plates]
    pictures = ((each.file, each.data) for plate in plates for each in (plate.thumbnail, plate.picture))
    return write(folder, page, pictures, old)
