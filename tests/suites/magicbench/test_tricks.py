"""Each family of tricks: logs keep the laws of nature, pictures show what the logs say, texts and boxes follow."""

import re

import numpy as np
import pytest

from studies.shortcut_learners import features, learned
from veridical.media.clips.write import encode_clip
from veridical.media.decode import Clip
from veridical.records import Chunk
from veridical.suite.nuisances import Nuisances
from veridical.suites.magicbench.make import Performance
from veridical.suites.magicbench.options import PEEKS, MagicBenchOptions
from veridical.suites.magicbench.stimuli import TRICK, Atom, Probe
from veridical.suites.magicbench.tricks.constraints import atoms
from veridical.suites.magicbench.tricks.film import (
    LEAST,
    PER_SECOND,
    TrickFilm,
    belongs,
    first_difference,
    overlap,
    visibility,
)
from veridical.suites.magicbench.tricks.hands import LEFT, RIGHT
from veridical.suites.magicbench.tricks.log import Appearance, Move, Stay, problems
from veridical.suites.magicbench.tricks.probes import HANDS, NEITHER, NOTHING, probes
from veridical.suites.magicbench.tricks.trick import USUAL_SUSPECTS, tricks

TRICKS = tricks()
each_trick = pytest.mark.parametrize("trick", TRICKS.values(), ids=list(TRICKS))
MANY, SOME, FEW = range(300), range(12), (0, 104, 214)
"""Units by number, each hundred of another seed."""
EDGE = 0.15
"""How far, in seconds, what the log says of the beginning or end of a view may be from what the pixels show."""
CLEAR = 60
"""How many pixels a thing has that a question calls in view."""


