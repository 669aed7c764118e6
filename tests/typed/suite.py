"""A suite of a user's own, written with the types that the package offers; mypy takes it in strict mode."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

import veridical as v

UNIT = v.Unit(name="share", digits=1, suffix=" %", scale=100.0, low=0.0, high=1.0)


class CoinOptions(v.Options):
    """Options of a suite without media."""

    sides: int = 2


def chunks(options: CoinOptions) -> Sequence[v.Chunk]:
    return [v.Chunk("coin", index) for index in range(options.units)]


def make(options: CoinOptions, chunk: v.Chunk) -> Iterator[tuple[v.Stimulus, tuple[bytes, ...]]]:
    unit = f"coin-{chunk.index}"
    coin = v.Stimulus(
        id=unit,
        suite="coins",
        family=chunk.family,
        unit=unit,
        variant="plain",
        category="coin",
        question=f"How many sides has a coin? {unit}",
        label=str(options.sides),
        seed=options.seed,
    )
    yield coin, ()


def verify(stimulus: v.Stimulus, media: Sequence[object]) -> str | v.NotMeasurable | None:
    return None if not media else f"{stimulus.id} shows something"


def trials(stimuli: Sequence[v.Stimulus], asking: v.AskingOptions, evidence: v.Evidence) -> Iterable[v.Trial]:
    for stimulus in stimuli:
        messages = (v.Message("user", (v.Text(stimulus.question),)),)
        yield v.Trial.about(stimulus, "ask", stage="ask", messages=messages, reader="sides", prompt="plain")


def parse(text: str, expects: Mapping[str, Any]) -> v.ParsedAnswer:
    return v.ParsedAnswer(text.strip()) if text.strip().isdigit() else v.ParsedAnswer(None, "no number")


def estimates(evidence: v.Evidence) -> list[v.Estimate]:
    rows = evidence.outcomes()
    right = int(rows["correct"].sum() or 0)
    return [
        v.Estimate(
            suite="coins",
            metric="right",
            slice={},
            value=right / max(len(rows), 1),
            low=None,
            high=None,
            unit=UNIT,
            n_units=rows["unit"].n_unique(),
            counts=v.Counts.of(rows),
            method="share of all",
        )
    ]


def two(messages: object, told: object) -> str:
    return "2"


def opened(model_args: Mapping[str, Any], run: object) -> Any:
    return two


COINS = v.Suite(
    name="coins",
    title="Coins: how many sides",
    citation="Nobody 2026",
    parts={
        "options": CoinOptions,
        "recipes": {"plain": v.Recipe(note="Coins.", values={"units": 3})},
        "design": v.DesignPart(families=("coin",), factors={}, chunks=chunks, make=make, verify=verify),
        "asking": v.AskingPart(
            stages=(v.Stage(name="ask", trials=trials),),
            readers={"sides": (v.Reader(name="sides", version="1", parse=parse),)},
        ),
        "analysis": v.AnalysisPart(
            measures={"right": v.Measure(title="Right", definition="Share of right replies.", unit=UNIT)},
            estimates=estimates,
            headline=("right",),
        ),
        "presentation": v.PresentationPart(variants={"plain": "plain"}),
        "observers": {"two": v.Observer(help="says 2", sees="messages", opened=opened)},
    },
)


def squares(seed: int) -> Iterator[dict[str, object]]:
    """Pictures of one gray, whose truth is read from the pixels."""
    for level in np.random.default_rng(seed).integers(0, 255, 4):
        yield {"picture": np.full((8, 8, 3), level, np.uint8)}


def is_bright(pixels: NDArray[np.uint8]) -> bool:
    return bool(pixels.mean() > 127)


SQUARES = v.simple_suite(name="squares", items=squares, question="Is the square bright?", truth=is_bright)


def main() -> pl.DataFrame:
    """The suite registered, and its observer asked."""
    v.register(COINS, replace=True)
    run = v.run(v.make("coins"), "veridical/two", show="quiet")
    return run.estimates().frame()
