"""Checkpoint probes: questions about the state at a time, whose answers stand in the log."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from veridical.suite.nuisances import shuffled
from veridical.suites.magicbench.stimuli import Probe
from veridical.suites.magicbench.tricks.film import PER_SECOND
from veridical.suites.magicbench.tricks.hands import LEFT, RIGHT
from veridical.suites.magicbench.tricks.log import Interval, Log, Shown

Moment = Literal["before", "during", "after"]
MOMENTS: tuple[Moment, ...] = ("before", "during", "after")
HANDS = (LEFT, RIGHT)
NEITHER, NOTHING = "neither hand", "nothing"
YES, NO = "Yes", "No"
_CLEAR = 0.13
"""How far from a change, in seconds, a question about the state is asked."""


def probes(log: Log, seed: int, unit: str) -> list[Probe]:
    """Questions about the thing of the trick: where it is, which hand holds it, whether it is seen, what is under cups.

    Times lie on the frames at 4 per second, in the later two thirds of the time before, in or after the secret, away
    from changes of what is asked; where there is no such time, the question is left out. Options are in an order of the
    unit's own.
    """
    made = [probe for moment in MOMENTS for probe in _at(log, moment)]
    for probe in made:
        probe["options"] = shuffled(probe["options"], seed, f"{unit}/{probe['moment']}/{probe['question']}")
    return made


def _at(log: Log, moment: Moment) -> Iterator[Probe]:
    thing = log.thing
    within: Interval = {"before": (0.0, log.secret[0]), "during": log.secret, "after": log.cover}[moment]
    time = _time(within, [each.start for each in log.ats(thing)[1:]])
    if time is not None:
        question = f"Where is the {thing} at {time:.2f} s?"
        yield _probe("place", moment, time, question, log.places, log.place(thing, time))
        question = f"Which hand holds the {thing} at {time:.2f} s?"
        yield _probe("hand", moment, time, question, (*HANDS, NEITHER), log.holder(thing, time) or NEITHER)
    shown = log.shown(thing)
    time = _time(within, [edge for each in shown for edge in (each.start, each.end)])
    if time is not None and not _glimpsed(shown, time):
        question = log.words.get("view", f"Can the {thing} be seen at {{time:.2f}} s?").format(time=time)
        yield _probe("view", moment, time, question, (YES, NO), YES if log.visible(thing, time) else NO)
    yield from _under(log, moment, within)


def _probe(asks: str, moment: Moment, time: float, question: str, options: Sequence[str], answer: str) -> Probe:
    return Probe(asks=asks, moment=moment, time=time, question=question, options=list(options), answer=answer)


def _glimpsed(shown: list[Shown], time: float) -> bool:
    return any(each.glimpse and each.start - _CLEAR <= time <= each.end + _CLEAR for each in shown)


def _under(log: Log, moment: Moment, within: Interval) -> Iterator[Probe]:
    """What is under each cover that is a place of the trick."""
    covers = [place.removeprefix("under ") for place in log.places if place.startswith("under ")]
    small = [thing for thing in log.things if thing not in covers]
    changes = [each.start for thing in small for each in log.ats(thing)[1:]]
    time = _time(within, changes)
    if time is None:
        return
    for cover in covers:
        inside = log.under(cover, time)
        question = f"What is under {cover} at {time:.2f} s?"
        yield _probe("under", moment, time, question, (*small, NOTHING), inside[0] if inside else NOTHING)


def _time(within: Interval, changes: list[float]) -> float | None:
    """The time on the frames shown that lies in the last two thirds of an interval, furthest from all changes."""
    start, end = within
    first, last = -int(-(start + (end - start) / 3) * PER_SECOND // 1), int((end - 0.02) * PER_SECOND)
    grid = [k / PER_SECOND for k in range(first, last + 1)]
    clear = [time for time in grid if all(abs(time - change) >= _CLEAR for change in changes)]
    if not clear:
        return None
    return max(clear, key=lambda time: (min([abs(time - each) for each in changes] + [0.5]), time))
