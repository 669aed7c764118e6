"""Published results, read strictly and scored again, over readable verdicts and over all items; vetoes are enforced."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

import numpy as np
from pydantic import ValidationError

from veridical.answers import last_object
from veridical.errors import InputError
from veridical.records import Json
from veridical.stats.resample import Cells
from veridical.suite.releases import SHOWN, error_place, objects_in, text_of
from veridical.suites.magicbench.judging.verdicts import NO_FAILURE, ExplanationGrade, scores
from veridical.suites.magicbench.releases.rows import RESULTS, json_in, kind_of, letter_of, rows_of
from veridical.suites.magicbench.releases.timeline import first_of

WHOLE, REPAIRED, UNREADABLE, EMPTY, ABSENT = "whole", "repaired", "unreadable", "empty", "no result"
"""What became of a reply: read whole; read after its end was made up, because it was cut; not read; nothing was said;
the item has no result."""
READ, NONE = "read", "none"
"""What became of a verdict, besides `unreadable` and `no result`."""


class ItemResult(NamedTuple):
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


def results_of(path: Path) -> list[ItemResult]:
    """The results of a file in order.

    Raises `InputError`, which names the file and the item, for one that holds no results, for an item without an id or
    of an unknown type, and for two results of one item by one model in one setting.
    """
    content = json_in(path)
    if kind_of(content) != RESULTS:
        raise InputError(f"{path} holds no results: objects with an id, model_output and judge_result are needed")
    made: dict[tuple[str, str, str], ItemResult] = {}
    for place, row in objects_in(path, rows_of(content)):
        with error_place(place):
            result = _result(row, path.stem)
            if made.setdefault((result.model, result.setting, result.name), result) is not result:
                raise _twice(result.name)
    return list(made.values())


def _twice(name: str) -> InputError:
    return InputError(f"there is a result of '{name[:SHOWN]}' in this setting already")


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
    own: dict[str, Json] = {name.lower(): flat[name] for name in ("VTG", "CPA", "CFR") if name in flat}
    own |= {name: value[name] for name in ("hard_failure_triggered", "reasoning") if name in value}
    if "failure_reason" in value:
        own["failure_reason"] = NO_FAILURE if value["failure_reason"] is None else value["failure_reason"]
    try:
        return scores(ExplanationGrade.model_validate(own).model_dump()), None
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        return None, f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"


def _result(row: Mapping[str, Json], stem: str) -> ItemResult:
    name = text_of(first_of(row, "id", "video_id"), "id")
    if not name:
        raise InputError("the key 'id' is missing")
    judged = ("judge_result", "GPT4_Judge_Result_Original")
    made, reason = verdict_of(next((row[key] for key in judged if key in row), None))
    raw = row.get("raw_output")
    whole = (("experiment_config", "mode"), ("experiment_config", "prompt"))
    return ItemResult(
        name=name,
        model=_stated(row, ("experiment_config", "model"), ("meta", "model"), ("Model_Source",)) or stem,
        setting=", ".join(filter(None, (_stated(row, part) for part in whole)))
        or _stated(row, ("experiment_id",))
        or stem,
        letter=letter_of(first_of(row, "linguistic_type", "Type")),
        reply=reply_status(first_of(row, "model_output", "model_prediction"), raw if isinstance(raw, str) else ""),
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


def _stated(row: Mapping[str, Json], *paths: tuple[str, ...]) -> str:
    """The text at the first of these paths of keys that has one."""
    for path in paths:
        value: Json = row
        for key in path:
            value = value.get(key) if isinstance(value, Mapping) else None
        if value is not None:
            return text_of(value if not isinstance(value, list | dict) else json.dumps(value), path[-1])
    return ""


def letters_of(path: Path) -> dict[str, str | None]:
    """The type of each item of a file of items by its id; raises `InputError` for one that cannot be read."""
    letters = {}
    for number, (place, row) in enumerate(objects_in(path, rows_of(json_in(path))), start=1):
        with error_place(place):
            name = text_of(first_of(row, "id", "video_id"), "id") or str(number)
            letters[name] = letter_of(row.get("linguistic_type"))
    return letters


MARKS = ("vtg", "cpa", "cfr")
POOLED, MEAN = "all items", "mean of types"
"""The two averages that the paper's tables mix: over all items, and over the types, each counted once."""
UNSTATED = "no type"
_DRAWS, _PERCENT = 1000, 10


class MeanMarks(NamedTuple):
    """Marks in percent of their maximum, 0 to 100: of readable verdicts, with bootstrap errors, and of all items.

    `of_all` adds nothing for an item without a readable verdict. Values are `None` where no verdict can be read, errors
    also for a single one.
    """

    of_read: Mapping[str, float | None]
    errors: Mapping[str, float | None]
    of_all: Mapping[str, float | None]


