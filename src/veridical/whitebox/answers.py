"""How likely a local model holds each answer at the position of its answer, beside what it replies."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Unpack

from veridical.verbs.exchange.local_trials import LocalTrials, ReadingOptions, ReadRows
from veridical.verbs.exchange.planned_stages import Place

REPLY_TOKENS = 32


@dataclass(frozen=True, repr=False, kw_only=True)
class AnswerTable(ReadRows):
    """A row for each trial that shows a picture.

    `answer` is the likeliest answer; `probabilities`, `probability_of_gold` and `probability_elsewhere` are as in the
    outcomes of a run with graded answers. `next_token` is the likeliest of all tokens, `read` what the reader reads
    from the greedy `reply`. `flag` says why `answer` is not what the model replies; it is null if it is.
    """

    name = "answers"

    def flags(self) -> dict[str, int]:
        """How many trials are to be distrusted, by reason, the most frequent first."""
        flags = self.frame().drop_nulls("flag").group_by("flag").len().sort("len", "flag", descending=True).collect()
        return dict(flags.iter_rows())


def write_answers(
    place: Place,
    out: Path | str | None = None,
    model: str | None = None,
    *,
    opening: str = "",
    reply_tokens: int = REPLY_TOKENS,
    **options: Unpack[ReadingOptions],
) -> AnswerTable:
    """The probability of each answer to the trials of a set or run, in the folder `out`; resumed by the same call.

    By default, it is the folder `inside/answers` of the run. `opening` begins each reply, so that the answer is next.
    The reply that is held against the probabilities has at most `reply_tokens` further tokens. Raises `InputError` as
    `write_states` does.
    """
    shown = LocalTrials.of(place, out, model, "answers", **options)
    from veridical.whitebox.answer_reading import AnswerReading

    with shown.opened() as loaded:
        return AnswerTable(**AnswerReading(loaded, shown, opening, reply_tokens).read(reply_tokens=reply_tokens))
