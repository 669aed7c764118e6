"""Files of replies as other evaluation harnesses write them, to questions that were exported for them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import BadZipFile

from veridical.base.requirements import extra_needed, versions_of
from veridical.errors import InputError, unknown
from veridical.observers.answer_files import Answer, AnswerRecord, Answers, answers_from, json_lines, lines_of
from veridical.records import Json

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog, EvalSample

_ITEM = "item-"
_DIGITS = 12
"""Hexadecimal digits of an opaque id that make a number which a spreadsheet holds exactly: less than 2⁴⁸."""
_FAILED = ("Failed to obtain answer", "[LMMS_EVAL_REQUEST_FAILED")
"""How that begins which VLMEvalKit and lmms-eval write in the place of a reply that they did not get."""


def item_number(opaque: str) -> int:
    """The number that stands for an opaque id where a harness takes whole numbers alone.

    >>> item_number("item-00000000000a4f2c")
    10
    """
    return int(opaque.removeprefix(_ITEM)[:_DIGITS], 16)


def harness_answers(harness: str, path: Path) -> Answers:
    """The replies in the result file of a harness, by the trial's id, its export name, or the number of that.

    Raises `InputError` for a harness that is not known, with the nearest name, for a file that is not one of its, and
    for two replies to one question.
    """
    if harness not in HARNESSES:
        raise unknown("harness", harness, HARNESSES)
    return answers_from(path, HARNESSES[harness](path))


def _of_vlmevalkit(path: Path) -> Iterator[AnswerRecord]:
    """The rows of a table with `index` and `prediction`, and with `thinking` where VLMEvalKit split that off."""
    for number, row in enumerate(_rows(path), start=1):
        place = f"row {number}"
        if "index" not in row or "prediction" not in row:
            raise InputError(f"{path}, {place}: 'index' and 'prediction' are needed: is it a result of VLMEvalKit?")
        answer = _answer(_cell(row["prediction"]), _cell(row.get("thinking")) or None)
        yield AnswerRecord(place, _index(path, place, row["index"]), answer)


def _answer(text: str, reasoning: str | None = None) -> Answer:
    return Answer("", reasoning, error=text) if text.startswith(_FAILED) else Answer(text, reasoning)


def _rows(path: Path) -> Iterator[Mapping[str, Json]]:
    from veridical.stimulus_set.imports.sheets import read_table

    if path.suffix.lower() != ".json":
        yield from read_table(path).iter_rows(named=True)
        return
    try:
        rows = json.loads("\n".join(lines_of(path)))
    except (ValueError, RecursionError):
        raise InputError(f"{path} is no JSON") from None
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise InputError(f"{path} holds no list of rows: is it a result of VLMEvalKit?")
    yield from rows


def _index(path: Path, place: str, value: Json) -> str:
    """The number of a question; a spreadsheet may have made a decimal fraction of it."""
    try:
        number = float(str(value))
        if number == int(number) >= 0:
            return str(int(number))
    except (ValueError, OverflowError):
        pass
    raise InputError(f"{path}, {place}: index '{str(value)[:40]}' is no whole number")


def _cell(value: Json) -> str:
    return "" if value is None else str(value)


def _of_lmms_eval(path: Path) -> Iterator[AnswerRecord]:
    """The lines of `…_samples_….jsonl`: a reply, or one for each repeat, and the item that the task stored with it."""
    for number, line in json_lines(path, lines_of(path)):
        item = line.get("item")
        if not isinstance(item, str):
            raise InputError(f"{path}, line {number}: 'item' is missing: is it of a task that veridical exported?")
        texts = list(_texts(line.get("resps", line.get("filtered_resps"))))
        if not texts:
            raise InputError(f"{path}, line {number}: neither 'resps' nor 'filtered_resps' holds a text")
        for repeat, text in enumerate(texts, start=1):
            yield AnswerRecord(f"line {number}", item, _answer(text), repeat if len(texts) > 1 else None)


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)


def _of_inspect(path: Path) -> Iterator[AnswerRecord]:
    """The samples of an eval log; each epoch is a repeat."""
    with extra_needed("providers", f"the log {path}"):
        from inspect_ai.log import read_eval_log, read_eval_log_samples
    try:
        header = read_eval_log(str(path), header_only=True)
        for sample in read_eval_log_samples(str(path), all_samples_required=False, exclude_fields={"attachments"}):
            repeat = sample.epoch if (header.eval.config.epochs or 1) > 1 else None
            yield AnswerRecord(_place(sample, header), str(sample.id), _sampled(sample), repeat)
    except (OSError, ValueError, LookupError, RuntimeError, BadZipFile) as error:
        version, root = versions_of("inspect-ai").get("inspect-ai"), error.__cause__ or error
        problem = (str(root).splitlines() or [type(root).__name__])[0]
        raise InputError(f"{path} is no eval log that inspect-ai {version} reads: {problem}") from None


def _place(sample: EvalSample, header: EvalLog) -> str:
    return f"sample {sample.id}, epoch {sample.epoch} of {header.eval.config.epochs or 1}"


def _sampled(sample: EvalSample) -> Answer:
    from veridical.ask.clients.inspect_client import counts_of, failure_in, is_refusal, reasoning_of, text_of

    if sample.error is not None:
        return Answer("", error=(sample.error.message.splitlines() or ["error"])[0])
    failure = failure_in(sample.output)
    if failure is not None:
        limit = f"limit of {sample.limit.type}" if sample.limit is not None else failure.kind
        return Answer("", error=limit)
    counts = counts_of(sample.output)
    return Answer(
        text_of(sample.output),
        reasoning=reasoning_of(sample.output),
        stop_reason=sample.output.choices[0].stop_reason,
        refused=is_refusal(sample.output),
        input_tokens=counts["input_tokens"],
        output_tokens=counts["output_tokens"],
    )


HARNESSES: Mapping[str, Callable[[Path], Iterator[AnswerRecord]]] = {
    "inspect": _of_inspect,
    "lmms-eval": _of_lmms_eval,
    "vlmevalkit": _of_vlmevalkit,
}
"""What reads the replies in a result file, by harness."""
