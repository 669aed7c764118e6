"""Marks show each region with its number; a label covers no other box where there is any place that does not."""

from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.marked_rule import marked
from veridical.errors import InputError
from veridical.media.decode import decode, medium_of
from veridical.media.draw import decode_png, encode_png
from veridical.media.region_marks import COLORS, SCALES, draw_marks, outline, place_labels
from veridical.records import Box

CONTENT = encode_png(np.full((96, 128, 3), 220, np.uint8))


@dataclass(frozen=True)
class Still:
    """What a rule sees of a stimulus."""

    id: str = "a"
    media: tuple = (medium_of("media/a.png", CONTENT),)
    factors: dict = field(default_factory=dict)
    truth: dict = field(default_factory=dict)


def boxes_in(width, height, most=8):
    def box(x0, x1, y0, y1):
        return Box(min(x0, x1), min(y0, y1), max(x0, x1) + 1, max(y0, y1) + 1)

    xs, ys = st.integers(0, width - 1), st.integers(0, height - 1)
    return st.lists(st.builds(box, xs, xs, ys, ys), min_size=1, max_size=most)


def overlap(one, two):
    across = min(one.x1, two.x1) - max(one.x0, two.x0)
    down = min(one.y1, two.y1) - max(one.y0, two.y0)
    return max(across, 0) * max(down, 0)


def size(number, scale):
    return round((8 if number < 10 else 13) * scale), round(8 * scale)


def every_place(own, width, height, rim, across, down):
    """Every whole-pixel place along a side of an outline, or inside it, that lies in the canvas."""
    xs = range(min(own.x0, own.x1 - across), max(own.x0, own.x1 - across) + 1)
    ys = range(min(own.y0, own.y1 - down), max(own.y0, own.y1 - down) + 1)
    corners = [(x, y) for x in xs for y in (own.y0 - down, own.y1)]
    corners += [(x, y) for y in ys for x in (own.x0 - across, own.x1)]
    for x in range(own.x0 + rim, own.x1 - rim - across + 1):
        corners += [(x, y) for y in range(own.y0 + rim, own.y1 - rim - down + 1)]
    for x, y in corners:
        if 0 <= x <= width - across and 0 <= y <= height - down:
            yield Box(x, y, x + across, y + down)


@given(boxes=boxes_in(56, 44))
@settings(max_examples=60)
def test_a_label_covers_another_box_only_where_no_place_is_free(boxes):
    outlines = [outline(box, 3, 56, 44) for box in boxes]
    labels = place_labels(outlines, 3, 56, 44, size)
    for own, label in enumerate(labels):
        others = outlines[:own] + outlines[own + 1 :]
        earlier = [done.box for done in labels[:own]]
        assert 0 <= label.box.x0 < label.box.x1 <= 56
        assert 0 <= label.box.y0 < label.box.y1 <= 44
        assert (label.box.x1 - label.box.x0, label.box.y1 - label.box.y0) == size(own + 1, label.scale)
        assert label.covers == any(overlap(label.box, other) for other in others)
        taken = others + earlier
        free = [
            scale
            for scale in SCALES
            for place in every_place(outlines[own], 56, 44, 3, *size(own + 1, scale))
            if not any(overlap(place, other) for other in taken)
        ]
        if free:
            assert label.scale == free[0]
            assert not any(overlap(label.box, other) for other in taken)


