"""Clips of physics: one simulation up to the event, texts that tell nothing, truth that is read back."""

import io
from collections import Counter

import av
import numpy as np
import pytest

from tests.suites.hocabench.masks import mask
from veridical.errors import InputError
from veridical.media.decode import Clip, decode
from veridical.records import Chunk
from veridical.suites.hocabench.options import HOCABenchOptions
from veridical.suites.hocabench.physics.film import film_of
from veridical.suites.hocabench.physics.make import chunks, make, verify
from veridical.suites.hocabench.physics.rendering.scenes import RENDERED_SCENES
from veridical.suites.hocabench.physics.scene_index import hosts
from veridical.suites.hocabench.physics.scenes import SCENES
from veridical.suites.hocabench.physics.truth import turn_of
from veridical.suites.hocabench.taxonomy import LAYERS, SUB_TYPES

SMALL = HOCABenchOptions(height=180, rate=12, units=3)


@pytest.fixture(scope="module")
def collisions():
    """The courses of three units, with their bytes."""
    return [list(make(SMALL, Chunk("collision", k))) for k in range(3)]


def clip_of(content):
    return Clip.open(content, "clip.mp4")


def packets(content):
    with av.open(io.BytesIO(content)) as container:
        return [(packet.pts, packet.dts, bytes(packet)) for packet in container.demux(video=0) if packet.size]


def test_nothing_tells_the_courses_apart_before_the_event(collisions):
    for made in collisions:
        clips = [clip_of(files[0]) for _, files in made]
        event = made[0][0].factors["event"]
        before = [k for k, time in enumerate(clips[0].times) if time < event - 1e-3]
        assert before
        shown = [[frame.pixels for frame in clip.frames(set(before))] for clip in clips]
        assert all(np.array_equal(a, b) for a, b in zip(shown[0], shown[1], strict=True))
        first, second = (packets(files[0]) for _, files in made[:2])
        assert first[: len(before)] == second[: len(before)]
        assert first[len(before)] != second[len(before)]
        assert len({clip.duration for clip in clips}) == 1
        assert len({len(files[0]) for _, files in made}) == 1


def test_a_unit_depends_on_its_number_alone(collisions):
    again = list(make(SMALL.model_copy(update={"units": 9}), Chunk("collision", 1)))
    assert again == collisions[1]


def test_the_media_are_those_of_the_record(collisions):
    for stimulus, files in collisions[0]:
        assert verify(stimulus, [decode(files[0], "clip.mp4")]) is None
        assert stimulus.media[0].frames == 48


def test_a_clip_of_the_other_course_is_found_out(collisions):
    (one, _), (_, other_files) = collisions[0][:2]
    assert "does not show what the state log says" in str(verify(one, [decode(other_files[0], "clip.mp4")]))


def test_labels_intervals_and_texts_follow_the_course(collisions):
    for made in collisions:
        for stimulus, _ in made:
            violating = stimulus.variant == "violating"
            assert stimulus.label == ("No" if violating else "Yes")
            assert stimulus.truth["plausible"] is not violating
            assert stimulus.factors["anomalies"] == len(stimulus.truth["intervals"]) == int(violating)
            if violating:
                assert stimulus.truth["intervals"][0][0] == pytest.approx(stimulus.factors["event"])
                options, kinds = stimulus.truth["options"], stimulus.truth["option_sub_types"]
                assert len(set(options)) == len(set(kinds)) == 4
                assert kinds[options.index(stimulus.truth["option"])] == stimulus.factors["sub_type"]


def test_masks_lie_within_boxes(collisions):
    stimulus = collisions[0][0][0]
    film = film_of(stimulus.truth["made"])
    (part,) = film.parts
    for actor, rows in stimulus.truth["boxes"].items():
        for time, x0, y0, x1, y1 in rows:
            seen = mask(part.scene, part.base, film.states[0], film.clock, part.view, round(time * 12), actor)
            outside = seen.copy()
            outside[int(y0) : int(y1) + 1, int(x0) : int(x1) + 1] = False
            assert seen.any()
            assert not outside.any()


