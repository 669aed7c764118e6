"""Verdicts: the model that a rubric asks for, and the reader of a judge's reply."""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.fields import FieldInfo

from veridical.answers import Marks, ParsedAnswer, Reader, json_reader, last_object
from veridical.answers.truncation import block_complete
from veridical.records import canonical
from veridical.suite.reply import schema_of

CANNOT_TELL = "Cannot tell: "
"""How the rule judge begins where its rule gives no verdict; the reason follows."""
_LONGEST_REASON = 200
_NUMBERS: tuple[Any, ...] = (bool, int, float)


class JudgeVerdict(BaseModel):
    """Base of all verdicts, with strict types: "yes", "7/10" and 11 out of 10 are no verdict. Other keys are ignored.

    Each field that is a truth value or a number with bounds (`Field(ge=…, le=…)`) is a score of the verdict.
    """

    model_config = ConfigDict(strict=True, frozen=True, extra="ignore")


def scores_of(model: type[JudgeVerdict]) -> dict[str, tuple[float, float]]:
    """The range of each score of a verdict, by field. Raises `TypeError` for a number without bounds.

    >>> from pydantic import Field
    >>> class Graded(JudgeVerdict):
    ...     reason: str
    ...     veto: bool
    ...     grade: int = Field(ge=0, le=10)
    >>> scores_of(Graded)
    {'veto': (0.0, 1.0), 'grade': (0.0, 10.0)}
    """
    return {name: _range(name, info) for name, info in model.model_fields.items() if info.annotation in _NUMBERS}


def _range(name: str, info: FieldInfo) -> tuple[float, float]:
    if info.annotation is bool:
        return 0.0, 1.0
    bounds = {kind: getattr(each, kind) for each in info.metadata for kind in ("ge", "le") if hasattr(each, kind)}
    if len(bounds) < 2:
        raise TypeError(f"the verdict's field '{name}' is a number: Field(ge=…, le=…) is needed")
    return float(bounds["ge"]), float(bounds["le"])


def verdict_reader(name: str, version: str, model: type[JudgeVerdict]) -> Reader:
    """The reader of verdicts by one rubric: the answer is the verdict as canonical JSON, with its scores.

    Read is the JSON object that fits `model`, also in a code fence. Of several that differ, the last counts if the
    reply ends with it; a judge that quotes a verdict after its own, or between words, has none. A verdict is never
    correct or wrong itself, and what cannot be read has no score.

    >>> class Equivalent(JudgeVerdict):
    ...     correct: bool
    >>> reader = verdict_reader("equivalence", "1", Equivalent)
    >>> reader.parse('It says 5, not 4. {"correct": false}', {}).answer
    '{"correct":false}'
    >>> reader.parse('{"correct": "no"}', {}).reason
    'correct: Input should be a valid boolean'
    """
    parse = json_reader(model).read
    return Reader(
        name=name,
        version=version,
        parse=lambda text, _: _last(text, model, parse(text)),
        mark=lambda answer, _: Marks(None, verdict_scores(answer, model)),
        scores=scores_of(model),
        schema=schema_of(model),
        complete=block_complete,
    )


def verdict_scores(answer: str, model: type[JudgeVerdict]) -> dict[str, float]:
    """The scores of a verdict in canonical JSON; truth values are 0 or 1."""
    values = json.loads(answer)
    return {name: float(values[name]) for name in scores_of(model)}


def _last(text: str, model: type[JudgeVerdict], read: ParsedAnswer) -> ParsedAnswer:
    """The object at the end of a reply that holds several, or the reason why the last object is no verdict."""
    last = last_object(text)
    if last is None and text.startswith(CANNOT_TELL):
        return ParsedAnswer(None, " ".join(text[:_LONGEST_REASON].split()).lower().rstrip("."))
    if read.answer is not None or last is None:
        return read if text.strip() else ParsedAnswer(None, "nothing was said")
    try:
        verdict = model.model_validate(last.value)
    except ValidationError as error:
        return ParsedAnswer(None, _reason(error))
    return ParsedAnswer(canonical(verdict.model_dump(mode="json"))) if last.ends else read


def _reason(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"]) or "verdict"
    return f"{place}: {first['msg']}"
