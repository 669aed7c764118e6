"""What an answer must be for the fields of its item: the page checks it first, the server once more."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from veridical.errors import InputError
from veridical.records import Json

FLAG, NOTE = "flag", "note"
"""What may be stated of every item: that its question is bad, and a note."""
LONGEST = 10_000
_LARGEST = 1e15


def checked_answer(shown: Mapping[str, Any], answer: Json) -> dict[str, Json]:
    """An answer by field, as it is stored; raises `InputError`, in a sentence for a person, for one not allowed.

    >>> shown = {"blocks": [], "fields": [{"name": "a", "kind": "number", "title": "", "low": 0, "high": 9,
    ...     "step": None, "required": True, "options": [], "names": [], "most": 1}]}
    >>> checked_answer(shown, {"a": 3})
    {'a': 3}
    """
    if not isinstance(answer, dict):
        raise InputError("An answer for each field is needed.")
    fields = {field["name"]: field for field in shown["fields"]}
    for name in answer:
        if name not in fields and name not in (FLAG, NOTE):
            raise InputError(f"There is no field “{name[:40]}”.")
    checked: dict[str, Json] = {}
    for name, field in fields.items():
        value = answer.get(name)
        title = field["title"] or "An answer"
        empty = value is None or value in ("", [], {})
        if empty and field["required"] and _is_asked(field, answer) and not answer.get(FLAG):
            raise InputError(f"{title} is needed.")
        problem = None if empty else _CHECKS[field["kind"]](field, value, shown)
        if problem:
            raise InputError(f"{title}: {problem}")
        checked[name] = None if empty else value
    for name in (FLAG, NOTE):
        if answer.get(name):
            if not isinstance(answer[name], str) or len(answer[name]) > LONGEST:
                raise InputError(f"A note of at most {LONGEST:,} characters is allowed.")
            checked[name] = answer[name]
    return checked


def _is_asked(field: Mapping[str, Any], answer: Mapping[str, Json]) -> bool:
    if not field.get("when"):
        return True
    other, values = field["when"]
    return answer.get(other) in values


def _option(field: Mapping[str, Any], value: Json, shown: Mapping[str, Any]) -> str | None:  # noqa: ARG001
    known = value in [option["value"] for option in field["options"]]
    return None if known else "one of the options is needed."


def _codes(field: Mapping[str, Any], value: Json, shown: Mapping[str, Any]) -> str | None:
    if not isinstance(value, list) or len({str(each) for each in value}) < len(value):
        return "a list of options, each once, is needed."
    return next((problem for each in value if (problem := _option(field, each, shown))), None)


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= _LARGEST


def _number(field: Mapping[str, Any], value: Json, shown: Mapping[str, Any]) -> str | None:  # noqa: ARG001
    if not _is_number(value):
        return "a number is needed."
    low, high, step = field["low"], field["high"], field["step"]
    if (low is not None and value < low) or (high is not None and value > high):
        return f"a number from {low:g} to {high:g} is needed." if None not in (low, high) else "out of range."
    if step and abs((value - (low or 0)) / step - round((value - (low or 0)) / step)) > 1e-6:
        return f"steps of {step:g} are allowed."
    return None


def _text(field: Mapping[str, Any], value: Json, shown: Mapping[str, Any]) -> str | None:  # noqa: ARG001
    if not isinstance(value, str) or len(value) > LONGEST:
        return f"a text of at most {LONGEST:,} characters is needed."
    return None


def _pair(value: Json, low: float, high: float) -> bool:
    return isinstance(value, list) and all(_is_number(v) and low <= v <= high for v in value)


def _intervals(field: Mapping[str, Any], value: Json, shown: Mapping[str, Any]) -> str | None:
    seconds = max((block["seconds"] for block in shown["blocks"] if block.get("seconds")), default=0.0)
    if not isinstance(value, list) or not all(_pair(each, 0, seconds) and len(each) == 2 for each in value):
        return f"pairs of seconds inside the clip, 0 to {seconds:.2f}, are needed."
    if len(value) > field["most"]:
        return f"at most {field['most']} are allowed."
    return None if all(start < end for start, end in value) else "an interval ends after it begins."


def _boxes(field: Mapping[str, Any], value: Json, shown: Mapping[str, Any]) -> str | None:
    frames = max((block["frames"] or 1 for block in shown["blocks"] if block["kind"] == "clip"), default=1)
    numbers = {str(number) for number in range(frames)}
    if not isinstance(value, dict) or not set(value) <= set(field["names"]):
        return f"boxes named {', '.join(field['names'])} are needed."
    for by_frame in value.values():
        if not isinstance(by_frame, dict) or not by_frame:
            return "a box on a frame is needed."
        for frame, box in by_frame.items():
            if frame not in numbers or not _pair(box, 0, 1) or len(box) != 4:
                return "boxes lie inside the picture, on its frames."
            if not (box[0] < box[2] and box[1] < box[3]):
                return "a box has a width and a height."
    return None


_CHECKS = {
    "choice": _option,
    "tree": _option,
    "codes": _codes,
    "number": _number,
    "text": _text,
    "intervals": _intervals,
    "boxes": _boxes,
}
