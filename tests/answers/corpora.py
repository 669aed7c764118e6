"""The hand-read replies: one file per reader, and how each reader is called on one of its lines."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, model_validator

from studies.replies.corpora import FOLDER, lines
from veridical.answers import json_reader, letter_reader, read_integer, read_interval, read_yes_no
from veridical.records import canonical

NAMES = ("yes_no", "integer", "letter", "interval", "json_block")


class Verdict(BaseModel):
    verdict: Literal["yes", "no"]
    confidence: Annotated[float, Field(ge=0, le=1)] | None = None


class Stretch(BaseModel):
    start: FiniteFloat
    end: FiniteFloat

    @model_validator(mode="after")
    def ordered(self):
        if self.end < self.start:
            raise ValueError("the end is before the start")
        return self


class Scores(BaseModel):
    model_config = ConfigDict(extra="forbid")
    scores: dict[str, Annotated[int, Field(ge=0, le=10)]]
    rationale: str


MODELS = {"verdict": Verdict, "span": Stretch, "scores": Scores}
PLAIN = {"yes_no": read_yes_no, "integer": read_integer, "interval": read_interval}


def reading(name, case):
    """What the reader of a corpus makes of one of its lines."""
    if name == "letter":
        return letter_reader(*case["options"]).read(case["text"])
    if name == "json_block":
        return json_reader(MODELS[case["model"]]).read(case["text"])
    return PLAIN[name](case["text"])


def expected(name, case):
    """The answer of a line, in the form in which its reader gives it."""
    answer = case["answer"]
    return canonical(answer) if name == "json_block" and answer is not None else answer


def cases(name, folder="hand_read"):
    """The lines of a corpus, as dictionaries with text, answer and note."""
    return lines(FOLDER / folder / f"{name}.jsonl")
