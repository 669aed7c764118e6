"""Which boxes stand in a picture, how they are numbered, and how they are drawn."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.suites.magic.stimuli import make_stimulus, released
from veridical.errors import InputError
from veridical.media.pictures import Picture, decode_picture
from veridical.media.region_marks import draw_marks
from veridical.records import Box
from veridical.suites.magic.regions.choose import adversarial_boxes, area, numbering, other_order, overlap
from veridical.suites.magic.regions.pipeline import clip, disjoint, hot_spots, regions
from veridical.suites.magic.regions.rule import DRAWN_VIEWS, boxes_of_view, drawing_rule, relevant_of, stored_numbers

WIDTH, HEIGHT = 400, 300
BOXES = st.builds(
    lambda x, y, w, h: Box(x, y, min(x + w, WIDTH + 20), min(y + h, HEIGHT + 20)),
    st.integers(-5, WIDTH - 10),
    st.integers(-5, HEIGHT - 10),
    st.integers(0, 200),
    st.integers(0, 200),
)
NOISE = np.random.default_rng(0).integers(0, 256, (480, 640, 3), np.uint8)


@settings(max_examples=60, deadline=None)
@given(st.lists(BOXES, max_size=4), st.lists(BOXES, max_size=8), st.integers(0, 5), st.randoms())
def test_adversarial_boxes_lie_in_the_picture_and_overlap_nothing_in_any_order_of_the_candidates(
    relevant, candidates, seed, random
):
    chosen = adversarial_boxes(relevant, candidates, (WIDTH, HEIGHT), seed, "q")
    for place, box in enumerate(chosen.boxes):
        assert 0 <= box.x0 < box.x1 <= WIDTH
        assert 0 <= box.y0 < box.y1 <= HEIGHT
        assert not any(overlap(box, other) for other in [*relevant, *chosen.boxes[:place]])
    assert len(chosen.boxes) <= 3
    assert set(chosen.boxes[: len(chosen.boxes) - chosen.random]) <= set(candidates)
    random.shuffle(candidates)
    random.shuffle(relevant)
    assert adversarial_boxes(relevant, candidates, (WIDTH, HEIGHT), seed, "q") == chosen


def test_things_come_before_random_boxes_and_three_that_fit_leave_none_to_chance():
    things = [Box(20 * k, 0, 20 * k + 18, 18) for k in range(8)]
    chosen = adversarial_boxes([Box(200, 200, 260, 260)], things, (WIDTH, HEIGHT), 1)
    assert chosen.random == 0
    assert set(chosen.boxes) <= set(things)
    assert len({tuple(adversarial_boxes([], things, (WIDTH, HEIGHT), seed).boxes) for seed in range(20)}) > 10


def test_a_full_picture_gets_fewer_boxes():
    assert adversarial_boxes([Box(0, 0, WIDTH, HEIGHT)], [], (WIDTH, HEIGHT), 1) == ([], 0)


def test_random_boxes_keep_apart_from_what_is_named():
    apart = [Box(0, 0, WIDTH, 200)]
    chosen = adversarial_boxes([], [], (WIDTH, HEIGHT), 1, apart=apart)
    assert chosen.random == 3
    assert not any(overlap(box, apart[0]) for box in chosen.boxes)
    assert all(area(box) for box in chosen.boxes)


@pytest.mark.parametrize("relevant", [Box(10, 10, 40, 30), Box(100, 60, 170, 190)])
def test_random_boxes_are_as_large_as_the_relevant_ones_where_there_is_room(relevant):
    for seed in range(40):
        for box in adversarial_boxes([relevant], [], (WIDTH, HEIGHT), seed).boxes:
            assert 0.8 <= area(box) / area(relevant) <= 1.2
    wide = adversarial_boxes([Box(0, 0, WIDTH, 160)], [], (WIDTH, HEIGHT), 1).boxes
    assert len(wide) == 3, "there is no room for boxes as large, but for smaller ones"


def test_random_regions_show_no_thing_that_another_question_is_about():
    """Not even one that is too near to what matters to be a region itself."""
    matters, near = Box(100, 100, 160, 160), Box(150, 20, 330, 150)
    for seed in range(40):
        made = regions([matters], [near], None, (WIDTH, HEIGHT), seed)
        assert made.counts["random"] == 3
        assert not any(overlap(made.numbering.boxes[number - 1], near) for number in made.numbering.adversarial)


@settings(max_examples=40, deadline=None)
@given(st.lists(BOXES, max_size=9, unique=True), st.integers(0, 3), st.randoms())
def test_every_box_has_one_number_whatever_the_order_of_the_input(boxes, seed, random):
    relevant, rest = boxes[:3], boxes[3:]
    made = numbering(relevant, rest, seed, "q")
    assert sorted(made.boxes) == sorted(boxes)
    assert sorted(made.relevant + made.adversarial) == list(range(1, len(boxes) + 1))
    assert {made.boxes[number - 1] for number in made.relevant} == set(relevant)
    random.shuffle(relevant)
    random.shuffle(rest)
    assert numbering(relevant, rest, seed, "q") == made


def test_the_first_number_is_relevant_as_often_as_any_other():
    boxes = [Box(k, 0, k + 1, 1) for k in range(4)]
    firsts = [numbering(boxes[:1], boxes[1:], seed).relevant[0] for seed in range(400)]
    counts = np.bincount(firsts, minlength=5)[1:]
    assert ((counts - 100) ** 2 / 100).sum() < 16.3  # chi-squared with 3 degrees of freedom, p = 0.001


@given(st.integers(2, 12), st.integers(0, 50))
def test_in_another_order_no_box_keeps_its_number(count, seed):
    order = other_order(count, seed)
    assert sorted(order) == list(range(1, count + 1))
    assert all(old != new for new, old in enumerate(order, 1))


def test_every_view_numbers_the_same_relevant_boxes():
    stimulus = make_stimulus("compare", 3)
    truth = {tuple(stimulus.truth["boxes"][number - 1]) for number in stimulus.truth["relevant"]}
    for view in (*DRAWN_VIEWS, "blind"):
        boxes = boxes_of_view(stimulus, view)
        assert {boxes[number - 1] for number in relevant_of(stimulus, view)} == truth
        assert [list(box) for box in boxes] == [stimulus.truth["boxes"][k - 1] for k in stored_numbers(stimulus, view)]
    assert len(boxes_of_view(stimulus, "relevant-boxes")) == len(truth)
    assert relevant_of(stimulus, "renumbered") != relevant_of(stimulus, "all-boxes")


def drawing(stimulus, view, pixels=NOISE):
    ((content, facts),) = drawing_rule(view).make(stimulus, [Picture(pixels)])
    return decode_picture(content, "drawing"), facts


@pytest.mark.parametrize("view", DRAWN_VIEWS)
def test_only_masked_boxes_lose_their_content_and_labels_cover_no_box(view):
    stimulus = make_stimulus("logical", 1)
    pixels, facts = drawing(stimulus, view)
    for number, (x0, y0, x1, y1) in enumerate(facts["boxes"], 1):
        inside, before = pixels[y0:y1, x0:x1], NOISE[y0:y1, x0:x1]
        assert len(np.unique(inside)) == 1 if number in facts["masked"] else (inside == before).all()
    assert facts["covering"] == []
    masked = [facts["stored"][number - 1] for number in facts["masked"]]
    expected = {"relevant-masked": "relevant", "adversarial-masked": "adversarial"}.get(view)
    assert masked == (stimulus.truth[expected] if expected else [])


def test_boxes_and_labels_are_red_and_a_label_differs_from_the_bare_number():
    stimulus = released()
    pixels, facts = drawing(stimulus, "all-boxes", np.full((480, 640, 3), 120, np.uint8))
    plain, _ = draw_marks(np.full((480, 640, 3), 120, np.uint8), [Box(*box) for box in facts["boxes"]])
    (x0, y0, x1, y1), (left, top, right, bottom) = facts["labels"][0], facts["boxes"][0]
    assert tuple(pixels[y0 + 2, x0 + 2]) == (214, 39, 40)
    assert tuple(pixels[top + 5, right + 3]) == (214, 39, 40)
    assert bottom > top > 0
    assert x1 - x0 > y1 - y0
    assert (plain[y0:y1, x0:x1] != pixels[y0:y1, x0:x1]).any()
    assert left < right


def test_a_stimulus_without_a_picture_or_with_a_box_outside_is_refused():
    with pytest.raises(InputError, match="has no picture"):
        drawing_rule("all-boxes").count(make_stimulus(media=()))
    outside = make_stimulus(boxes=[[0, 0, 700, 10]], relevant=[1], adversarial=[])
    with pytest.raises(InputError, match="is not a box"):
        drawing(outside, "all-boxes")
    with pytest.raises(ValueError, match="shows no picture"):
        drawing_rule("blind")


SPOTS = st.lists(st.tuples(st.integers(0, 39), st.integers(0, 29), st.integers(1, 12), st.integers(1, 12)), max_size=5)


def saliency(places, shape=(30, 40)):
    pixels = np.zeros(shape, np.uint8)
    for x, y, w, h in places:
        pixels[y : y + h, x : x + w] = 220
    return pixels


@settings(max_examples=60, deadline=None)
@given(st.lists(BOXES, max_size=5), st.lists(BOXES, max_size=6), st.none() | SPOTS, st.integers(0, 5), st.randoms())
def test_regions_lie_inside_and_apart_whatever_the_order_of_the_input(things, others, places, seed, random):
    map_of = None if places is None else saliency(places)
    made = regions(things, others, map_of, (WIDTH, HEIGHT), seed, "q")
    random.shuffle(things)
    random.shuffle(others)
    assert regions(things, others, map_of, (WIDTH, HEIGHT), seed, "q") == made
    visible = [box for box in things if area(clip(box, (WIDTH, HEIGHT)))]
    if made is None:
        assert not visible
        return
    boxes, relevant, misleading = made.numbering
    assert relevant
    assert sorted(relevant + misleading) == list(range(1, len(boxes) + 1))
    assert len(misleading) == 3 or made.counts["too few"]
    for place, box in enumerate(boxes):
        assert 0 <= box.x0 < box.x1 <= WIDTH
        assert 0 <= box.y0 < box.y1 <= HEIGHT
        assert not any(overlap(box, other) for other in boxes[:place])
    for thing in visible:
        covered = sum(overlap(thing, boxes[number - 1]) for number in relevant)
        assert covered, "an annotated object has lost its region"


@given(st.lists(BOXES.filter(area), max_size=7), st.randoms())
def test_disjoint_boxes_stay_as_they_are_and_others_do_not_overlap_afterwards(boxes, random):
    made, counts = disjoint(boxes)
    assert disjoint(made) == (made, {})
    assert all(area(box) for box in made)
    assert not any(overlap(one, two) for k, one in enumerate(made) for two in made[:k])
    if not any(overlap(one, two) for k, one in enumerate(sorted(set(boxes))) for two in sorted(set(boxes))[:k]):
        assert made == sorted(set(boxes))
        assert not counts


def test_a_hot_spot_on_an_annotated_object_leaves_the_object_and_one_beside_it_is_a_region():
    thing = Box(100, 100, 180, 180)
    made = regions([thing], [], saliency([(11, 11, 5, 5), (30, 3, 5, 4)]), (WIDTH, HEIGHT), 0)
    assert {made.numbering.boxes[number - 1] for number in made.numbering.relevant} == {thing, Box(300, 30, 350, 70)}
    assert made.counts == {"on a thing": 1, "random": 3}


def test_special_cases_are_counted():
    flat = saliency([])
    things = [Box(10, 10, 60, 60), Box(30, 30, 30, 80), Box(500, 20, 600, 60)]
    assert regions(things, [], flat, (WIDTH, HEIGHT), 0).counts == {"no hot spot": 1, "empty": 2, "random": 3}
    assert regions([], [], flat, (WIDTH, HEIGHT), 0) is None
    whole = regions([Box(0, 0, WIDTH, HEIGHT)], [], None, (WIDTH, HEIGHT), 0)
    assert (whole.counts, whole.numbering.adversarial) == ({"too few": 1}, [])
    assert (
        regions(things[:1], [Box(200, 200, 250, 250)], None, (WIDTH, HEIGHT), 0, wanted=0).numbering.adversarial == []
    )


def test_a_hot_spot_is_half_of_the_maximum_and_of_a_size_that_counts():
    pixels = np.zeros((100, 200))
    pixels[10:30, 10:40], pixels[60:80, 100:120], pixels[50, 50] = 1.0, 0.49, 1.0
    assert hot_spots(pixels, (200, 100)) == [Box(10, 10, 40, 30)]
    pixels[60:80, 100:120] = 0.5
    assert hot_spots(pixels, (400, 200)) == [Box(20, 20, 80, 60), Box(200, 120, 240, 160)]
