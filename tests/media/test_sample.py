"""The frame on display at each time that was asked for, by name of the rule, as a stream."""

import tracemalloc
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from tests.media.clips import FRAMES, barcode, read_barcode, written
from veridical.errors import InputError
from veridical.media.clips.read import ClipSpan
from veridical.media.clips.sample import sample_frames, times_of
from veridical.media.clips.write import encode_clip
from veridical.media.decode import decode

EVEN = decode(encode_clip(FRAMES, 24), "even")


@given(count=st.integers(1, 50))
@settings(max_examples=20)
def test_uniform_takes_the_centers_of_equal_bins(count):
    times = times_of(f"uniform-{count}", EVEN.span)
    assert times == tuple((k + Fraction(1, 2)) * Fraction(20, 24) / count for k in range(count))
    samples = list(sample_frames(EVEN, times))
    assert [sample.requested for sample in samples] == list(times)
    # Frame k is on display from k / 24 s until (k + 1) / 24 s.
    assert [read_barcode(sample.frame.pixels) for sample in samples] == [int(time * 24) for time in times]
    assert all(0 <= sample.requested - sample.frame.time < Fraction(1, 24) for sample in samples)


@given(
    gaps=st.lists(st.integers(17, 133), min_size=2, max_size=19),
    shares=st.lists(st.fractions(0, 1).filter(lambda share: share < 1), min_size=1, max_size=9),
)
@settings(max_examples=20)
def test_times_of_a_varying_rate_find_the_frame_on_display(gaps, shares):
    starts = [sum(gaps[:k]) for k in range(len(gaps) + 1)]
    clip = decode(written(FRAMES[: len(starts)], container="matroska", times=starts, base=Fraction(1, 1000)), "vfr")
    times = sorted(share * clip.duration for share in shares)
    for time, sample in zip(times, sample_frames(clip, times), strict=True):
        due = max(k for k, start in enumerate(starts) if Fraction(start, 1000) <= time)
        assert (sample.frame.index, read_barcode(sample.frame.pixels)) == (due, due)
        assert sample.requested == time


def test_a_frame_is_on_display_from_exactly_its_own_time():
    times = [time for k in range(1, 20) for time in (Fraction(k, 24) - Fraction(1, 10**9), Fraction(k, 24))]
    found = [sample.frame.index for sample in sample_frames(EVEN, times)]
    assert found == [index for k in range(1, 20) for index in (k - 1, k)]


LENGTHS = st.fractions(Fraction(1, 50), 300, max_denominator=1001)


@given(duration=LENGTHS, share=st.fractions(0, 1), count=st.integers(2, 60))
def test_each_rule_takes_the_times_of_its_definition(duration, share, count):
    span = ClipSpan("clip", duration, share * duration)
    ends = times_of(f"uniform-{count}-ends", span)
    assert (ends[0], ends[-1], len(ends)) == (0, span.last, count)
    assert len({after - before for before, after in pairwise(ends)}) == 1
    grid = [k for k in range(1300) if Fraction(k, 4) < duration]
    if len(grid) > 1024:
        for name in ("4fps", "adaptive"):
            with pytest.raises(InputError, match=r"^clip: (4fps|adaptive) takes 1,\d+ frames of .* at most 1,024"):
                times_of(name, span)
    else:
        assert times_of("4fps", span) == times_of("adaptive", span) == tuple(Fraction(k, 4) for k in grid)
    capped = times_of(f"adaptive-{count}", span)
    if len(grid) <= count:
        assert capped == tuple(Fraction(k, 4) for k in grid)
    else:
        # As NumPy's linspace does, whose floats may lie just below a whole number: 11 of 22 steps to 806 give 402.99….
        steps = np.floor(np.linspace(0, len(grid) - 1, count) + 1e-9)
        assert capped == tuple(Fraction(int(k), 4) for k in steps)
        assert len(set(capped)) == count


@pytest.mark.parametrize("name", ["uniform-7-ends", "4fps", "adaptive-3"])
def test_ends_take_the_first_and_the_last_frame_and_every_sample_is_on_display(name):
    clip = decode(written(container="matroska", times=TIMES, base=Fraction(1, 1000)), "vfr")
    samples = list(sample_frames(clip, times_of(name, clip.span)))
    for sample in samples:
        due = max(k for k, start in enumerate(TIMES) if Fraction(start, 1000) <= sample.requested)
        assert (sample.frame.index, read_barcode(sample.frame.pixels)) == (due, due)
        assert sample.frame.time == Fraction(TIMES[due], 1000)
    assert samples[0].frame.index == 0
    assert (samples[-1].frame.index == 19) == (name == "uniform-7-ends")


TIMES = [sum((17 + 31 * k % 117) for k in range(n)) for n in range(20)]


@pytest.mark.parametrize("longest", [16, 40, 64, 1000])
def test_frames_are_scaled_down_to_the_longest_side_after_they_are_turned(longest):
    wide = [np.ascontiguousarray(np.repeat(frame, 2, axis=1)) for frame in FRAMES[:4]]
    for turn, shape in ((None, (64, 128)), ((90, False), (128, 64))):
        clip = decode(written(wide, turn=turn), "wide")
        (small,) = sample_frames(clip, [Fraction(0)], longest)
        (whole,) = sample_frames(clip, [Fraction(0)])
        assert whole.frame.pixels.shape == (*shape, 3)
        side = min(longest, 128)
        assert small.frame.pixels.shape == (*(round(each * side / 128) for each in shape), 3)
        exact = Image.fromarray(whole.frame.pixels).resize(small.frame.pixels.shape[1::-1], Image.Resampling.BOX)
        assert np.abs(np.asarray(exact).astype(int) - small.frame.pixels).mean() < 4
        assert whole.frame.pixels.flags.c_contiguous


def test_times_outside_or_out_of_order_and_too_many_frames_are_refused():
    for time in (Fraction(-1), EVEN.duration):
        with pytest.raises(InputError, match="lies outside"):
            list(sample_frames(EVEN, [time]))
    with pytest.raises(ValueError, match="ascend"):
        list(sample_frames(EVEN, [Fraction(1, 2), Fraction(0)]))
    for name in ("uniform-2000", "uniform-1-ends", "uniform-1025-ends", "adaptive-1", "adaptive-1025"):
        with pytest.raises(InputError, match="may be sampled"):
            times_of(name, EVEN.span)


UNKNOWN = ["", "uniform", "uniform-0", "uniform-016", "uniform-4 ", "8fps", "adaptive-", "4fps\n", "uniform-\u0664"]


@pytest.mark.parametrize("name", UNKNOWN)
def test_a_rule_of_an_unknown_name_is_refused_in_a_line_with_the_names_that_are_allowed(name):
    with pytest.raises(InputError, match=r"is unknown: uniform-N, uniform-N-ends, 4fps, .* allowed") as error:
        times_of(name, EVEN.span)
    assert "\n" not in str(error.value)


def test_a_clip_is_never_in_memory_as_a_whole():
    frames, side = 120, 256
    clip = decode(encode_clip((barcode(k % 256, side, side) for k in range(frames)), 24), "long")
    tracemalloc.start()
    seen = [
        read_barcode(sample.frame.pixels) for sample in sample_frames(clip, times_of(f"uniform-{frames}", clip.span))
    ]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert seen == list(range(frames))
    assert peak < frames * side * side * 3 / 10
    assert np.array_equal(next(clip.frames()).pixels, next(clip.frames()).pixels)
