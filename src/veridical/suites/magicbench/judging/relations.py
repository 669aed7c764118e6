"""Where an explanation states a relation of a method, and in which sense: as a fact, a guess, seeming, denied."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from veridical.suites.magicbench.judging import words

Sense = Literal["fact", "maybe", "seems", "denied"]
_WORST: tuple[Sense, ...] = ("fact", "maybe", "seems", "denied")
_WHAT_SEEMS = re.compile(r"\bwhat (?:looks|seems|appears|passes|is shown|is taken)\b.*?\b(?:is|was)\b")
"""In "what looks like the middle is a short piece", what follows is a fact."""
_LINKED = re.compile(r"\s*(?:and|then|so|that)\b")
_DENIED_AFTER = re.compile(r"\W*(?:is|are|was|were) (?:not|never|ruled out|excluded|absent)\b")
_RELATIVE = re.compile(r"\b(?:that|which|what)(?: \w+)? (?:is|are|was|were|gets?|got) $")
"""In "what is cut is not the middle", the cut is not denied."""
_OPPOSES = re.compile(r"\b(?:not|never|no)\b")


@dataclass(frozen=True, slots=True)
class StatedRelation:
    """A relation as a clause of a sentence states it."""

    sense: Sense
    clause: str
    sentence: str


def stated_relations(text: str, relations: Sequence[Sequence[str]]) -> list[StatedRelation]:
    """Where a plain text states any of these relations, see `tricks.method.Relation`.

    >>> text = "two cards are lifted. it seems that one card is turned"
    >>> relations = [["two cards", "lifted"], ["one card", "turned"], ["one card", "lifted"]]
    >>> [each.sense for each in stated_relations(text, relations)]
    ['fact', 'seems']
    >>> stated_relations("two cards are not lifted", [["two cards", "lifted"]])[0].sense
    'denied'
    """
    return list(_all_stated(text, tuple(map(tuple, relations))))


@lru_cache(maxsize=4096)
def _all_stated(text: str, relations: tuple[tuple[str, ...], ...]) -> tuple[StatedRelation, ...]:
    return tuple(
        found
        for sentence in words.SENTENCE.split(text)
        for clause, seems in _clauses(sentence)
        for relation in relations
        if (found := _stated(clause, sentence, relation, seems=seems)) is not None
    )


def asserts(text: str, pattern: str) -> bool:
    """Whether a plain text has words as a fact.

    >>> asserts("a magnet is in the hand", "magnet"), asserts("the card is no magnet", "magnet")
    (True, False)
    """
    return any(each.sense == "fact" for each in stated_relations(text, [(pattern,)]))


def replace_phrases(text: str, patterns: Sequence[str], instead: str) -> str:
    """A text with a token in place of phrases.

    >>> replace_phrases("a second card, a second coin", ["second cards?"], "item")
    'a item, a second coin'
    """
    return compile_relation("|".join(patterns)).sub(instead, text) if patterns else text


@lru_cache(maxsize=1024)
def compile_relation(pattern: str) -> re.Pattern[str]:
    """A pattern of a relation between the ends of words; raises `re.error`."""
    return re.compile(rf"(?<!\w)(?:{pattern})(?!\w)")


def _clauses(sentence: str) -> Iterator[tuple[str, bool]]:
    """The clauses of a sentence, and whether what the one before says only seems so goes on in it."""
    seems = False
    for clause in words.CLAUSE.split(sentence):
        if not clause.strip():
            continue
        seems = seems and bool(_LINKED.match(clause)) and not words.CONTRAST.search(clause)
        yield clause, seems
        seems = seems or _only_seems(clause)


def _stated(clause: str, sentence: str, relation: Sequence[str], *, seems: bool) -> StatedRelation | None:
    """How a clause states a relation: as its weakest part; `None` where a part is missing or one too many."""
    senses: list[Sense] = []
    plain = _without_own(clause, relation)
    for part in relation:
        if part.startswith("!"):
            if _excluded(clause, sentence, part):
                return None
            continue
        if part.startswith("?"):
            if not compile_relation(part[1:]).search(sentence):
                return None
            continue
        own = _senses(clause, part.removeprefix("~"), plain, seems=seems)
        if part.startswith("~"):
            own += [sense for each, also in _clauses(sentence) for sense in _senses(each, part[1:], each, seems=also)]
        if not own:
            return None
        senses.append(min(own, key=_WORST.index))
    return StatedRelation(max(senses, key=_WORST.index), clause, sentence)


def _excluded(clause: str, sentence: str, part: str) -> bool:
    """Whether there is what must not be there; what is denied is not."""
    pattern = part.lstrip("!")
    where = [each for each, _ in _clauses(sentence)] if part.startswith("!!") else [clause]
    return any(sense != "denied" for each in where for sense in _senses(each, pattern, each, seems=False))


def _senses(clause: str, pattern: str, plain: str, *, seems: bool) -> list[Sense]:
    """The senses of a pattern's matches; `plain` is the clause without the denials that belong to the relation."""
    return [_sense(plain, match, pattern, seems=seems) for match in compile_relation(pattern).finditer(clause)]


def _without_own(clause: str, relation: Sequence[str]) -> str:
    """The clause with lines in place of the words of a relation that are themselves a denial: "never leaves"."""
    for part in relation:
        if _OPPOSES.search(part) and not part.startswith("!"):
            clause = compile_relation(part.lstrip("~?")).sub(lambda match: "_" * len(match[0]), clause)
    return clause


def _sense(plain: str, match: re.Match[str], pattern: str, *, seems: bool) -> Sense:
    """The sense of words in a clause, by what stands before them, after them, and between them."""
    before = plain[: match.start()]
    after = _DENIED_AFTER.match(plain, match.end()) and not _RELATIVE.search(before)
    between = words.NEGATED.search(match[0]) and not _OPPOSES.search(pattern)
    if words.NEGATED.search(before) or between or after:
        return "denied"
    if seems or _only_seems(plain[: match.end()]):
        return "seems"
    return "maybe" if words.MAYBE.search(plain) else "fact"


def _only_seems(until: str) -> bool:
    """Whether words only seem so: not after a contrast, nor after "what looks like X is"."""
    since = _WHAT_SEEMS.sub("", until)
    last = list(words.CONTRAST.finditer(since))
    since = since[last[-1].end() :] if last else since
    return bool(words.SEEMS.search(since) or words.PRETENDS.search(since))
