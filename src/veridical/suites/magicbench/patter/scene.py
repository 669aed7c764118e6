"""A clip's things: claims about them with their truth, and how the magician names them in the wordings."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from veridical.suites.magicbench.stimuli import Atom, PatterClaim
from veridical.suites.magicbench.tricks.constraints import place_phrase
from veridical.suites.magicbench.tricks.log import Interval, Log
from veridical.suites.magicbench.tricks.trick import Base, Trick

Events = Sequence[Mapping[str, Any]]
"""The events of a log as a truth stores them."""
NOWHERE = "nowhere"
"""The place of what is claimed to be gone, or not to be in the scene at all."""
_SLACK = 1e-6


class PatterClip(NamedTuple):
    """What is true in a clip: its events, its atoms, and the props that are present."""

    log: Events
    atoms: Sequence[Atom]
    present: Sequence[str]


def place_at(log: Events, thing: str, time: float) -> str:
    """Where a thing is; at the instant of a change, where it comes to. `NOWHERE` for a thing without a place.

    >>> rows = [{"event": "At", "thing": "coin", "place": "table", "start": 0.0, "end": 5.0}]
    >>> place_at(rows, "coin", 2.0), place_at(rows, "thread", 2.0)
    ('table', 'nowhere')
    """
    ats = [each for each in log if each["event"] == "At" and each["thing"] == thing and each["start"] <= time + _SLACK]
    return str(max(ats, key=lambda each: each["start"])["place"]) if ats else NOWHERE


def holds(clip: PatterClip, thing: str, place: str, time: float) -> bool:
    """Whether it is true in a clip that a thing is at a place at a time."""
    if place == NOWHERE:
        return thing not in clip.present and place_at(clip.log, thing, time) == NOWHERE
    return place_at(clip.log, thing, time) == place


def decides(clip: PatterClip, thing: str, time: float) -> int | None:
    """The atom that says where a thing is at a time; the list of props for what no atom is about; `None` if none does.

    Between the times of two atoms none decides.
    """
    about = [k for k, atom in enumerate(clip.atoms) if atom["thing"] == thing and atom["place"] is not None]
    for index in about:
        start, end = clip.atoms[index]["start"], clip.atoms[index]["end"]
        if start is not None and end is not None and start <= time <= end:
            return index
    return None if about else next((k for k, atom in enumerate(clip.atoms) if atom["kind"] == "props"), None)


def claim(clip: PatterClip, text: str, thing: str, place: str, time: float) -> PatterClaim:
    """A claim with its truth in a clip, and the place of the atom that decides it."""
    true, atom = holds(clip, thing, place, time), decides(clip, thing, time)
    return {"text": text, "thing": thing, "place": place, "time": time, "true": true, "atom": atom}


_BODY = "hands?|palms?|fists?|fingers?|fingertips?|thumbs?|wrists?|arms?|lap|sleeves?|pockets?"
_WHICH = "and|left|right|other|first|last|middle|index|ring|little|two|three|four|open|closed"
WHOSE = r" of the (?:left|right) hand$"
"""What is left out of the name of a place, since the magician's fingers are on the magician's hand."""
_OWN = rf"(?:(?:{_WHICH}) )*(?:{_BODY})\b"
_LETTERED = re.compile(r" [A-Z0-9]$")
_PREPOSITION = re.compile(r"^(?:under|in|on|behind|above|around|between|up) ")


def entity(name: str) -> str:
    """A thing or a hand as the magician names it.

    >>> entity("left hand"), entity("cup A"), entity("wand")
    ('my left hand', 'cup A', 'the wand')
    """
    if re.fullmatch(_OWN, name):
        return f"my {name}"
    return name if _LETTERED.search(name) else f"the {name}"


def place_words(place: str) -> str:
    """Where something is.

    >>> tuple(map(place_words, ("left hand", "under cup A", "under the right hand", "table", "sleeve")))
    ('in my left hand', 'under cup A', 'under my right hand', 'on the table', 'up my sleeve')
    >>> place_words("around the last two fingers of the left hand")
    'around my last two fingers'
    """
    return re.sub(rf"\bthe (?={_OWN})", "my ", re.sub(WHOSE, "", place_phrase(place))).replace(
        "in my sleeve", "up my sleeve"
    )


def whither(place: str) -> str:
    """Where something goes to.

    >>> whither("left hand"), whither("under cup A"), whither("table")
    ('into my left hand', 'under cup A', 'on the table')
    """
    return re.sub(r"^in ", "into ", place_words(place))


def noun_of(place: str) -> str:
    """What a place is named by, without preposition and article.

    >>> noun_of("left hand"), noun_of("under cup A"), noun_of("on top of the deck")
    ('left hand', 'cup A', 'deck')
    """
    text = _PREPOSITION.sub("", re.sub(WHOSE, "", place_phrase(place)))
    return re.sub(r"^(?:top of )?(?:(?:the|my|a) )?", "", text)


def is_plural(thing: str) -> bool:
    """Whether a thing is spoken of in the plural.

    >>> is_plural("coin"), is_plural("scissors"), is_plural("glass")
    (False, True, False)
    """
    last = thing.split(" of ")[0]
    return last.endswith("s") and not last.endswith("ss")


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
class SlotWords:
    """The slots of a trick by name."""

    slots: dict[str, Slot]

    def filled(self, text: str) -> str:
        """A text with the words of its slots."""
        return text.format(**{name: slot.words for name, slot in self.slots.items()})


def scene_of(trick: Trick, base: Base, log: Log) -> SlotWords:
    """The slots of a trick, from its log and the few words on its record."""
    speech, believed = trick.speech, log.belief
    thing, false = believed.thing, believed.place
    inside = _inner(believed.start, believed.end)
    then = inside[0] + min(0.5, (inside[1] - inside[0]) / 2)
    name, verb = entity(thing), "are" if is_plural(thing) else "is"
    stays = log.place(thing, 0.0) == false
    act = f"I {speech.leaves} {name} {place_words(false)}" if stays else f"I {speech.puts} {name} {whither(false)}"
    real = log.place(thing, then)
    deed = _deed(trick, log, thing, real)
    slots = {
        "decoy": Slot(entity(log.decoy)),
        "act": Slot(act, thing, false, believed.start, inside),
        "is": Slot(f"{name} {verb}"),
        "false": Slot(place_words(false), thing, false, then, inside),
        "deed": Slot(deed, thing, real, believed.start, inside),
        "elsewhere": Slot(
            place_words(false) if deed.endswith(place_words(real)) and " up " not in deed else whither(false)
        ),
    }
    if speech.method:
        slots["method"] = Slot(trick.text(speech.method, base))
    after = _inner(*log.reveal)
    if speech.denied is not None:
        slots["wonder"] = Slot(f"there is no {speech.denied}", speech.denied, NOWHERE, after[0], after)
    elif speech.gone:
        slots["wonder"] = Slot(f"{name} {verb} gone", thing, NOWHERE, after[0], after)
    return SlotWords(slots)


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
    stays = speech.stays.removesuffix("s") if is_plural(thing) else speech.stays
    return (
        f"{name} {stays if log.place(thing, 0.0) == real else 'are' if is_plural(thing) else 'is'} {place_words(real)}"
    )
