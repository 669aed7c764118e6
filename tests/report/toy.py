"""A small suite, its pictures and its runs, built from the records alone."""

from __future__ import annotations

import io
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache
from hashlib import sha256

import polars as pl
from PIL import Image, ImageDraw

from veridical.answers import LENIENT_BINARY
from veridical.base.options import Options, Recipe
from veridical.records import (
    OUTCOMES,
    POINTS,
    PROPORTION,
    RATIO,
    Counts,
    Estimate,
    Measure,
    Media,
    Medium,
    Message,
    Stimulus,
    Text,
    Trial,
    canonical,
    columns_of,
)
from veridical.report import ReportRun
from veridical.suite.parts import AnalysisPart, AskingPart, DesignPart, PresentationPart
from veridical.suite.record import Suite
from veridical.suite.results import Figure, Result, Table
from veridical.suite.stages import Stage

FACTORS = {"alpha": float, "congruent": bool, "side": str}

QUESTION = "Are the two horizontal lines equally long?\n\nGive your reasons, then 1 for yes or 0 for no in a tag."
SYSTEM = "Judge by the picture alone."
SVG = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="72pt" height="36pt"
 viewBox="0 0 72 36"><metadata><a href="http://example.org/"/></metadata>
<defs><style type="text/css">*{stroke-linejoin: round}</style><clipPath id="p"><rect width="72" height="36"/></clipPath>
<path id="m" d="M0 0L3 3"/></defs><g id="figure" clip-path="url(#p)" onload="alert(1)"><use xlink:href="#m" x="5"/>
<script>alert(1)</script><text style="fill: url(http://example.org/x)">strength</text></g></svg>"""

Answer = Callable[[Stimulus, str], dict[str, object]]


@cache
def png(alpha: float | None = 0.0, *, fins: bool = True, shift: int = 0) -> bytes:
    """A figure of two horizontal lines, the lower one longer with alpha, with or without arrow heads."""
    image = Image.new("RGB", (256, 144), "white")
    pen = ImageDraw.Draw(image)
    for y, half, way in ((45, 60, 1), (100, 60 * (1 + (alpha or 0) / 2), -1)):
        left, right = 128 + shift - half, 128 + shift + half
        pen.line((left, y, right, y), fill="black", width=3)
        for x, sign in ((left, way), (right, -way)):
            if fins:
                pen.line((x + sign * 14, y - 12, x, y, x + sign * 14, y + 12), fill="black", width=2)
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


def picture(name: str, width: int, height: int) -> Medium:
    """The record of a picture of that name."""
    digest = sha256(name.encode()).hexdigest()
    return Medium(file=f"media/{name}.png", kind="image", width=width, height=height, sha256=digest)


def stimulus(family: str, unit: int, variant: str, alpha: float | None, **changes: object) -> Stimulus:
    """One picture of a unit; the label is 1 where the lines are equal."""
    name = f"{family}/{unit:04}"
    ident = f"{name}/{variant}" + (f"{alpha:+.2f}" if alpha else "")
    record = Stimulus(
        id=ident,
        suite="toy",
        family=family,
        unit=name,
        variant=variant,
        category="size",
        media=(picture(ident, 256, 144),),
        question=QUESTION,
        label="0" if alpha else "1",
        seed=0,
        factors={"alpha": alpha, "congruent": alpha > 0 if alpha else None, "side": "bottom" if alpha else None},
        truth={"length_ratio": 1 + (alpha or 0) / 2},
        measured={"length_ratio": 1.0001 + (alpha or 0) / 2},
    )
    return replace(record, **changes)


def design(families: Sequence[str], units: int, alphas: Sequence[float]) -> dict[str, Stimulus]:
    """Stimuli by id: an original and a control once, perturbed ones at each alpha."""
    found = [
        stimulus(family, unit, variant, alpha)
        for family in families
        for unit in range(units)
        for variant in ("O", "P", "OC", "PC")
        for alpha in (alphas if variant.startswith("P") else (0.0,))
    ]
    return {record.id: record for record in found}


def finder(stimuli: Mapping[str, Stimulus]) -> Callable[[Collection[str]], Mapping[str, Stimulus]]:
    """What finds these stimuli by their ids, as a set does."""
    return lambda ids: {name: each for name, each in stimuli.items() if name in ids}


def trials(stimuli: Mapping[str, Stimulus], polarities: Sequence[str] = ("forward", "reversed")) -> dict[str, Trial]:
    """One trial for each picture and polarity, by id."""
    made = {}
    for record in stimuli.values():
        for polarity in polarities:
            text = QUESTION if polarity == "forward" else QUESTION.replace("equally", "unequally")
            gold = record.label if polarity == "forward" else str(1 - int(record.label))
            user = Message("user", (*map(Media.of, record.media), Text(text)))
            made[f"{record.id}:{polarity}"] = Trial(
                id=f"{record.id}:{polarity}",
                suite="toy",
                stage="ask",
                stimulus=record.id,
                unit=record.unit,
                family=record.family,
                category=record.category,
                variant=record.variant,
                messages=(Message("system", (Text(SYSTEM),)), user),
                gold=gold,
                reader="binary",
                prompt="p1",
                factors=record.factors,
                settings={"polarity": polarity},
            )
    return made


def right(gold: str) -> dict[str, object]:
    """The columns of an answered trial."""
    return {"status": "answered", "answer": gold, "text": f"<answer>{gold}</answer>", "attempt": 1, "requests": 1}


def outcomes(
    model: str,
    planned: Mapping[str, Trial],
    answer: Callable[[Trial], dict[str, object]],
    repeats: int = 1,
    factors: Mapping[str, type] = FACTORS,
    scores: Sequence[str] = (),
) -> pl.DataFrame:
    """The outcome table of these trials; `answer` gives the columns that a reply fills, `{}` where none was asked.

    What was asked is correct where its answer is the gold answer, unless `answer` says otherwise.
    """
    shared = ("suite", "stage", "stimulus", "unit", "family", "category", "variant", "gold", "reader")
    schema = {**OUTCOMES, **columns_of(factors), **dict.fromkeys(scores, pl.Float64())}
    rows = []
    for trial in planned.values():
        for repeat in range(1, repeats + 1):
            reply = answer(trial)
            if reply and trial.gold is not None:
                reply = {"correct": reply.get("answer") == trial.gold} | reply
            row = {**dict.fromkeys(schema), **{name: getattr(trial, name) for name in shared}}
            row |= {name: trial.factors.get(name) for name in factors}
            row |= {"model": model, "trial": trial.id, "repeat": repeat, "settings": canonical(trial.settings)}
            rows.append(row | reply)
    return pl.DataFrame(rows, schema=schema)


def estimate(metric: str, value: float | None, low: float | None, high: float | None, **changes: object) -> Estimate:
    """An estimate over everything, with counts that differ from each other."""
    counts = Counts(planned=90, asked=80, answered=61, unparsed=7, refused=5, truncated=4, error=3, asked_again=2)
    record = Estimate(
        suite="toy",
        metric=metric,
        slice={},
        value=value,
        low=low,
        high=high,
        unit=PROPORTION,
        n_units=23,
        counts=counts,
        method="Wilson at the effective n",
    )
    return replace(record, **changes)


ESTIMATES = (
    estimate("PFA", 0.9166, 0.881, 0.942),
    estimate("PFA", 0.5, 0.4, 0.6, slice={"family": "ponzo"}),
    estimate("gap", 12.34, -3.21, 20.0, unit=POINTS, method="cluster bootstrap"),
    estimate("R", 1.966, 0.8, None, unit=RATIO, reason="the control gap may be zero", method="cluster bootstrap"),
    estimate("PFC", None, None, None, reason="no trial has both halves"),
)


def run(
    model: str,
    planned: Mapping[str, Trial],
    answer: Callable[[Trial], dict[str, object]] = lambda trial: right(str(trial.gold)),
    identity: Mapping[str, object] | None = None,
    repeats: int = 1,
) -> ReportRun:
    """A run of these trials with the toy estimates."""
    table = outcomes(model, planned, answer, repeats)
    identity = identity or {"model": model, "sampling": {"seed": 1}}
    return ReportRun(suite(), Result(model, table, ESTIMATES), planned, identity)


def table(results: Sequence[Result]) -> list[Table]:
    """One table: a row for each run, with a text, a number and two estimates."""
    rows = tuple((result.model, len(result.outcomes), ESTIMATES[0], ESTIMATES[3]) for result in results)
    return [Table("main", "Main results", "Pooled over cases.", ("model", "trials", "PFA", "R"), rows)]


RECIPES = {"balanced": Recipe()}
OPTIONS = Options
DESIGN = DesignPart(
    families=("muller_lyer", "ponzo", "zollner"),
    factors=FACTORS,
    chunks=lambda _: (),
    make=lambda *_: iter(()),
    verify=lambda *_: None,
)
ASKING = AskingPart(
    stages=(Stage(name="ask", trials=lambda *_: ()),),
    readers={"binary": (LENIENT_BINARY,)},
    settings={"polarity": ("forward", "reversed")},
    bare_question=lambda stimulus, trial: (
        stimulus.question if trial.settings.get("polarity") != "reversed" else stimulus.truth.get("reversed", "")
    ),
)
ANALYSIS = AnalysisPart(
    measures={
        "gap": Measure(
            title="gap of accuracies",
            definition="Controls less figures.",
            unit=POINTS,
            source="Nobody 2000",
            better="lower",
        )
    },
    estimates=lambda _: list(ESTIMATES),
    headline=("PFA", "gap", "R", "PFC", "CbW"),
)
PRESENTATION = PresentationPart(
    variants={"O": "original"},
    tables=table,
    figures=lambda _: [Figure(name, f"Figure {name}", "By strength.", SVG) for name in ("one", "two")],
)


def suite(analysis: AnalysisPart = ANALYSIS, presentation: PresentationPart = PRESENTATION, **changes: object) -> Suite:
    """The toy suite; `changes` replaces fields of its record, and parts can be others than those of this module."""
    names = ("options", "recipes", "design", "asking", "analysis", "presentation")
    record = Suite(
        name="toy",
        title="A toy of two lines",
        citation="Nobody (2000). Lines. Journal of Toys.",
        parts={name: f"{__name__}:{name.upper()}" for name in names},
    )
    record = replace(record, **changes)
    vars(record).update(analysis=analysis, presentation=presentation)
    return record
