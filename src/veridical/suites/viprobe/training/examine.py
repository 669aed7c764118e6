"""What a network answers on a stimulus set, as outcomes that every instrument of the suite reads."""

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
from veridical.suite.asking import Asking
from veridical.suites.viprobe.asking.settings import DEFAULTS
from veridical.suites.viprobe.asking.trials import READERS, trials
from veridical.suites.viprobe.design import DESIGN
from veridical.suites.viprobe.observers.learned import judged
from veridical.suites.viprobe.observers.learned.eye import HEIGHT, WIDTH, retina, strangeness
from veridical.suites.viprobe.observers.learned.network import Network
from veridical.suites.viprobe.observers.learned.questions import Asked, asked
from veridical.suites.viprobe.observers.simulated import marked
from veridical.suites.viprobe.verdicts import verdicts

Change = Callable[[NDArray[np.uint8]], NDArray[np.uint8]]


@dataclass(frozen=True)
class Exam:
    """The pictures of a set as networks see them, and the questions about them, not yet answered.

    `retinas` has one row a picture, in the set's order; `strange` says of each whether its size or shape is outside
    what networks are taught on. `frame` are the planned trials as outcomes, `picture` and `question` those of its rows.
    """

    retinas: NDArray[np.uint8]
    strange: NDArray[np.bool_]
    frame: pl.DataFrame
    picture: NDArray[np.int64]
    question: Sequence[Asked | None]

    def answered(self, network: Network, *, declining: bool = True) -> pl.DataFrame:
        """The outcomes with the network's answers; what it declines is unparsed.

        Not `declining`, it answers whatever it was taught the question of, as a way to look into it.
        """
        answers = self._answers(network, declining=declining)
        given = [answer is not None for answer in answers]
        answered = self.frame.with_columns(
            pl.Series("answer", answers, dtype=pl.String),
            pl.Series("status", np.where(given, "answered", "unparsed"), dtype=pl.String),
            pl.lit(1, pl.Int64).alias("attempt"),
            pl.lit(1, pl.Int64).alias("requests"),
            pl.lit(False).alias("cached"),
        )
        return marked(answered.select(self.frame.columns))

    def _answers(self, network: Network, *, declining: bool) -> list[str | None]:
        features = network.looked(self.retinas)
        found: list[str | None] = [None] * len(self.question)
        texts: dict[Asked, list[int]] = {}
        for row, question in enumerate(self.question):
            if (
                question is not None
                and question.text in network.questions
                and not (declining and self.strange[self.picture[row]])
            ):
                texts.setdefault(question, []).append(row)
        for question, rows in texts.items():
            pictures = self.picture[rows]
            said = judged(network, self.retinas[pictures], features[pictures], question, declining=declining)
            for row, each in zip(rows, said, strict=True):
                found[row] = each.answer
        return found


def exam(stimuli: StimulusSet, *, change: Change | None = None, compare: bool = False) -> Exam:
    """The exam on a set: both polarities of the question, and with `compare` the comparison; `change` alters pixels."""
    levels = dict(DEFAULTS) | ({"task": ("yes-no", "comparison")} if compare else {})
    planned = list(trials(stimuli.stimuli, Asking(levels)))
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
    known = {text: asked(text) for text in dict.fromkeys(texts)}
    return Exam(retinas, strange, frame, picture, [known[text] for text in texts])


def verdicts_by_case(outcomes: pl.DataFrame) -> dict[str, str]:
    """The names of the verdicts by case, that over all cases under the empty name.

    A case of which nothing can be said by itself has that over all.
    """
    overall, *cases = verdicts(outcomes)
    found = dict.fromkeys(("", *outcomes["family"].unique(maintain_order=True)), overall.name)
    return found | {str(each.where["case"]): each.name for each in cases}
