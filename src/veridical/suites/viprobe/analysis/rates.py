"""VI-Probe's slices: those of the kit, under its name."""

from functools import partial

from veridical.suite import rates
from veridical.suite.rates import Slice

slice_of = partial(rates.Slice, "viprobe")
slices = partial(rates.slices, "viprobe")

__all__ = ["Slice", "slice_of", "slices"]
