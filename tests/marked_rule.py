"""A rule of derived media for tests: a stimulus's picture with its regions boxed and numbered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from veridical.base.processes import function_at, importable
from veridical.errors import InputError
from veridical.media.clips.read import Clip
from veridical.media.derive import Arguments, Product, Rule, StimulusMedia
from veridical.media.draw import encode_png
from veridical.media.pictures import Picture
from veridical.media.region_marks import draw_marks, region_in
from veridical.records import Box, Json

Regions = Callable[[StimulusMedia], Sequence[Sequence[float]]]


def marked(regions: str | Regions) -> Rule:
    """The rule `marked`: a stimulus's first picture with its regions boxed and numbered from 1, in order, as one PNG.

    `regions` names the entry of the stimulus's truth, or else of its factors, that lists the regions as x0, y0, x1, y1
    in pixels, half-open; or it is a pure function of the stimulus, importable by name, that returns this list. A region
    with fractional pixels gets the smallest box of whole pixels around it.

    The outline runs around the box and covers none of it, except at an edge of the picture, where it runs inside.
    `labels.placed` places the numbers. The facts list the boxes, the labels' boxes, and the numbers of labels that
    cover a part of another box because there is no other place (`covering`).
    """
    name = regions if isinstance(regions, str) else importable(regions)
    if not name:
        raise ValueError(f"{regions} cannot be imported by name")
    return Rule(
        name="marked", version=1, counting=count_marked, making=make_marked, arguments={"regions": name}, draws=True
    )


def count_marked(stimulus: StimulusMedia, arguments: Arguments) -> int:
    """One; raises `InputError` if the stimulus has no picture or lists no regions."""
    _place(stimulus)
    name = str(arguments["regions"])
    if ":" not in name and name not in stimulus.truth and name not in stimulus.factors:
        raise InputError(f"stimulus {stimulus.id!r} lists no regions under '{name}'")
    return 1


def make_marked(stimulus: StimulusMedia, media: Sequence[Picture | Clip], arguments: Arguments) -> Iterator[Product]:
    """The marked picture; raises `InputError` for regions that are missing or lie outside the picture."""
    place = _place(stimulus)
    picture = media[place]
    if not isinstance(picture, Picture):
        raise InputError(f"stimulus {stimulus.id!r}: {stimulus.media[place].file} is not a picture")
    boxes = _regions(stimulus, str(arguments["regions"]), picture)
    pixels, labels = draw_marks(picture.pixels, boxes)
    facts: dict[str, Json] = {"medium": place, "boxes": [list(box) for box in boxes]}
    facts["labels"] = [list(label.box) for label in labels]
    facts["covering"] = [number for number, label in enumerate(labels, 1) if label.covers]
    yield encode_png(pixels), facts


def _place(stimulus: StimulusMedia) -> int:
    for place, medium in enumerate(stimulus.media):
        if medium.kind == "image":
            return place
    raise InputError(f"stimulus {stimulus.id!r} has no picture to mark")


def _regions(stimulus: StimulusMedia, name: str, picture: Picture) -> list[Box]:
    if ":" in name:
        listed: Json = function_at(name)(stimulus)
    else:
        sources: list[Mapping[str, Json]] = [stimulus.truth, stimulus.factors]
        listed = next((source[name] for source in sources if name in source), None)
    if not isinstance(listed, list | tuple):
        raise InputError(f"stimulus {stimulus.id!r} lists no regions under {name!r}, in its truth or its factors")
    return [region_in(stimulus, region, picture) for region in listed]
