"""False options of Task III: a model writes them, none may say what the true one says, and people check that."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from zlib import crc32

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, field_validator

from veridical.answers import ParsedAnswer, Reader, json_reader, parse_answer
from veridical.answers.truncation import block_complete
from veridical.errors import InputError
from veridical.records import Json, Trial
from veridical.suite.reply import schema_of
from veridical.suites.hocabench.labels import Labels
from veridical.suites.hocabench.names import sub_type_named
from veridical.suites.hocabench.stimuli import Anomaly, TaskOptions

_FILLING = {"a", "an", "the", "its", "his", "her", "their", "of", "some", "this", "that"}
COUNT = 3
_LONGEST, _SHOWN = 1_000, 60
NONE = "none"
_BETWEEN = re.compile(r"[\s,;/+&.()]+|\bAND\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionClaim:
    """What an option says: its text, the sub-type of the anomaly, and the thing that it happens to."""

    text: str
    sub_type: str
    thing: str


def repeats(gold: OptionClaim, other: OptionClaim) -> bool:
    """Whether a distractor is a second right answer: its sub-type and its thing, or its words, are those of the gold.

    Articles, number and case do not count.

    >>> gold = OptionClaim(text="The mug rises.", sub_type="gravity", thing="the mug")
    >>> repeats(gold, OptionClaim(text="A mug floats up.", sub_type="Gravity Anomaly", thing="Mugs"))
    True
    >>> repeats(gold, OptionClaim(text="The mug turns blue.", sub_type="mutation", thing="the mug"))
    False
    """
    same_kind = _kind(gold.sub_type) == _kind(other.sub_type)
    return (same_kind and _words(gold.thing) == _words(other.thing)) or _words(gold.text) == _words(other.text)


def require_distinct(gold: OptionClaim, distractors: Sequence[OptionClaim]) -> None:
    """Raises `InputError`, which names the option, for a distractor that repeats the gold, or another distractor."""
    for place, other in enumerate(distractors, start=1):
        if repeats(gold, other):
            raise InputError(
                f"distractor {place}, '{other.text}', has the sub-type and the thing of the true description"
            )
        for earlier, first in enumerate(distractors[: place - 1], start=1):
            if _words(first.text) == _words(other.text):
                raise InputError(f"distractors {earlier} and {place} are both '{other.text}'")


def _kind(text: str) -> str:
    return sub_type_named(text) or " ".join(text.casefold().split())


def _words(text: str) -> tuple[str, ...]:
    words = re.findall(r"[^\W_]+", text.casefold())
    return tuple(_singular(word) for word in words if word not in _FILLING)


def _singular(word: str) -> str:
    """The word without the ending of a plural, as far as spelling tells.

    >>> [_singular(word) for word in ("mugs", "glasses", "glass", "boxes", "berries", "bus")]
    ['mug', 'glass', 'glass', 'box', 'berry', 'bus']
    """
    if re.search(r"(?:ss|us|is)$", word) or len(word) <= 3:
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    return re.sub(r"(?<=ss)es$|(?<=x)es$|(?<=ch)es$|(?<=sh)es$|s$", "", word)


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, str_strip_whitespace=True)


class Distractor(_Strict):
    """A false option: its sub-type, the thing that it is about, and what it says."""

    sub_category: str = Field(min_length=1, max_length=_LONGEST)
    thing: str = Field(min_length=1, max_length=_LONGEST)
    description: str = Field(min_length=1, max_length=_LONGEST)

    @field_validator("sub_category")
    @classmethod
    def _is_known(cls, text: str) -> str:
        if sub_type_named(text) is None:
            raise ValueError(f"'{text[:_SHOWN]}' is no sub-type of the taxonomy")
        return text


class Distractors(_Strict):
    """Three false options, and the thing that the true one is about."""

    thing: str = Field(min_length=1, max_length=_LONGEST)
    distractors: list[Distractor] = Field(min_length=COUNT, max_length=COUNT)

    def require_false(self, text: str, sub_type: str) -> None:
        """Raises `InputError` where one says what the true option says, of that text and sub-type, or another."""
        claims = [
            OptionClaim(text=each.description, sub_type=each.sub_category, thing=each.thing)
            for each in self.distractors
        ]
        require_distinct(OptionClaim(text=text, sub_type=sub_type, thing=self.thing), claims)

    def options(self, anomaly: Anomaly, index: str) -> TaskOptions:
        """The four options of an anomaly, in an order that follows from the index of its clip."""
        pairs = [(anomaly.anomaly, anomaly.sub_type)]
        pairs += [(each.description, str(sub_type_named(each.sub_category))) for each in self.distractors]
        order = np.random.default_rng(crc32(index.encode())).permutation(len(pairs))
        texts, kinds = zip(*(pairs[place] for place in order), strict=True)
        return TaskOptions(texts=texts, true=anomaly.anomaly, sub_types=kinds)


def options_of(distracted: Mapping[str, Json], labels: Labels, index: str) -> TaskOptions:
    """The four options of a clip from the row of its false ones, in their final order."""
    return parse_answer(distracted["answer"], Distractors).options(labels.anomaly, index)


_JSON = json_reader(Distractors)


def read_distractors(text: str, expects: Mapping[str, Json]) -> ParsedAnswer:
    """The distractors in a reply, or why there are none; `expects` has the `text` and `sub_type` of the true option."""
    read = _JSON.read(text)
    if read.answer is None or "sub_type" not in expects:
        return read
    try:
        parse_answer(read.answer, Distractors).require_false(str(expects["text"]), str(expects["sub_type"]))
    except InputError as error:
        line = " ".join(str(error).split())
        return ParsedAnswer(None, "".join(sign if sign.isprintable() else "�" for sign in line))
    return read


DISTRACTORS = Reader(
    name="distractors", version="1", parse=read_distractors, complete=block_complete, schema=schema_of(Distractors)
)
"""Reads three false options as one JSON object, none of which repeats the true one."""


def read_right(text: str, expects: Mapping[str, Json]) -> ParsedAnswer:
    """The letters of all options that somebody finds right, as "A,C", or "none"; or the reason why none can be read.

    The options that a trial `expects` say which letters there are. Letters without anything between them stand in the
    order of the alphabet, so that a word is no answer.

    >>> [read_right(text, {"options": [""] * 4}).answer for text in ("b", "C and A", "AD", "None.", "bad", "E", "")]
    ['B', 'A,C', 'A,D', 'none', None, None, None]
    """
    words = _BETWEEN.sub(" ", text.upper()).split()
    letters = sorted("".join(words))
    if words == [NONE.upper()]:
        return ParsedAnswer(NONE)
    if not letters:
        return ParsedAnswer(None, "the answer is empty")
    known = set(ascii_uppercase[: len(expects.get("options", ())) or COUNT + 1])
    in_order = all(list(word) == sorted(set(word)) for word in words)
    if not known.issuperset(letters) or len(set(letters)) < len(letters) or not in_order:
        return ParsedAnswer(None, f"the answer is neither letters from A to {max(known)}, each once, nor the word none")
    return ParsedAnswer(",".join(letters))


RIGHT = Reader(name="right-options", version="2", parse=read_right)
"""Reads which options are right; correct is the true one alone."""


def majority(holds: Sequence[bool]) -> bool:
    """Whether more than half hold; a tie, and nothing at all, is no.

    >>> majority([True, True, False]), majority([True, False]), majority([])
    (True, False, False)
    """
    return 2 * sum(holds) > len(holds)


def sub_type_of(trial: Trial) -> str:
    """The sub-type of the labels whose options are checked: what a sample of these questions is balanced over."""
    return str(trial.expects["sub_type"])
