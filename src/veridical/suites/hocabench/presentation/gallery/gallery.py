"""The gallery: one page that shows every event of every scene, beside a folder of pictures."""

from __future__ import annotations

from pathlib import Path

from veridical.errors import InputError
from veridical.report.files import check_stems
from veridical.report.gallery.folder import former, write
from veridical.report.gallery.page import Group, render
from veridical.suites.hocabench.physics.scenes import SCENES
from veridical.suites.hocabench.presentation.gallery.plates import plate
from veridical.suites.hocabench.taxonomy import DOMAINS, SUB_TYPES


def write_gallery(folder: Path, *, size: int = 256, seed: int = 0) -> Path:
    """The path of `index.html` in the folder, after it and the PNG of each strip were written there.

    Shown is one unit of every event in each of its courses; frames are `size` px wide. Raises `InputError` for a number
    out of range, or a folder that is neither new, empty nor a former gallery.
    """
    if not 128 <= size <= 1280 or seed < 0:
        raise InputError(f"gallery of frames of {size} px, seed {seed}: allowed are 128 to 1280 px, and seeds from 0")
    check_stems("scene", SCENES)
    old = former(folder, "png")
    events = [
        (scene, event)
        for name in SUB_TYPES
        for scene in SCENES.values()
        for event in scene.events
        if event.sub_type == name
    ]
    plates = [plate(scene, event, number, size=size, seed=seed) for number, (scene, event) in enumerate(events, 1)]
    groups = [
        Group(
            domain.name,
            f"{domain.title} ({domain.layer})",
            [each for each in plates if SUB_TYPES[each.event.sub_type].domain == domain.name],
        )
        for domain in DOMAINS.values()
    ]
    page = render(__package__, groups, size=size, seed=seed, scenes=len(SCENES), sub_types=len(SUB_TYPES))
    pictures = ((picture.file, picture.data) for each in plates for picture in each.pictures)
    return write(folder, page, pictures, old)
