"""What a careful viewer must be able to tell: through from behind, one law from another, the event from its setting."""

import numpy as np
import pytest

from tests.suites.hocabench.masks import mask
from tests.suites.hocabench.test_scenes import CLOCK, base_of, played
from veridical.media.figures.render import FilmView
from veridical.suites.hocabench.physics.passage import face_part
from veridical.suites.hocabench.physics.props_rink import STONE_HALF
from veridical.suites.hocabench.physics.scenes import SCENES

VIEW = FilmView("shaded", "still", 360)


@pytest.mark.parametrize(
    ("scene", "mover", "solid", "shown", "hidden"),
    [
        ("pushed_blocks", "crate", "stone", 0.2, 0.2),
        ("rolling_ball", "ball", "block", 0.2, 0.1),
        ("dropped_ball", "ball", "table", 0.03, 0.01),
    ],
)
def test_what_passes_through_a_solid_is_seen_in_it_and_partly_hidden_by_it(scene, mover, solid, shown, hidden):
    """In some frame the mover shows on the face of the solid, and the solid hides a part of the mover.

    Behind the solid it would not be seen there, in front of it all of it would be.
    """
    drawn = SCENES[scene]
    for index in range(4):
        base = base_of(drawn, index)
        event = drawn.event("collision")
        states = event.play(base, CLOCK, "violating")
        begin = event.begins(base, CLOCK)
        args = drawn, base, states, CLOCK, VIEW
        whole = mask(*args, begin - 1, mover).sum()
        alone = mask(*args, begin - 1, solid)
        both = []
        for frame in range(begin, min(begin + 30, CLOCK.frames)):
            seen = mask(*args, frame, mover)
            both.append(((seen & alone).sum() / whole, seen.sum() / whole))
        shows, left = np.array(both).T
        assert shows.max() > shown, index
        assert left[shows > 0.02].min() < 1 - hidden, index


def test_only_the_water_tells_the_courses_of_the_pot_apart():
    scene = SCENES["stove"]
    for index in range(4):
        base = base_of(scene, index)
        courses = played(scene.event("mass_volume"), base, CLOCK)
        for odd, usual in zip(courses["violating"], courses["plausible"], strict=True):
            assert {name for name in odd if odd[name] != usual.get(name)} <= {"water", "ice"}
            assert odd["paper"]["burnt"] == 0
        rise = [courses[name][-1]["water"]["level"] - courses[name][0]["water"]["level"] for name in courses]
        assert rise[0] < -40
        assert abs(rise[1]) < 1e-6


def test_a_curling_stone_turns_round_far_from_the_other_one():
    scene = SCENES["curling"]
    for index in range(12):
        base = base_of(scene, index)
        states = played(scene.event("inertia"), base, CLOCK)["violating"]
        gaps = [state["other"]["x"] - state["first"]["x"] - 2 * STONE_HALF for state in states]
        assert min(gaps) > 1.2 * STONE_HALF
        seen = sum(state["first"]["x"] > -STONE_HALF for state in states[scene.event("inertia").begins(base, CLOCK) :])
        assert seen >= CLOCK.rate


def test_a_crate_rests_before_it_sets_off():
    scene = SCENES["ramp"]
    for index in range(12):
        base = base_of(scene, index)
        event = scene.event("inertia")
        states, begin = event.play(base, CLOCK, "violating"), event.begins(base, CLOCK)
        still = [state["crate"]["way"] for state in states[begin - 9 : begin]]
        assert max(still) - min(still) < 1e-9


def test_a_part_on_a_face_is_none_beyond_it():
    assert face_part([(0, 0), (1, 0), (1, 1)], (2, 0, 3, 1)) == []
