"""What a run and its later stages would take and could find, as a record and as lines for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import groupby
from typing import Any, NamedTuple

import polars as pl

from veridical.ask import is_embedded
from veridical.base.format import span
from veridical.records import Stimulus, Text, Trial
from veridical.suite.conclusions import named_lines
from veridical.suite.evidence import Evidence
from veridical.suite.record import Suite
from veridical.suite.stages import PEOPLE, AskingOptions, Stage
from veridical.verbs.runs.roles import RoleModel

_TESTED = "80 % power, two-sided sign-flip test by unit at 5 %, simulated"
_ASSUMED = (
    "one outcome per picture, right or not, averaged over repeats; outcomes of one unit correlate within a condition "
    "as stated, and not between conditions"
)

CHARACTERS = 4
FORCED = "forced answers"
"""The name among the stages of second requests after replies with reasons."""


@dataclass(frozen=True, kw_only=True)
class Effect:
    """The smallest difference that a design finds with 80 % power: `points` below `base`, in percentage points.

    `correlation` is that of outcomes of one unit under one condition. `points` is `None` where even a drop from `base`
    to 0 would be missed.
    """

    difference: str
    units: int
    correlation: float
    base: float
    points: float | None

    def __str__(self) -> str:
        if self.points is None:
            return f"a drop from {100 * self.base:g} % to 0 % would be missed"
        return f"{self.points:.1f} points below {100 * self.base:g} %"


@dataclass(frozen=True, kw_only=True, repr=False)
class Forecast:
    """What a run would take and could find; a run asks each of the `trials` once per repeat, in one request each.

    `pictures` and `clips` count different ones. `picture_tokens` is `None` where the tokens of a picture are not
    stated; pictures then count 0 in `input_tokens` and `usd`, as clips always do. Retries, and thinking beyond
    `reply_tokens`, come on top. `price_needs` names what is missing for a price: the model, its prices, or both.
    `seconds` is how long the first stage takes at `rate` questions per second, `None` where no rate is known.
    `resolution` has the suite's own lines about what can be measured, `named_from` the units from which on four of five
    simulated runs are given a verdict. `too_large` says of each limit of the model's provider for one request how many
    trials are over it; a run with such trials is refused. `rounds` says of a run in rounds what it asks until; the
    counts are then those of the most questions that it asks.
    """

    suite: str
    source: str
    units: int
    pictures: int
    clips: int
    trials: int
    repeats: int
    requests: int
    text_tokens: int
    picture_tokens: int | None
    input_tokens: int
    reply_tokens: int
    reply_tokens_from: str
    output_tokens: int
    rate: float | None = None
    rate_from: str = ""
    usd: float | None
    price_needs: tuple[str, ...] = ()
    effects: tuple[Effect, ...]
    resolution: tuple[str, ...] = ()
    named_from: Mapping[str, int] = field(default_factory=dict)
    too_large: tuple[str, ...] = ()
    later: tuple[Later, ...] = ()
    assumed: str = _ASSUMED
    rounds: RoundsForecast | None = None

    def __repr__(self) -> str:
        cost = "" if self.usd is None else f", {self.usd:,.4g} US dollars"
        return f"<Forecast of {self.suite}: {self.units:,} units, {self.requests:,} requests{cost}>"

    @property
    def seconds(self) -> float | None:
        """How long the requests of the first stage take, without retries."""
        return None if self.rate is None else self.requests / self.rate

    @property
    def uncounted(self) -> list[str]:
        """The kinds of media that are asked about and count no tokens: pictures, clips."""
        kinds = {"pictures": self.pictures if self.picture_tokens is None else 0, "clips": self.clips}
        return [kind for kind, number in kinds.items() if number]

    def frame(self) -> pl.DataFrame:
        """The effects that a run could find, one row each."""
        schema = {"difference": pl.String, "units": pl.Int64, "correlation": pl.Float64, "base": pl.Float64}
        return pl.DataFrame([asdict(each) for each in self.effects], schema={**schema, "points": pl.Float64})

    def lines(self) -> Iterator[str]:
        """The forecast for people, with the rules by which it counts."""
        counts = {"unit": self.units, "picture": self.pictures, "clip": self.clips, "trial": self.trials}
        amounts = [_many(number, name) for name, number in counts.items() if number or name != "clip"]
        yield f"{self.suite}, {self.source}: {', '.join(amounts)}"
        often = "one" if self.repeats == 1 else f"{self.repeats:,}"
        yield f"requests: {self.requests:,}, {often} for each trial; retries add to it"
        yield from (f"larger than the provider takes: {line}" for line in self.too_large)
        yield from self._tokens()
        yield self._time()
        yield from self._cost()
        if self.rounds is not None:
            yield from self.rounds.lines(self)
            return
        yield f"minimum detectable effect ({_TESTED}):"
        for (what, units), effects in groupby(self.effects, lambda each: (each.difference, each.units)):
            yield from (f"  {line}" for line in _effect_lines(what, units, list(effects)))
        if not self.effects:
            yield "  unknown: no unit has pictures to compare"
        else:
            yield f"  assumed: {self.assumed}"
        yield from self.resolution
        yield from named_lines(self.units, self.named_from)

    def _tokens(self) -> Iterator[str]:
        text = f"{self.text_tokens:,} of text (characters / {CHARACTERS}, rounded up for each request)"
        unknown = (
            ["; pictures count 0 without --image-tokens N"] if self.picture_tokens is None and self.pictures else []
        )
        unknown += ["; clips count 0"] if self.clips else []
        pictures = "" if self.picture_tokens is None else f", {self.picture_tokens:,} of pictures"
        yield f"tokens in: {self.input_tokens:,}: {text}{pictures}{''.join(unknown)}"
        yield f"tokens out: {self.output_tokens:,}: {self.reply_tokens:,} a reply ({self.reply_tokens_from})"

    def _time(self) -> str:
        if self.seconds is None:
            return (
                "time: unknown without --rate N, in questions per second, or --rate-of RUN, an earlier run of the model"
            )
        more = "; later requests add to it" if self.later else ""
        return f"time: {span(self.seconds)} at {self.rate:.3g} questions per second ({self.rate_from}){more}"

    def _cost(self) -> Iterator[str]:
        if self.usd is None:
            yield f"cost: unknown without {' and '.join(f'--{each}' for each in self.price_needs)}"
        else:
            more = f" and more, since {' and '.join(self.uncounted)} count 0" if self.uncounted and self.usd else ""
            yield f"cost: {self.usd:,.4g} US dollars{more}"
        yield from map(str, self.later)
        if self.later and all(each.priced for each in self.later) and self.usd is not None:
            yield f"cost in all, at most: {self.usd + sum(each.usd or 0 for each in self.later):,.4g} US dollars"


@dataclass(frozen=True, kw_only=True)
class RoundsForecast:
    """What a run in rounds asks until, how many questions are usual (`None`: unknown), and of how many it chooses."""

    goal: str
    usual: int | None
    of: int

    def of_most(self, forecast: Forecast, most: int) -> Forecast:
        """The forecast of all questions cut to the most that are asked, by their average; no effect is planned."""
        share = min(1.0, most / max(forecast.trials, 1))
        names = ("trials", "requests", "text_tokens", "input_tokens", "output_tokens", "picture_tokens", "usd")
        amounts = {name: getattr(forecast, name) for name in names}
        cut: dict[str, Any] = {
            name: None if each is None else type(each)(each * share) for name, each in amounts.items()
        }
        whole = replace(forecast, effects=(), resolution=(), named_from={}, rounds=self)
        return replace(whole, **cut)

    def lines(self, forecast: Forecast) -> Iterator[str]:
        """What is expected and what is the worst, for people."""
        yield f"in rounds until {self.goal}: at most {forecast.trials:,} of {self.of:,} questions, counted above"
        if self.usual is None:
            yield "expected: unknown; near 0 % or 100 % far fewer, near 50 % all of them"
        else:
            share = self.usual / max(forecast.trials, 1)
            cost = "" if not forecast.usd else f", {share * forecast.usd:,.4g} US dollars"
            yield f"expected of a clear model: about {self.usual:,} questions, {share:.0%} of that{cost}"


def _effect_lines(what: str, units: int, effects: Sequence[Effect]) -> Iterator[str]:
    """The effects of one comparison, a line for each correlation, or one line where none would be found."""
    many = _many(units, "unit")
    if all(each.points is None for each in effects):
        largest = max(effects, key=lambda each: each.base)
        yield f"{what}: even {largest} with {many}"
        return
    for alike, some in groupby(effects, lambda each: each.correlation):
        ordered = list(some)
        missed = all(each.points is None for each in ordered)
        line = f"even {max(ordered, key=lambda each: each.base)}" if missed else "; ".join(map(str, ordered))
        yield f"{what}, {many}, correlation {alike:g}: {line}"


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


class ForecastPiece(NamedTuple):
    """Stimuli with their trials in the first stage, and how many pieces like this one there are."""

    trials: Sequence[Trial]
    times: int
    stimuli: Sequence[Stimulus]


@dataclass(frozen=True, kw_only=True)
class Later:
    """What a stage after the first, or `FORCED` answers, would take at most.

    It is `None` where its suite, or a missing price, leaves it open.

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
    def title(self) -> str:
        """What it is called in a line."""
        return FORCED if self.stage == FORCED else f"stage {self.stage}"

    @property
    def priced(self) -> bool:
        """Whether the cost is known, or there is none."""
        return self.usd is not None or self.role == PEOPLE

    def __str__(self) -> str:
        if self.role == PEOPLE and self.requests is not None:
            return f"{self.title} (people): {self.requests:,} questions, to each person"
        who = f"{self.role}{f', {self.model}' if self.model else ''}"
        if self.requests is None:
            return f"{self.title} ({who}): unknown, {self.assumed}"
        cost = "cost unknown without a price" if self.usd is None else f"{self.usd:,.4g} US dollars"
        tokens = f"{self.input_tokens:,} tokens in, {self.output_tokens:,} out"
        tries = f"; while a reply cannot be read, up to {self.most_tries} times" if self.most_tries > 1 else ""
        return f"{self.title} ({who}): at most {self.requests:,} requests, {tokens}, {cost}; {self.assumed}{tries}"


def later(
    suite: Suite,
    stage: Stage,
    asking: AskingOptions,
    pieces: Sequence[ForecastPiece],
    role: RoleModel | None,
    often: int,
) -> Later:
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
