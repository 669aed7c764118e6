"""False options for labeled clips, from a model: aware of the taxonomy, and none a second right answer."""

from __future__ import annotations

from collections.abc import Mapping
from zlib import crc32

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, field_validator

from veridical.answers import Read, Reader, json_reader, parse_answer
from veridical.answers.cut import closed
from veridical.errors import InputError
from veridical.records import Json
from veridical.suite.reply import schema_of
from veridical.suites.hocabench.distractors import Claim, require_distinct
from veridical.suites.hocabench.labels import Labels
from veridical.suites.hocabench.names import sub_type_named
from veridical.suites.hocabench.stimuli import Anomaly, Options

COUNT = 3
_LONGEST, _SHOWN = 1_000, 60


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
            Claim(text=each.description, sub_type=each.sub_category, thing=each.thing) for each in self.distractors
        ]
        require_distinct(Claim(text=text, sub_type=sub_type, thing=self.thing), claims)

    def options(self, anomaly: Anomaly, index: str) -> Options:
        """The four options of an anomaly, in an order that follows from the index of its clip."""
        pairs = [(anomaly.anomaly, anomaly.sub_type)]
        pairs += [(each.description, str(sub_type_named(each.sub_category))) for each in self.distractors]
        order = np.random.default_rng(crc32(index.encode())).permutation(len(pairs))
        texts, kinds = zip(*(pairs[place] for place in order), strict=True)
        return Options(texts=texts, true=anomaly.anomaly, sub_types=kinds)


def options_of(distracted: Mapping[str, Json], labels: Labels, index: str) -> Options:
    """The four options of a clip from the row of its false ones, in their final order."""
    return parse_answer(distracted["answer"], Distractors).options(labels.anomaly, index)


_JSON = json_reader(Distractors)


def read_distractors(text: str, expects: Mapping[str, Json]) -> Read:
    """The distractors in a reply, or why there are none; `expects` has the `text` and `sub_type` of the true option."""
    read = _JSON.read(text)
    if read.answer is None or "sub_type" not in expects:
        return read
    try:
        parse_answer(read.answer, Distractors).require_false(str(expects["text"]), str(expects["sub_type"]))
    except InputError as error:
        line = " ".join(str(error).split())
        return Read(None, "".join(sign if sign.isprintable() else "�" for sign in line))
    return read


DISTRACTORS = Reader(
    name="distractors", version="1", parse=read_distractors, complete=closed, schema=schema_of(Distractors)
)
"""Reads three false options as one JSON object, none of which repeats the true one."""
