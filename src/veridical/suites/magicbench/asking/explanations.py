"""Explanations as JSON: the forms of a reply. Values are read as a person reads them, never guessed."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    create_model,
    model_validator,
)

from veridical.answers.json_block import plain_keys
from veridical.answers.yes_no import MEANING
from veridical.records import Json

_NUMBER = re.compile(
    r"(?:(?:about|at|t ?=|ca\.|~) ?)?(?:(?P<minutes>\d{1,3}):)?(?P<number>\d{1,6}(?:[.,]\d{1,6})?)\s?"
    r"(?:%|percent|s|sec|secs|seconds?|(?:/|out of) ?100)?\.?",
    re.IGNORECASE,
)
_OPENING = re.compile(r"(?:yes(?: or |/)no[:=] ?)?(yes|no)(?:[.!]|[,;:.] (?!(?:yes|no|or)\b)[^?]{1,200})?")
_WORDS = {**MEANING, "true": "yes", "false": "no"}
"""What the words yes and no are called in JSON, and in other languages."""
MOST = 1_000
"""The most entries of a list."""


def _one_line(text: str) -> str:
    """A text in one line, without a typographic quotation mark that has no partner."""
    line = " ".join(text.split())
    return line if line.count("\u201c") == line.count("\u201d") else line.strip("\u201c\u201d")


@cache
def _placeholders() -> frozenset[str]:
    """The texts of the forms themselves."""
    folder = Path(__file__).parent.parent / "prompts"
    forms = ((folder / f"{name}.md").read_text(encoding="utf-8") for name in ("explain", "explain-thought"))
    return frozenset(text for form in forms for text in re.findall(r'"([^"\n]{9,})"', form))


def _some(text: str) -> str:
    if not any(sign.isalnum() for sign in text) or text in _placeholders():
        raise ValueError("a text is needed")
    return text


def _number(value: Json) -> Json:
    """A number that stands in quotes, also with its unit or a comma: "80", "80 %", "2.4 s", "2,4", "0:02"."""
    written = _NUMBER.fullmatch(value.strip()) if isinstance(value, str) else None
    if written is None:
        return value
    return 60 * float(written["minutes"] or 0) + float(written["number"].replace(",", "."))


def _text(value: Json) -> Json:
    """Nothing as an empty text, and a list of texts as one text."""
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return " ".join(each for each in value if isinstance(each, str))
    return "" if value is None else value


def _list(value: Json) -> Json:
    """One entry as a list of one, the lines of a text as a list of lines, and nothing as an empty list."""
    if isinstance(value, str):
        return (
            [] if _NOTHING.fullmatch(value.strip()) else [line for line in map(str.strip, value.splitlines()) if line]
        )
    return [value] if isinstance(value, dict) else [] if value is None else value


def _seen(value: Json) -> Json:
    """As `_list`; an entry may be a text that opens or ends with its time: "2.4 s: a bulge", "a bulge (2.4 s)"."""
    entries = _list(value)
    return [_timed(each) for each in entries] if isinstance(entries, list) else entries


def _timed(entry: Json) -> Json:
    seen = (_SEEN.fullmatch(entry) or _SEEN_LAST.fullmatch(entry)) if isinstance(entry, str) else None
    return {name: _unquoted(seen[name]) for name in ("time", "what")} if seen else entry


def _steps(value: Json) -> Json:
    """As `_list`; a step may be an object with one text, and the list an object with the numbers of steps as keys."""
    if isinstance(value, dict) and [*value] == [str(number + 1) for number in range(len(value))]:
        value = [*value.values()]
    return [_only_text(step) for step in listed] if isinstance(listed := _list(value), list) else listed


def _only_text(step: Json) -> Json:
    texts = [each for each in step.values() if isinstance(each, str)] if isinstance(step, dict) else []
    return texts[0] if len(texts) == 1 else step


def _no_share(value: float) -> float:
    if 0 < value < 1:
        raise ValueError("a number from 0 to 100 is needed, this may be a share of 1")
    return value


def _word(value: Json) -> Json:
    """The words yes, no and unclear in any case, also before a reason; JSON's own truth values are yes and no."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    word = value.strip().casefold() if isinstance(value, str) else value
    opening = _OPENING.fullmatch(word) if isinstance(word, str) else None
    word = opening[1] if opening else word
    return _WORDS.get(word, word) if isinstance(word, str) else word