def base_of(trick, index):
    return trick.sample(Nuisances(trick.name, 640, index // 100, index))


def pair(trick, index, **view):
    base = base_of(trick, index)
    return TrickFilm(trick, base, False, **view), TrickFilm(trick, base, True, **view)


def place_by_hand(log, thing, time):
    """The place of a thing read from the stored events, without the log's own queries."""
    rows = [row for row in log.stored() if row["event"] == "At" and row["thing"] == thing]
    (place,) = {row["place"] for row in rows if row["start"] <= time < row["end"] or time == row["end"] == log.seconds}
    return place


@each_trick
def test_logs_keep_the_laws(trick):
    for index in MANY:
        base = base_of(trick, index)
        for honest in (False, True):
            log = trick.log(base, honest)
            assert not list(problems(log))
            assert 5 <= log.seconds <= 7
            assert log.secret[1] <= log.cover[0] + 1e-9
            assert log.cover[1] <= log.reveal[0] + 1e-9
            assert log.agent == base.staging.acting


@each_trick
def test_a_broken_log_is_found_out(trick):
    log = trick.log(base_of(trick, 0), honest=True)
    for kind, message in ((Move, "nothing moves it"), (Stay, "no place|in none|yet its places")):
        kept = [event for event in log.events if not (isinstance(event, kind) and event.thing == log.thing)]
        if kind is Stay:
            kept += log.ats(log.thing)[:-1] or [Stay(log.thing, log.places[0], 0.0, 1.0)]
        broken = type(log)(**{name: getattr(log, name) for name in log.__dataclass_fields__} | {"events": tuple(kept)})
        assert any(re.search(message, line) for line in problems(broken))


@each_trick
def test_trick_and_control_are_one_until_the_secret(trick):
    for index in SOME:
        one, two = pair(trick, index)
        assert (one.log.seconds, one.log.secret, one.log.agent) == (two.log.seconds, two.log.secret, two.log.agent)
        assert one.first == two.first > 0
        moments = [[film.moment(k) for k in range(film.clock.frames)] for film in (one, two)]
        assert moments[0][: one.first] == moments[1][: one.first]
        differs = [a != b for a, b in zip(*moments, strict=True)]
        assert sum(differs) >= one.rate, "what follows from the secret is visible for a second"


@each_trick
def test_decoded_frames_are_equal_until_they_may_differ(trick):
    one, two = pair(trick, 1, height=180, rate=12)
    clips = [Clip.open(encode_clip(film.frames(), film.rate, "ultrafast"), "clip.mp4") for film in (one, two)]
    before = set(range(one.first))
    shown = [[frame.pixels for frame in clip.frames(before)] for clip in clips]
    assert all(np.array_equal(a, b) for a, b in zip(*shown, strict=True))
    last = [next(iter(clip.frames({one.clock.frames - 1}))).pixels.astype(int) for clip in clips]
    assert (np.abs(last[0] - last[1]).max(2) > 40).sum() > 40
    both = zip(*(clip.frames(set(range(one.clock.frames))) for clip in clips), strict=True)
    differs = next(a.index for a, b in both if not np.array_equal(a.pixels, b.pixels))
    assert abs(first_difference(one, two) - one.clock.time(differs)) <= 1 / one.rate + 1e-9


@each_trick
def test_the_last_picture_before_the_reveal_tells_trick_and_control_apart_for_no_coarse_look(trick):
    options = MagicBenchOptions(units=36, height=180, rate=12, seed=3)
    seen, answers, units = [], [], []
    for index in range(options.units):
        unit = Performance(options, Chunk(trick.name, index))
        if trick.name == "levitation":
            assert unit.outcome is None
            return
        assert unit.films[TRICK].log.secret[1] <= unit.outcome <= unit.films[TRICK].log.reveal[0]
        assert unit.outcome > unit.first_visible + 0.5
        for variant, film in unit.films.items():
            seen.append(features([film.picture(film.clock.frame(unit.outcome) - 1)]))
            answers.append(variant)
            units.append(index)
    for name, told in learned(seen, answers, units).items():
        assert told.above <= 3, (name, told)


@each_trick
def test_what_is_seen_is_what_the_log_says(trick):
    """Visual supremacy: a thing that is said to be seen has pixels, one that is not has none, but for the edges."""
    for index in FEW:
        for film in pair(trick, index):
            for first in range(0, len(film.log.things), 3):
                things = film.log.things[first : first + 3]
                last, counts = None, {}
                for frame in range(0, film.clock.frames, 3):
                    if film.moment(frame) != last:
                        last = film.moment(frame)
                        counts = {
                            thing: int(mask.sum())
                            for thing, mask in zip(things, film.masks(frame, things), strict=True)
                        }
                    time = film.clock.time(frame)
                    for thing, count in counts.items():
                        edges = [edge for each in film.log.shown(thing) for edge in (each.start, each.end)]
                        if not any(abs(time - edge) < EDGE for edge in edges if 0 < edge < film.log.seconds):
                            visible = film.log.visible(thing, time)
                            assert (count >= LEAST) is visible, (index, film.honest, thing, time, count)


@each_trick
def test_what_is_asked_to_be_in_view_is_plainly_seen_and_else_not_at_all(trick):
    for index in range(9, 15):
        films = pair(trick, index)
        for film, twin in (films, films[::-1]):
            for probe in probes(film.log, twin.log, 0, f"{trick.name}/{index:04d}"):
                if probe["asks"] in ("view", "hidden") and film.log.words.get("view") is None:
                    count = int(film.masks(film.clock.frame(probe["time"]), [film.log.thing])[0].sum())
                    in_view = (probe["answer"] == "Yes") is (probe["asks"] == "view")
                    assert count >= CLEAR if in_view else count < 4, (index, film.honest, probe, count)


@each_trick
def test_the_tell_is_seen_in_the_trick_alone_and_grows_with_its_grade(trick):
    most = {}
    for index in range(18):
        one, two = pair(trick, index)
        base = one.base
        assert base.staging.peek in PEEKS
        frames = range(one.first, one.clock.frames, 4)
        log = one.log
        glimpses = [e for e in log.events if isinstance(e, Appearance) and e.glimpse]
        during = [k for k in frames if any(g.start <= one.clock.time(k) <= g.end for g in glimpses)]
        assert during
        counts = [int(one.masks(k, [log.tell])[0].sum()) for k in during]
        honest = [two.masks(k, [log.tell])[0].sum() for k in during]
        assert max(honest) < LEAST
        assert sum(count >= LEAST for count in counts) >= 3
        most.setdefault(base.staging.peek, []).append(max(counts))
    assert sorted(most) == sorted(PEEKS)
    grades = [np.median(most[peek]) for peek in sorted(most)]
    assert grades[0] < grades[1] < grades[2]
    assert all(max(own) < 2 * np.median(own) for own in most.values())


@each_trick
def test_windows_and_boxes(trick):
    for index in range(6):
        for film in pair(trick, index):
            found, log = visibility(film, 3), film.log
            assert found.window[0] <= log.secret[0] < log.secret[1] <= found.window[1] <= log.seconds
            assert 0.5 <= found.window[1] - found.window[0] <= 3
            assert len(found.critical) == len(found.placebo) >= 2
            assert (found.tell is None) is film.honest
            for row, other in zip(found.critical, found.placebo, strict=True):
                assert row.time == other.time
                assert row.time * PER_SECOND == int(row.time * PER_SECOND)
                assert found.window[0] <= row.time <= found.window[1]
                size, same = ((b.x1 - b.x0, b.y1 - b.y0) for b in (row, other))
                assert size == pytest.approx(same, abs=0.03)
                assert min(size) > 10
                for box in (row, other):
                    assert 0 <= box.x0 < box.x1 <= 640
                    assert 0 <= box.y0 < box.y1 <= 360
                tell, hand = film.masks(film.clock.frame(row.time), [log.tell, log.agent])
                for mask in (tell, hand):
                    outside = mask.copy()
                    outside[int(row.y0) : int(row.y1) + 1, int(row.x0) : int(row.x1) + 1] = False
                    assert not outside.any()
                inside = tell[int(other.y0) : int(other.y1) + 1, int(other.x0) : int(other.x1) + 1]
                if not film.honest:
                    assert inside.sum() < LEAST
                assert overlap(row[1:], other[1:]) < 0.8 * size[0] * size[1]


@each_trick
def test_atoms_are_true_in_the_log(trick):
    for index in MANY:
        base = base_of(trick, index)
        for honest in (False, True):
            log = trick.log(base, honest)
            made = atoms(trick, base, log)
            assert [atom["kind"] for atom in made] == ["start", "holder", "secret", "cover", "reveal", "props"]
            for atom in made:
                assert set(atom) == set(Atom.__annotations__)
                assert atom["text"][0].isupper()
                assert atom["text"].endswith(".")
                assert not re.search(r"[{}]", atom["text"])
                times = [] if atom["start"] is None else np.linspace(atom["start"] + 0.01, atom["end"] - 0.01, 5)
                for time in times:
                    if atom["place"]:
                        assert place_by_hand(log, atom["thing"], time) == atom["place"]
                    if atom["kind"] == "holder":
                        assert log.holder(atom["thing"], time) == atom["agent"]
                if atom["kind"] == "secret":
                    ends = [place_by_hand(log, atom["thing"], t) for t in (atom["start"] - 0.01, atom["end"] + 0.01)]
                    assert ends == [atom["origin"], atom["target"]]
                    assert any(m.agent == atom["agent"] for m in log.moves(atom["thing"]))


@each_trick
def test_the_belief_is_false_in_the_trick_and_true_in_the_control(trick):
    for index in SOME:
        base = base_of(trick, index)
        for honest in (False, True):
            log = trick.log(base, honest)
            belief = log.belief
            middle = (belief.start + belief.end) / 2
            assert (place_by_hand(log, belief.thing, middle) == belief.place) is honest
            assert belief.place in log.places


@each_trick
def test_answers_of_probes_stand_in_the_log(trick):
    for index in MANY:
        base = base_of(trick, index)
        for honest in (False, True):
            log = trick.log(base, honest)
            made = probes(log, trick.log(base, not honest), 0, f"{trick.name}/{index:04d}")
            assert {probe["moment"] for probe in made if probe["asks"] == "place"} >= {"before", "after"}
            for probe in made:
                assert set(probe) == set(Probe.__annotations__)
                assert len(set(probe["options"])) == len(probe["options"]) >= 2
                assert probe["answer"] in probe["options"]
                assert probe["answer"] == answered_by_hand(log, probe), probe
                time, (start, end) = probe["time"], log.secret
                assert time * PER_SECOND == int(time * PER_SECOND)
                assert probe["moment"] == ("before" if time < start else "during" if time <= end else "after")


@each_trick
def test_questions_tell_nothing_of_the_clip_that_they_are_about(trick):
    """The same is asked of trick and control, and "Yes" is as often right as "No"."""
    answers = []
    for index in MANY:
        logs = [trick.log(base_of(trick, index), honest) for honest in (False, True)]
        made = [probes(*both, 0, f"{trick.name}/{index:04d}") for both in (logs, logs[::-1])]
        asked = [[{**probe, "answer": ""} for probe in each] for each in made]
        assert asked[0] == asked[1]
        assert any(one["answer"] != two["answer"] for one, two in zip(*made, strict=True))
        answers += [probe["answer"] for each in made for probe in each if probe["asks"] in ("view", "hidden")]
        under = [probe for each in made for probe in each if probe["asks"] == "under" and probe["moment"] != "before"]
        assert sum(probe["answer"] == NOTHING for probe in under) * 2 == len(under)
    assert 0.45 < answers.count("Yes") / len(answers) < 0.55


def answered_by_hand(log, probe):
    """The answer of a probe from the stored events alone."""
    time = probe["time"]
    if probe["asks"] == "under":
        cover = re.match(r"What is under (.*) at ", probe["question"])[1]
        things = {row["thing"] for row in log.stored() if row["event"] == "At"}
        inside = [thing for thing in things if place_by_hand(log, thing, time) == f"under {cover}"]
        return inside[0] if inside else NOTHING
    if probe["asks"] in ("view", "hidden"):
        rows = [row for row in log.stored() if row["event"] == "Shown" and row["thing"] == log.thing]
        in_view = any(row["start"] <= time < row["end"] for row in rows)
        assert ("out of sight" in probe["question"]) is (probe["asks"] == "hidden")
        return "Yes" if in_view is (probe["asks"] == "view") else "No"
    place = place_by_hand(log, log.thing, time)
    if probe["asks"] == "place":
        return place
    moves = [row for row in log.stored() if row["event"] == "Move" and row["thing"] == log.thing]
    moved = [row["agent"] for row in moves if row["start"] <= time < row["end"]]
    place = log.hands.get(place, place)
    return place if place in HANDS else moved[0] if moved else NEITHER


@each_trick
def test_records_are_whole(trick):
    base = base_of(trick, 0)
    for template in (trick.principle, trick.control, trick.effect, trick.giveaway):
        text = trick.text(template, base)
        assert text
        assert not re.search(r"[{}]", text)
    assert set(trick.absent) == set(USUAL_SUSPECTS) - set(trick.props)
    assert set(trick.props) <= set(trick.present(base))
    assert {LEFT, RIGHT} == {base.staging.acting, base.staging.other}


@each_trick
def test_every_stroke_has_a_name_that_the_log_or_the_stage_knows(trick):
    for film in pair(trick, 2):
        log = film.log
        names = {LEFT, RIGHT, "sleeve", log.tell, *log.things, *film.base.staging.lying, *trick.props}
        for frame in range(0, film.clock.frames, 10):
            for entity, _ in film.items(film.moment(frame)):
                assert entity == "" or any(belongs(entity, name) for name in names), entity


@each_trick
def test_both_sides_and_all_occluders_occur(trick):
    stagings = [base_of(trick, index).staging for index in range(36)]
    assert {s.mirrored for s in stagings} == {False, True}
    assert {s.occluder for s in stagings} == {"none", "glass", "candle"}
    assert {len(s.distractors) for s in stagings} == {0, 1, 2, 3}
