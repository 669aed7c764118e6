"""An observer that repeats raw replies from a file, by trial id, as if the model that gave them were asked again.

The id is that of the trial or of its export. The file is one of ours (`answer_files`), or of another evaluation harness
(`harness_answers`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from veridical.errors import InputError, unknown
from veridical.observers.answer_files import Answer, Answers, content_of, read_answers
from veridical.observers.harness_answers import harness_answers, item_number
from veridical.records import ChatTurn, Json, Trial

if TYPE_CHECKING:
    from veridical.ask.clients import ReplyOrFailure
    from veridical.observers import TrialContext

NAME = "veridical/replay"
_ARGUMENT, SOURCE = "answers", "from"
_STOPS = {
    "stop": "stop",
    "end_turn": "stop",
    "stop_sequence": "stop",
    "eos": "stop",
    "length": "max_tokens",
    "max_tokens": "max_tokens",
    "max_output_tokens": "max_tokens",
    "model_length": "model_length",
    "content_filter": "content_filter",
    "tool_calls": "tool_calls",
}


class NoReplyInAnswersFile(Exception):  # noqa: N818 - its name is what a run stores of it
    """The file has no reply to the trial that is asked."""


class ErrorInAnswersFile(Exception):  # noqa: N818 - its name is what a run stores of it
    """The file says that the trial ended in an error, and of which kind."""


class Replay:
    """The replies of a file, found by the trial's id, or by the one under which it was exported.

    Raises `InputError` for model arguments other than `answers=FILE` and `from=HARNESS`, and for a file that cannot be
    read.
    """

    def __init__(self, model_args: Mapping[str, Json]) -> None:
        self._answers = _answers(model_args)

    def reply(self, messages: Sequence[ChatTurn], context: TrialContext | None) -> ReplyOrFailure:  # noqa: ARG002 (it repeats)
        """The stored reply to a trial; raises where the file has none, or has an error."""
        names = [context.trial, *_outside(context.opaque)] if context else []
        found = [self._answers.to(name, context.repeat) for name in names if context and name]
        answers = [answer for answer in found if answer is not None]
        if not answers:
            raise NoReplyInAnswersFile
        if len(answers) > 1:
            raise ErrorInAnswersFile("a reply under each of two ids")
        answer = answers[0]
        if answer.error is not None:
            raise ErrorInAnswersFile(answer.error)
        return _result(answer)


def require_known(model_args: Mapping[str, Json], trials: Sequence[Trial], opaque: Callable[[str], str]) -> None:
    """Raises `InputError` where the result file of a harness has replies to questions that are not asked.

    Our own files are read without this check, and so are replies to trials that are made from replies.
    """
    if SOURCE not in model_args or _ARGUMENT not in model_args or any(trial.sources for trial in trials):
        return
    known = {name for trial in trials for name in (trial.id, *_outside(opaque(trial.id)))}
    answers = _answers(model_args)
    others = [name for name in answers if name not in known]
    if others:
        raise InputError(
            f"{_path(model_args)}: {len(others):,} of {len(answers):,} questions are none of this run, such as "
            f"'{others[0][:40]}': the set, its settings (-S) and --limit are those of the export"
        )


def identity_args(model_args: Mapping[str, Json]) -> dict[str, Json]:
    """Model arguments as a run's identity holds them: an answers file by the hash of its content, not by its place."""
    return {**model_args, _ARGUMENT: f"sha256:{sha256(content_of(_path(model_args))).hexdigest()}"}


def _path(model_args: Mapping[str, Json]) -> Path:
    for name in model_args:
        if name not in (_ARGUMENT, SOURCE):
            raise unknown("model argument", name, (_ARGUMENT, SOURCE))
    if _ARGUMENT not in model_args:
        raise InputError(f"{NAME} needs the file with the replies: -M {_ARGUMENT}=FILE")
    return Path(str(model_args[_ARGUMENT]))


def _answers(model_args: Mapping[str, Json]) -> Answers:
    path = _path(model_args)
    return harness_answers(str(model_args[SOURCE]), path) if SOURCE in model_args else read_answers(path)


def _outside(opaque: str | None) -> tuple[str, ...]:
    """The names of a trial outside of its set: its opaque id, and the number of that."""
    return () if opaque is None else (opaque, str(item_number(opaque)))


def _result(answer: Answer) -> ReplyOrFailure:
    from veridical.ask.clients import ModelReply
    from veridical.ask.clients.completion import token_logprobs
    from veridical.ask.failures import CONTEXT_OVERFLOW

    stop = _STOPS.get((answer.stop_reason or "stop").lower(), "unknown")
    if stop == "model_length":
        return CONTEXT_OVERFLOW
    read, written = answer.input_tokens, answer.output_tokens
    known = read is not None and written is not None and read + written > 0
    return ModelReply(
        text=answer.text,
        reasoning=answer.reasoning or None,
        stop_reason=stop,
        refused=answer.refused or answer.stop_reason == "refusal" or stop == "content_filter",
        input_tokens=read if known else None,
        output_tokens=written if known else None,
        logprobs=token_logprobs(answer.logprobs),
    )
