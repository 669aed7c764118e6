"""A continuation as a rule reads it: its sentences, their claims, and the words that stand in them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from veridical.judges.rubric import REPLY, Shown
from veridical.records import Json
from veridical.suites.magic.claims import claims_of_steps, sentences
from veridical.suites.magic.language.scene import scene_of
from veridical.suites.magic.language.words import RELATION, relation_of
from veridical.suites.magic.stimuli import Claim

NO_GRAPH = "the item has no scene by which a rule could tell"
LANGUAGE = "the text is not in English"
_COMMON = frozenset(
    ("the", "is", "a", "an", "of", "in", "and", "it", "to", "not", "this", "i", "that", "are", "shows", "on", "so")
)
_ENGLISH, _FEWEST = 0.12, 5
_WORD = re.compile(r"[^\W\d_]+")
_OBJECT = re.compile(r"\{[^{}]{0,500}\}")
_BEFORE, _AFTER = 2, 1
"""How many sentences before and after a correction words of correction may stand."""


@dataclass(frozen=True)
class Continuation:
    """The sentences of a continuation, and the claims of each; "it" may be what the prefix ends with."""

    text: str
    prefix: tuple[str, ...]
    graph: Mapping[str, Json]
    relevant: tuple[int, ...]

    @cached_property
    def sentences(self) -> list[str]:
        return sentences(self.text)

    @cached_property
    def claims(self) -> list[list[Claim]]:
        every = claims_of_steps([*self.prefix, *self.sentences], self.graph, self.relevant)
        return every[len(self.prefix) :]

    @cached_property
    def given(self) -> list[Claim]:
        """The claims of the prefix."""
        return [claim for claims in claims_of_steps(self.prefix, self.graph) for claim in claims]

    @property
    def foreign(self) -> bool:
        """Whether it is not in English, as far as its words tell."""
        words = [word.lower() for word in _WORD.findall(_OBJECT.sub(" ", self.text))]
        return len(words) >= _FEWEST and sum(word in _COMMON for word in words) < _ENGLISH * len(words)

    def near(self, place: int, after: int = _AFTER) -> list[str]:
        """The sentence at a place, and those around it."""
        return self.sentences[max(0, place - _BEFORE) : place + after + 1]


def heard(shown: Shown) -> tuple[Mapping[str, Json], Continuation] | str:
    """The facts of an item and its continuation, or why no rule can judge it."""
    facts: Mapping[str, Json] = json.loads(shown["facts"])
    if facts.get("graph") is None:
        return NO_GRAPH
    relevant = tuple(facts["relevant"])
    continuation = Continuation(shown[REPLY], tuple(facts["prefix"]), facts["graph"], relevant)
    return LANGUAGE if continuation.foreign else (facts, continuation)


def has_value(sentence: str, value: str, continuation: Continuation) -> bool:
    """Whether a sentence has a word for a value: a look, a box, a relation."""
    if re.fullmatch(r"R\d+(?: or R\d+)*", value):
        return any(re.search(rf"\b{box}\b", sentence, re.IGNORECASE) for box in value.split(" or "))
    if any(relation_of(match) == value for match in RELATION.finditer(sentence)):
        return True
    words = scene_of(continuation.graph).words
    return any(
        name == value and re.search(rf"\b{re.escape(word)}\b", sentence, re.IGNORECASE)
        for word, (_, name) in words.items()
    )


def has_words(sentence: str, words: str) -> bool:
    """Whether a sentence has these words; of a relation, without "of"."""
    return bool(re.search(rf"\b{re.escape(words.removesuffix(' of'))}\b", sentence, re.IGNORECASE))
