"""A suite of questions in text alone, whose short answers a judge marks."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from veridical.answers import Marks, ParsedAnswer, Reader
from veridical.ask import Sampling
from veridical.base.options import Options, Recipe
from veridical.judges import SHORT_ANSWER, JudgeVerdict, Rubric, judge_tables, judged_rates, marking, readers
from veridical.records import PROPORTION, Chunk, Measure, Message, Stimulus, Text, Trial
from veridical.suite.parts import AnalysisPart, AskingPart, DesignPart, PresentationPart
from veridical.suite.record import Suite
from veridical.suite.stages import Preset, PresetModel, Stage

COLORS = ("red", "green", "blue", "yellow", "purple", "orange")


class QuizOptions(Options):
    """How many questions there are."""

    units: int = Field(6, ge=1, le=100, description="Questions.")


def make(options, chunk):
    color, other = (COLORS[(chunk.index + step) % len(COLORS)] for step in (0, 1))
    question = f"Box {chunk.index} is {color} and box {chunk.index + 1} is {other}. Which color has box {chunk.index}?"
    own = {"suite": "quiz", "family": "boxes", "variant": "plain", "category": "color", "seed": options.seed}
    yield (
        Stimulus(
            id=f"box/{chunk.index:02}",
            unit=f"box/{chunk.index:02}",
            media=(),
            question=question,
            label=color,
            factors={"box": chunk.index},
            **own,
        ),
        (),
    )


def trials(stimuli, asking, evidence):
    for stimulus in stimuli:
        shown = (Message("user", (Text(stimulus.question),)),)
        yield Trial.about(stimulus, "ask", stage="ask", messages=shown, reader="any", prompt="quiz-1")


class Graded(JudgeVerdict):
    """A grade out of ten, and a veto apart from it."""

    reason: str
    veto: bool
    grade: int = Field(ge=0, le=10)


GRADED = Rubric(
    name="graded",
    folder=Path(__file__).parent / "rubrics",
    verdict=Graded,
    sees=("question", "gold", "reply", "hints"),
    vetoes=("veto",),
)
RUBRICS = (SHORT_ANSWER, GRADED)


def facts(stimulus, row):
    return {"question": stimulus.question, "gold": stimulus.label, "hints": f"Not {COLORS[-1]}."}


ANY = Reader(
    name="any",
    version="1",
    parse=lambda text, _: ParsedAnswer(text or None, None if text else "nothing was said"),
    mark=lambda *_: Marks(None),
)
GRADE = marking("grade", "ask", RUBRICS, facts=facts, at_most=lambda stimuli, _: len(stimuli))
DESIGN = DesignPart(
    families=("boxes",),
    factors={"box": int},
    chunks=lambda options: [Chunk("boxes", k) for k in range(options.units)],
    make=make,
    verify=lambda *_: None,
)
ASKING = AskingPart(
    stages=(Stage(name="ask", settings=(), trials=trials), GRADE),
    readers={"any": (ANY,), **readers(RUBRICS)},
    settings={"rubric": tuple(rubric.name for rubric in RUBRICS)},
    defaults={"rubric": (SHORT_ANSWER.name,)},
    presets={
        "paper": Preset(
            source="Nobody 2026, section 4",
            sampling=Sampling(temperature=0.5),
            roles={"judge": PresetModel(name="Good 1.0", model="good", sampling=Sampling(top_p=0.9))},
        )
    },
)


def estimates(evidence):
    return judged_rates("quiz", evidence, GRADE, "correct", "right")


MEASURES = {"right": Measure(title="Right", definition="Replies that a judge calls correct.", unit=PROPORTION)}
ANALYSIS = AnalysisPart(measures=MEASURES, estimates=estimates, headline=("right",), slices=("judge",))
PRESENTATION = PresentationPart(
    tables=lambda results: judge_tables(results, GRADE, "correct", "right", MEASURES["right"])
)
RECIPES = {"balanced": Recipe(note="All boxes.")}
_HERE = "tests.judge.quiz"
SUITE = Suite(
    name="quiz",
    title="Quiz: boxes in words",
    citation="Nobody 2026, Boxes for tests",
    parts={
        "options": f"{_HERE}:QuizOptions",
        "recipes": f"{_HERE}:RECIPES",
        "design": f"{_HERE}:DESIGN",
        "asking": f"{_HERE}:ASKING",
        "analysis": f"{_HERE}:ANALYSIS",
        "presentation": f"{_HERE}:PRESENTATION",
    },
    later_stages=("grade",),
)
