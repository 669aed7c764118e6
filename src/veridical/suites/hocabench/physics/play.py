"""How events are played: functions of a frame become the state logs of all courses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from veridical.media.figures.clock import Clock
from veridical.suites.hocabench.physics.state import Base, Course, State, States

Begins = Callable[[Base, Clock], int]


@dataclass(frozen=True, slots=True)
class Play:
    """How an event is played: from which frame on its courses may differ, and the state log of each."""

    begins: Begins
    states: Callable[[Base, Clock, Course], States]

    def __call__(self, base: Base, clock: Clock, course: Course) -> States:
        return self.states(base, clock, course)


@dataclass(frozen=True, slots=True)
class Instant:
    """A frame of a clip whose event begins in the frame `begin`; times are in seconds."""

    clock: Clock
    begin: int
    frame: int

    @property
    def time(self) -> float:
        """When the frame is shown."""
        return self.clock.time(self.frame)

    @property
    def last(self) -> float:
        """When the frame before the event is shown."""
        return self.clock.time(self.begin - 1)

    @property
    def start(self) -> float:
        """When the event's first frame is shown."""
        return self.clock.time(self.begin)

    @property
    def count(self) -> int:
        """How many frames after the one before the event it is."""
        return self.frame - self.begin + 1

    @property
    def since(self) -> float:
        """How long after the frame before the event it is: positive from the event's first frame on."""
        return self.clock.time(self.count)

    @property
    def step(self) -> float:
        """The time from frame to frame."""
        return 1 / self.clock.rate


def begins_when(time: Callable[[Base], float]) -> Begins:
    """Gives the first frame from a time on that depends on the unit, in seconds."""
    return lambda base, clock: clock.frame(time(base))


at_moment = begins_when(lambda base: base.moment)
"""Gives the first frame from the unit's `moment` on, in which most events begin."""


def play(begins: Begins = at_moment) -> Callable[[Callable[[Base, Clock, Course], States]], Play]:
    """Makes the play of an event out of a function that gives the whole log of a course."""
    return partial(Play, begins)


def outcome(
    normal: Callable[[Base, float], State], begins: Begins = at_moment, *, control: bool = False
) -> Callable[[Callable[[Base, Course, Instant], State]], Play]:
    """Makes the play of an event out of a function that gives the states from the event on.

    Before it, and in the plausible course unless there is a `control` in it, the states are those of `normal`, which
    gets the time in seconds.
    """

    def made(after: Callable[[Base, Course, Instant], State]) -> Play:
        def states(base: Base, clock: Clock, course: Course) -> States:
            if course == "plausible" and not control:
                return [normal(base, clock.time(k)) for k in range(clock.frames)]
            begin = begins(base, clock)
            before = [normal(base, clock.time(k)) for k in range(begin)]
            return before + [after(base, course, Instant(clock, begin, k)) for k in range(begin, clock.frames)]

        return Play(begins, states)

    return made


def frame_by_frame(state: Callable[[Base, Course, Instant], State]) -> Play:
    """Makes the play of an event that begins at the unit's moment out of a function that gives the state of a frame."""

    def states(base: Base, clock: Clock, course: Course) -> States:
        begin = at_moment(base, clock)
        return [state(base, course, Instant(clock, begin, k)) for k in range(clock.frames)]

    return Play(at_moment, states)
