"""The gallery: one page that shows every noun in each of its looks, beside a folder of pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count, cycle
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from veridical.base.files import check_stems
from veridical.errors import InputError
from veridical.media.draw import Item, Patch, Scene, area_fit, rasterise
from veridical.records import Box
from veridical.report.gallery.page import INK, WHITE, PlateGroup, PlatePicture, frame, line_of_text, write_plates
from veridical.suites.magic.presentation.gallery.examples import EXAMPLES
from veridical.suites.magic.scenes.backdrops import EDGE
from veridical.suites.magic.scenes.kinds import KINDS, MATERIALS, PALETTE, THEMES, ThingKind
from veridical.suites.magic.scenes.layout import PlacedThing, SceneLayout
from veridical.suites.magic.scenes.looks import shows
from veridical.suites.magic.scenes.paint import paint_scene

_GROUND = 5


def every_look(kind: ThingKind, cell: int) -> NDArray[np.uint8]:
    """A noun in all of its materials (rows) and colors (columns); each stands in a square of `cell` px."""
    looks = [[(color, material) for color in kind.colors] for material in kind.materials]
    return np.concatenate([_row(kind, row, cell) for row in looks])


def every_material(kind: ThingKind, cell: int, start: int = 0) -> NDArray[np.uint8]:
    """A noun in all of its materials in a row; colors take turns, from the one numbered `start`."""
    colors = cycle(PALETTE)
    for _ in range(start % len(PALETTE)):
        next(colors)
    return _row(kind, [(next(colors), material) for material in kind.materials], cell, places=len(MATERIALS))


def _row(kind: ThingKind, looks: Sequence[tuple[str, str]], cell: int, places: int = 0) -> NDArray[np.uint8]:
    """Things side by side on a table top, of which only the plane is shown."""
    room = round(0.84 * cell)
    tall = min(room, round(room / kind.aspect))
    wide = round(tall * kind.aspect)
    height = -(-round((cell + 8) / (1 - EDGE)) // 4) * 4
    floor = height - round(0.09 * cell)
    lefts = [column * cell + (cell - wide) // 2 for column in range(len(looks))]
    things = tuple(
        PlacedThing(kind.name, color, material, "large", Box(left, floor - tall, left + wide, floor))
        for left, (color, material) in zip(lefts, looks, strict=True)
    )
    width = cell * max(places, len(looks))
    return paint_scene(SceneLayout("table", width, height, things, _GROUND))[-cell:]


@dataclass(frozen=True, slots=True)
class NounPlate:
    """A noun or a scene with its number, a thumbnail, the picture, and terms with what is stated of them."""

    name: str
    title: str
    number: int
    thumbnail: PlatePicture
    picture: PlatePicture
    terms: tuple[tuple[str, str], ...]

    @property
    def pictures(self) -> tuple[PlatePicture, ...]:
        return self.thumbnail, self.picture


def noun(kind: ThingKind, number: int, *, size: int) -> NounPlate:
    """A noun in every material and color, in squares of `size` px."""
    terms = (
        ("Stands", ", ".join(kind.stands)),
        ("Height", f"small {kind.small:.1%}, large {kind.large:.1%} of the picture's height"),
        ("Width", f"{kind.aspect:.2f} of its height"),
        ("Holds", "other things on its top" if kind.holds else "nothing"),
        ("Materials", ", ".join(kind.materials)),
        ("Colors", ", ".join(kind.colors)),
    )
    what = f"{kind.name} in each material and color"
    picture = frame(f"png/{kind.name}/looks.png", what, every_look(kind, size))
    thumbnail = frame(f"png/{kind.name}/thumbnail.png", f"{kind.name} in each material", every_material(kind, 48))
    return NounPlate(kind.name, kind.name, number, thumbnail, picture, terms)


def scene(name: str, number: int) -> NounPlate:
    """An example of a scene, with what stands in it, and what is read back from its pixels."""
    setting = EXAMPLES[name]
    pixels = paint_scene(setting)
    things = "; ".join(f"{each.size} {each.color} {each.material} {each.kind}" for each in setting.things)
    looks = [shows(pixels, each) for each in setting.things]
    right = sum(look is not None and look.color == each.color for look, each in zip(looks, setting.things, strict=True))
    terms = (("Things", things), ("Read back", f"the colors of {right} of {len(looks)} things, from the pixels alone"))
    title = name.replace("-", " ")
    picture = frame(f"png/{name}/scene.png", f"{title}, a {setting.kind}", pixels)
    thumbnail = frame(f"png/{name}/thumbnail.png", title, area_fit(pixels, 200, 150))
    return NounPlate(name, title, number, thumbnail, picture, terms)


def write_gallery(folder: Path, *, size: int = 80) -> Path:
    """The path of `index.html` in the folder, after it and the PNG of each plate were written there.

    Each noun stands in squares of `size` px, one for each of its looks. Raises `InputError` for a size out of range, or
    a folder that is neither new, empty nor a former gallery.
    """
    if not 48 <= size <= 320:
        raise InputError(f"gallery with squares of {size} px: allowed are 48 to 320 px")
    check_stems("noun", KINDS)
    return write_plates(folder, __package__, "png", lambda: _groups(size), size=size, nouns=len(KINDS))


def _groups(size: int) -> list[PlateGroup]:
    numbers = count(1)
    groups = [PlateGroup("scenes", "Scenes", [scene(name, next(numbers)) for name in EXAMPLES])]
    for theme, kinds in THEMES.items():
        nouns = [noun(kind, next(numbers), size=size) for kind in kinds]
        groups.append(PlateGroup(theme.replace(" ", "-"), f"{theme[0].upper()}{theme[1:]}", nouns))
    return groups


_GAP, _LINE = 12, 20


def contact_sheet(kinds: Sequence[ThingKind], *, columns: int = 3, cell: int = 92) -> NDArray[np.uint8]:
    """One picture, shape (height, width, 3), uint8: example scenes, and each noun in a row of squares of `cell` px.

    Colors take turns. Raises `InputError` without a noun, or for a number out of range.
    """
    if not kinds or not 1 <= columns <= 8 or not 48 <= cell <= 256:
        raise InputError(
            f"contact sheet of {len(kinds)} nouns in {columns} columns, squares of {cell} px: allowed are 1 noun or "
            "more, 1 to 8 columns, squares of 48 to 256 px"
        )
    strip = cell * len(MATERIALS)
    across = columns * (strip + _GAP) + _GAP
    wide = min((across - _GAP) // 2 - _GAP, 640)
    high = wide * 3 // 4
    items: list[Item] = []
    for place, scene in enumerate(EXAMPLES.values()):
        x, y = _GAP + place % 2 * (wide + _GAP), _GAP + place // 2 * (high + _GAP)
        items.append(Patch(x, y, area_fit(paint_scene(scene), wide, high)))
    begin = _GAP + -(-len(EXAMPLES) // 2) * (high + _GAP)
    for place, kind in enumerate(kinds):
        row, column = divmod(place, columns)
        x, y = _GAP + column * (strip + _GAP), begin + row * (cell + _LINE + _GAP)
        items.append(Patch(x, y + _LINE, every_material(kind, cell, 3 * place)))
        items.append(line_of_text(kind.name, x, y + _LINE - 6, 13, strip, INK))
    rows = -(-len(kinds) // columns)
    return rasterise(Scene(across, begin + rows * (cell + _LINE + _GAP), WHITE, tuple(items)))
