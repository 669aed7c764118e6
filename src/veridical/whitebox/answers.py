"""How likely a local model holds each answer at the position of its answer, beside what it replies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Unpack

import polars as pl

from veridical.verbs.exchange.planned_stages import Place
from veridical.whitebox.local_trials import LocalTrials, ReadingOptions

REPLY_TOKENS = 32


@dataclass(frozen=True, repr=False)
class AnswerTable:
    """The answers' probabilities in a folder, of so many `trials`; `flags` counts by reason those to be distrusted.

    `problems` counts trials that could not be read by reason; those `without_picture` were left out.
    """

    folder: Path
    trials: int
    without_picture: int
    problems: Mapping[str, int]
    flags: Mapping[str, int]

    def frame(self) -> pl.LazyFrame:
        """A row for each trial.

        `answer` is the likeliest answer; `probabilities`, `probability_of_gold` and `probability_elsewhere` are as in
        the outcomes of a run with graded answers. `next_token` is the likeliest of all tokens, `read` what the reader
        reads from the greedy `reply`. `flag` says why `answer` is not what the model replies; it is null if it is.
        """
        return pl.scan_parquet(self.folder / "answers/*.parquet")

    def __repr__(self) -> str:
        return f"<Answers to {self.trials:,} trials: {self.folder}>"


def write_answers(
    place: Place,
    out: Path | str,
    model: str | None = None,
    *,
    opening: str = "",
    reply_tokens: int = REPLY_TOKENS,
    **options: Unpack[ReadingOptions],
) -> AnswerTable:
    """The probability of each answer to the trials of a set or run, in the folder `out`; resumed by the same call.

    `opening` begins each reply, so that the answer is next. The reply that is held against the probabilities has at
    most `reply_tokens` further tokens. Raises `InputError` as `write_states` does.
    """
    shown, folder = LocalTrials.of(place, model, **options), Path(out)
    from veridical.whitebox.answer_reading import AnswerReading

    with shown.opened(folder) as inside:
        reading = AnswerReading(inside, shown, folder, opening, reply_tokens)
        reading.begin(options, reply_tokens=reply_tokens)
        problems = reading.read(options)
    table = AnswerTable(folder, len(shown.trials), shown.without_picture, problems, {})
    flags = table.frame().drop_nulls("flag").group_by("flag").len().sort("len", "flag", descending=True).collect()
    return AnswerTable(folder, table.trials, table.without_picture, problems, dict(flags.iter_rows()))
