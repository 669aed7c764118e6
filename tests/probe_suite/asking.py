"""How the probe asks: one stage so far, a setting with two levels, readers of four families."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import polars as pl

from veridical.answers import MARKED_REGIONS, OPTION_LETTER, TAGGED_CHOICE, Marks, Read, Reader, like_gold
from veridical.ask import Sampling
from veridical.records import Json, Media, Message, Stimulus, Text, Trial
from veridical.suite.asking import Asking, Preset, Stage
from veridical.suite.parts import AskingPart
from veridical.suite.prompts import load_all

FOLDER = Path(__file__).parent / "prompts"
TONES = ("plain", "polite")
_FIELDS = {tone: ("question", "form") for tone in TONES}
_FORMS = {
    "options": "Answer with a letter: {listed}.",
    "tagged": "Answer {listed} in an <answer> tag.",
    "boxes": "Answer with the names of the boxes, or none.",
    "closeness": "Answer with a number from 0 to 10.",
}
_READER = {"tiles": "options", "dots": "closeness", "boxes": "boxes", "clip": "tagged", "sums": "tagged"}


def trials(stimuli: Iterable[Stimulus], asking: Asking, earlier: pl.DataFrame | None) -> Iterator[Trial]:
    prompts = load_all(FOLDER, asking.prompts, _FIELDS)
    for stimulus in stimuli:
        for tone in asking.levels["tone"]:
            text = prompts[tone].fill(question=stimulus.question, form=_form(stimulus))
            parts = (*(Media.of(medium) for medium in stimulus.media), Text(text))
            yield Trial(
                id=f"{stimulus.id}?{tone}",
                suite=stimulus.suite,
                stage="look",
                stimulus=stimulus.id,
                unit=stimulus.unit,
                family=stimulus.family,
                category=stimulus.category,
                variant=stimulus.variant,
                messages=(Message("system", (Text("You look closely."),)), Message("user", parts)),
                gold=stimulus.label,
                reader=_READER[stimulus.family],
                prompt=prompts[tone].digest,
                settings={"tone": tone},
                factors=stimulus.factors,
                expects=_expects(stimulus),
            )


def _form(stimulus: Stimulus) -> str:
    family = _READER[stimulus.family]
    options = stimulus.truth.get("options", [])
    if family == "options":
        listed = ", ".join(f"{letter}) {option}" for letter, option in zip("ABC", options, strict=True))
    else:
        listed = " or ".join(options)
    return _FORMS[family].format(listed=listed)


def _expects(stimulus: Stimulus) -> dict[str, Json]:
    if stimulus.family == "boxes":
        return {"regions": len(stimulus.truth["regions"])}
    return {"options": stimulus.truth["options"]} if "options" in stimulus.truth else {}


def _number(text: str, expects: Mapping[str, Json]) -> Read:
    found = re.fullmatch(r"\s*(\d{1,2})\W*", text)
    if found is None or int(found[1]) > 10:
        return Read(None, "no number from 0 to 10")
    return Read(str(int(found[1])))


def _words(text: str, expects: Mapping[str, Json]) -> Read:
    names = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    word = text.strip().lower()
    return Read(str(names.index(word))) if word in names else _number(text, expects)


def _closeness(answer: str, trial: Trial) -> Marks:
    """10 for the gold number, one less for each that the answer is away from it."""
    away = abs(int(answer) - int(str(trial.gold)))
    return Marks(away == 0, {"closeness": float(max(0, 10 - away))})


def _by_text(answer: str, trial: Trial) -> Marks:
    """The gold is a letter, this answer the option's text."""
    options = trial.expects["options"]
    return like_gold("ABC"[options.index(answer)], trial)


DIGITS = Reader(name="digits", version="1", parse=_number, mark=_closeness, scores={"closeness": (0.0, 10.0)})

ASKING = AskingPart(
    stages=(Stage("look", trials),),
    readers={
        "options": (OPTION_LETTER, replace(TAGGED_CHOICE, name="tagged-options", mark=_by_text)),
        "tagged": (TAGGED_CHOICE,),
        "boxes": (MARKED_REGIONS,),
        "closeness": (DIGITS, replace(DIGITS, name="words", parse=_words)),
    },
    settings={"tone": TONES},
    defaults={"tone": ("plain",)},
    prompts=FOLDER,
    presets={"once": Preset(source="nobody", sampling=Sampling(temperature=0.0), repeats=1)},
    contrast=("easy", "hard"),
    reply_tokens=5,
)
