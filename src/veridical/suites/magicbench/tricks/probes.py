"""Checkpoint probes: questions about the state at a time, whose answers stand in the log."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from veridical.suite.nuisances import entropy, shuffle_items
from veridical.suites.magicbench.stimuli import Probe
from veridical.suites.magicbench.tricks.film import PER_SECOND
from veridical.suites.magicbench.tricks.hands import LEFT, RIGHT
from veridical.suites.magicbench.tricks.log import Appearance, Interval, Log

Moment = Literal["before", "during", "after"]
MOMENTS: tuple[Moment, ...] = ("before", "during", "after")
HANDS = (LEFT, RIGHT)
NEITHER, NOTHING = "neither hand", "nothing"
YES, NO = "Yes", "No"
_SIGHT = {"view": "Can the {} be seen", "hidden": "Is the {} out of sight"}
_CLEAR = 0.11
"""How far from a change, in seconds, a question about the state is asked."""


def probes(log: Log, twin: Log, seed: int, unit: str) -> list[Probe]:
    """Questions about the thing of the trick: where it is, which hand holds it, whether it is seen, what is under cups.

    `twin` is the log of the unit's other clip. The same is asked of both, at the same times and with the same options,
    so that nothing but the pictures tells which of them it is. Times lie on the frames at 4 per second, in the later
    two thirds of the time before, in or after the secret, away from changes of what is asked in either clip; where
    there is no such time, the question is left out. Whether the thing can be seen is asked of half of the units as
    whether it cannot, so that "Yes" is right as often as "No". Options are in an order of the unit's own.
    """
    made = []
    for moment in MOMENTS:
        made += [*_whereabouts(log, twin, moment), *_under(log, twin, moment)]
        made += _sight(log, twin, moment, entropy(seed, unit, moment, "hidden") % 2 == 1)
    for probe in made:
        probe["options"] = shuffle_items(probe["options"], seed, f"{unit}/{probe['moment']}/{probe['question']}")
    return made


def _within(log: Log, twin: Log, moment: Moment) -> Interval:
    """When the moment is, in both clips."""
    if moment == "before":
        return 0.0, log.secret[0]
    if moment == "during":
        return log.secret
    return max(log.cover[0], twin.cover[0]), min(log.cover[1], twin.cover[1])


def _whereabouts(log: Log, twin: Log, moment: Moment) -> Iterator[Probe]:
    """Where the thing is, and which hand holds it."""
    thing = log.thing
    changes = [each.start for own in (log, twin) for each in own.ats(thing)[1:]]
    time = _time(_within(log, twin, moment), changes)
    if time is not None:
        question = f"Where is the {thing} at {time:.2f} s?"
        yield _probe("place", moment, time, question, log.places, log.place(thing, time))
        question = f"Which hand holds the {thing} at {time:.2f} s?"
        yield _probe("hand", moment, time, question, (*HANDS, NEITHER), log.holder(thing, time) or NEITHER)


def _sight(log: Log, twin: Log, moment: Moment, hidden: bool) -> Iterator[Probe]:
    """Whether the thing can be seen, or is hidden; not while a small part of it shows in either clip."""
    shown = [each for own in (log, twin) for each in own.shown(log.thing)]
    edges = [edge for each in shown for edge in (each.start, each.end)]
    time = _time(_within(log, twin, moment), edges, [each for each in shown if each.glimpse])
    if time is not None:
        asks = "hidden" if hidden else "view"
        question = f"{log.words.get(asks, _SIGHT[asks].format(log.thing))} at {time:.2f} s?"
        answer = YES if log.visible(log.thing, time) is not hidden else NO
        yield _probe(asks, moment, time, question, (YES, NO), answer)


def _under(log: Log, twin: Log, moment: Moment) -> Iterator[Probe]:
    """What is under the cover that the thing is believed to be under; after the secret, under each that is moved.

    Nothing is ever under the other covers, and nothing is under any before the secret: more questions would be answered
    well by "nothing".
    """
    covers = [place.removeprefix("under ") for place in log.places if place.startswith("under ")]
    small = [thing for thing in log.things if thing not in covers]
    changes = [each.start for own in (log, twin) for thing in small for each in own.ats(thing)[1:]]
    time = _time(_within(log, twin, moment), changes)
    if time is None:
        return
    for cover in covers:
        if log.belief.place == f"under {cover}" or (moment == "after" and log.moves(cover)):
            inside = log.under(cover, time)
            question = f"What is under {cover} at {time:.2f} s?"
            yield _probe("under", moment, time, question, (*small, NOTHING), inside[0] if inside else NOTHING)


def _probe(asks: str, moment: Moment, time: float, question: str, options: Sequence[str], answer: str) -> Probe:
    return Probe(asks=asks, moment=moment, time=time, question=question, options=list(options), answer=answer)


def _time(within: Interval, changes: list[float], barred: Sequence[Appearance] = ()) -> float | None:
    """The time on the frames shown that lies in the last two thirds of an interval, furthest from all changes.

    It is in none of the `barred` spans.
    """
    start, end = within
    first, last = -int(-(start + (end - start) / 3) * PER_SECOND // 1), int((end - 0.02) * PER_SECOND)
    clear = [
        time
        for time in (k / PER_SECOND for k in range(first, last + 1))
        if all(abs(time - change) >= _CLEAR for change in changes)
        and not any(each.start <= time <= each.end for each in barred)
    ]
    if not clear:
        return None
    return max(clear, key=lambda time: (min([abs(time - each) for each in changes] + [0.5]), time))
