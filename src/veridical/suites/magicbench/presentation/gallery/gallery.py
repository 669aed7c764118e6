"""The gallery and the contact sheet: every family of tricks beside its honest control, in frames a person must see."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from veridical.base.files import check_stems
from veridical.errors import InputError
from veridical.media.draw import Item, Patch, Scene, area_fit, rasterise
from veridical.media.figures.render import Pixels
from veridical.records import Chunk
from veridical.report.gallery.page import (
    INK,
    SOFT,
    WHITE,
    PlateGroup,
    PlatePicture,
    Strip,
    frame,
    line_of_text,
    write_plates,
)
from veridical.suites.magicbench.make import Performance
from veridical.suites.magicbench.options import MagicBenchOptions
from veridical.suites.magicbench.stimuli import COMPONENTS, HONEST, TRICK, TYPES
from veridical.suites.magicbench.tricks.film import TimedBox as Row
from veridical.suites.magicbench.tricks.film import TrickFilm
from veridical.suites.magicbench.tricks.trick import FAMILIES

CRITICAL, PLACEBO = (224, 40, 40), (60, 120, 230)
"""The colors of the critical and of the placebo box."""


def performance(family: str, height: int, seed: int = 0, index: int = 0) -> Performance:
    """One unit of a family, at its first levels of all that takes turns."""
    return Performance(MagicBenchOptions.model_validate({"seed": seed, "height": height}), Chunk(family, index))


def times(own: Performance) -> tuple[float, ...]:
    """Six times in seconds: the start, the begin and the middle of the secret, the tell, the cover, and the end."""
    log, tell = own.films[TRICK].log, own.seen[TRICK].tell or own.films[TRICK].log.secret
    middles = (sum(span) / 2 for span in (log.secret, tell, log.cover))
    return (0.0, log.secret[0], *sorted(middles), log.seconds - 0.1)


def shots(film: TrickFilm, at: tuple[float, ...], boxes: tuple[Row, ...] = (), others: tuple[Row, ...] = ()) -> Pixels:
    """Frames side by side with white between them; critical and placebo boxes are drawn where a time is in them."""
    pictures = []
    for time in at:
        pixels = film.picture(min(film.clock.frame(time), film.clock.frames - 1)).copy()
        for rows, color in ((boxes, CRITICAL), (others, PLACEBO)):
            if rows and rows[0].time <= time <= rows[-1].time:
                _frame(pixels, min(rows, key=lambda row: abs(row.time - time)), color)
        pictures.append(np.pad(pixels, ((0, 0), (0, 4), (0, 0)), constant_values=255))
    return np.concatenate(pictures, 1)[:, :-4]


def _frame(pixels: Pixels, row: Row, color: tuple[int, int, int]) -> None:
    """Draw the outline of a box, two pixels wide."""
    x0, y0, x1, y1 = (round(each) for each in row[1:])
    for across, along in (
        (slice(y0, y0 + 2), slice(x0, x1)),
        (slice(y1 - 2, y1), slice(x0, x1)),
        (slice(y0, y1), slice(x0, x0 + 2)),
        (slice(y0, y1), slice(x1 - 2, x1)),
    ):
        pixels[across, along] = color


@dataclass(frozen=True, slots=True)
class FamilyPlate:
    """One unit of a family, as a trick and as its control."""

    name: str
    title: str
    number: int
    category: str
    effect: str
    window: str
    giveaway: str
    props: str
    thumbnail: PlatePicture
    strips: tuple[Strip, ...]
    words: tuple[tuple[str, str], ...]
    atoms: tuple[str, ...]

    @property
    def pictures(self) -> Iterator[PlatePicture]:
        yield self.thumbnail
        yield from (strip.picture for strip in self.strips)


def plate(family: str, number: int, *, size: int, seed: int) -> FamilyPlate:
    """The first unit of a family; frames are `size` px wide."""
    own = performance(family, size * 9 // 16 // 4 * 4, seed)
    trick, base, seen, at = own.trick, own.base, own.seen[TRICK], times(own)
    texts = {name: trick.text(getattr(trick, name), base) for name in ("principle", "control", "effect", "giveaway")}
    film, control = own.films[TRICK], own.films[HONEST]
    rows = (
        ("Trick", texts["principle"], shots(film, at)),
        ("Honest control", texts["control"], shots(control, at)),
        ("Critical and placebo box", "red and blue", shots(film, at, seen.critical, seen.placebo)),
    )
    strips = tuple(
        Strip(title, shows, frame(f"png/{family}/{place}.png", f"{trick.title}: {title}", pixels))
        for place, (title, shows, pixels) in enumerate(rows, 1)
    )
    still = film.picture(film.clock.frame(at[2]))
    patter = own.patter[TRICK]
    return FamilyPlate(
        name=family,
        title=trick.title,
        number=number,
        category=trick.category,
        effect=texts["effect"],
        window=f"{seen.window[0]:.2f} to {seen.window[1]:.2f} s",
        giveaway=texts["giveaway"],
        props=", ".join(trick.present(base)),
        thumbnail=frame(f"png/{family}/thumbnail.png", trick.title, still),
        strips=strips,
        words=tuple((name, patter[name]["text"] or "nothing is said") for name in (*TYPES, *COMPONENTS)),
        atoms=tuple(atom["text"] for atom in own.atoms[TRICK]),
    )


def write_gallery(folder: Path, *, size: int = 320, seed: int = 0) -> Path:
    """The path of `index.html` in the folder, after it and the PNG of each strip were written there.

    Shown is one unit of every family as a trick and as its control; frames are `size` px wide. Raises `InputError` for
    a number out of range, or a folder that is neither new, empty nor a former gallery.
    """
    if not 320 <= size <= 1280 or seed < 0:
        raise InputError(f"gallery of frames of {size} px, seed {seed}: allowed are 320 to 1280 px, and seeds from 0")
    check_stems("family", FAMILIES)

    def groups() -> list[PlateGroup]:
        plates = [plate(family, number, size=size, seed=seed) for number, family in enumerate(FAMILIES, 1)]
        return [PlateGroup("tricks", "Tricks", plates)]

    return write_plates(folder, __package__, "png", groups, size=size, seed=seed)


_GAP, _HEAD, _DRAWN = 4, 30, 360


def contact_sheet(families: Sequence[str], *, width: int = 192, seed: int = 0) -> NDArray[np.uint8]:
    """One picture, shape (height, width, 3), uint8: six frames of each family's trick, and of its control below.

    Frames are `width` px wide. Raises `InputError` without a family, or for a number out of range.
    """
    if not families or not 64 <= width <= 640 or seed < 0:
        raise InputError(
            f"contact sheet of {len(families)} families, frames of {width} px, seed {seed}: allowed are 1 family or "
            "more, frames of 64 to 640 px, seeds from 0"
        )
    height = width * 9 // 16 // 4 * 4
    items: list[Item] = []
    across, y = 0, 0
    for place, family in enumerate(families):
        own = performance(family, _DRAWN, seed, place)
        rows = [_smaller(shots(own.films[variant], times(own)), height) for variant in (TRICK, HONEST)]
        across = max(across, rows[0].shape[1])
        items.append(line_of_text(own.trick.title, _GAP, y + _HEAD - 9, 13, 0.4 * across, INK))
        text = own.trick.text(own.trick.principle, own.base)
        items.append(line_of_text(text, _GAP + 0.4 * across, y + _HEAD - 9, 11, 0.58 * across, SOFT))
        for line, pixels in enumerate(rows):
            items.append(Patch(_GAP, y + _HEAD + line * (rows[0].shape[0] + _GAP), pixels))
        y += _HEAD + 2 * (rows[0].shape[0] + _GAP)
    return rasterise(Scene(across + 2 * _GAP, y + _GAP, WHITE, tuple(items)))


def _smaller(pixels: NDArray[np.uint8], height: int) -> NDArray[np.uint8]:
    return area_fit(pixels, pixels.shape[1] * height // pixels.shape[0], height)
