"""A second small suite: scenes of one picture with regions, of several pictures, of a clip, and of words alone."""

from __future__ import annotations

import io
from dataclasses import replace
from functools import cache
from hashlib import sha256

import numpy as np
from PIL import Image, ImageDraw

from tests.report import toy
from veridical.answers import Reader, mark_by_gold
from veridical.answers.reader import ParsedAnswer
from veridical.base.options import Options, Recipe
from veridical.media.clips.write import encode_clip
from veridical.records import Media, Medium, Message, Stimulus, Text, Trial
from veridical.report import ReportRun
from veridical.suite.opening import Opening
from veridical.suite.parts import AnalysisPart, AskingPart, DesignPart, PresentationPart
from veridical.suite.record import Suite
from veridical.suite.results import Result
from veridical.suite.stages import Stage

FACTORS = {"tone": str, "step": int}
REGIONS = {"hat": [20, 30, 90, 80], "far corner": [200, 100, 250, 140]}
QUESTION = "What is odd here?"
FRAMES = 12
SIZE = (256, 144)


@cache
def scene(shift: int) -> bytes:
    """A picture with a disc at a place."""
    image = Image.new("RGB", SIZE, "#dfe8ef")
    ImageDraw.Draw(image).ellipse((20 + shift, 30, 90 + shift, 80), fill="#336699")
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


@cache
def clip() -> bytes:
    """A clip of a disc that moves."""
    frames = [np.asarray(Image.open(io.BytesIO(scene(10 * step)))) for step in range(FRAMES)]
    return encode_clip(frames, 12)


def medium(name: str, content: bytes) -> Medium:
    digest = sha256(content).hexdigest()
    width, height = SIZE
    if name.endswith(".mp4"):
        return Medium(
            file=name, kind="video", width=width, height=height, sha256=digest, frames=FRAMES, rate=FRAMES / 1.0
        )
    return Medium(file=name, kind="image", width=width, height=height, sha256=digest)


FILES = {
    "media/one.png": scene(0),
    "media/before.png": scene(40),
    "media/between.png": scene(80),
    "media/after.png": scene(120),
    "media/clip.mp4": clip(),
}
MEDIA = {name: medium(name, content) for name, content in FILES.items()}


def stimulus(variant: str, files: tuple[str, ...], **changes: object) -> Stimulus:
    record = Stimulus(
        id=f"scene/0000/{variant}",
        suite="scenes",
        family="scene",
        unit="scene/0000",
        variant=variant,
        category="odd",
        question=QUESTION,
        label="hat",
        seed=0,
        media=tuple(MEDIA[f"media/{name}"] for name in files),
        factors={"tone": "plain", "step": len(files)},
    )
    return replace(record, **changes)


STIMULI = {
    each.id: each
    for each in (
        stimulus("boxed", ("one.png",), truth={"regions": REGIONS, "odd": "hat"}),
        stimulus("series", ("before.png", "between.png", "after.png")),
        stimulus("moving", ("clip.mp4",)),
        stimulus("mixed", ("clip.mp4", "one.png"), truth={"regions": [[0, 0, 9, 9]]}),
        stimulus("words", (), factors={"tone": "plain"}),
    )
}


def trial(stimulus: Stimulus) -> Trial:
    """Asked with a line of text before each medium, and the beginning of the reply."""
    parts = [part for each in stimulus.media for part in (Text(f"Look at {each.file}:"), Media.of(each))]
    return Trial(
        id=f"{stimulus.id}:open",
        suite="scenes",
        stage="ask",
        stimulus=stimulus.id,
        unit=stimulus.unit,
        family=stimulus.family,
        category=stimulus.category,
        variant=stimulus.variant,
        messages=(Message("user", (*parts, Text(QUESTION))), Message("assistant", (Text("I see"),))),
        gold=stimulus.label,
        reader="open",
        prompt="p1",
        settings={"mode": "open"},
        factors=stimulus.factors,
    )


TRIALS = {each.id: each for each in map(trial, STIMULI.values())}
SCORES = {"quality": (0.0, 10.0)}
READER = Reader(
    name="open-text", version="1", parse=lambda text, _: ParsedAnswer(text), mark=mark_by_gold, scores=SCORES
)


def reply(trial: Trial) -> dict[str, object]:
    """A free answer, which its reader takes for correct though it is not the gold answer letter for letter."""
    return {
        "status": "answered",
        "answer": "the hat",
        "correct": trial.variant != "series",
        "score_quality": 7.5,
        "reader": READER.name,
        "text": "It is the hat.",
        "attempt": 1,
        "requests": 1,
    }


def run(model: str = "model-s", trials: dict[str, Trial] = TRIALS) -> ReportRun:
    table = toy.outcomes(model, trials, reply, factors=FACTORS, scores=("score_quality",))
    return ReportRun(SUITE, Result(model, table, toy.ESTIMATES), trials, {"model": model})


RECIPES = {"balanced": Recipe()}
OPTIONS = Options
DESIGN = DesignPart(
    families=("scene",),
    factors=FACTORS,
    chunks=lambda _: (),
    make=lambda *_: iter(()),
    verify=lambda *_: None,
)
ASKING = AskingPart(
    stages=(Stage(name="ask", trials=lambda *_: ()),), readers={"open": (READER,)}, settings={"mode": ("open",)}
)
ANALYSIS = AnalysisPart(measures={}, estimates=lambda _: list(toy.ESTIMATES), headline=("PFA",))
PRESENTATION = PresentationPart(
    opening=lambda results: Opening("It sees the hat.", (f"{len(results)} run says so.", "Five scenes were asked.")),
    facts=lambda stimulus: [("media", len(stimulus.media), None)],
    tables=toy.table,
    figures=toy.PRESENTATION.figures,
)
SUITE = Suite(
    name="scenes",
    title="Scenes in which one thing is odd",
    citation="Nobody (2001).",
    parts={
        name: f"{__name__}:{name.upper()}"
        for name in ("options", "recipes", "design", "asking", "analysis", "presentation")
    },
)
