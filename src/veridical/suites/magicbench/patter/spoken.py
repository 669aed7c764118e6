"""How the magician says where something is: the names and places of a log in the first person."""

from __future__ import annotations

import re

from veridical.suites.magicbench.tricks.constraints import at

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


def where(place: str) -> str:
    """Where something is.

    >>> where("left hand"), where("under cup A"), where("under the right hand"), where("table"), where("sleeve")
    ('in my left hand', 'under cup A', 'under my right hand', 'on the table', 'up my sleeve')
    >>> where("around the last two fingers of the left hand")
    'around my last two fingers'
    """
    return re.sub(rf"\bthe (?={_OWN})", "my ", re.sub(WHOSE, "", at(place))).replace("in my sleeve", "up my sleeve")


def whither(place: str) -> str:
    """Where something goes to.

    >>> whither("left hand"), whither("under cup A"), whither("table")
    ('into my left hand', 'under cup A', 'on the table')
    """
    return re.sub(r"^in ", "into ", where(place))


def noun_of(place: str) -> str:
    """What a place is named by, without preposition and article.

    >>> noun_of("left hand"), noun_of("under cup A"), noun_of("on top of the deck")
    ('left hand', 'cup A', 'deck')
    """
    text = _PREPOSITION.sub("", re.sub(WHOSE, "", at(place)))
    return re.sub(r"^(?:top of )?(?:(?:the|my|a) )?", "", text)


def several(thing: str) -> bool:
    """Whether a thing is spoken of in the plural.

    >>> several("coin"), several("scissors"), several("glass")
    (False, True, False)
    """
    last = thing.split(" of ")[0]
    return last.endswith("s") and not last.endswith("ss")