def test_every_sub_type_has_scenes_enough_that_a_scene_does_not_name_it():
    for name in SUB_TYPES:
        assert len(hosts(name)) >= 3, name


def test_each_domain_occurs_in_scenes_that_other_domains_share():
    for scene in SCENES.values():
        assert len({SUB_TYPES[event.sub_type].domain for event in scene.events}) > 1, scene.name


@pytest.mark.parametrize("name", SCENES)
def test_a_scene_does_not_tell_the_layer(name):
    assert {event.layer for event in SCENES[name].events} == set(LAYERS)


def test_explained_controls_exist_for_six_sub_types_at_least():
    assert len({e.sub_type for scene in SCENES.values() for e in scene.events if e.explained}) >= 6


def used(count, style="flat"):
    """The turns of the first units of every sub-type, for each sub-type."""
    names = tuple(name for name in SUB_TYPES if hosts(name, style=style))
    return {name: [turn_of(name, 3, k, names, None, style) for k in range(count)] for name in names}


def test_scenes_of_a_sub_type_take_turns():
    for name, taken in used(30).items():
        scenes = Counter(turn.scene for turn in taken)
        assert len(scenes) >= 3, name
        assert max(scenes.values()) <= 18, scenes


@pytest.mark.parametrize(("style", "share"), [("flat", 1.0), ("rendered", 0.7)])
def test_the_options_alone_do_not_tell_which_of_them_is_true(style, share):
    """Whoever knows how the sets are made, and sees the options alone, is right in a quarter of the units with some."""
    beside, every = Counter(), used(400, style)
    given = {name: [turn for turn in taken if turn.sub_types] for name, taken in every.items()}
    assert sum(map(len, given.values())) >= share * 400 * len(every)
    for name, taken in given.items():
        for turn in taken:
            beside[turn.scene, tuple(sorted(turn.sub_types)), name] += 1
    best = {}
    for (scene, options, _), count in beside.items():
        best[scene, options] = max(best.get((scene, options), 0), count)
    assert sum(best.values()) / beside.total() < 0.27


def test_every_event_in_three_dimensions_occurs():
    taken = {(turn.scene, name) for name, turns in used(200, "rendered").items() for turn in turns}
    assert taken == {(scene.name, event.sub_type) for scene in RENDERED_SCENES.values() for event in scene.events}


@pytest.mark.parametrize("family", ["panels", "sequence"])
def test_several_anomalies_in_one_clip(family):
    for k in range(3):
        ((stimulus, files),) = make(SMALL, Chunk(family, k))
        odd = stimulus.truth["sub_types"]
        assert len(odd) in ((2, 3) if family == "panels" else (1, 2))
        assert len(set(odd)) == len(odd) == len(stimulus.truth["intervals"])
        assert stimulus.label == (",".join(sorted(odd)) if family == "panels" else None)
        clip = decode(files[0], "clip.mp4")
        assert clip.duration == (4 if family == "panels" else 12)
        assert all(0 < start < end <= clip.duration for start, end in stimulus.truth["intervals"])
        assert verify(stimulus, [clip]) is None


def test_sets_are_balanced_over_sub_types():
    counted = Counter(chunk.family for chunk in chunks(HOCABenchOptions(units=7)))
    assert {counted[name] for name in SUB_TYPES} == {7}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sub_types": ("gravitas",)}, "sub-type 'gravitas'"),
        ({"scenes": ("nowhere",)}, "scene 'nowhere'"),
        ({"scenes": ("rolling_ball",), "sub_types": ("optics",)}, "none of these scenes hosts"),
    ],
)
def test_bad_choices_end_in_one_line(options, message):
    with pytest.raises(InputError, match=message):
        chunks(HOCABenchOptions(**options))