@given(boxes=boxes_in(200, 150, most=5), seed=st.integers(0, 9))
@settings(max_examples=30)
def test_marks_change_nothing_but_outlines_and_labels_and_show_them_all(boxes, seed):
    pixels = np.random.default_rng(seed).integers(0, 256, (150, 200, 3), np.uint8)
    drawn, labels = draw_marks(pixels, boxes)
    assert drawn.shape == pixels.shape
    rim = 4
    free = np.ones(pixels.shape[:2], bool)
    for box in boxes:
        around = outline(box, rim, 200, 150)
        ring = np.zeros_like(free)
        ring[around.y0 : around.y1, around.x0 : around.x1] = True
        ring[around.y0 + rim : around.y1 - rim, around.x0 + rim : around.x1 - rim] = False
        free &= ~ring
        if box.x0 >= rim and box.y0 >= rim and box.x1 + rim <= 200 and box.y1 + rim <= 150:
            assert not ring[box.y0 : box.y1, box.x0 : box.x1].any()
    for label in labels:
        free[label.box.y0 : label.box.y1, label.box.x0 : label.box.x1] = False
    assert np.array_equal(drawn[free], pixels[free])
    for number, label in enumerate(labels):
        hidden = [later for later in labels[number + 1 :] if overlap(label.box, later.box)]
        if not hidden:
            inside = drawn[label.box.y0 + 1 : label.box.y1 - 1, label.box.x0 + 1 : label.box.x1 - 1]
            assert tuple(inside[0, 0]) == COLORS[number % len(COLORS)]
            assert inside.mean(2).max() > 180


def test_labels_of_boxes_apart_stand_outside_of_their_own_too():
    boxes = [Box(20, 30, 50, 60), Box(70, 30, 110, 80)]
    for box, label in zip(boxes, draw_marks(np.zeros((96, 128, 3), np.uint8), boxes)[1], strict=True):
        assert not any(overlap(label.box, other) for other in boxes)
        assert (label.scale, label.covers) == (1.0, False)
        assert label.box.y1 == box.y0 - 4


def test_the_label_of_a_box_inside_another_covers_neither_the_outline_nor_the_inner_box():
    outer, inner = Box(30, 30, 180, 130), Box(60, 70, 120, 110)
    first, second = draw_marks(np.zeros((150, 200, 3), np.uint8), [outer, inner])[1]
    assert not first.covers
    assert second.covers
    assert second.scale == 1.0
    assert not overlap(second.box, inner)
    assert overlap(second.box, outer) == (second.box.x1 - second.box.x0) * (second.box.y1 - second.box.y0)


def regions_of(stimulus):
    return [[10, 10, 30, 40], [50, 20, 90, 60]]


@pytest.mark.parametrize(
    "stimulus", [Still(truth={"boxes": regions_of(None)}), Still(factors={"boxes": regions_of(None)})]
)
def test_regions_come_from_the_truth_the_factors_or_a_function(stimulus):
    media = [decode(CONTENT, "a")]
    by_name, by_function = marked("boxes"), marked(regions_of)
    assert by_name.count(stimulus) == 1
    [(one, facts)] = by_name.make(stimulus, media)
    [(two, _)] = by_function.make(stimulus, media)
    assert one == two
    assert facts["boxes"] == regions_of(None)
    assert (facts["medium"], facts["covering"], len(facts["labels"])) == (0, [], 2)
    assert decode_png(one).shape == (96, 128, 3)
    assert by_name.digest != by_function.digest
    assert "matplotlib" in by_name.identity


def test_a_region_between_pixels_is_boxed_by_whole_ones():
    stimulus = Still(truth={"boxes": [[10.5, 10.2, 30.1, 40]]})
    [(_, facts)] = marked("boxes").make(stimulus, [decode(CONTENT, "a")])
    assert facts["boxes"] == [[10, 10, 31, 40]]


@pytest.mark.parametrize(
    "regions",
    [None, "all", [[1, 2, 3]], [[30, 10, 10, 40]], [[0, 0, 129, 10]], [[-1, 0, 5, 5]], [[0, 0, float("nan"), 5]], [7]],
)
def test_what_is_no_region_is_refused_with_the_stimulus(regions):
    stimulus = Still(id="figure-7", truth={} if regions is None else {"boxes": regions})
    with pytest.raises(InputError, match="stimulus 'figure-7'"):
        list(marked("boxes").make(stimulus, [decode(CONTENT, "a")]))


def test_a_stimulus_without_a_picture_is_refused_and_so_is_a_function_without_a_name():
    with pytest.raises(InputError, match="stimulus 'b' has no picture"):
        marked("boxes").count(Still(id="b", media=()))
    with pytest.raises(ValueError, match="cannot be imported"):
        marked(lambda _: [])
