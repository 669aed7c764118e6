"""Scenes, questions and chains of MagiC: what holds for every scene, whatever the seed."""

from __future__ import annotations

from itertools import combinations, permutations

import pytest

from tests.suites.magic.oracle import answer_of
from veridical.records import Box
from veridical.suite.nuisances import Nuisances
from veridical.suites.magic.scenes.compose import compose, forms_of
from veridical.suites.magic.scenes.graph import OPPOSITE, Graph, relations_between
from veridical.suites.magic.scenes.kinds import KINDS
from veridical.suites.magic.scenes.layout import FEWEST, MOST
from veridical.suites.magic.stimuli import QUESTION_TYPES

SCENES = 400
WIDTH, HEIGHT = 640, 480


@pytest.fixture(scope="module", params=["room", "table"])
def scenes(request):
    return [compose(request.param, WIDTH, HEIGHT, 11, index) for index in range(SCENES)]


def related(first, second, width, height, kind="room"):
    """What the first box is to the second, where that is beyond doubt."""
    return relations_between([first, second], width, height, kind).get((0, 1))


def clear(one, two):
    return one.x1 <= two.x0 or two.x1 <= one.x0 or one.y1 <= two.y0 or two.y1 <= one.y0


def test_scenes_have_five_to_fourteen_things_that_never_overlap_nor_leave_the_picture(scenes):
    counts = {len(scene.setting.things) for scene in scenes}
    assert min(counts) >= FEWEST
    assert max(counts) <= MOST
    for scene in scenes:
        boxes = [thing.box for thing in scene.setting.things]
        assert all(clear(one, two) for one, two in combinations(boxes, 2))
        assert all(0 <= box.x0 < box.x1 <= WIDTH and 0 <= box.y0 < box.y1 <= HEIGHT for box in boxes)


def test_things_are_where_their_nouns_may_be_and_touch_what_they_stand_on(scenes):
    for scene in scenes:
        things = scene.setting.things
        for thing in things:
            kind = KINDS[thing.kind]
            assert thing.color in kind.colors
            assert thing.material in kind.materials
            if thing.on is not None:
                under = things[thing.on]
                assert KINDS[under.kind].holds
                assert thing.box.y1 == under.box.y0
                assert under.box.x0 <= thing.box.x0
                assert thing.box.x1 <= under.box.x1


def test_a_relation_and_its_opposite_are_stated_together_and_never_more_than_one(scenes):
    for scene in scenes:
        graph = Graph(scene.setting)
        for (first, second), name in graph.by_pair.items():
            if name in OPPOSITE:
                assert graph.by_pair[second, first] == OPPOSITE[name]
        assert len(graph.by_pair) == len(graph.relations)


def test_relations_follow_from_the_boxes_alone(scenes):
    for scene in scenes[:20]:
        graph, things = Graph(scene.setting), scene.setting.things
        for first, second in permutations(range(len(things)), 2):
            name = related(things[first].box, things[second].box, WIDTH, HEIGHT, scene.setting.kind)
            stated = graph.by_pair.get((first, second))
            assert stated == name or (stated == "on" and things[first].on == second)


def test_what_is_nearly_level_or_nearly_aside_is_not_stated():
    assert related(Box(0, 0, 50, 50), Box(60, 0, 90, 50), WIDTH, HEIGHT) is None
    assert related(Box(0, 0, 50, 50), Box(0, 55, 50, 90), WIDTH, HEIGHT) is None
    assert related(Box(0, 0, 50, 50), Box(20, 60, 90, 110), WIDTH, HEIGHT) == "above"
    assert related(Box(0, 0, 50, 50), Box(20, 60, 90, 110), WIDTH, HEIGHT, "table") == "behind"
    assert related(Box(0, 0, 50, 50), Box(30, 60, 90, 110), WIDTH, HEIGHT) is None


def test_each_question_has_one_answer_which_an_oracle_finds_from_its_words_and_the_things(scenes):
    for scene in scenes:
        assert tuple(scene.questions) == QUESTION_TYPES
        for name, question in scene.questions.items():
            assert answer_of(question.text, scene.setting) == question.short, (scene.forms[name], question.text)


def test_a_rule_accepts_the_answer_and_no_rival_and_the_full_answer_has_the_essentials(scenes):
    for scene in scenes:
        for question in scene.questions.values():
            rule = question.rule()
            assert question.short in rule["accepted"]
            assert not set(rule["accepted"]) & set(rule["rivals"])
            words = question.full.casefold()
            assert all(any(word in words for word in group) for group in rule["essentials"])


def test_a_scene_depends_on_its_seed_and_number_alone():
    assert compose("room", WIDTH, HEIGHT, 3, 4) == compose("room", WIDTH, HEIGHT, 3, 4)
    assert compose("room", WIDTH, HEIGHT, 3, 4) != compose("room", WIDTH, HEIGHT, 4, 4)


def test_things_are_as_large_as_the_picture_is(scenes):
    kind = scenes[0].setting.kind
    wide = compose(kind, 1280, 960, 11, 0)
    assert all(thing.box.x1 <= 1280 and thing.box.y1 <= 960 for thing in wide.setting.things)


@pytest.mark.parametrize("kind", ["room", "table"])
def test_every_form_of_question_has_a_name_of_its_type(kind):
    for name in QUESTION_TYPES:
        names = [form.name for form in forms_of(kind, name)]
        assert len(set(names)) == len(names) >= 3
        assert all(each.startswith(f"{name}-") for each in names)


def test_nuisances_of_scenes_do_not_repeat():
    draws = {
        Nuisances(f"magic/{kind}", WIDTH, 0, index).between(0, 1) for kind in ("room", "table") for index in (0, 1)
    }
    assert len(draws) == 4


def test_what_hangs_on_the_wall_does_not_seem_to_stand_on_anything(scenes):
    for things in (scene.setting.things for scene in scenes if scene.setting.kind == "room"):
        hanging = [each for each in things if each.on is None and "floor" not in KINDS[each.kind].stands]
        for thing in hanging:
            for box in (each.box for each in things if each not in hanging):
                aside = box.x1 <= thing.box.x0 or thing.box.x1 <= box.x0 or box.y1 <= thing.box.y0
                assert aside or box.y0 - thing.box.y1 >= 0.07 * HEIGHT