class MarkLine(NamedTuple):
    """A line of a table: a type of words or an average, its numbers of items and of readable verdicts, and the marks.

    `vetoes` are verdicts whose veto is triggered, `disagree` those of them whose judge wrote a CPA above 0;
    `cpa_written` is the CPA of readable verdicts as it was written.
    """

    kind: str
    items: int
    read: int
    marks: MeanMarks
    cpa_written: float | None
    vetoes: int
    disagree: int


class MarkTable(NamedTuple):
    """The lines of a model in a setting, and what became of its replies and verdicts, with the reasons."""

    model: str
    setting: str
    lines: Sequence[MarkLine]
    replies: Mapping[str, int]
    verdicts: Mapping[str, int]
    reasons: Mapping[str, int]


def mark_tables(paths: Sequence[Path], items: Path | None = None) -> list[MarkTable]:
    """The tables of result files, one for each model and setting, in the order in which they first occur.

    With `items`, a file of the release's items, its types hold, and an item without a result counts as one without a
    verdict. Raises `InputError` for files that cannot be read, for a result of an item that `items` does not have, and
    for two results of one item in one setting.
    """
    known = None if items is None else letters_of(items)
    groups: dict[tuple[str, str], dict[str, ItemResult]] = {}
    for path in paths:
        for result in results_of(path):
            group = groups.setdefault((result.model, result.setting), {})
            if result.name in group:
                raise InputError(f"{path}: {_twice(result.name)}")
            if known is not None and result.name not in known:
                raise InputError(f"{path}: '{result.name[:SHOWN]}' is no item of {items}")
            group[result.name] = result if known is None else result._replace(letter=known[result.name])
    if known is not None:
        for (model, setting), group in groups.items():
            for name in known.keys() - group.keys():
                group[name] = ItemResult(name, model, setting, known[name], ABSENT, ABSENT)
    return [
        MarkTable(
            model=model,
            setting=setting,
            lines=list(_lines(list(group.values()))),
            replies=Counter(result.reply for result in group.values()),
            verdicts=Counter(result.verdict for result in group.values()),
            reasons=Counter(result.reason for result in group.values() if result.reason),
        )
        for (model, setting), group in groups.items()
    ]


def _lines(results: Sequence[ItemResult]) -> Iterator[MarkLine]:
    letters = sorted({result.letter for result in results if result.letter})
    by_type = [_line(letter, [each for each in results if each.letter == letter]) for letter in letters]
    unstated = [each for each in results if each.letter is None]
    yield from by_type
    if unstated:
        yield _line(UNSTATED, unstated)
    whole = _line(POOLED, results)
    yield whole
    if by_type and not unstated:
        yield whole._replace(kind=MEAN, marks=_mean(by_type), cpa_written=_of([each.cpa_written for each in by_type]))


def _line(kind: str, results: Sequence[ItemResult]) -> MarkLine:
    read = [result.scores for result in results if result.verdict == READ and result.scores is not None]
    values = np.array([[scores[name] for name in MARKS] for scores in read]).reshape(len(read), len(MARKS))
    none = dict.fromkeys(MARKS)
    return MarkLine(
        kind=kind,
        items=len(results),
        read=len(read),
        marks=MeanMarks(
            of_read=_by_mark(_PERCENT * values.mean(0)) if read else none,
            errors=_errors(values) if len(read) > 1 else none,
            of_all=_by_mark(_PERCENT * values.sum(0) / len(results)) if read else none,
        ),
        cpa_written=_PERCENT * fmean(scores["cpa_written"] for scores in read) if read else None,
        vetoes=sum(scores["hard_failure_triggered"] > 0 for scores in read),
        disagree=sum(scores["veto_disagrees"] > 0 for scores in read),
    )


def _by_mark(values: np.ndarray) -> dict[str, float | None]:
    return dict(zip(MARKS, values.tolist(), strict=True))


def _errors(values: np.ndarray) -> dict[str, float | None]:
    """Standard errors of the means, from 1,000 resamples of items."""
    count = len(values)
    cells = Cells(values[:, None, :], np.ones((count, 1)), np.zeros(count, np.int64), draws=_DRAWS)
    return _by_mark(_PERCENT * cells.replicates[:, 0].std(0, ddof=1))


def _mean(lines: Sequence[MarkLine]) -> MeanMarks:
    """The plain mean of types, of which each has a value, or none; errors of types are independent."""
    errors = {name: [line.marks.errors[name] for line in lines] for name in MARKS}
    return MeanMarks(
        of_read={name: _of([line.marks.of_read[name] for line in lines]) for name in MARKS},
        errors={
            name: None if None in own else sum(each**2 for each in own if each is not None) ** 0.5 / len(own)
            for name, own in errors.items()
        },
        of_all={name: _of([line.marks.of_all[name] for line in lines]) for name in MARKS},
    )


def _of(values: Sequence[float | None]) -> float | None:
    return None if None in values else fmean(value for value in values if value is not None)
