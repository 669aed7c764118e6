"""The page, folder, frames and contact sheets of a gallery; a suite writes the rest of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from veridical.base.files import write_whole
from veridical.base.format import format_number, visible
from veridical.errors import InputError
from veridical.media.draw import Item, Patch, Rectangle, TextLine, encode_png
from veridical.media.draw.paths import path_of
from veridical.media.draw.scene import Colour
from veridical.records import Json
from veridical.report.view import environment_of

_POLICY = "default-src 'none'; img-src 'self' file:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

SIGNATURE = '<meta name="generator" content="veridical gallery">'
"""What tells the page of a gallery from any other `index.html`."""

INK: Colour = (28, 30, 33)
SOFT: Colour = (95, 99, 105)
WHITE: Colour = (255, 255, 255)
_RULE: Colour = (217, 214, 207)
_SMALLEST = 0.65


@dataclass(frozen=True, slots=True)
class PlateGroup:
    """Plates under one heading.

    A plate has `name`, `number`, `title` and `thumbnail`, a picture with `file`, `alt`, `width` and `height`.
    """

    name: str
    title: str
    plates: Sequence[Any]


def render(package: str, groups: Sequence[PlateGroup], **words: Json) -> bytes:
    """The page of the groups that have plates, as UTF-8.

    `package` holds `gallery.html.j2`, which extends `frame.html.j2` (blocks `heading`, `lead`, `reading`, and `badges`
    and `plate` for each plate), and `gallery.css`. `words` are what its blocks use; `count` is the number of plates.
    """
    from markupsafe import Markup

    own = {name: _resource(name, __package__) for name in ("frame.html.j2", "macros.html.j2")}
    environment = environment_of({**own, "gallery.html.j2": _resource("gallery.html.j2", package)})
    environment.filters["number"] = format_number
    css = "".join(_resource(*place) for place in (("report.css", "veridical.report"), ("gallery.css", __package__)))
    page = environment.get_template("gallery.html.j2").render(
        groups=[group for group in groups if group.plates],
        count=sum(len(group.plates) for group in groups),
        version=version("veridical"),
        signature=Markup(SIGNATURE),  # noqa: S704
        css=Markup(css + _resource("gallery.css", package)),  # noqa: S704
        policy=_POLICY,
        **words,
    )
    return page.encode()


def _resource(name: str, package: str) -> str:
    return files(package).joinpath(name).read_text(encoding="utf-8")


def former(folder: Path, kind: str) -> set[Path]:
    """The pictures `KIND/PLATE/FILE.KIND` of a former gallery in the folder; none where it is new or empty.

    Raises `InputError` where the folder holds anything else.
    """
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return set()
    index = folder / "index.html"
    if not folder.is_dir() or not index.is_file() or SIGNATURE.encode() not in index.read_bytes()[:1000]:
        raise InputError(f"{folder} holds something else: choose a new or empty folder, or one with a former gallery")
    files = re.compile(rf"index\.html|{kind}/[^/]+/[^/]+\.{kind}|({kind}/[^/]+/)?\.[^/]+\.tmp")
    folders = re.compile(rf"{kind}(/[^/]+)?")
    paths = list(folder.rglob("*"))
    for path in paths:
        name = path.relative_to(folder).as_posix()
        if path.is_symlink() or not (folders if path.is_dir() else files).fullmatch(name):
            raise InputError(
                f"{folder} holds more than a former gallery ({visible(name)}): choose a new or empty folder"
            )
    return {path for path in paths if path.is_file() and path != index}


def write(folder: Path, page: bytes, pictures: Iterable[tuple[str, bytes]], old: Iterable[Path]) -> Path:
    """The path of the page, after it and the pictures (file in the folder, bytes) were written and `old` deleted."""
    index = write_whole(folder / "index.html", page)
    written = {write_whole(folder / file, data) for file, data in pictures}
    for path in set(old) - written:
        path.unlink(missing_ok=True)
    return index


def write_plates(
    folder: Path, package: str, kind: str, groups: Callable[[], Sequence[PlateGroup]], **words: Json
) -> Path:
    """The path of `index.html` in the folder, after it and the pictures of all plates were written there.

    `groups` makes the plates once the folder is known to be new, empty or a former gallery, else `InputError` is
    raised; a plate has `pictures`, each with `file` and `data`. `package` and `words` are as in `render`.
    """
    old = former(folder, kind)
    made = groups()
    pictures = ((each.file, each.data) for group in made for plate in group.plates for each in plate.pictures)
    return write(folder, render(package, made, **words), pictures, old)


def framed_picture(picture: NDArray[np.uint8], x: int, y: int, tile: int) -> list[Item]:
    """A picture centered in a square of `tile` px, whose upper left corner is (x, y), with a fine frame."""
    height, width, _ = picture.shape
    return [
        Rectangle(x - 1, y - 1, x + tile + 1, y + tile + 1, _RULE),
        Rectangle(x, y, x + tile, y + tile, WHITE),
        Patch(x + (tile - width) // 2, y + (tile - height) // 2, picture),
    ]


def line_of_text(text: str, x: float, baseline: float, size: float, room: float, color: Colour) -> TextLine:
    """A line of text from `x` on its baseline; a wide one is smaller, and a very wide one loses its last words."""
    while " " in text and _extent(text, size)[0] * _SMALLEST > room:
        text = text.removesuffix("…").rpartition(" ")[0] + "…"
    size *= min(1.0, room / _extent(text, size)[0])
    width, height = _extent(text, size)
    # An accented capital is as tall as any letter and stands on the baseline: what it adds nothing to, hangs below it.
    descent = _extent(text + "Å", size)[1] - _extent("Å", size)[1]
    return TextLine((x + width / 2, baseline + descent - height / 2), text, size, color)


def _extent(text: str, size: float) -> tuple[float, float]:
    """The width and height of the ink of a line of text."""
    box = path_of(TextLine((0.0, 0.0), text, size, INK)).get_extents()
    return float(box.width), float(box.height)


@dataclass(frozen=True, slots=True)
class PlatePicture:
    """A picture of a plate: its file inside the gallery, what it shows, its size in px, and the file's bytes."""

    file: str
    alt: str
    width: int
    height: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Strip:
    """A row of frames: its title, what happens in it, and the picture."""

    title: str
    shows: str
    picture: PlatePicture


def frame(file: str, alt: str, pixels: NDArray[np.uint8]) -> PlatePicture:
    """Pixels (height, width, 3) as a picture in PNG.

    >>> import numpy as np
    >>> picture = frame("a.png", "grey", np.full((2, 3, 3), 128, np.uint8))
    >>> picture.width, picture.height
    (3, 2)
    """
    height, width, _ = pixels.shape
    return PlatePicture(file, alt, width, height, encode_png(pixels))
