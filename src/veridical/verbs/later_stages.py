"""What the stages after the first would take at most, for plans."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from veridical.ask import is_embedded
from veridical.records import Stimulus, Text, Trial
from veridical.suite.asking import PEOPLE, Asking, Stage
from veridical.suite.evidence import Evidence
from veridical.suite.record import Suite
from veridical.verbs.roles import Asked

CHARACTERS = 4


class Piece(NamedTuple):
    """Stimuli with their trials in the first stage, and how many pieces like this one there are."""

    trials: Sequence[Trial]
    times: int
    stimuli: Sequence[Stimulus]


@dataclass(frozen=True, kw_only=True)
class Later:
    """What a stage after the first would take at most; `None` where its suite, or a missing price, leaves it open.

    Requests are trials times `repeats`, each sent once; where replies cannot be read, each may be sent up to
    `most_tries` times. A picture or clip in them counts nothing.
    """

    stage: str
    role: str
    model: str | None
    assumed: str
    requests: int | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    usd: float | None = None
    most_tries: int = 1

    @property
    def priced(self) -> bool:
        """Whether the cost is known, or there is none."""
        return self.usd is not None or self.role == PEOPLE

    def __str__(self) -> str:
        if self.role == PEOPLE and self.requests is not None:
            return f"stage {self.stage} (people): {self.requests:,} questions, to each person"
        who = f"{self.role}{f', {self.model}' if self.model else ''}"
        if self.requests is None:
            return f"stage {self.stage} ({who}): unknown, {self.assumed}"
        cost = "cost unknown without a price" if self.usd is None else f"{self.usd:,.4g} US dollars"
        tokens = f"{self.input_tokens:,} tokens in, {self.output_tokens:,} out"
        tries = f"; while a reply cannot be read, up to {self.most_tries} times" if self.most_tries > 1 else ""
        return (
            f"stage {self.stage} ({who}): at most {self.requests:,} requests, {tokens}, {cost}; {self.assumed}{tries}"
        )


def later(suite: Suite, stage: Stage, asking: Asking, pieces: Sequence[Piece], role: Asked | None, often: int) -> Later:
    """What a stage after the first would take at most, by what the suite says of it, or by its own trials.

    `often` is how often the run asks each trial of a stage without needs.
    """
    own = asking.of_stage(stage)
    model = role.model if role else None
    if stage.needs and stage.at_most is None:
        return Later(stage=stage.name, role=stage.role, model=model, assumed="the suite does not say")
    trials = tokens = 0
    assumed = "each trial is known already"
    for piece in pieces:
        if stage.at_most is not None:
            most = stage.at_most(piece.stimuli, asking)
            trials, tokens = trials + piece.times * most.trials, tokens + piece.times * most.input_tokens
            assumed = most.assumed
        else:
            made = list(stage.trials(piece.stimuli, own, Evidence({})))
            trials, tokens = trials + piece.times * len(made), tokens + piece.times * sum(map(text_tokens, made))
    repeats = stage.repeats * _often(suite, stage, often) if stage.needs else often
    reply = (role.how.sampling.max_tokens if role else None) or stage.sampling.max_tokens or suite.asking.reply_tokens
    price, free = role.how.limits.price if role else None, model is not None and is_embedded(model)
    requests, tokens_in = trials * repeats, tokens * repeats
    usd = 0.0 if free else price.cost(tokens_in, requests * reply) if price else None
    return Later(
        stage=stage.name,
        role=stage.role,
        model=model,
        requests=requests,
        input_tokens=tokens_in,
        output_tokens=requests * reply,
        usd=usd,
        assumed=assumed,
        most_tries=1 if free else stage.most_tries,
    )


def _often(suite: Suite, stage: Stage, often: int) -> int:
    """How many repeats, of all stages before it together, make a trial of a stage each."""
    before = [each for each in suite.asking.ordered if each.name in stage.needs]
    return max(_often(suite, each, often) * each.repeats if each.needs else often for each in before)


def text_tokens(trial: Trial) -> int:
    """The tokens of a trial's texts, as so many characters each come to."""
    length = sum(len(part.text) for message in trial.messages for part in message.parts if isinstance(part, Text))
    return -(-length // CHARACTERS)
