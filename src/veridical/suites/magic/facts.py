"""A fact about a scene ("the mug is to the left of the clock"), and what a text says in its place.

The facts of an answer are those that its full form states; those of a mistake are what is so instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from veridical.answers import ParsedAnswer
from veridical.judges.typed_values import OPEN, SEVERAL, is_denied, settle_value
from veridical.judges.values import COLORS, Value

_SIDE = r"(?:(?:further|farther|nearer|closer) to the )?{0}(?:-hand side| border| edge)?"
AXES: tuple[Mapping[str, str], ...] = (
    {"left": _SIDE.format("left"), "right": _SIDE.format("right")},
    {"above": r"above|over|higher(?: up)?", "below": r"below|under(?:neath)?|beneath|lower(?: down)?"},
    {"on": r"on(?: top of)?|above|upon|atop", "below": r"below|under(?:neath)?|beneath"},
    {"in front": r"in front|(?:closer|nearer) to the (?:front|viewer)", "behind": r"behind|farther from the front"},
    {"larger": r"larger|bigger|taller|longer", "smaller": r"smaller|shorter|tinier"},
)
"""Relations with the one that holds the other way round, and the pattern of each."""
_MATERIALS = {
    "wood": "wood wooden timber",
    "metal": "metal metallic steel iron",
    "glass": "glass",
    "wicker": "wicker woven rattan",
    "plastic": "plastic",
    "ceramic": "ceramic porcelain clay",
    "stone": "stone marble concrete",
    "cloth": "cloth fabric leather rubber paper cardboard",
}
_FACT = re.compile(
    r"\A(?:yes|no)?,? ?(?:the |a |an )?(?P<one>[\w -]{2,30}?) (?:is|are|stands?|lies|sits?|hangs?)(?P<rest> .{2,80})\Z",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r" (?:of|than|on|above|below|behind|under|to) (?:the |an? )?(?P<other>[\w -]{2,30})\Z", re.IGNORECASE
)
_CLAUSE = re.compile(r"[.;:!?\n]|,? \b(?:but|while|whereas|so|and)\b")
_REASON = re.compile(r",? \b(?:because|since)\b")
"""What gives a reason states it as well."""
_ELSEWHERE = re.compile(
    r"[.;:!?\n]|\b(?:on|of|near|behind|under|above|beside|to|with|in|and|than|shows?|see) (?:the|an?|its|it)\b",
    re.IGNORECASE,
)
_OF = re.compile(r"(?: side)? (?:of|than)|\W|\Z")
_OWNED = re.compile(r"['\u2019]s (?:own |far )?\Z")
"""What makes a thing before a side the one that has it: "on the lamp's left"."""
_ELSE = re.compile(r"\W{0,3}(?:of |than |to )?(?:the|an?|its|another) ([a-z]{2,20})", re.IGNORECASE)
"""Another thing than those that are known, after a relation: "on the table"."""
_ELSE_BEFORE = re.compile(r"\b(?:the|an?|another) (?!(?:it|left|right|far|top)\b)([a-z]{3,20})\b", re.IGNORECASE)
_NOT_SO = re.compile(r"\b(?:not|n't) (?:the case|so|true|correct) that\b", re.IGNORECASE)
_BARE = re.compile(
    r"\W{0,3}(?:yes|no)?\W{0,4}(?:(?:an?|the) )?(?:(?!(?:it|is|are|was|were)\b)[\w'-]{2,9} ){0,2}(?:an? )?\Z",
    re.IGNORECASE,
)
_IT = re.compile(r"\b(?:it|they|both|this|the picture|the image|there)\b", re.IGNORECASE)
_UNKNOWN = re.compile(
    r"\b(?:inside|within|beside|next to|near|around|between|among|on top of|against|touch\w*|hid(?:es|den|ing)|cover\w*"
    r"|overlap\w*|farther|further|closer|nearer|level|(?:same|equal) (?:height|place|size|distance)|there is no"
    r"|no such|both of them)\b",
    re.IGNORECASE,
)
"""Words of relations that no fact has, and of what is not there."""


@dataclass(frozen=True)
class Fact:
    """How the thing `one` looks, what it is, where it is, or how it stands to `other`.

    `ways` has a pattern for each value that there might be, `names` one for each thing that a text may speak of, by
    what it is called here. "It" means the first thing.
    """

    kind: str
    one: str
    other: str | None
    value: str
    ways: Mapping[str, str]
    names: Mapping[str, str] = field(default_factory=dict)

    def said(self, answer: str) -> ParsedAnswer:
        """The value that an answer settles on: that of the fact, another one, or none."""
        return settle_value(_REASON.sub(";", answer), self.values, "the fact")

    def unclear(self, answer: str) -> str | None:
        """Why what an answer says beside yes or no cannot be held against the fact: it says both, or something else."""
        read = self.said(answer)
        if read.answer is not None:
            return None
        if read.reason in (OPEN, SEVERAL):
            return f"the fact: {read.reason}"
        if any(each.value == self.value and is_denied(answer, each.start) for each in self.values(answer)):
            return f"denies that it is {self.value}"
        other = _UNKNOWN.search(answer) if self.other else None
        return f"says {other[0].lower()}, which the rule cannot hold against the fact" if other else None

    def touched(self, sentence: str) -> bool:
        """Whether a sentence has a word for the value, or, of two things, for how they may stand to each other.

        A question states nothing, and a look of other things is not that of this one.
        """
        if sentence.rstrip().endswith("?"):
            return False
        things = self.things(sentence)
        if things and not self.other and self.kind != "place" and not {self.one, "it"} & set(things):
            return False
        return any(self.other or self._value(match) == self.value for match in self._words.finditer(sentence))

    def values(self, text: str) -> list[Value]:
        """The values that a text gives in the place of this one, in order."""
        found = self._related(text) if self.other else self._own(text)
        return [each for each in found if not _NOT_SO.search(text, max(0, each.start - 80), each.start)]

    def things(self, text: str, start: int = 0, end: int | None = None) -> list[str]:
        """The things that a stretch of a text names, in order, "it" among them."""
        found = self._things.finditer(text, start, len(text) if end is None else end)
        keys = list(self._patterns)
        return ["it" if each.lastgroup is None else keys[int(each.lastgroup[1:])] for each in found]

    @cached_property
    def _patterns(self) -> dict[str, str]:
        own = {name: rf"{re.escape(name)}s?" for name in (self.one, self.other) if name}
        return {**own, **self.names}

    @cached_property
    def _things(self) -> re.Pattern[str]:
        named = [rf"(?P<t{place}>\b(?:{pattern})\b)" for place, pattern in enumerate(self._patterns.values())]
        return re.compile("|".join([*named, r"\bit\b"]), re.IGNORECASE)

    @cached_property
    def _words(self) -> re.Pattern[str]:
        return re.compile("|".join(rf"(?P<w{k}>\b(?:{words})\b)" for k, words in enumerate(self.ways.values())), re.I)

    def _value(self, match: re.Match[str]) -> str:
        return list(self.ways)[int(str(match.lastgroup)[1:])]

    def _turned(self, value: str) -> str:
        """The relation that holds the other way round, of those that there might be."""
        pairs = [axis for axis in AXES if value in axis and set(axis) <= set(self.ways)]
        return next(other for axis in pairs for other in axis if other != value)

    def _related(self, text: str) -> Iterator[Value]:
        """A relation, from the first thing to the second: turned round where the text names them the other way."""
        for match in self._words.finditer(text):
            if match[0].lower() in ("left", "right") and not _OF.match(text, match.end()):
                continue
            start = max((cut.end() for cut in _CLAUSE.finditer(text, 0, match.start())), default=0)
            stop = _CLAUSE.search(text, match.end())
            before = self.things(text, start, match.start())
            after = self.things(text, match.end(), stop.start() if stop else len(text))
            if before and _OWNED.search(text, start, match.start()):
                before, after = before[:-1], before[-1:]
            elif (not after and self._another(_ELSE.match(text, match.end()))) or (
                not before and self._another(_ELSE_BEFORE.search(text, start, match.start()))
            ):
                continue
            subject, of = (before[-1] if before else None), (after[0] if after else None)
            if (subject is None and of is None) or not {subject, of} <= {self.one, self.other, "it", None}:
                continue
            turned = subject == self.other or (subject in (None, "it") and of == self.one)
            value = self._turned(self._value(match)) if turned else self._value(match)
            lead = re.search(r"(?:(?:to|on|at|in) )?(?:the )?(?:far )?\Z", text[: match.start()])
            yield Value(value, lead.start() if lead else match.start(), match.end())

    def _another(self, named: re.Match[str] | None) -> bool:
        """Whether another thing than the two is named."""
        own = {name.split()[0].lower() for name in (self.one, self.other) if name}
        return named is not None and named[1].lower() not in own

    def _own(self, text: str) -> Iterator[Value]:
        """A value of one thing: before its noun, after it with no other noun between, or in a text without nouns."""
        if self.kind == "place" and {*self.things(text)} - {"it"} == {self.one}:
            yield from (Value(self._value(match), *match.span()) for match in self._words.finditer(text))
            return
        for match in self._words.finditer(text):
            before = text[: match.start()]
            named = self.things(before)
            own = re.match(rf"\W(?:\w{{3,9}}\W)?(?:{self._patterns[self.one]})\b", text[match.end() :], re.IGNORECASE)
            between = self._things.split(before)[-1] if named else before
            last = named[-1] if named else None
            near = last in (self.one, "it") and (self.kind == "place" or not _ELSEWHERE.search(str(between)))
            if own or near or (not named and (_BARE.match(before) or _IT.search(before))):
                yield Value(self._value(match), *match.span())


def facts_of(full: str) -> list[Fact]:
    """The facts that a true answer states in full, in order; none where it is in other words.

    >>> [(fact.one, fact.value, fact.other) for fact in facts_of("No, the mug is to the left of the red clock.")]
    [('mug', 'left', 'clock')]
    >>> [(fact.one, fact.value) for fact in facts_of("Yes, the mug is red and the vase is made of wicker.")]
    [('mug', 'red'), ('vase', 'wicker')]
    """
    found = []
    subject = ""
    for clause in re.split(r" and (?=the |made of )", full.strip(" .")):
        match = _FACT.match(f"{subject} is {clause}" if clause.startswith("made of ") else clause)
        subject = match["one"] if match else subject
        fact = _fact(match["one"], match["rest"]) if match else None
        if fact is not None:
            found.append(fact)
    names = {name: rf"{re.escape(name)}s?" for fact in found for name in (fact.one, fact.other) if name}
    return [replace(fact, names=names) for fact in found]


def _fact(one: str, rest: str) -> Fact | None:
    for axis in AXES:
        for value, words in axis.items():
            other = _OTHER.search(rest)
            if other and re.match(rf"(?: farther)?(?: to the)?(?: top)? (?:{words})\b", rest, re.IGNORECASE):
                return Fact("relation", *_apart(one, other["other"]), value, axis)
    for kind, table in (("color", COLORS), ("material", _MATERIALS)):
        for value, words in table.items():
            if rest.removeprefix(" made of").strip().lower() in words.split():
                ways = {name: "|".join(listed.split()) for name, listed in table.items()}
                return Fact(kind, _noun(one), None, value, ways)
    return None


def _apart(one: str, other: str) -> tuple[str, str]:
    """The nouns of two things, or their names in full where they have the same noun."""
    nouns = _noun(one), _noun(other)
    return nouns if nouns[0] != nouns[1] else (one.lower(), other.lower())


def _noun(name: str) -> str:
    return name.split()[-1].lower()
