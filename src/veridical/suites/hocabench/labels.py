"""The seven keys of an annotation, as a model that validates what people and classifiers write."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from veridical.answers import ParsedAnswer, Reader, json_reader, last_object
from veridical.answers.json_block import plain_keys
from veridical.answers.truncation import block_complete
from veridical.records import Json
from veridical.suite.reply import schema_of
from veridical.suites.hocabench.names import domain_named, interaction_named, layer_named, sub_type_named
from veridical.suites.hocabench.stimuli import Anomaly
from veridical.suites.hocabench.taxonomy import SUB_TYPES

_LONGEST, _SHOWN = 2_000, 60


class Labels(BaseModel):
    """An annotated anomaly: its place in the taxonomy, and what is seen; every key is text, and none may be left out.

    Type and category must be those of the sub-type.

    >>> keys = dict(type="Causal Anomaly", category="Mechanical Anomaly", sub_category="Gravity Anomaly")
    >>> keys |= dict(scene_description="A mug.", anomaly_phenomenon="It rises.", normal_phenomenon="It stays.")
    >>> Labels(**keys, interaction_judgment="This is an interaction process.").anomaly.sub_type
    'gravity'
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, str_strip_whitespace=True)

    type: str = Field(min_length=1, max_length=_LONGEST)
    category: str = Field(min_length=1, max_length=_LONGEST)
    sub_category: str = Field(min_length=1, max_length=_LONGEST)
    scene_description: str = Field(min_length=1, max_length=_LONGEST)
    anomaly_phenomenon: str = Field(min_length=1, max_length=_LONGEST)
    interaction_judgment: str = Field(min_length=1, max_length=_LONGEST)
    normal_phenomenon: str = Field(min_length=1, max_length=_LONGEST)

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, value: Json) -> Json:
        return plain_keys(value)

    @field_validator("sub_category")
    @classmethod
    def _is_known(cls, text: str) -> str:
        if sub_type_named(text) is None:
            raise ValueError(f"'{text[:_SHOWN]}' is no sub-type of the taxonomy")
        return text

    @field_validator("interaction_judgment")
    @classmethod
    def _is_clear(cls, text: str) -> str:
        if interaction_named(text) is None:
            raise ValueError("it must say whether this is an interaction or a spontaneous process")
        return text

    @model_validator(mode="after")
    def _agree(self) -> Labels:
        kind = SUB_TYPES[self.sub_type]
        for text, named, true in (
            (self.type, layer_named(self.type), kind.layer),
            (self.category, domain_named(self.category), kind.domain),
        ):
            if named != true:
                raise ValueError(f"'{text[:_SHOWN]}' does not go with '{kind.title}', which is of {true}")
        return self

    @property
    def sub_type(self) -> str:
        """The name of the sub-type in the taxonomy."""
        return str(sub_type_named(self.sub_category))

    @property
    def anomaly(self) -> Anomaly:
        """The anomaly, as stimuli have it."""
        return Anomaly(
            sub_type=self.sub_type,
            scene=self.scene_description,
            anomaly=self.anomaly_phenomenon,
            normal=self.normal_phenomenon,
            interaction=interaction_named(self.interaction_judgment),
        )


_JSON = json_reader(Labels, repair=True)


def read_labels(text: str) -> ParsedAnswer:
    """The labels in a reply, as canonical JSON, or why there are none: the first key that is not as it must be.

    >>> read_labels('{"type": "Causal Anomaly"}')
    ParsedAnswer(answer=None, reason='category: field required')
    """
    read = _JSON.read(text)
    if read.answer is not None:
        return read
    last = last_object(text, repair=True)
    return ParsedAnswer(None, read.reason if last is None else problem_of(last.value) or read.reason)


def problem_of(value: Json) -> str | None:
    """Why a value is no `Labels`, in one line; `None` if it is."""
    try:
        Labels.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])[:_SHOWN]
        what = first["msg"].removeprefix("Value error, ")
        line = " ".join(f"{where}: {what[:1].lower()}{what[1:]}".removeprefix(": ").split())
        return "".join(sign if sign.isprintable() else "�" for sign in line)
    return None


LABELS = Reader(
    name="labels",
    version="2",
    parse=lambda text, _: read_labels(text),
    schema=schema_of(Labels),
    complete=block_complete,
)
"""Reads the seven keys as one JSON object."""
