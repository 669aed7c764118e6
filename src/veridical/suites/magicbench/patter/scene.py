"""What a trick is about, as the magician can speak of it: the values of the slots in the wordings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from veridical.suites.magicbench.patter.claims import NOWHERE
from veridical.suites.magicbench.patter.spoken import entity, several, where, whither
from veridical.suites.magicbench.tricks.log import Interval, Log
from veridical.suites.magicbench.tricks.trick import Base, Trick


class Slot(NamedTuple):
    """What a slot says: its words, and the thing and the place that it claims, empty where it claims none.

    `time` is when it is best spoken, and `within` the interval that its claim is about, in seconds.
    """

    words: str
    thing: str = ""
    place: str = ""
    time: float = 0.0
    within: Interval = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Spoken:
    """The slots of a trick by name."""

    slots: dict[str, Slot]

    def filled(self, text: str) -> str:
        """A text with the words of its slots."""
        return text.format(**{name: slot.words for name, slot in self.slots.items()})


def scene_of(trick: Trick, base: Base, log: Log) -> Spoken:
    """The slots of a trick, from its log and the few words on its record."""
    speech, believed = trick.speech, log.belief
    thing, false = believed.thing, believed.place
    inside = _inner(believed.start, believed.end)
    then = inside[0] + min(0.5, (inside[1] - inside[0]) / 2)
    name, verb = entity(thing), "are" if several(thing) else "is"
    stays = log.place(thing, 0.0) == false
    act = f"I {speech.leaves} {name} {where(false)}" if stays else f"I {speech.puts} {name} {whither(false)}"
    real = log.place(thing, then)
    deed = _deed(trick, log, thing, real)
    slots = {
        "decoy": Slot(entity(log.decoy)),
        "act": Slot(act, thing, false, believed.start, inside),
        "is": Slot(f"{name} {verb}"),
        "false": Slot(where(false), thing, false, then, inside),
        "deed": Slot(deed, thing, real, believed.start, inside),
        "elsewhere": Slot(where(false) if deed.endswith(where(real)) and " up " not in deed else whither(false)),
    }
    if speech.method:
        slots["method"] = Slot(trick.text(speech.method, base))
    after = _inner(*log.reveal)
    if speech.denied is not None:
        slots["wonder"] = Slot(f"there is no {speech.denied}", speech.denied, NOWHERE, after[0], after)
    elif speech.gone:
        slots["wonder"] = Slot(f"{name} {verb} gone", thing, NOWHERE, after[0], after)
    return Spoken(slots)


def _inner(start: float, end: float) -> Interval:
    """The interval without its edges, at which states change."""
    edge = min(0.05, (end - start) / 4)
    return round(start + edge, 2), round(end - edge, 2)


def _deed(trick: Trick, log: Log, thing: str, real: str) -> str:
    """What is done secretly: what the hand does, or that the thing stays where it is."""
    name, speech = entity(thing), trick.speech
    for move in log.moves(thing):
        if move.start < log.secret[1] and move.end > log.secret[0] and move.origin != move.target == real:
            return f"{entity(move.agent)} {speech.slips} {name} {whither(real)}"
    stays = speech.stays.removesuffix("s") if several(thing) else speech.stays
    return f"{name} {stays if log.place(thing, 0.0) == real else 'are' if several(thing) else 'is'} {where(real)}"
