"""Whether words only tell the audience what to do, and state nothing of what is seen."""

from __future__ import annotations

import re
from collections.abc import Iterator

from veridical.suites.magicbench.patter.reading import words_of

_COMMANDS = frozenset(
    ["watch", "look", "keep", "follow", "find", "study", "stare", "give", "focus", "observe", "notice", "do", "mind"]
)
_BEFORE = frozenset(["now", "just", "then", "please", "and", "only", "first", "quick", "go", "on", "so"])
_VERBS = (
    "am is are was were isnt arent wasnt has have had hasnt holds held contains does did goes went gone going comes "
    "came stays stayed remains moves moved moving leaves left takes took taken puts put drops dropped falls fell slips "
    "hides hid hidden vanishes vanished disappears disappeared melts melted jumps jumped floats floated breaks broke "
    "opens closes shows turns turned becomes became sits lies lay rests waits will would could must may might empty "
    "full magic real really"
)
_STATES = frozenset(_VERBS.split())
_ABOUT = frozenset(["it", "its", "this", "that", "these", "those", "he", "she", "they", "them", "i", "we"])
_CLAUSE = re.compile(r"[,.;:!?]+")


def stated(text: str, decoy: str = "") -> Iterator[str]:
    """What a text states of the scene, a line each: no verb of a state or an event, and the decoy in commands alone.

    What the audience can or must do is no statement of the scene.

    >>> list(stated("Please watch my left hand closely.", "left hand"))
    []
    >>> list(stated("My left hand glows, so watch it.", "left hand"))
    ["'My left hand glows' speaks of the scene and is no command"]
    """
    for clause in filter(None, map(str.strip, _CLAUSE.split(text))):
        words = words_of(clause)
        named = bool(decoy) and _names(words, decoy)
        first = next((word for word in words if word not in _BEFORE), "")
        if (named or _ABOUT & set(words)) and first not in _COMMANDS:
            yield f"{clause!r} speaks of the scene and is no command"
        states = [word for word, before in zip(words, ["", *words], strict=False) if _is_state(word, before, decoy)]
        if states:
            yield f"{clause!r} states something: {', '.join(states)}"


def _names(words: list[str], decoy: str) -> bool:
    own = words_of(decoy)
    return any(words[k : k + len(own)] == own for k in range(len(words)))


def _is_state(word: str, before: str, decoy: str) -> bool:
    """Whether a word says what is or happens; not "you can", and not a word of the decoy's name."""
    return word in _STATES and before != "you" and word not in words_of(decoy)
