"""Clips of tricks and their honest controls: one performance up to the secret, and truth that is read back."""

from collections import Counter
from itertools import product

import numpy as np
import pytest

from tests.suites.magicbench.conftest import SMALL
from veridical.errors import InputError
from veridical.media.decode import Clip, decode
from veridical.records import Chunk
from veridical.suites.magicbench.make import Performance, chunks, make, verify
from veridical.suites.magicbench.options import CYCLE, FRONTS, HANDS, PEEKS, RECIPES, MagicBenchOptions
from veridical.suites.magicbench.stimuli import COMPONENTS, FACTORS, HONEST, TRICK, TYPES, TrickTruth
from veridical.suites.magicbench.tricks.trick import FAMILIES


def by_variant(unit):
    return {stimulus.variant: (stimulus, files[0]) for stimulus, files in unit}


def test_a_unit_is_a_trick_and_its_honest_control(made):
    for unit in made:
        assert {stimulus.variant for stimulus, _ in unit} == {TRICK, HONEST}
        assert len({stimulus.unit for stimulus, _ in unit}) == 1
        for stimulus, _ in unit:
            assert set(stimulus.truth) == {*TrickTruth.__annotations__, "made"}
            assert set(stimulus.factors) == set(FACTORS)
            assert stimulus.label is None
            start, end = stimulus.truth["window"]
            assert stimulus.factors["window_length"] == pytest.approx(end - start, abs=1e-3)


def test_decoded_frames_are_equal_until_the_secret_and_differ_in_the_end(made):
    for unit in made:
        clips = {variant: Clip.open(content, "clip.mp4") for variant, (_, content) in by_variant(unit).items()}
        secret = unit[0][0].truth["secret"][0]
        times = clips[TRICK].times
        before = {k for k, time in enumerate(times) if time < secret}
        assert len(before) > 5
        shown = [[frame.pixels for frame in clips[variant].frames(before)] for variant in (TRICK, HONEST)]
        assert all(np.array_equal(a, b) for a, b in zip(*shown, strict=True))
        last = [next(iter(clips[v].frames({len(times) - 1}))).pixels.astype(int) for v in (TRICK, HONEST)]
        assert np.abs(last[0] - last[1]).max() > 40


def test_the_clips_of_a_unit_have_as_many_bytes(made):
    for unit in made:
        assert len({len(content) for _, (content,) in unit}) == 1


def test_a_unit_depends_on_its_number_alone(made):
    larger = SMALL.model_copy(update={"units": 9, "tricks": None})
    assert list(make(larger, Chunk("coin", 1))) == made[1]


def test_the_clips_show_what_their_logs_say_and_exchanged_clips_are_noticed(made):
    for unit in made:
        clips = by_variant(unit)
        for variant, (stimulus, content) in clips.items():
            assert verify(stimulus, [decode(content, "clip.mp4")]) is None
            other = clips[HONEST if variant == TRICK else TRICK][1]
            assert "does not show" in verify(stimulus, [decode(other, "clip.mp4")])


def test_a_log_of_another_performance_is_noticed(made):
    one, other = (by_variant(unit)[TRICK] for unit in made)
    changed = type(one[0])(**{**vars_of(one[0]), "truth": {**one[0].truth, "log": other[0].truth["log"]}})
    assert verify(changed, [decode(one[1], "clip.mp4")]) == "the state log is not the one that this version makes"


@pytest.mark.parametrize("name", ["patter", "probes", "pcs"])
def test_texts_of_the_other_clip_are_noticed(made, name):
    one, other = made[0]
    changed = type(one[0])(**{**vars_of(one[0]), "truth": {**one[0].truth, name: other[0].truth[name]}})
    assert (
        verify(changed, [decode(one[1][0], "clip.mp4")]) == f"'{name}' is not what this version makes of the state log"
    )


def vars_of(record):
    return {name: getattr(record, name) for name in record.__dataclass_fields__}


@pytest.mark.parametrize("family", FAMILIES)
def test_levels_are_balanced_over_a_cycle(family):
    options = MagicBenchOptions()
    bases = [Performance(options, Chunk(family, k)).base for k in range(CYCLE)]
    cells = Counter((base.staging.peek, base.staging.acting, base.staging.occluder) for base in bases)
    assert cells == Counter(product(PEEKS, HANDS, FRONTS))
    assert RECIPES["balanced"].values["units"] == CYCLE


@pytest.mark.parametrize("family", FAMILIES)
def test_levels_can_be_chosen_and_all_else_stays(family):
    chosen = MagicBenchOptions(peeks=(1.0,), hands=("left hand",), occluders=("glass",))
    for k in range(4):
        usual, own = (Performance(options, Chunk(family, k)) for options in (MagicBenchOptions(), chosen))
        staging = own.base.staging
        assert (staging.peek, staging.acting, staging.occluder) == (1.0, "left hand", "glass")
        assert (staging.skin, staging.tempo, staging.distractors) == (
            usual.base.staging.skin,
            usual.base.staging.tempo,
            usual.base.staging.distractors,
        )
        assert own.films[TRICK].log.agent == "left hand"


def test_the_same_words_are_said_over_trick_and_control_and_a_lie_is_true_in_one_alone(made):
    for unit in made:
        trick, honest = (by_variant(unit)[variant][0].truth["patter"] for variant in (TRICK, HONEST))
        assert set(trick) == set(honest) == {*TYPES, *COMPONENTS}
        for name, words in trick.items():
            assert [words[key] for key in ("text", "timeline")] == [honest[name][key] for key in ("text", "timeline")]
        assert {claim["true"] for claim in honest["lie"]["claims"]} == {True}
        assert False in {claim["true"] for claim in trick["lie"]["claims"]}
        assert {claim["true"] for claim in trick["truth"]["claims"]} == {True}
    assert len({stimulus.factors["phrasing"] for unit in made for stimulus, _ in unit}) == len(made)


def test_words_that_cannot_be_said_end_with_a_line(monkeypatch):
    def refuse(*_, **__):
        raise ValueError("a clip of 2.00 s is too short for the words")

    monkeypatch.setattr("veridical.suites.magicbench.make.patter_of", refuse)
    with pytest.raises(InputError, match=r"coin/0000: a clip of 2\.00 s is too short"):
        list(make(SMALL, Chunk("coin", 0)))


def test_a_set_holds_each_family_that_is_wanted():
    assert Counter(chunk.family for chunk in chunks(MagicBenchOptions(units=4))) == dict.fromkeys(FAMILIES, 4)
    with pytest.raises(InputError, match="coin"):
        chunks(MagicBenchOptions(tricks=("coins",)))


def test_what_shows_too_little_is_not_written(monkeypatch):
    monkeypatch.setattr("veridical.suites.magicbench.tricks.film.LEAST", 10**9)
    with pytest.raises(InputError, match="coin/0000: nothing of the secret can be seen"):
        list(make(SMALL, Chunk("coin", 0)))
