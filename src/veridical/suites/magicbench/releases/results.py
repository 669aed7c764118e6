"""Published results: what models replied about released clips, and what a judge made of it, read strictly."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from veridical.answers import last_object
from veridical.errors import InputError
from veridical.records import Json
from veridical.suites.magicbench.judging.verdicts import NO_FAILURE, Graded, scores
from veridical.suites.magicbench.releases.cells import UnusableError, first_of, letter_of, loaded, text_of
from veridical.suites.magicbench.releases.item_files import RESULTS, kind_of, rows_of

WHOLE, REPAIRED, UNREADABLE, EMPTY, ABSENT = "whole", "repaired", "unreadable", "empty", "no result"
"""What became of a reply: read whole; read after its end was made up, because it was cut; not read; nothing was said;
the item has no result."""
READ, NONE = "read", "none"
"""What became of a verdict, besides `unreadable` and `no result`."""
_MARKS = ("VTG", "CPA", "CFR")
_OUTPUT, _JUDGED = ("model_output", "model_prediction"), ("judge_result", "GPT4_Judge_Result_Original")


class Result(NamedTuple):
    """A result of one item: who was asked how, the type of words, and what became of the reply and of the verdict.

    `scores` are those of `judging.verdicts`, `None` without a readable verdict; `reason` says why it is not readable.
    """

    name: str
    model: str
    setting: str
    letter: str | None
    reply: str
    verdict: str
    scores: Mapping[str, float] | None = None
    reason: str | None = None


def results_of(path: Path) -> list[Result]:
    """The results of a file in order.

    Raises `InputError`, which names the file and the item, for one that holds no results, for an item without an id or
    of an unknown type, and for two results of one item by one model in one setting.
    """
    content = loaded(path)
    if kind_of(content) != RESULTS:
        raise InputError(f"{path} holds no results: objects with an id, model_output and judge_result are needed")
    made: dict[tuple[str, str, str], Result] = {}
    for number, row in enumerate(rows_of(content), start=1):
        place = f"{path}, item {number}"
        if not isinstance(row, dict):
            raise InputError(f"{place}: an object is needed")
        try:
            result = _result(row, path.stem, place)
        except UnusableError as error:
            raise InputError(error.detail) from None
        key = result.model, result.setting, result.name
        if key in made:
            raise InputError(f"{place}: there is a result of '{result.name[:60]}' in this setting already")
        made[key] = result
    return list(made.values())


def verdict_of(value: Json) -> tuple[Mapping[str, float] | None, str | None]:
    """The scores of a stored verdict, and why there are none; both are `None` where no verdict is stored.

    Marks are whole numbers from 0 to 10, and all keys are needed. A triggered veto makes CPA 0, whatever was written.

    >>> stored = {"scores": {"VTG": 6, "CPA": 4, "CFR": 7}, "hard_failure_triggered": True,
    ...           "failure_reason": "a magnet", "reasoning": "It is made up."}
    >>> made, _ = verdict_of(stored)
    >>> made["vtg"], made["cpa"], made["cpa_written"], made["veto_disagrees"]
    (6.0, 0.0, 4.0, 1.0)
    >>> verdict_of({**stored, "scores": {"VTG": 11, "CPA": 4, "CFR": 7}})[1]
    'vtg: Input should be less than or equal to 10'
    """
    if isinstance(value, str) and value.strip():
        last = last_object(value)
        if last is None:
            return None, "prose, or no whole JSON object"
        value = last.value
    if value in (None, "", {}, []):
        return None, None
    if not isinstance(value, dict):
        return None, "a verdict is an object"
    marks = value.get("scores")
    flat = {**value, **marks} if isinstance(marks, dict) else value
    own: dict[str, Json] = {name.lower(): flat[name] for name in _MARKS if name in flat}
    own |= {name: value[name] for name in ("hard_failure_triggered", "reasoning") if name in value}
    if "failure_reason" in value:
        own["failure_reason"] = NO_FAILURE if value["failure_reason"] is None else value["failure_reason"]
    try:
        return scores(Graded.model_validate(own).model_dump()), None
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        return None, f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"


def _result(row: Mapping[str, Json], stem: str, place: str) -> Result:
    name = text_of(first_of(row, "id", "video_id"), "id", place)
    if not name:
        raise UnusableError("", f"{place}: the key 'id' is missing")
    made, reason = verdict_of(next((row[key] for key in _JUDGED if key in row), None))
    return Result(
        name=name,
        model=_model(row, stem, place),
        setting=_setting(row, stem, place),
        letter=letter_of(first_of(row, "linguistic_type", "Type"), place),
        reply=reply_status(first_of(row, *_OUTPUT), text_of_raw(row)),
        verdict=READ if made is not None else UNREADABLE if reason else NONE,
        scores=made,
        reason=reason,
    )


def reply_status(output: Json, raw: str) -> str:
    """What became of a reply, from its stored object and its text, "" where that is not stored.

    >>> reply_status({"final_principle": "palm"}, '{"final_principle": "palm"}')
    'whole'
    >>> reply_status({"final_principle": "palm"}, '{"final_principle": "pa')
    'repaired'
    >>> reply_status({"raw_output": "I see.", "error": "JSON_PARSE_FAIL"}, "I see."), reply_status(None, "")
    ('unreadable', 'empty')
    """
    if isinstance(output, Mapping) and "error" not in output:
        return WHOLE if not raw or last_object(raw) is not None else REPAIRED
    return UNREADABLE if output or raw.strip() else EMPTY


def text_of_raw(row: Mapping[str, Json]) -> str:
    """The text of a reply as it is stored, "" where it is not."""
    raw = row.get("raw_output")
    return raw if isinstance(raw, str) else ""


def _model(row: Mapping[str, Json], stem: str, place: str) -> str:
    return _stated(row, ("experiment_config", "model"), ("meta", "model"), ("Model_Source",), place=place) or stem


def _setting(row: Mapping[str, Json], stem: str, place: str) -> str:
    parts = (("experiment_config", "mode"), ("experiment_config", "prompt"))
    return ", ".join(filter(None, (_stated(row, part, place=place) for part in parts))) or (
        _stated(row, ("experiment_id",), place=place) or stem
    )


def _stated(row: Mapping[str, Json], *paths: tuple[str, ...], place: str) -> str:
    """The text at the first of these paths of keys that has one."""
    for path in paths:
        value: Json = row
        for key in path:
            value = value.get(key) if isinstance(value, Mapping) else None
        if value is not None:
            return text_of(value if not isinstance(value, list | dict) else json.dumps(value), path[-1], place)
    return ""


def letters_of(path: Path) -> Iterator[tuple[str, str | None]]:
    """The id and the type of each item of a file of items; raises `InputError` for one that cannot be read."""
    for number, row in enumerate(rows_of(loaded(path)), start=1):
        place = f"{path}, item {number}"
        if not isinstance(row, dict):
            raise InputError(f"{place}: an object is needed")
        try:
            name = text_of(first_of(row, "id", "video_id"), "id", place) or str(number)
            yield name, letter_of(row.get("linguistic_type"), place)
        except UnusableError as error:
            raise InputError(error.detail) from None
