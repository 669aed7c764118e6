"""`python -m docs.pages.sheets` draws the contact sheets of the README and of the gallery's page anew, into docs/."""

from __future__ import annotations

import io
import sys

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from docs.pages import FOLDER
from veridical.base.files import write_whole
from veridical.suites.hocabench.physics.rendering.view import RENDERED
from veridical.suites.hocabench.physics.scene_index import hosts
from veridical.suites.hocabench.presentation.gallery import gallery as hocabench
from veridical.suites.hocabench.taxonomy import SUB_TYPES
from veridical.suites.magic.presentation.gallery import gallery as magic
from veridical.suites.magic.scenes.kinds import KINDS
from veridical.suites.magicbench.presentation.gallery import gallery as magicbench
from veridical.suites.magicbench.tricks.trick import FAMILIES
from veridical.suites.viabench.presentation.gallery import gallery as viabench
from veridical.suites.viabench.puzzles import PUZZLES
from veridical.suites.viprobe.illusions import CASES
from veridical.suites.viprobe.presentation.gallery import gallery as viprobe


def cases() -> bytes:
    """The classic figures of VI-Probe as a PNG."""
    return _png(viprobe.contact_sheet([case for case in CASES.values() if not case.novel], tile=190))


def puzzles() -> bytes:
    """The puzzles of VIA-Bench as a PNG of 256 colors, a quarter as long as one of all colors."""
    return _png(viabench.contact_sheet(list(PUZZLES.values())), colors=256)


def events() -> bytes:
    """The sub-types of HOCA-Bench as a PNG of 256 colors."""
    return _png(hocabench.contact_sheet(list(SUB_TYPES)), colors=256)


def renders() -> bytes:
    """The sub-types of HOCA-Bench in three dimensions as a PNG of 256 colors."""
    names = [name for name in SUB_TYPES if hosts(name, style=RENDERED)]
    return _png(hocabench.contact_sheet(names, columns=4, styles=(RENDERED,)), colors=256)


def drawn_and_rendered() -> bytes:
    """Sub-types of HOCA-Bench drawn and, below, in three dimensions, as a PNG of 256 colors."""
    names = [name for name in ("collision", "gravity", "buoyancy") for _ in range(2)]
    return _png(hocabench.contact_sheet(names, columns=3, width=200, styles=("shaded", RENDERED)), colors=256)


def nouns() -> bytes:
    """The nouns of MagiC and scenes of them as a PNG of 256 colors."""
    return _png(magic.contact_sheet(list(KINDS.values())), colors=256)


def tricks() -> bytes:
    """The families of tricks of MagicBench as a PNG of 256 colors."""
    return _png(magicbench.contact_sheet(FAMILIES), colors=256)


SHEETS = {
    "contact-sheet.png": cases,
    "contact-sheet-viabench.png": puzzles,
    "contact-sheet-hocabench.png": events,
    "contact-sheet-rendered.png": renders,
    "drawn-and-rendered.png": drawn_and_rendered,
    "contact-sheet-magic.png": nouns,
    "contact-sheet-magicbench.png": tricks,
}


def _png(pixels: NDArray[np.uint8], colors: int | None = None) -> bytes:
    image = Image.fromarray(pixels)
    if colors is not None:
        # Without k-means, grays that are to look alike get different tints.
        image = image.quantize(colors, kmeans=1, dither=Image.Dither.NONE)
    file = io.BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()


if __name__ == "__main__":
    for name, draw in SHEETS.items():
        path = write_whole(FOLDER.parent / name, draw())
        sys.stdout.write(f"{path.name}: {path.stat().st_size:,} bytes\n")
