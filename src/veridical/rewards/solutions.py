"""What marks a reply to a training prompt, as one JSON text: its column in an export needs no set and no run."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pydantic import ValidationError

from veridical.answers import Reader
from veridical.base.files import Shape
from veridical.errors import InputError
from veridical.records import Json, Trial, canonical
from veridical.suite import registry

_UNSEEN = "training"
_SHOWN = 60


class _Marked(Shape):
    """A question: the family of its readers, its true answer, and what readers must know beside the reply."""

    reader: str
    gold: str
    expects: dict[str, Json]


class _Solution(Shape):
    suite: str
    questions: list[_Marked]


@dataclass(frozen=True)
class Solution:
    """The questions of a prompt as trials that a suite's readers mark, and those readers, the default first."""

    suite: str
    trials: tuple[Trial, ...]

    def readers(self, trial: Trial) -> tuple[Reader, ...]:
        """The suite's readers of the replies to a question, without those for models with a form of their own."""
        every = registry.get(self.suite).asking.readers[trial.reader]
        return tuple(reader for reader in every if not reader.special)


def solution_of(suite: str, trials: tuple[Trial, ...]) -> str:
    """The solution of a prompt that asks these trials, as canonical JSON; raises ValueError where one has no gold.

    >>> from veridical.records import Trial
    >>> trial = Trial(id="t", suite="viprobe", stage="ask", stimulus="s", unit="u", family="f", category="c",
    ...               variant="v", messages=(), gold="1", reader="yes-no", prompt="")
    >>> solution_of("viprobe", (trial,))
    '{"questions":[{"expects":{},"gold":"1","reader":"yes-no"}],"suite":"viprobe"}'
    """
    questions = []
    for trial in trials:
        if trial.gold is None:
            raise ValueError(f"trial '{trial.id}' has no true answer: nothing can be earned by a reply to it")
        questions.append({"reader": trial.reader, "gold": trial.gold, "expects": dict(trial.expects)})
    return canonical({"suite": suite, "questions": questions})


@lru_cache(maxsize=4096)
def parse_solution(text: str) -> Solution:
    """The solution in a text; raises `InputError` for one that is none, and for a suite or readers that are unknown."""
    try:
        stated = _Solution.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        raise InputError(f"solution {text[:_SHOWN]!r}: {first['msg'][:1].lower()}{first['msg'][1:]}") from None
    known = registry.get(stated.suite).asking.readers
    for each in stated.questions:
        if each.reader not in known:
            raise InputError(f"solution: the suite {stated.suite} has no readers '{each.reader}'")
    if len(stated.questions) not in (1, 2):
        raise InputError(f"solution: {len(stated.questions)} questions: one or two are allowed")
    return Solution(stated.suite, tuple(_trial(stated.suite, each) for each in stated.questions))


def _trial(suite: str, stated: _Marked) -> Trial:
    names = ("id", "stage", "stimulus", "unit", "family", "category", "variant", "prompt")
    own: dict[str, Any] = {**dict.fromkeys(names, _UNSEEN), **stated.model_dump()}
    return Trial(suite=suite, messages=(), **own)
