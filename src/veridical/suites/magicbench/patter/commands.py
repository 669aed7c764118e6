"""Whether words only tell the audience what to do, and state nothing of what is seen."""

from __future__ import annotations

import re
from collections.abc import Iterator

from veridical.suites.magicbench.patter.reading import words_of

_VERBS = (
    "watch look keep follow find study stare give focus observe notice do mind take let try squint forget catch listen"
)
_COMMANDS = frozenset(_VERBS.split())
_BEFORE = frozenset(["now", "just", "then", "please", "and", "only", "first", "quick", "go", "on", "so"])
_EVENTS = (
    "am is are was were isnt arent wasnt has have had hasnt holds held contains does did goes went gone going comes "
    "came stays stayed remains moves moved moving leaves left takes took taken puts put drops dropped falls fell slips "
    "hides hid hidden vanishes vanished disappears disappeared melts melted jumps jumped floats floated breaks broke "
    "opens closes shows turns turned becomes became sits lies lay rests waits will would could must may might empty "
    "full magic real really"
)
_STATES = frozenset(_EVENTS.split())
_ABOUT = frozenset(["it", "its", "this", "that", "these", "those", "he", "she", "they", "them", "i", "we"])
_SENTENCE = re.compile(r"[.!?]+")
_CLAUSE = re.compile(r"[,;:]+")


def stated(text: str, decoy: str = "") -> Iterator[str]:
    """What a text states of the scene, a line each: each sentence must tell the audience to do something.

    The decoy and pronouns stand in commands alone, and there is no verb of a state or of an event. What the audience
    can or must do is no statement of the scene.

    >>> list(stated("Please watch my left hand closely.", "left hand"))
    []
    >>> list(stated("My left hand glows, so watch it.", "left hand"))
    ["'My left hand glows' speaks of the scene and is no command"]
    """
    for sentence in filter(None, map(str.strip, _SENTENCE.split(text))):
        clauses = [clause.strip() for clause in _CLAUSE.split(sentence)]
        if not any(map(_commands, clauses)):
            yield f"{sentence!r} is no command"
        for clause in clauses:
            words = words_of(clause)
            if ((decoy and _names(words, decoy)) or _ABOUT & set(words)) and not _commands(clause):
                yield f"{clause!r} speaks of the scene and is no command"
            states = [word for word, before in zip(words, ["", *words], strict=False) if _is_state(word, before, decoy)]
            if states:
                yield f"{clause!r} states something: {', '.join(states)}"


def _commands(clause: str) -> bool:
    """Whether a clause begins with the verb of a command, or with such words as "now" before it."""
    return next((word for word in words_of(clause) if word not in _BEFORE), "") in _COMMANDS


def _names(words: list[str], decoy: str) -> bool:
    own = words_of(decoy)
    return any(words[k : k + len(own)] == own for k in range(len(words)))


def _is_state(word: str, before: str, decoy: str) -> bool:
    """Whether a word says what is or happens; not "you can", and not a word of the decoy's name."""
    return word in _STATES and before != "you" and word not in words_of(decoy)
