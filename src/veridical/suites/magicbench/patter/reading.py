"""What words say of a scene, read from the text alone: nouns that they share with it, and claims about its things."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from veridical.suites.magicbench.patter.scene import NOWHERE, WHOSE, noun_of
from veridical.suites.magicbench.tricks.constraints import place_phrase

_SMALL = (
    "a an the my of to and or with in on up at under behind above around between over top by left right other first "
    "last middle both all little long short thin one two three four five no not nowhere"
)
_NO_NOUNS = frozenset(_SMALL.split())
_PREPOSITIONS = {"in": "in|into|inside|within|up", "on": "on|onto|upon", "around": "around|round"}
_DENIES = re.compile(r"\b(?:not|never|pretend|pretends|pretended)\b")
_GONE = r"(?:gone|vanished|vanishes|disappeared|disappears)"
_CLAUSE = re.compile(r"[,.;:!?]+")
_WORD, _APOSTROPHE = re.compile(r"[a-z0-9]+"), re.compile(r"['’]s\b|['’]")


def words_of(text: str) -> list[str]:
    """The words of a text in small letters, without the s of a genitive.

    >>> words_of("The coin's edge, left-hand side!")
    ['the', 'coin', 'edge', 'left', 'hand', 'side']
    """
    return _WORD.findall(_APOSTROPHE.sub("", text.lower()))


@lru_cache(maxsize=4096)
def forms(word: str) -> frozenset[str]:
    """A word and what it may be the plural of.

    >>> sorted(forms("knives")), sorted(forms("glass"))
    (['knif', 'knife', 'kniv', 'knive', 'knives'], ['glass'])
    """
    made = {word}
    if word.endswith("s") and not word.endswith("ss"):
        made |= {word[:-1]}
        made |= {word[:-2]} if word.endswith("es") else set()
        made |= {f"{word[:-3]}y"} if word.endswith("ies") else set()
        made |= {f"{word[:-3]}f", f"{word[:-3]}fe"} if word.endswith("ves") else set()
    return frozenset(made)


def scenery(nouns: Iterable[str]) -> frozenset[str]:
    """The words of a scene's nouns, in all forms; of names of several words without articles, prepositions, numbers."""
    return _scenery(frozenset(nouns))


@lru_cache(maxsize=256)
def _scenery(nouns: frozenset[str]) -> frozenset[str]:
    made: set[str] = set()
    for noun in nouns:
        words = words_of(noun)
        kept = [word for word in words if len(word) > 1 and word not in _NO_NOUNS] if len(words) > 1 else words
        made.update(form for word in kept for form in forms(word))
    return frozenset(made)


def shared_words(text: str, nouns: Iterable[str]) -> list[str]:
    """The words of a text that are words of the scene's nouns, in the singular or in the plural.

    >>> shared_words("She sold coins by hand.", ["coin", "left hands"]), shared_words("She sold pies.", ["coin"])
    (['coins', 'hand'], [])
    """
    scene = scenery(nouns)
    return [word for word in words_of(text) if forms(word) & scene]


def claims_in(text: str, things: Sequence[str], places: Sequence[str]) -> set[tuple[str, str]]:
    """What a text claims, clause by clause: (thing, place), or (thing, "nowhere") for one that is gone or not there.

    A clause with a "not" claims nothing here.

    >>> sorted(claims_in("I put the coin into my left hand. No magnet!", ["coin", "magnet"], ["left hand", "table"]))
    [('coin', 'left hand'), ('magnet', 'nowhere')]
    """
    made = set()
    for clause in _CLAUSE.split(text.lower()):
        if _DENIES.search(clause):
            continue
        for thing in things:
            if not all(word in clause for word in thing.lower().split()):
                continue
            own, named = _without_longer(clause, thing, things), _named(thing)
            if named.gone.search(own):
                made.add((thing, NOWHERE))
            for place in places:
                rest, count = _phrase(place).subn(" ", own)
                if count and named.said.search(rest):
                    made.add((thing, place))
    return made


class _ThingPatterns(NamedTuple):
    """How a thing is found in words: as a part of another name, said at all, and said to be gone or not there."""

    part: re.Pattern[str]
    said: re.Pattern[str]
    gone: re.Pattern[str]


@lru_cache(maxsize=1024)
def _named(thing: str) -> _ThingPatterns:
    name = rf"{re.escape(thing.lower())}s?"
    gone = rf"\b{name}\b.*\b{_GONE}\b|\b(?:no|without an?|without any) {name}\b"
    return _ThingPatterns(*map(re.compile, (rf"\b{re.escape(thing.lower())}\b", rf"\b{name}\b", gone)))


def _without_longer(clause: str, thing: str, things: Sequence[str]) -> str:
    """A clause without the longer names that a thing's name is a part of: "middle of the rope" for "rope"."""
    for other in things:
        if thing != other and _named(thing).part.search(other.lower()):
            clause = clause.replace(other.lower(), " ")
    return clause


def denials_in(text: str, places: Sequence[str]) -> set[str]:
    """The places at which something is not, as a text says.

    >>> denials_in("The coin stays in my right hand, not in my left hand.", ["left hand", "right hand"])
    {'left hand'}
    """
    clauses = [clause for clause in _CLAUSE.split(text.lower()) if _DENIES.search(clause)]
    return {place for place in places if any(map(_phrase(place).search, clauses))}


@lru_cache(maxsize=1024)
def _phrase(place: str) -> re.Pattern[str]:
    """A pattern for a place with a preposition of its kind."""
    first, noun = place_phrase(place).split()[0], noun_of(place)
    before = re.sub(WHOSE, "", place_phrase(place)).lower().removesuffix(noun.lower()).split()[1:]
    between = " ".join(word for word in before if word not in ("the", "my", "a"))
    prefix = rf"(?:{_PREPOSITIONS.get(first, re.escape(first))}) " + (f"{between} (?:the |my )?" if between else "")
    return re.compile(rf"\b{prefix}(?:the |my |a )?{re.escape(noun.lower())}\b")
