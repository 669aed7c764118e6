"""Rubrics: a prompt for a judge, the verdict that it asks for, and what the judge may see."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from string import Template
from typing import NamedTuple

from veridical.answers import Marks, Reader
from veridical.errors import InputError
from veridical.judges.quotes import quote_block
from veridical.judges.verdict import JudgeVerdict, scores_of, verdict_reader, verdict_scores
from veridical.records import Json, Trial
from veridical.suite.prompts import Prompt, load_all

Shown = Mapping[str, str]
"""What a judge sees of one item, by field: the question, the true answer, the reply, and what else a rubric needs."""

REPLY = "reply"
"""The field of the judged text."""

Rule = Callable[[Shown], "Mapping[str, Json] | str"]
"""A deterministic judge: the verdict on what is shown, or the reason why the rule cannot tell."""


class FixedReply(NamedTuple):
    """What a reply could say whatever is shown: pieces of text, and how some of them make a reply."""

    pieces: tuple[str, ...]
    reply: Callable[[Sequence[str]], str]


@dataclass(frozen=True, kw_only=True, repr=False)
class Rubric:
    """A way of marking replies.

    `folder` holds its prompt as `NAME.md`: Markdown with a front matter, whose fields are those that the judge `sees`.
    All of them must be given, and only the reply may be empty. `for_rule` has further fields that the rule alone sees:
    neither a prompt nor people's tables have them. With `media`, the judge also sees the media of the stimulus.
    `verdict` is the model of a verdict; `vetoes` names its truth values that are vetoes, which calibration compares by
    agreement alone. `rule` judges without a model, if the truth has a form for that; `fixed` has what a reply that
    fits many items could say, for its blind floor (see `judges.blind`). Raises `TypeError` for a veto that is no truth
    value of the verdict.
    """

    name: str
    folder: Path
    verdict: type[JudgeVerdict]
    sees: tuple[str, ...] = ("question", "gold", REPLY)
    for_rule: tuple[str, ...] = ()
    media: bool = False
    rule: Rule | None = None
    fixed: Callable[[Sequence[Shown]], FixedReply] | None = None
    help: str = ""
    vetoes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in self.vetoes:
            info = self.verdict.model_fields.get(name)
            if info is None or info.annotation is not bool:
                raise TypeError(f"rubric '{self.name}': the veto '{name}' is no truth value of its verdict")

    def __repr__(self) -> str:
        return f"<Rubric {self.name}: sees {', '.join(self.sees)}>"

    @cached_property
    def reader(self) -> Reader:
        """The reader of its verdicts; its version is that of the rubric's own prompt."""
        own = verdict_reader(self.name, self.prompt().version, self.verdict)
        return replace(own, mark=self._mark, scores=self.ranges)

    @property
    def ranges(self) -> Mapping[str, tuple[float, float]]:
        """The range of each score of a verdict."""
        return scores_of(self.verdict)

    def scored(self, answer: str, shown: Shown) -> dict[str, float]:  # noqa: ARG002 (some rubrics look at it)
        """The scores of a verdict in canonical JSON on what was shown."""
        return verdict_scores(answer, self.verdict)

    def _mark(self, answer: str, trial: Trial) -> Marks:
        return Marks(None, self.scored(answer, trial.expects.get("shown", {})))

    def prompt(self, replacing: Path | None = None) -> Prompt:
        """The rubric's prompt, or the one of the same file name in the user's folder.

        Raises `InputError` if it cannot be read, uses another field, or leaves out the reply.
        """
        place = replacing if replacing is not None and (replacing / f"{self.name}.md").exists() else None
        others = [path.name for path in place.iterdir()] if place else []
        prompt = load_all(self.folder, place, {self.name: self.sees}, others)[self.name]
        if REPLY not in Template(prompt.text).get_identifiers():
            raise InputError(f"{(place or self.folder) / self.name}.md: ${REPLY} is missing")
        return prompt

    def kept(self, shown: Shown) -> dict[str, str]:
        """What a trial keeps of what is shown of an item: the fields that judges and the rule see."""
        return {field: shown[field] for field in (*self.sees, *self.for_rule)}

    def filled(self, prompt: Prompt, shown: Shown) -> str:
        """The prompt about one item, each field as quoted text; raises `InputError` for a field that is not given."""
        for field in self.sees:
            if field not in shown or not (shown[field].strip() or field == REPLY):
                raise InputError(f"rubric '{self.name}' declares that a judge sees '{field}', and none is given")
        return prompt.fill(**{field: quote_block(field, shown[field]) for field in self.sees})


class Equivalence(JudgeVerdict):
    """Whether a reply gives the true answer, and the reason in a sentence."""

    reason: str
    correct: bool


def _by_rule(shown: Shown) -> Mapping[str, Json] | str:
    from veridical.judges.rules import short_answer

    ruling = short_answer(shown["question"], shown["gold"], shown["reply"])
    return ruling.reason if ruling.correct is None else {"correct": ruling.correct, "reason": ruling.reason}


SHORT_ANSWER = Rubric(
    name="short-answer",
    folder=Path(__file__).parent / "rubrics",
    verdict=Equivalence,
    rule=_by_rule,
    help="whether a reply gives the true answer, in other words or not",
)
