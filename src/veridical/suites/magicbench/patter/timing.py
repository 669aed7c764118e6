"""When the words of a patter are spoken."""

from __future__ import annotations

from typing import NamedTuple

Row = tuple[float, float, str]
EDGE = 0.1
"""How long, in seconds, nothing is spoken at the beginning and at the end of a clip."""
FASTEST = 3.4
"""How many words are spoken per second at most."""
_PAUSE = 0.12


class Delivery(NamedTuple):
    """How words are spoken: from when, in seconds, and how many per second."""

    start: float
    rate: float


def duration(rows: list[str], rate: float) -> float:
    """How long the rows take with the pauses between them, in seconds.

    >>> duration(["one two three", "four five six"], 3.0)
    2.12
    """
    return sum(len(row.split()) for row in rows) / rate + _PAUSE * (len(rows) - 1)


def fits(rows: list[str], seconds: float) -> bool:
    """Whether the rows can be spoken within a clip of that length."""
    return duration(rows, FASTEST) <= seconds - 2 * EDGE


def delivery(rows: list[str], seconds: float, rate: float, key: int, time: float) -> Delivery:
    """A delivery in which the middle of row `key` is at a time, or as near to it as the clip's length permits.

    The rate is raised, up to `FASTEST`, where the rows would not fit into the clip otherwise.
    """
    room = seconds - 2 * EDGE - _PAUSE * (len(rows) - 1)
    rate = min(FASTEST, max(rate, sum(len(row.split()) for row in rows) / room))
    middle = duration(rows[: key + 1], rate) - len(rows[key].split()) / rate / 2
    return Delivery(_within(time - middle, rows, seconds, rate), rate)


def spoken(rows: list[str], seconds: float, how: Delivery) -> list[Row]:
    """The rows with start and end in seconds, to the hundredth; begun earlier where they would end after the clip.

    >>> spoken(["one two three", "four five six"], 5.0, Delivery(1.0, 3.0))
    [(1.0, 2.0, 'one two three'), (2.12, 3.12, 'four five six')]
    """
    time = _within(how.start, rows, seconds, how.rate)
    made = []
    for row in rows:
        end = time + len(row.split()) / how.rate
        made.append((round(time, 2), round(end, 2), row))
        time = end + _PAUSE
    return made


def _within(start: float, rows: list[str], seconds: float, rate: float) -> float:
    return max(EDGE, min(start, seconds - EDGE - duration(rows, rate)))
