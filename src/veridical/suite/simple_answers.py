"""The answers of a simple suite: yes or no, one of several options, or a whole number, as asked, read and marked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from string import ascii_uppercase
from typing import Any, Literal

from veridical.answers import (
    OPTION_LETTER,
    Marks,
    Parser,
    Reader,
    Readers,
    letter_reader,
    read_integer,
    read_yes_no,
    text_reader,
)
from veridical.errors import InputError
from veridical.records import Json, Media, Message, Stimulus, Text, Trial
from veridical.suite.evidence import Evidence
from veridical.suite.people_forms import ANSWER, YES_NO, lettered_form, named_form
from veridical.suite.people_tasks import FormField
from veridical.suite.prompts import letter_options
from veridical.suite.stages import AskingOptions

NUMBER = "number"
_SAID = {"yes": "yes", "no": "no", "true": "yes", "false": "no"}
_REQUESTS = {
    "yes-no": "Answer yes or no, in a tag: <answer>yes</answer> or <answer>no</answer>.",
    "choice": "End with the letter of the right option in a tag: <answer>LETTER</answer>.",
    "number": "End with a whole number in a tag: <answer>NUMBER</answer>.",
}


@dataclass(frozen=True)
class AnswerForm:
    """The form of all answers of a suite; `options` are in the user's order, none where a number is asked for."""

    kind: Literal["yes-no", "choice", "number"]
    options: tuple[str, ...] = ()
    tolerance: float = 0.0

    @classmethod
    def of(cls, options: Sequence[object], tolerance: float = 0.0) -> AnswerForm:
        """The form that a user's options mean; raises `InputError` for what is none.

        >>> AnswerForm.of(("yes", "no")).chance, AnswerForm.of(("red", "green", "blue", "gray")).chance
        (0.5, 0.25)
        >>> AnswerForm.of("number", tolerance=2).kind
        'number'
        """
        allowed = isinstance(tolerance, int | float) and 0 <= tolerance < float("inf")
        if not allowed or (tolerance and options != NUMBER):
            raise InputError(f'tolerance {tolerance!r}: 0 or more is allowed, beside options="number"')
        if options == NUMBER:
            return cls("number", tolerance=float(tolerance))
        several = isinstance(options, Iterable) and not isinstance(options, str)
        texts = tuple(map(str, options)) if several else ()
        if len(texts) == len(YES_NO) and {text.casefold() for text in texts} == set(YES_NO):
            return cls("yes-no", YES_NO)
        try:
            letter_reader(*texts)
        except ValueError:
            raise InputError(f'options {options!r}: 2 to 26 different answers, or "number", are allowed') from None
        return cls("choice", texts)

    @property
    def chance(self) -> float | None:
        """How often an even guess is right; `None` for a number."""
        return 1 / len(self.options) if self.options else None

    @property
    def readers(self) -> Readers:
        """The reader of the replies, by the name of its family."""
        return {self.kind: (_READERS[self.kind],)}

    def label(self, truth: Any) -> str:  # noqa: ANN401 (a text, a truth value or a number, NumPy's too)
        """The true answer as stored; raises `InputError` for one that no reply could give.

        >>> AnswerForm.of(("yes", "no")).label(True), AnswerForm.of("number").label(7.0)
        ('yes', '7')
        """
        text = str(truth).strip()
        if self.kind == "number":
            try:
                whole = int(float(text))
            except (ValueError, OverflowError):
                whole = None
            if whole is None or whole != float(text):
                raise InputError(f"the truth {text!r} is no whole number")
            return str(whole)
        label = _SAID.get(text.casefold(), text) if self.kind == "yes-no" else text
        if label not in self.options:
            raise InputError(f"the truth {text!r} is none of {', '.join(self.options)}")
        return label

    def trials(self, stimuli: Sequence[Stimulus], asking: AskingOptions, evidence: Evidence) -> Iterator[Trial]:  # noqa: ARG002
        """A trial for each stimulus: its pictures, its question, lettered options where one is to be chosen."""
        digest = sha256(_REQUESTS[self.kind].encode()).hexdigest()[:16]
        for stimulus in stimuli:
            options = f"\n\n{letter_options(stimulus.truth['options'])}" if self.kind == "choice" else ""
            text = f"{stimulus.question}{options}\n\n{_REQUESTS[self.kind]}"
            media = tuple(Media.of(medium) for medium in stimulus.media)
            yield Trial.about(
                stimulus,
                "ask",
                stage="ask",
                messages=(Message("user", (*media, Text(text))),),
                gold=self._gold(stimulus),
                reader=self.kind,
                prompt=digest,
                expects=self._expects(stimulus),
            )

    def answer_form(self, stimulus: Stimulus, trial: Trial) -> Sequence[FormField]:  # noqa: ARG002 (a suite may look)
        """What people fill: yes or no, one of the lettered options, or a whole number."""
        if self.kind == "choice":
            return lettered_form(stimulus.truth["options"])
        return named_form(YES_NO) if self.kind == "yes-no" else (FormField(name=ANSWER, kind="number", step=1),)

    def _gold(self, stimulus: Stimulus) -> str | None:
        if self.kind != "choice" or stimulus.label is None:
            return stimulus.label
        return ascii_uppercase[stimulus.truth["options"].index(stimulus.label)]

    def _expects(self, stimulus: Stimulus) -> dict[str, Json]:
        if self.kind == "number":
            return {"tolerance": self.tolerance}
        return {"options": list(stimulus.truth["options"])}


def _near(answer: str, trial: Trial) -> Marks:
    """Right is a number within the tolerance of the gold one."""
    if trial.gold is None:
        return Marks(None)
    return Marks(abs(int(answer) - int(trial.gold)) <= trial.expects["tolerance"])


_READERS = {
    "yes-no": text_reader(Parser("yes-no", "2", read_yes_no)),
    "choice": OPTION_LETTER,
    "number": Reader(name="number", version="1", parse=lambda text, _: read_integer(text), mark=_near),
}
