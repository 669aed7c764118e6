"""What a run would take and could find, as a record and as lines for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby

import polars as pl

from veridical.verbs.later_stages import CHARACTERS, Later

_TESTED = "80 % power, two-sided sign-flip test by unit at 5 %, simulated"
_ASSUMED = (
    "one outcome per picture, right or not, averaged over repeats; outcomes of one unit correlate within a condition "
    "as stated, and not between conditions"
)


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
    `resolution` has the suite's own lines about what can be measured.
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
    usd: float | None
    price_needs: tuple[str, ...] = ()
    effects: tuple[Effect, ...]
    resolution: tuple[str, ...] = ()
    later: tuple[Later, ...] = ()
    assumed: str = _ASSUMED

    def __repr__(self) -> str:
        cost = "" if self.usd is None else f", {self.usd:,.4g} US dollars"
        return f"<Forecast of {self.suite}: {self.units:,} units, {self.requests:,} requests{cost}>"

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
        yield f"requests: {self.requests:,}, {_times(self.repeats)}; retries add to it"
        yield from self._tokens()
        yield from self._cost()
        yield f"minimum detectable effect ({_TESTED}):"
        for (what, units), effects in groupby(self.effects, lambda each: (each.difference, each.units)):
            yield from (f"  {line}" for line in _effect_lines(what, units, list(effects)))
        if not self.effects:
            yield "  unknown: no unit has pictures to compare"
        else:
            yield f"  assumed: {self.assumed}"
        yield from self.resolution

    def _tokens(self) -> Iterator[str]:
        text = f"{self.text_tokens:,} of text (characters / {CHARACTERS}, rounded up for each request)"
        unknown = (
            ["; pictures count 0 without --image-tokens N"] if self.picture_tokens is None and self.pictures else []
        )
        unknown += ["; clips count 0"] if self.clips else []
        pictures = "" if self.picture_tokens is None else f", {self.picture_tokens:,} of pictures"
        yield f"tokens in: {self.input_tokens:,}: {text}{pictures}{''.join(unknown)}"
        yield f"tokens out: {self.output_tokens:,}: {self.reply_tokens:,} a reply ({self.reply_tokens_from})"

    def _cost(self) -> Iterator[str]:
        if self.usd is None:
            yield f"cost: unknown without {' and '.join(f'--{each}' for each in self.price_needs)}"
        else:
            more = f" and more, since {' and '.join(self.uncounted)} count 0" if self.uncounted and self.usd else ""
            yield f"cost: {self.usd:,.4g} US dollars{more}"
        yield from map(str, self.later)
        if self.later and all(each.priced for each in self.later) and self.usd is not None:
            yield f"cost in all, at most: {self.usd + sum(each.usd or 0 for each in self.later):,.4g} US dollars"


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


def _times(number: int) -> str:
    return "one for each trial" if number == 1 else f"{number:,} for each trial"
