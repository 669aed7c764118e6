"""The pictures that are shown: the numbered boxes of a view, drawn in red, some with their content masked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from veridical.errors import InputError
from veridical.media.clips.read import Clip
from veridical.media.derive import Arguments, Product, Rule, StimulusMedia
from veridical.media.draw import encode_png
from veridical.media.pictures import Picture
from veridical.media.region_marks import COLORS, draw_marks, region_in
from veridical.records import Box
from veridical.suites.magic.regions.choose import other_order

DrawnView = Literal["all-boxes", "relevant-boxes", "relevant-masked", "adversarial-masked", "renumbered"]
DRAWN_VIEWS: tuple[DrawnView, ...] = get_args(DrawnView)
"""The views in which a picture is shown."""
ALL, RELEVANT, RELEVANT_MASKED, ADVERSARIAL_MASKED, RENUMBERED = DRAWN_VIEWS
MASKED = {RELEVANT_MASKED: "relevant", ADVERSARIAL_MASKED: "adversarial"}
"""Which boxes of the truth a view masks."""

RED = COLORS[0]
PREFIX = "R"


def stored_numbers(stimulus: StimulusMedia, view: str) -> list[int]:
    """The boxes of a view in the order of their numbers there, each by its number in the truth.

    At "relevant-boxes" these are the relevant boxes alone. At "renumbered" no box keeps its number (unless it is the
    only one); the order depends on the stimulus's id and its boxes. Every other view has all boxes as they are.
    """
    boxes = stimulus.truth["boxes"]
    if view == RELEVANT:
        return sorted(stimulus.truth["relevant"])
    if view == RENUMBERED:
        return other_order(len(boxes), stimulus.id, *(int(edge) for box in boxes for edge in box))
    return list(range(1, len(boxes) + 1))


def boxes_of_view(stimulus: StimulusMedia, view: str) -> list[Box]:
    """The boxes of a view in the order of their numbers there: the first is R1."""
    boxes = stimulus.truth["boxes"]
    return [Box(*map(int, boxes[number - 1])) for number in stored_numbers(stimulus, view)]


def relevant_of(stimulus: StimulusMedia, view: str) -> list[int]:
    """The numbers of the relevant boxes in a view, in ascending order."""
    relevant = set(stimulus.truth["relevant"])
    return [number for number, stored in enumerate(stored_numbers(stimulus, view), 1) if stored in relevant]


def drawing_rule(view: str) -> Rule:
    """The rule that draws the boxes of a view into a stimulus's picture, in red with labels "R1", "R2", …, as one PNG.

    Outlines and labels are those of `veridical.media.region_marks`: an outline runs around its box, and a label covers
    no other box where there is a place. In a masked view the boxes' content is filled with the mean gray of the picture
    before the outlines are drawn. The facts list the boxes and labels in the order of their numbers, the boxes' numbers
    in the truth (`stored`), the numbers of the masked boxes, and those of labels that cover a part of another box.

    >>> drawing_rule("all-boxes").arguments
    {'view': 'all-boxes'}
    """
    if view not in DRAWN_VIEWS:
        raise ValueError(f"the view {view!r} shows no picture; views that do are {', '.join(DRAWN_VIEWS)}")
    return Rule(
        name=f"regions-{view}", version=1, counting=count_drawn, making=make_drawn, arguments={"view": view}, draws=True
    )


def count_drawn(stimulus: StimulusMedia, arguments: Arguments) -> int:  # noqa: ARG001
    """One; raises `InputError` for a stimulus without a picture."""
    if not stimulus.media or stimulus.media[0].kind != "image":
        raise InputError(f"stimulus {stimulus.id!r} has no picture to draw boxes into")
    return 1


def make_drawn(stimulus: StimulusMedia, media: Sequence[Picture | Clip], arguments: Arguments) -> Iterator[Product]:
    """The picture with its boxes; raises `InputError` for boxes outside the picture."""
    count_drawn(stimulus, arguments)
    picture, view = media[0], str(arguments["view"])
    if not isinstance(picture, Picture):
        raise InputError(f"stimulus {stimulus.id!r}: {stimulus.media[0].file} is not a picture")
    stored = stored_numbers(stimulus, view)
    boxes = [region_in(stimulus, list(box), picture) for box in boxes_of_view(stimulus, view)]
    masked = stimulus.truth[MASKED[view]] if view in MASKED else []
    pixels = mask_boxes(picture.pixels, [box for box, number in zip(boxes, stored, strict=True) if number in masked])
    pixels, labels = draw_marks(pixels, boxes, prefix=PREFIX, colors=[RED])
    yield (
        encode_png(pixels),
        {
            "view": view,
            "boxes": [list(box) for box in boxes],
            "stored": stored,
            "masked": [number for number, old in enumerate(stored, 1) if old in masked],
            "labels": [list(label.box) for label in labels],
            "covering": [number for number, label in enumerate(labels, 1) if label.covers],
        },
    )


def mask_boxes(pixels: NDArray[np.uint8], boxes: Sequence[Box]) -> NDArray[np.uint8]:
    """A copy of a picture in which these boxes are filled with the mean gray of the whole picture.

    >>> pixels = np.zeros((2, 4, 3), np.uint8)
    >>> pixels[:, :2] = 200
    >>> mask_boxes(pixels, [Box(3, 0, 4, 1)])[0, :, 0].tolist()
    [200, 200, 0, 100]
    """
    copy = pixels.copy()
    gray = round(float(pixels.mean()))
    for box in boxes:
        copy[box.y0 : box.y1, box.x0 : box.x1] = gray
    return copy
