"""What the probe draws: pictures in three formats, clips, and items that are text alone."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from zlib import crc32

import numpy as np
import polars as pl
from numpy.typing import NDArray
from PIL import Image

from tests.probe_suite.options import ProbeOptions
from veridical.media.clips.write import encode_clip
from veridical.media.decode import Clip, Decoded, Picture, medium_of
from veridical.media.draw import encode_png
from veridical.records import Chunk, Stimulus
from veridical.stimulus_set import NotMeasurable
from veridical.suite.evidence import Evidence
from veridical.suite.parts import DesignPart

Pixels = NDArray[np.uint8]
FAMILIES = ("tiles", "dots", "boxes", "clip", "sums")
VARIANTS = ("easy", "hard")
COLORS = {"red": (220, 30, 30), "green": (20, 150, 40), "blue": (30, 60, 220), "yellow": (240, 210, 20)}
FORMATS = ("png", "jpg", "webp", "png", "jpg", "webp")
NUMBERS = "Which number is greater, {0} or {1}?"
SIDE, RATE, FRAMES = 48, 12, 8
_PALE = 0.45


def chunks(options: ProbeOptions) -> Sequence[Chunk]:
    return [Chunk(family, index) for family in FAMILIES for index in range(options.units)]


def make(options: ProbeOptions, chunk: Chunk) -> Iterator[tuple[Stimulus, tuple[bytes, ...]]]:
    """A unit of a family in both variants; it depends on the seed, the family and the index alone."""
    rng = np.random.default_rng([options.seed, crc32(chunk.family.encode()), chunk.index])
    drawn = {"tiles": _tiles, "dots": partial(_dots, options.dots), "boxes": _boxes, "clip": _clip, "sums": _sums}
    for variant in VARIANTS:
        unit = f"{chunk.family}/{chunk.index:04}"
        values, files = drawn[chunk.family](rng, variant == "hard")
        media = tuple(
            medium_of(f"media/{unit}/{variant}-{place}.{suffix}", content)
            for place, (suffix, content) in enumerate(files)
        )
        stimulus = Stimulus(
            id=f"{unit}/{variant}",
            suite="probe",
            family=chunk.family,
            unit=unit,
            variant=variant,
            category="moving" if chunk.family == "clip" else "still",
            seed=options.seed,
            media=media,
            **values,
        )
        yield stimulus, tuple(content for _, content in files)


Files = list[tuple[str, bytes]]


def _tiles(rng: np.random.Generator, pale: bool) -> tuple[dict, Files]:
    """Six tiles, each in a format of its own; which color has one of them? The options differ from item to item."""
    names = [str(name) for name in rng.choice(list(COLORS), len(FORMATS))]
    place = int(rng.integers(len(FORMATS)))
    options = [str(name) for name in rng.permutation([names[place], *_others(rng, names[place])])]
    files = [(suffix, _encoded(_tile(name, pale), suffix)) for suffix, name in zip(FORMATS, names, strict=True)]
    facts = {"place": place, "options": options, "tiles": names}
    values = _values(f"Which color does tile {place + 1} have?", "ABC"[options.index(names[place])], facts)
    values["factors"] = {"ink": names[place], "pale": pale, "layout": {"columns": 6}}
    return values, files


def _others(rng: np.random.Generator, name: str) -> list[str]:
    return [str(other) for other in rng.permutation([other for other in COLORS if other != name])[:2]]


def _dots(most: int, rng: np.random.Generator, many: bool) -> tuple[dict, Files]:
    count = int(rng.integers(most // 2 + 1, most + 1) if many else rng.integers(1, most // 2 + 1))
    pixels = np.full((SIDE, SIDE * 2, 3), 255, np.uint8)
    for cell in rng.permutation(18)[:count]:
        y, x = 4 + 16 * int(cell // 6), 4 + 16 * int(cell % 6)
        pixels[y : y + 8, x : x + 8] = COLORS["blue"]
    values = _values("How many dots are there?", str(count), {"dots": count})
    values |= {"factors": {"ink": "blue", "dot_count": count, "pale": False}, "measured": {"dots": count}}
    return values, [("png", encode_png(pixels))]


def _boxes(rng: np.random.Generator, pale: bool) -> tuple[dict, Files]:
    """Three or four boxes; the first always holds a red dot, the last never does."""
    count = int(rng.integers(3, 5))
    red = [True, *(bool(each) for each in rng.integers(2, size=count - 2)), False]
    pixels = np.full((SIDE, SIDE * count, 3), 255, np.uint8)
    boxes = [[SIDE * k + 4, 4, SIDE * (k + 1) - 4, SIDE - 4] for k in range(count)]
    for (x0, y0, x1, y1), is_red in zip(boxes, red, strict=True):
        pixels[y0:y1, x0:x1] = 120
        pixels[y0 + 2 : y1 - 2, x0 + 2 : x1 - 2] = 255
        pixels[y0 + 10 : y1 - 10, x0 + 10 : x1 - 10] = _shade("red" if is_red else "green", pale)
    held = [f"R{k}" for k, is_red in enumerate(red, 1) if is_red]
    question = f"There are {count} boxes, R1 to R{count} from left to right. Which of them hold a red square?"
    values = _values(question, ",".join(held), {"regions": boxes})
    values["factors"] = {"ink": "red", "dot_count": len(held), "spread": len(held) / count, "pale": pale}
    return values, [("png", encode_png(pixels))]


def _clip(rng: np.random.Generator, slow: bool) -> tuple[dict, Files]:
    way, step = str(rng.choice(["left", "right"])), 2 if slow else 4
    frames = []
    for k in range(FRAMES):
        pixels = np.full((SIDE, SIDE * 2, 3), 235, np.uint8)
        x = SIDE + (step if way == "right" else -step) * k - 6
        pixels[18:30, x : x + 12] = COLORS["blue"]
        frames.append(pixels)
    values = _values("Which way does the square move?", way, {"options": ["left", "right"]})
    values["factors"] = {"ink": "blue", "spread": step * (FRAMES - 1) / SIDE, "pale": False}
    return values, [("mp4", encode_clip(frames, RATE))]


def _sums(rng: np.random.Generator, near: bool) -> tuple[dict, Files]:
    """No media at all; the two options are the numbers of the item itself."""
    low = int(rng.integers(10, 50))
    high = low + (1 if near else 40)
    pair = [str(number) for number in rng.permutation([low, high])]
    return _values(NUMBERS.format(*pair), str(high), {"options": pair}) | {"factors": {"spread": 1.0}}, []


def _values(question: str, label: str, truth: dict) -> dict:
    return {"question": question, "label": label, "truth": truth}


def _shade(name: str, pale: bool) -> tuple[int, ...]:
    mix = _PALE if pale else 0.0
    return tuple(round(255 * mix + value * (1 - mix)) for value in COLORS[name])


def _tile(name: str, pale: bool) -> Pixels:
    return np.full((SIDE, SIDE, 3), _shade(name, pale), np.uint8)


def _encoded(pixels: Pixels, suffix: str) -> bytes:
    if suffix == "png":
        return encode_png(pixels)
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, {"jpg": "JPEG", "webp": "WEBP"}[suffix], quality=90)
    return buffer.getvalue()


def color_of(pixels: Pixels) -> str:
    """The color, full or pale, that pixels have in the mean."""
    mean = pixels.reshape(-1, 3).mean(0)
    near = {(name, pale): float(np.abs(mean - _shade(name, pale)).sum()) for name in COLORS for pale in (False, True)}
    return min(near, key=near.__getitem__)[0]


def dots_in(pixels: Pixels) -> int:
    from scipy.ndimage import label

    return int(label(pixels[..., 0] < 128)[1])


def red_boxes(pixels: Pixels) -> list[str]:
    count = pixels.shape[1] // SIDE
    middles = [pixels[SIDE // 2 - 4 : SIDE // 2 + 4, SIDE * k + 20 : SIDE * k + 28] for k in range(count)]
    return [f"R{k}" for k, middle in enumerate(middles, 1) if color_of(middle) == "red"]


def way_in(clip: Clip) -> str:
    """Where the square goes from the first to the last frame."""
    first, last = (frame.pixels for frame in clip.frames((0, clip.count - 1)))
    return way_between(first, last)


def way_between(first: Pixels, last: Pixels) -> str:
    places = [float(np.nonzero(pixels[..., 0] < 128)[1].mean()) for pixels in (first, last)]
    return "right" if places[1] > places[0] else "left"


def verify(stimulus: Stimulus, media: Sequence[Decoded]) -> str | NotMeasurable | None:
    """Reads the truth back from the media."""
    if not media:
        return NotMeasurable("text alone")
    first = media[0]
    if isinstance(first, Clip):
        seen = way_in(first)
    elif stimulus.family == "tiles":
        tile = media[stimulus.truth["place"]]
        assert isinstance(tile, Picture)
        color = color_of(tile.pixels)
        options = stimulus.truth["options"]
        seen = "ABC"[options.index(color)] if color in options else color
    else:
        seen = str(dots_in(first.pixels)) if stimulus.family == "dots" else ",".join(red_boxes(first.pixels))
    return None if seen == stimulus.label else f"the media say {seen}, the label {stimulus.label}"


def describe(whole):
    moving = sum(medium.kind == "video" for stimulus in whole.stimuli for medium in stimulus.media)
    return {"clips": moving}, [f"- clips: {moving}"]


def adopt(stimuli: Sequence[Stimulus], evidence: Evidence) -> Iterator[Stimulus]:
    """The sums that people agree on, with what they say as the label."""
    votes = evidence.outcomes("vote").filter(pl.col("status") == "answered")
    said = {name: set(rows["answer"]) for (name,), rows in votes.group_by("stimulus")}
    for stimulus in stimuli:
        if len(said.get(stimulus.id, ())) == 1:
            yield replace(stimulus, label=said[stimulus.id].pop())


DESIGN = DesignPart(
    adopt=adopt,
    families=FAMILIES,
    factors={"ink": str, "dot_count": int, "spread": float, "pale": bool},
    chunks=chunks,
    make=make,
    verify=verify,
    describe=describe,
)
