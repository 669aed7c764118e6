"""What an explanation states of where a thing is and who moves it, clause by clause, and in which sense."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from veridical.suites.magicbench.judging import words
from veridical.suites.magicbench.judging.places import Place, places_in

Sense = Literal["fact", "seems", "pretends", "denied", "maybe"]
Act = Literal["stays", "moves", "is", "empty"]
_PRONOUN = re.compile(r"\b(?:it|this|that|object|item|thing|one)\b")
_RELATIVE = re.compile(r"\s*(?:which|where|that)\b")
_BEFORE = 28
_NEXT = 16
"""How many characters after "pretends" a verb begins and ends that is a part of the pretense: "to keep"."""


@dataclass(frozen=True, slots=True)
class PlaceStatement:
    """A thing is, stays or comes to a place, or a place is empty; `times` in seconds, `agent` the hand that does it."""

    act: Act
    place: str
    sense: Sense
    times: tuple[float, ...]
    agent: str | None
    early: bool
    late: bool

    def at(self, times: tuple[float, ...]) -> PlaceStatement:
        """The statement with other times where it names none."""
        return self if self.times else replace(self, times=times)


def plain_words(text: str) -> str:
    """A text in small letters with its short forms written out.

    >>> plain_words("It isn't in the L hand")
    'it is not in the left hand'
    """
    text = text.lower().replace("\n", "; ")
    for pattern, instead in words.PLAIN:
        text = pattern.sub(instead, text)
    return " ".join(text.split())


def times_in(text: str) -> tuple[float, ...]:
    """Times and middles of intervals in a text, in seconds.

    >>> times_in("from 2.0 s to 3.0 s, and at 4 s")
    (2.5, 4.0)
    """
    found = ((float(each[1]), float(each[2] or each[1])) for each in words.TIME.finditer(text))
    return tuple((start + end) / 2 for start, end in found)


def statements(text: str, thing: str, places: Sequence[str]) -> Iterator[PlaceStatement]:
    """The statements of a plain text about a thing and known places, in order."""
    names = _named(thing.lower())
    for sentence in words.SENTENCE.split(text):
        whole = times_in(sentence)
        subject: str | None = None
        last: str | None = None
        carried: Sense = "fact"
        has_thing = False
        pieces = _clauses(sentence, places)
        for index, clause in enumerate(pieces):
            if words.CONTRAST.search(clause) or (index and words.CONCEDES.match(pieces[index - 1])):
                carried = "fact"
            found = places_in(clause, places)
            own = next((each.name for each in found if each.role == ""), None)
            named = bool(names.search(clause))
            about = bool(
                named or _PRONOUN.search(clause) or words.PRETENDS.search(clause) or (has_thing and own is None)
            )
            if _RELATIVE.match(clause):
                subject = own or last or subject
            else:
                subject = own or (None if named and names.search(clause[:_BEFORE]) else subject)
            last = found[-1].name if found else last
            reading = _Reading(clause, found, subject, times_in(clause) or whole, carried, about)
            yield from reading.statements()
            has_thing = has_thing or named or bool(_PRONOUN.search(clause))
            carried = reading.carries()


def _clauses(sentence: str, places: Sequence[str]) -> list[str]:
    """The clauses of a sentence; one that is only about a place goes with a clause before it that names none."""
    pieces: list[str] = []
    for piece in words.CLAUSE.split(sentence):
        if pieces and words.WITHIN.match(piece.strip()) and not places_in(pieces[-1], places):
            pieces[-1] += piece
        elif piece.strip():
            pieces.append(piece)
    return pieces


@lru_cache(maxsize=64)
def _named(thing: str) -> re.Pattern[str]:
    """A thing in full or by its noun alone: "yellow ball" and "ball", "king of spades" and "king"."""
    noun = thing.partition(" of ")[0].rpartition(" ")[2]
    return re.compile(rf"\b(?:{re.escape(thing)}|{re.escape(noun)})s?\b")


@dataclass(frozen=True)
class _Reading:
    """One clause, and what it takes over from the clauses before it in its sentence."""

    clause: str
    found: list[Place]
    subject: str | None
    times: tuple[float, ...]
    carried: Sense
    about: bool

    def statements(self) -> Iterator[PlaceStatement]:
        """The statements of the clause; a hand that is its subject is the place where no other is named."""
        if words.EMPTY.search(self.clause):
            full = re.search(r"\bnot (?:\w+ )?empty\b", self.clause)
            for each in self.found:
                if each.role != "by":
                    yield self._made("is" if full else "empty", each, again=True)
        elif self.about:
            yield from self._left()
            act, at = self._act()
            for each in at:
                yield self._made(act, each)

    def _left(self) -> Iterator[PlaceStatement]:
        """What leaves a place is not there; what never does stays."""
        for each in self.found:
            if each.role == "leaves":
                never = words.NEGATED.search(self.clause[: each.start])
                yield self._made("stays" if never else "moves", each, gone=not never, again=bool(never))

    def _act(self) -> tuple[Act, list[Place]]:
        """What the verb of the clause says, and of which places."""
        at = [each for each in self.found if each.role == "in"]
        if words.STAYS.search(self.clause) and not words.POSTURE.search(self.clause):
            return "stays", at or self._subject()
        if words.TAKES.search(self.clause) and not at:
            return "moves", self._subject()
        if words.MOVES.search(self.clause) or words.PRETENDS.search(self.clause):
            return "moves", at
        return "is", at or (self._subject() if words.HOLDS.search(self.clause) else [])

    def _subject(self) -> list[Place]:
        own = [each for each in self.found if each.role in ("", "by")][:1]
        return own or ([Place(self.subject, 0, 0, "")] if self.subject else [])

    def _made(self, act: Act, place: Place, *, again: bool = False, gone: bool = False) -> PlaceStatement:
        """A statement; with `again` a denial is a part of the act, with `gone` the thing is elsewhere."""
        sense = self._sense(place, act, again)
        if gone:
            sense, act = ("denied" if sense == "fact" else sense), "is"
        agent = next((each.name for each in self.found if each.role in ("", "by")), self.subject)
        early, late = bool(words.EARLY.search(self.clause)), bool(words.LATE.search(self.clause))
        return PlaceStatement(act, place.name, sense, self.times, agent, early, late)

    def _sense(self, place: Place, act: Act, again: bool) -> Sense:
        before = self.clause if act == "stays" or place.role == "" else self.clause[: place.end]
        pretended = words.PRETENDS.search(self.clause)
        if pretended and (act != "stays" or words.STAYS.search(self.clause[pretended.end() :][:_NEXT])):
            return "pretends"
        if words.SEEMS.search(before):
            return "seems"
        if not again and words.NEGATED.search(before):
            return "denied"
        if words.MAYBE.search(self.clause):
            return "maybe"
        return self.carried if act in ("moves", "is") else "fact"

    def carries(self) -> Sense:
        """What the next clause takes over: what only seems so goes on until something stays or contrasts."""
        if words.STAYS.search(self.clause) and not words.SEEMS.search(self.clause):
            return "fact"
        if words.PRETENDS.search(self.clause):
            return "pretends"
        return "seems" if words.SEEMS.search(self.clause) else self.carried