Line = Annotated[str, BeforeValidator(_text), AfterValidator(_one_line)]
Words = Annotated[str, AfterValidator(_one_line), AfterValidator(_some)]
Seconds = Annotated[float, Field(ge=0, le=100_000), BeforeValidator(_number)]
Confidence = Annotated[float, Field(ge=0, le=100), AfterValidator(_no_share), BeforeValidator(_number)]


class _Strict(BaseModel):
    """Strict types but for what the fields themselves declare. Keys that are not asked for are ignored."""

    model_config = ConfigDict(strict=True, frozen=True, extra="ignore")

    @model_validator(mode="before")
    @classmethod
    def _plain(cls, value: Json) -> Json:
        return plain_keys(value)


class Observation(_Strict):
    """What is seen at a time, in seconds."""

    time: Seconds
    what: Words


class ClaimCheck(_Strict):
    """A claim of the transcript, what the inventory has about it, and whether it holds."""

    claim: Words
    seen: Line
    holds: Annotated[Literal["yes", "no", "unclear"], BeforeValidator(_word)]


class Explanation(_Strict):
    """What a clip seems to show, what does not fit, and how it is really done.

    `trick` says whether anything is done in secret; the confidence runs from 0 to 100.
    """

    effect: Words
    anomalies: Annotated[list[Observation], Field(max_length=MOST), BeforeValidator(_seen)]
    misdirection: Line
    steps: Annotated[list[Words], Field(min_length=1, max_length=MOST), BeforeValidator(_steps)]
    principle: Words
    trick: Annotated[Literal["yes", "no"], BeforeValidator(_word)]
    confidence: Confidence


class Thought(Explanation):
    """An explanation after an inventory of the frames, the claims compared with it, and the facts that it confirms."""

    inventory: Annotated[list[Observation], Field(min_length=1, max_length=MOST), BeforeValidator(_seen)]
    claims: Annotated[list[ClaimCheck], Field(max_length=MOST), BeforeValidator(_list)]
    facts: Annotated[list[Words], Field(min_length=1, max_length=MOST), BeforeValidator(_list)]


def _or_nothing(value: Json, valid: ValidatorFunctionWrapHandler) -> Any:  # noqa: ANN401 (whatever the field holds)
    try:
        return valid(value)
    except ValidationError:
        return None


class _Partial(_Strict):
    """What can be read of an object: it says too little without a trick, steps or a principle.

    So it does where its trick and its confidence have no value, as in an echo of the form, unless it has steps and a
    principle and neither of these keys.
    """

    @model_validator(mode="after")
    def _enough(self) -> Self:
        read = {name for name in self.model_fields_set if getattr(self, name) is not None}
        whole = read >= {"steps", "principle"} and not self.model_fields_set & {"trick", "confidence"}
        if not (whole or read & {"trick", "confidence"}) or not read & {"trick", "steps", "principle"}:
            raise ValueError("too little can be read")
        return self


def _partial(model: type[Explanation]) -> type[BaseModel]:
    fields: dict[str, Any] = {
        name: (Annotated[info.rebuild_annotation(), WrapValidator(_or_nothing)], None)
        for name, info in model.model_fields.items()
    }
    return create_model(f"Partial{model.__name__}", __base__=_Partial, **fields)


PARTIAL = {model: _partial(model) for model in (Explanation, Thought)}
"""The forms of a reply of whose object some keys are missing, or have no value that fits."""


def partial_answer(model: type[Explanation], found: Mapping[str, Json]) -> dict[str, Json]:
    """What could be read of an object, with the names of the keys that it is `lacking`, if there are any.

    >>> found = {"trick": True, "principle": "It is palmed.", "confidence": "high"}
    >>> partial_answer(Explanation, PARTIAL[Explanation].model_validate(found).model_dump())["lacking"]
    ['effect', 'anomalies', 'misdirection', 'steps', 'confidence']
    """
    lacking = [name for name in model.model_fields if found.get(name) is None]
    own = {name: value for name, value in found.items() if value is not None}
    return {**own, "lacking": lacking} if lacking else own


