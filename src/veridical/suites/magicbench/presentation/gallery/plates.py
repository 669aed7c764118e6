"""A family of tricks as the gallery shows it: frames of trick and control, the secret, the words, the constraints."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from veridical.report.gallery.page import Frame, Strip, frame
from veridical.suites.magicbench.presentation.gallery.shots import performance, shots, times
from veridical.suites.magicbench.stimuli import COMPONENTS, HONEST, TRICK, TYPES


@dataclass(frozen=True, slots=True)
class Plate:
    """One unit of a family, as a trick and as its control."""

    name: str
    title: str
    number: int
    category: str
    effect: str
    window: str
    giveaway: str
    props: str
    thumbnail: Frame
    strips: tuple[Strip, ...]
    words: tuple[tuple[str, str], ...]
    atoms: tuple[str, ...]

    @property
    def pictures(self) -> Iterator[Frame]:
        yield self.thumbnail
        yield from (strip.picture for strip in self.strips)


def plate(family: str, number: int, *, size: int, seed: int) -> Plate:
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
    return Plate(
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
