"""The frame on display at each time that was asked for, by name of the rule, as a stream."""

import tracemalloc
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.media.clips import FRAMES, barcode, read_barcode, written
from veridical.errors import InputError
from veridical.media.clips.sample import sampled, times_of
from veridical.media.clips.write import encode_clip
from veridical.media.decode import decode

EVEN = decode(encode_clip(FRAMES, 24), "even")


@given(count=st.integers(1, 50))
@settings(max_examples=20)
def test_uniform_takes_the_centers_of_equal_bins(count):
    times = times_of(f"uniform-{count}", EVEN.span)
    assert times == tuple((k + Fraction(1, 2)) * Fraction(20, 24) / count for k in range(count))
    samples = list(sampled(EVEN, times))
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
    for time, sample in zip(times, sampled(clip, times), strict=True):
        due = max(k for k, start in enumerate(starts) if Fraction(start, 1000) <= time)
        assert (sample.frame.index, read_barcode(sample.frame.pixels)) == (due, due)
        assert sample.requested == time


def test_a_frame_is_on_display_from_exactly_its_own_time():
    times = [time for k in range(1, 20) for time in (Fraction(k, 24) - Fraction(1, 10**9), Fraction(k, 24))]
    found = [sample.frame.index for sample in sampled(EVEN, times)]
    assert found == [index for k in range(1, 20) for index in (k - 1, k)]


def test_times_outside_or_out_of_order_and_too_many_frames_are_refused():
    for time in (Fraction(-1), EVEN.duration):
        with pytest.raises(InputError, match="lies outside"):
            list(sampled(EVEN, [time]))
    with pytest.raises(ValueError, match="ascend"):
        list(sampled(EVEN, [Fraction(1, 2), Fraction(0)]))
    for name in ("uniform-2000", "uniform-1-ends", "uniform-1025-ends", "adaptive-1", "adaptive-1025"):
        with pytest.raises(InputError, match="may be sampled"):
            times_of(name, EVEN.span)


UNKNOWN = ["", "uniform", "uniform-0", "uniform-016", "uniform-4 ", "8fps", "adaptive-", "4fps\n", "uniform-\u0664"]


@pytest.mark.parametrize("name", UNKNOWN)
def test_a_rule_of_an_unknown_name_is_refused_in_a_line_with_the_names_that_are_allowed(name):
    with pytest.raises(InputError, match="is unknown: uniform-N, uniform-N-ends, 4fps, .* allowed") as error:
        times_of(name, EVEN.span)
    assert "\n" not in str(error.value)


def test_a_clip_is_never_in_memory_as_a_whole():
    frames, side = 120, 256
    clip = decode(encode_clip((barcode(k % 256, side, side) for k in range(frames)), 24), "long")
    tracemalloc.start()
    seen = [read_barcode(sample.frame.pixels) for sample in sampled(clip, times_of(f"uniform-{frames}", clip.span))]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert seen == list(range(frames))
    assert peak < frames * side * side * 3 / 10
    assert np.array_equal(next(clip.frames()).pixels, next(clip.frames()).pixels)
