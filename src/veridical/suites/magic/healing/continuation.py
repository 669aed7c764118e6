"""What a model adds to reasoning that it was given: its reader, and its sentences and claims as a rule reads them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from veridical.answers import ParsedAnswer, Reader, Readers
from veridical.answers.reader import leave_unmarked
from veridical.answers.thinking import split_thinking
from veridical.answers.truncation import nothing_complete
from veridical.judges.language import is_foreign
from veridical.judges.rubric import REPLY, Shown
from veridical.records import Json
from veridical.suites.magic.claims import claims_of_steps, sentences
from veridical.suites.magic.stimuli import StepClaim

NO_GRAPH = "the item has no scene by which a rule could tell"
LANGUAGE = "the text is not in English"
_OBJECT = re.compile(r"\{[^{}]{0,500}\}")
_FINAL = re.compile(r"(?im)^\W{0,6}(?:final )?answer\b[^\n]*\Z")
_BEFORE, _AFTER = 2, 1
"""How many sentences before and after a correction words of correction may stand."""


@dataclass(frozen=True)
class ReasoningContinuation:
    """The sentences of a continuation, and the claims of each; "it" may be what the prefix ends with."""

    text: str
    prefix: tuple[str, ...]
    graph: Mapping[str, Json]
    relevant: tuple[int, ...]

    @cached_property
    def sentences(self) -> list[str]:
        return sentences(self.text)

    @property
    def body(self) -> str:
        """The continuation without its final answer."""
        return _FINAL.sub("", self.text)

    @cached_property
    def claims(self) -> list[list[StepClaim]]:
        every = claims_of_steps([*self.prefix, *self.sentences], self.graph, self.relevant)
        return every[len(self.prefix) :]

    @cached_property
    def given(self) -> list[StepClaim]:
        """The claims of the prefix."""
        return [claim for claims in claims_of_steps(self.prefix, self.graph) for claim in claims]

    def near(self, place: int, after: int = _AFTER) -> list[str]:
        """The sentence at a place, and those around it."""
        return self.sentences[max(0, place - _BEFORE) : place + after + 1]


def continuation_of(shown: Shown) -> tuple[Mapping[str, Json], ReasoningContinuation] | str:
    """The facts of an item and its continuation, or why no rule can judge it."""
    facts: Mapping[str, Json] = json.loads(shown["facts"])
    if facts.get("graph") is None:
        return NO_GRAPH
    relevant = tuple(facts["relevant"])
    continuation = ReasoningContinuation(shown[REPLY], tuple(facts["prefix"]), facts["graph"], relevant)
    return LANGUAGE if is_foreign(_OBJECT.sub(" ", continuation.text)) else (facts, continuation)


def has_words(sentence: str, words: str) -> bool:
    """Whether a sentence has these words; of a relation, without "of"."""
    return bool(re.search(rf"\b{re.escape(words.removesuffix(' of'))}\b", sentence, re.IGNORECASE))


CONTINUATION = "continuation"
_WORD = re.compile(r"\w+")
_TRIMMED = " \t\r\n.,;:!?\"'`*_)]}>\u201d\u2019"


def continuation_text(text: str, prefix: Sequence[str]) -> str:
    """What a reply says after what it repeats of the steps that it was given.

    Left out is a repetition at its beginning that goes on to the end of the given steps, whatever its marks and case.

    >>> steps = ["I see a room.", "R1 shows a mug.", "It is green."]
    >>> continuation_text("R1 shows a mug. It is green. Wait, it is red.", steps)
    'Wait, it is red.'
    >>> continuation_text("It is red.", ["It is green."])
    'It is red.'
    """
    spoken = split_thinking(text).text.strip()
    words = [(match[0].lower(), match.end()) for match in _WORD.finditer(spoken)]
    for first in range(len(prefix)):
        given = [word.lower() for step in prefix[first:] for word in _WORD.findall(step)]
        if given and [word for word, _ in words[: len(given)]] == given:
            return spoken[words[len(given) - 1][1] :].lstrip(_TRIMMED).strip()
    return spoken


def _read(text: str, expects: Mapping[str, Json]) -> ParsedAnswer:
    own = continuation_text(text, expects["prefix"])
    if any(sign.isalnum() for sign in own):
        return ParsedAnswer(own)
    return ParsedAnswer(None, "the reply only repeats what was given" if text.strip() else "the reply is empty")


CONTINUATIONS: Readers = {
    CONTINUATION: (Reader(name=CONTINUATION, version="2", parse=_read, mark=leave_unmarked, complete=nothing_complete),)
}
