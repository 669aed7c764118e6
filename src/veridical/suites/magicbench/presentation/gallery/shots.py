"""The frames of a performance that a person must see: what is hidden, what gives it away, and what is revealed."""

from __future__ import annotations

import numpy as np

from veridical.records import Chunk
from veridical.suites.magicbench.make import Performance
from veridical.suites.magicbench.options import MagicBenchOptions
from veridical.suites.magicbench.stimuli import TRICK
from veridical.suites.magicbench.tricks.film import Film, Pixels, Row

CRITICAL, PLACEBO = (224, 40, 40), (60, 120, 230)
"""The colors of the critical and of the placebo box."""


def performance(family: str, height: int, seed: int = 0, index: int = 0) -> Performance:
    """One unit of a family, at its first levels of all that takes turns."""
    return Performance(MagicBenchOptions.model_validate({"seed": seed, "height": height}), Chunk(family, index))


def times(own: Performance) -> tuple[float, ...]:
    """Six times in seconds: the start, the begin and the middle of the secret, the tell, the cover, and the end."""
    log, tell = own.films[TRICK].log, own.seen[TRICK].tell or own.films[TRICK].log.secret
    middles = (sum(span) / 2 for span in (log.secret, tell, log.cover))
    return (0.0, log.secret[0], *sorted(middles), log.seconds - 0.1)


def shots(film: Film, at: tuple[float, ...], boxes: tuple[Row, ...] = (), others: tuple[Row, ...] = ()) -> Pixels:
    """Frames side by side with white between them; critical and placebo boxes are drawn where a time is in them."""
    pictures = []
    for time in at:
        pixels = film.picture(min(film.clock.frame(time), film.clock.frames - 1)).copy()
        for rows, color in ((boxes, CRITICAL), (others, PLACEBO)):
            if rows and rows[0].time <= time <= rows[-1].time:
                _frame(pixels, min(rows, key=lambda row: abs(row.time - time)), color)
        pictures.append(np.pad(pixels, ((0, 0), (0, 4), (0, 0)), constant_values=255))
    return np.concatenate(pictures, 1)[:, :-4]


def _frame(pixels: Pixels, row: Row, color: tuple[int, int, int]) -> None:
    """Draw the outline of a box, two pixels wide."""
    x0, y0, x1, y1 = (round(each) for each in row[1:])
    for across, along in (
        (slice(y0, y0 + 2), slice(x0, x1)),
        (slice(y1 - 2, y1), slice(x0, x1)),
        (slice(y0, y1), slice(x0, x0 + 2)),
        (slice(y0, y1), slice(x1 - 2, x1)),
    ):
        pixels[across, along] = color
