"""A network's answers on a stimulus set, as outcomes that every instrument of the suite reads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from veridical.ask.outcomes import outcome_table
from veridical.media.draw import decode_png
from veridical.records import Text
from veridical.stimulus_set import StimulusSet
from veridical.suite.stages import AskingOptions
from veridical.suites.viprobe.asking.settings import DEFAULTS
from veridical.suites.viprobe.asking.trials import READERS, trials
from veridical.suites.viprobe.design import DESIGN
from veridical.suites.viprobe.observers.learned_observers import judge_retinas
from veridical.suites.viprobe.observers.learned_observers.network import HEIGHT, WIDTH, Network, retina, strangeness
from veridical.suites.viprobe.observers.learned_observers.questions import CaseQuestion, question_in
from veridical.suites.viprobe.observers.simulation import mark_outcomes
from veridical.suites.viprobe.verdicts import verdicts

Change = Callable[[NDArray[np.uint8]], NDArray[np.uint8]]


@dataclass(frozen=True)
class Exam:
    """The pictures of a set as networks see them, and the unanswered questions about them.

    `retinas` has one row per picture, in the set's order; `strange` marks pictures of a size or shape that networks are
    not trained on. `frame` has the planned trials as outcomes; `picture` and `question` are those of its rows.
    """

    retinas: NDArray[np.uint8]
    strange: NDArray[np.bool_]
    frame: pl.DataFrame
    picture: NDArray[np.int64]
    question: Sequence[CaseQuestion | None]

    def answered(self, network: Network, *, declining: bool = True) -> pl.DataFrame:
        """The outcomes with the network's answers; trials that it declines are unparsed.

        Without `declining`, it answers every question that it was trained on, to probe what it has learned.
        """
        answers = self._answers(network, declining=declining)
        has_answer = [answer is not None for answer in answers]
        answered = self.frame.with_columns(
            pl.Series("answer", answers, dtype=pl.String),
            pl.Series("status", np.where(has_answer, "answered", "unparsed"), dtype=pl.String),
            pl.lit(1, pl.Int64).alias("attempt"),
            pl.lit(1, pl.Int64).alias("requests"),
            pl.lit(False).alias("cached"),
        )
        return mark_outcomes(answered.select(self.frame.columns))

    def _answers(self, network: Network, *, declining: bool) -> list[str | None]:
        features = network.looked(self.retinas)
        answers: list[str | None] = [None] * len(self.question)
        texts: dict[CaseQuestion, list[int]] = {}
        for row, question in enumerate(self.question):
            if (
                question is not None
                and question.text in network.questions
                and not (declining and self.strange[self.picture[row]])
            ):
                texts.setdefault(question, []).append(row)
        for question, rows in texts.items():
            pictures = self.picture[rows]
            judgments = judge_retinas(
                network, self.retinas[pictures], features[pictures], question, declining=declining
            )
            for row, each in zip(rows, judgments, strict=True):
                answers[row] = each.answer
        return answers


def exam(stimuli: StimulusSet, *, change: Change | None = None, compare: bool = False) -> Exam:
    """The exam on a set: both polarities and, with `compare`, the comparison; `change` is applied to the pixels."""
    levels = dict(DEFAULTS) | ({"task": ("yes-no", "comparison")} if compare else {})
    planned = list(trials(stimuli.stimuli, AskingOptions(levels)))
    names = {stimulus.id: row for row, stimulus in enumerate(stimuli.stimuli)}
    retinas = np.zeros((len(names), 2, HEIGHT, WIDTH), np.uint8)
    strange = np.zeros(len(names), bool)
    for row, stimulus in enumerate(stimuli.stimuli):
        pixels = decode_png((stimuli.folder / stimulus.media[0].file).read_bytes())
        pixels = pixels if change is None else change(pixels)
        strange[row] = strangeness(pixels) is not None
        if not strange[row]:
            retinas[row] = retina(pixels)
    frame = outcome_table("", planned, {}, READERS, factors=DESIGN.factors)
    picture = np.array([names[trial.stimulus] for trial in planned])
    texts = ["\n".join(part.text for part in trial.messages[-1].parts if isinstance(part, Text)) for trial in planned]
    questions = {text: question_in(text) for text in dict.fromkeys(texts)}
    return Exam(retinas, strange, frame, picture, [questions[text] for text in texts])


def verdicts_by_case(outcomes: pl.DataFrame) -> dict[str, str]:
    """The names of the verdicts by case, with the overall one under the empty name.

    A case without a verdict of its own has the overall one.
    """
    overall, *cases = verdicts(outcomes)
    names = dict.fromkeys(("", *outcomes["family"].unique(maintain_order=True)), overall.name)
    return names | {str(each.where["case"]): each.name for each in cases}