_KEY = re.compile(
    rf"(?im)^[ \t>*#-]{{0,8}}(?:\d[.)] \**)?(?P<key>{'|'.join(Thought.model_fields)})"
    r"(?:[ \t]?:\**|\**[ \t]?:|\**$|\**[ \t][-\u2013\u2014](?=[ \t]))[ \t]*"
)
"""A key at the opening of a line, as a heading or before a colon."""
_FEWEST = 3
_QUOTED = re.compile(r'"effect"\s{0,3}[:=]')
_FENCE = re.compile(r"(?m)^[ \t]*(?:`{3,}\w*|-{3,})[ \t]*$")
_ITEM = re.compile(r"^(?:[-*\u2022][ \t]+|\d{1,2}[.)][ \t]+)+")
_NOTHING = re.compile(
    r"(?i)(?:none(?: (?:seen|noted|found|observed|detected|visible))?|nothing|n/?a|null|-+|\u2014)?[.]?"
)
_SEEN = re.compile(
    r"(?i)(?:time: ?)?[(\[]?(?:at )?(?P<time>~?\d[\d.:,]{0,9} ?(?:s|secs?|seconds?)?)[)\]]?(?:\s?[:;,\u2013\u2014-])?\s"
    r"(?:what: ?)?(?P<what>[^\n]+)"
)
_SEEN_LAST = re.compile(
    r"(?i)(?P<what>[^\n]*[^\s,([])[\s,]{1,3}[(\[]?(?:at )?(?P<time>\d[\d.:,]{0,9} ?(?:s|secs?|seconds?))[)\]]?[.]?"
)


def labeled_values(text: str) -> dict[str, Json] | None:
    """The values of an explanation in lines or under headings that name its keys, as in YAML, without braces.

    `None` where fewer than three keys of the form stand there, or one stands twice.

    >>> rest = ("Anomalies: 2.4 s: a bulge", "**Misdirection:** none", "## Steps", "1. It is palmed.", "Principle: a")
    >>> values = labeled_values("\\n".join(("Effect: a coin vanishes", *rest, "Trick: yes", "Confidence: 80")))
    >>> values["anomalies"], values["misdirection"], values["steps"], values["confidence"]
    ([{'time': '2.4 s', 'what': 'a bulge'}], '', ['It is palmed.'], '80')
    """
    marks = [] if _QUOTED.search(text) else [*_KEY.finditer(text)]
    keys = [mark["key"].casefold() for mark in marks]
    if len({*keys}) < max(len(keys), _FEWEST) or not {*keys} & {"trick", "confidence"}:
        return None
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    bodies = (_FENCE.split(text[mark.end() : end])[0].strip() for mark, end in zip(marks, ends, strict=True))
    return {key: _value(key, body) for key, body in zip(keys, bodies, strict=True)}


def _value(key: str, body: str) -> Json:
    """The value of a key: a list in JSON or with an item to each line, or a text, perhaps in quotation marks."""
    if key in {"trick", "confidence"}:
        return body.partition("\n")[0].strip("*\"'` ")
    if key in {"effect", "misdirection", "principle"}:
        plain = _unquoted(re.sub(r"\A[>|]-?\n", "", body))
        return "" if key == "misdirection" and _NOTHING.fullmatch(plain) else plain
    if body.startswith("["):
        try:
            return json.loads(body)
        except ValueError:
            return body
    if _NOTHING.fullmatch(body):
        return []
    joined = re.sub(r"\n\s*(?=what:)", " ", body)
    lines = [_unquoted(_ITEM.sub("", line.strip())) for line in joined.splitlines() if line.strip()]
    if key in {"steps", "facts"}:
        return lines[0].split("; ") if len(lines) == 1 else lines
    return [_timed(line) for line in lines]


def _unquoted(text: str) -> str:
    """A text without quotation marks that hold all of it."""
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text
