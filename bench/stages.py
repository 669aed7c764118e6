"""How much of the processor's time each step from a design to a written stimulus takes, case by case.

The processor's time is the same whatever else the machine does, but for what that takes of the caches.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import process_time

from veridical.base.options import parse_options
from veridical.base.workers import Workers
from veridical.media.draw import Scene, encode_png, pixel_hash
from veridical.stimulus_set import write_set
from veridical.suites.viprobe.design import DESIGN
from veridical.suites.viprobe.illusions.case import Case
from veridical.suites.viprobe.illusions.drawing import CHANGED, VARIANTS, Drawing
from veridical.suites.viprobe.illusions.make import chunks, make
from veridical.suites.viprobe.illusions.verify import REDUCED
from veridical.suites.viprobe.illusions.view import View
from veridical.suites.viprobe.options import VIProbeOptions

DRAWING = ("geometry", "raster", "PNG")
STAGES = (*DRAWING, "hash", "measure", "reduced")
Seconds = dict[str, float]


@dataclass(frozen=True)
class Timing:
    """Seconds of the processor for all pictures of a case: step by step, and for making and writing them as a set."""

    pictures: int
    steps: Seconds
    made: float

    @property
    def drawn(self) -> float:
        """Sampling, geometry, raster and PNG."""
        return sum(self.steps[name] for name in DRAWING)

    @property
    def written(self) -> float:
        """What making takes beside the steps: records, checks, padding, files, the table."""
        return max(self.made - sum(self.steps.values()), 0.0)


def timing(case: Case, size: int, units: int, passes: int) -> Timing:
    """The best of some passes over all variants of a case at four strengths, as `veridical make` draws them.

    Every pass draws base items of its own: what was strewn about the targets of others cannot be had from memory.
    """
    design = parse_options(VIProbeOptions, {"cases": (case.name,), "levels": 4, "units": units, "size": size})
    designs = [design.model_copy(update={"seed": seed}) for seed in range(2 * passes)]
    steps = [_steps(case, each) for each in designs[:passes]]
    made = min(map(_made, designs[passes:]))
    return Timing(steps[0][1], min((found for found, _ in steps), key=lambda found: sum(found.values())), made)


def best(action: Callable[[], object], repeats: int) -> float:
    """Seconds of the processor that the shortest of some calls took."""
    found: list[float] = []
    while len(found) < repeats:
        begun = process_time()
        action()
        found.append(process_time() - begun)
    return min(found)


def figure(case: Case, size: int) -> Scene:
    """One perturbed picture of a case: what is compared with other ways to draw it."""
    return case.geometry(case.base(size, 0, 0), 0.5).scene()


def _made(design: VIProbeOptions) -> float:
    with tempfile.TemporaryDirectory() as folder:
        return best(
            lambda: write_set(
                Path(folder) / "set",
                "viprobe",
                design,
                chunks(design),
                make,
                factors=DESIGN.factors,
                workers=Workers(1),
            ),
            1,
        )


def _steps(case: Case, design: VIProbeOptions) -> tuple[Seconds, int]:
    spent, count = dict.fromkeys(STAGES, 0.0), 0
    for index in range(design.units):
        with _timed(spent, "geometry"):
            drawing = Drawing(case, case.base(design.size, design.seed, index))
        for variant, alpha in sorted(_planned(case, design), key=lambda picture: picture[1]):
            _picture(drawing, variant, alpha, spent)
            count += 1
    return spent, count


def _planned(case: Case, design: VIProbeOptions) -> list[tuple[str, float]]:
    return [
        (variant, alpha)
        for variant in VARIANTS
        for alpha in (design.alphas if variant in CHANGED else (0.0,))
        if case.shows(VARIANTS[variant])
    ]


def _picture(drawing: Drawing, variant: str, alpha: float, spent: Seconds) -> None:
    with _timed(spent, "geometry"):
        below, above = drawing.layers(VARIANTS[variant], alpha)
    with _timed(spent, "raster"):
        pixels = drawing.painted(below, above)
    with _timed(spent, "PNG"):
        encode_png(pixels)
    with _timed(spent, "hash"):
        pixel_hash(pixels)
    with _timed(spent, "measure"):
        readings = drawing.readings(View(pixels), alpha)
        readings.at(readings.side)
    if variant != "I":
        with _timed(spent, "reduced"):
            for side in REDUCED:
                if side < readings.side:
                    readings.at(side)


@contextmanager
def _timed(spent: Seconds, step: str) -> Iterator[None]:
    begun = process_time()
    yield
    spent[step] += process_time() - begun
