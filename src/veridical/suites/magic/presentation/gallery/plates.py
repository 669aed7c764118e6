"""A noun, or a scene, as the gallery shows it: a picture and its words."""

from __future__ import annotations

from dataclasses import dataclass

from veridical.media.draw import area_fit
from veridical.report.gallery.page import Frame, frame
from veridical.suites.magic.presentation.gallery.examples import EXAMPLES
from veridical.suites.magic.presentation.gallery.shown import every_look, every_material
from veridical.suites.magic.scenes.kinds import Kind
from veridical.suites.magic.scenes.looks import shows
from veridical.suites.magic.scenes.paint import painted


@dataclass(frozen=True, slots=True)
class Plate:
    """A noun or a scene with its number, a thumbnail, the picture, and terms with what is stated of them."""

    name: str
    title: str
    number: int
    thumbnail: Frame
    picture: Frame
    terms: tuple[tuple[str, str], ...]


def noun(kind: Kind, number: int, *, size: int) -> Plate:
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
    return Plate(kind.name, kind.name, number, thumbnail, picture, terms)


def scene(name: str, number: int) -> Plate:
    """An example of a scene, with what stands in it, and what is read back from its pixels."""
    setting = EXAMPLES[name]
    pixels = painted(setting)
    things = "; ".join(f"{each.size} {each.color} {each.material} {each.kind}" for each in setting.things)
    looks = [shows(pixels, each) for each in setting.things]
    right = sum(look is not None and look.color == each.color for look, each in zip(looks, setting.things, strict=True))
    terms = (("Things", things), ("Read back", f"the colors of {right} of {len(looks)} things, from the pixels alone"))
    title = name.replace("-", " ")
    picture = frame(f"png/{name}/scene.png", f"{title}, a {setting.kind}", pixels)
    thumbnail = frame(f"png/{name}/thumbnail.png", title, area_fit(pixels, 200, 150))
    return Plate(name, title, number, thumbnail, picture, terms)
