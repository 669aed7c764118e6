"""The items of a simple suite: mappings that are checked, and the set that is made of them, unit by unit."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from veridical.base.files import os_errors
from veridical.base.options import MOST_UNITS, Options
from veridical.errors import InputError, unknown
from veridical.media.decode import Decoded, Picture, decode, medium_from
from veridical.media.draw import encode_png
from veridical.media.pictures import suffix_of
from veridical.records import Chunk, Stimulus
from veridical.stimulus_set import NotMeasurable
from veridical.suite.nuisances import shuffle_items
from veridical.suite.simple_answers import AnswerForm

Pixels = NDArray[np.uint8]
"""A picture of shape (height, width, 3), or gray ones of shape (height, width)."""
Item = Mapping[str, Any]
Items = Iterable[Item] | Callable[[int], Iterable[Item]]
Truth = str | Callable[[Pixels], Any]

FAMILY = "items"
KEYS = ("id", "picture", "unit", "group", "question")
_ID = re.compile(r"[A-Za-z0-9_][\w.-]{0,80}(?:/[A-Za-z0-9_][\w.-]{0,80}){0,3}", re.ASCII)


class CheckedItem(NamedTuple):
    """An item with everything but its pixels; `label` is the true answer if the user states it."""

    id: str
    unit: str
    group: str
    question: str
    label: str | None
    picture: Path | Pixels | Callable[[], Pixels]


@dataclass(frozen=True, kw_only=True, repr=False)
class ItemSource:
    """What the items of a suite come from: a list, or a function of the seed that gives one.

    `truth` is the key of an item that has its true answer, or a function that reads it from the pixels. Pictures that
    are named by path lie in `folder`, unless the path is absolute.
    """

    suite: str
    items: Sequence[Item] | Callable[[int], Iterable[Item]]
    question: str
    form: AnswerForm
    truth: Truth
    folder: Path
    _units: dict[int, list[list[CheckedItem]]] = field(default_factory=dict)

    def units(self, seed: int) -> list[list[CheckedItem]]:
        """The checked items by unit, in the user's order; raises `InputError` for what is wrong with them."""
        if seed not in self._units:
            items = self._called("items", self._listed, seed)
            by_unit: dict[str, list[CheckedItem]] = {}
            for item in self._checked(items):
                by_unit.setdefault(item.unit, []).append(item)
            if len(by_unit) > MOST_UNITS:
                raise InputError(f"{self.suite}: {len(by_unit):,} units: at most {MOST_UNITS:,} are allowed")
            self._units.clear()
            self._units[seed] = list(by_unit.values())
        return self._units[seed]

    def groups(self) -> list[str]:
        """The groups in order of appearance; none where a function gives the items, or where there is only one."""
        if callable(self.items):
            return []
        groups = list(dict.fromkeys(item.group for unit in self.units(0) for item in unit))
        return groups if len(groups) > 1 else []

    def pictures(self) -> tuple[Path, ...]:
        """The files of pictures that a list of items names."""
        if callable(self.items):
            return ()
        return tuple(item.picture for unit in self.units(0) for item in unit if isinstance(item.picture, Path))

    def chunks(self, options: Options) -> list[Chunk]:
        """A chunk for each unit, up to as many as the options allow."""
        return [Chunk(FAMILY, index) for index in range(min(options.units, len(self.units(options.seed))))]

    def make(self, options: Options, chunk: Chunk) -> Iterator[tuple[Stimulus, tuple[bytes, ...]]]:
        """The stimuli of a unit with the bytes of their pictures."""
        for item in self.units(options.seed)[chunk.index]:
            content = self._content(item)
            decoded = decode(content, self._named(item))
            read = None if isinstance(self.truth, str) else self._read(decoded, item.id)
            if item.label is not None and read is not None and item.label != read:
                raise InputError(f"{self._named(item)}: its truth is {item.label}, and its picture says {read}")
            label = item.label or read
            answers = list(self.form.options)
            if self.form.kind == "choice":
                answers = shuffle_items(answers, options.seed, item.unit)
            yield (
                Stimulus(
                    id=item.id,
                    suite=self.suite,
                    family=FAMILY,
                    unit=item.unit,
                    variant=item.group,
                    category=FAMILY,
                    question=item.question,
                    label=label,
                    seed=options.seed,
                    media=(medium_from(f"media/{item.id}{suffix_of(content, item.id)}", decoded),),
                    truth={"answer": label, **({"options": answers} if answers else {})},
                    measured={} if read is None else {"answer": read},
                ),
                (content,),
            )

    def verify(self, stimulus: Stimulus, media: Sequence[Decoded]) -> str | NotMeasurable | None:
        """Holds the label against what a function reads from the picture, where `truth` is one."""
        if isinstance(self.truth, str):
            return NotMeasurable("true answers are stated")
        read = self._read(media[0], stimulus.id)
        return None if read == stimulus.label else f"the true answer is {stimulus.label}, and the picture says {read}"

    def read_pixels(self, pixels: Pixels) -> str:
        """The answer that a function `truth` reads from pixels; raises `InputError` where it fails."""
        assert callable(self.truth)
        return self.form.label(self._called("truth", self.truth, pixels))

    def _listed(self, seed: int) -> list[Item]:
        return list(self.items(seed) if callable(self.items) else self.items)

    def _checked(self, items: Sequence[Item]) -> Iterator[CheckedItem]:
        if not items:
            raise InputError(f"{self.suite}: there are no items")
        ids: dict[str, int] = {}
        for number, item in enumerate(items, start=1):
            where = f"{self.suite}, item {number}"
            try:
                checked = self._item(item, number)
            except InputError as error:
                raise InputError(f"{where}: {error}") from None
            first = ids.setdefault(checked.id.casefold(), number)
            if first != number:
                raise InputError(f"{where}: item {first} has the id '{checked.id}' too: state an id of its own")
            yield checked

    def _item(self, item: Item, number: int) -> CheckedItem:
        if not isinstance(item, Mapping):
            raise InputError(f"a mapping with {', '.join(KEYS)} is needed, and this is a {type(item).__name__}")
        key = self.truth if isinstance(self.truth, str) else "truth"
        for name in item:
            if name not in (*KEYS, key):
                raise unknown("key", str(name), (*KEYS, key))
        if item.get("picture") is None:
            raise InputError("it has no picture")
        if item.get(key) is None and isinstance(self.truth, str):
            raise InputError(f"it has no {key}")
        stated = [str(item[name]) for name in ("unit", "group") if item.get(name) is not None]
        default = "/".join(re.sub(r"[^\w.-]+", "-", part, flags=re.ASCII).strip("-.") for part in stated)
        identity = str(item.get("id") or default or f"{number:04}")
        if not _ID.fullmatch(identity):
            raise InputError(f"id '{identity}': letters, digits, dots, dashes, and single slashes are allowed")
        question = str(item.get("question") or self.question)
        if not question.strip():
            raise InputError("it has no question, and neither has the suite")
        return CheckedItem(
            id=identity,
            unit=str(identity if item.get("unit") is None else item["unit"]),
            group=str("item" if item.get("group") is None else item["group"]),
            question=question,
            label=None if item.get(key) is None else self.form.label(item[key]),
            picture=self._picture(item["picture"]),
        )

    def _picture(self, picture: object) -> Path | Pixels | Callable[[], Pixels]:
        if isinstance(picture, str | Path):
            path = self.folder / picture
            if not path.is_file():
                raise InputError(f"there is no picture {path}")
            return path
        if callable(picture):
            return picture
        return picture if isinstance(picture, np.ndarray) else np.asarray(picture)

    def _content(self, item: CheckedItem) -> bytes:
        picture = item.picture
        if isinstance(picture, Path):
            with os_errors(picture, "read"):
                return picture.read_bytes()
        pixels = np.asarray(self._called(f"picture of {item.id}", picture) if callable(picture) else picture)
        if pixels.ndim == 2:
            pixels = np.repeat(pixels[..., None], 3, axis=2)
        if pixels.dtype != np.uint8 or pixels.ndim != 3 or pixels.shape[2] != 3 or not pixels.size:
            shape = f"shape {pixels.shape}, {pixels.dtype}"
            raise InputError(f"{self._named(item)}: its picture has {shape}; (height, width, 3), uint8 is needed")
        return encode_png(np.ascontiguousarray(pixels))

    def _read(self, decoded: Decoded, identity: str) -> str:
        if not isinstance(decoded, Picture):
            raise InputError(f"{self.suite}, {identity}: the truth of a clip is stated, not read from pixels")
        try:
            return self.read_pixels(decoded.pixels)
        except InputError as error:
            raise InputError(f"{self.suite}, {identity}: {str(error).removeprefix(f'{self.suite}: ')}") from error

    def _named(self, item: CheckedItem) -> str:
        return str(item.picture) if isinstance(item.picture, Path) else f"{self.suite}, {item.id}"

    def _called(self, what: str, function: Callable[..., Any], *arguments: object) -> Any:  # noqa: ANN401
        """What a function of the user's gives; an error of its own becomes one line."""
        try:
            return function(*arguments)
        except InputError:
            raise
        except Exception as error:
            detail = " ".join(str(error).split())
            raise InputError(f"{self.suite}: its {what} cannot be made: {type(error).__name__}: {detail}") from error
