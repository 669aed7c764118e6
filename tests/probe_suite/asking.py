"""How the probe asks: a first look in two settings, what follows it, readers of five families."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import product
from pathlib import Path

from tests.probe_suite.stages import LATER, READER, RUBRICS, RULES
from veridical.answers import LENIENT_CHOICE, OPTION_LETTER, Marks, ParsedAnswer, Reader, mark_by_gold
from veridical.answers.truncation import nothing_complete
from veridical.ask import Sampling
from veridical.records import Json, Media, Message, Stimulus, Text, Trial
from veridical.suite.evidence import Evidence
from veridical.suite.parts import AskingPart
from veridical.suite.prompts import Prompt, load_all
from veridical.suite.stages import AskingOptions, Preset, Stage

FOLDER = Path(__file__).parent / "prompts"
SECRET = "what-readers-alone-know"
TONES, LENSES = ("plain", "polite"), ("bare", "derived")
_FIELDS = dict.fromkeys(TONES, ("question", "form"))
_FORMS = {
    "options": "Answer with a letter: {listed}.",
    "tagged": "Answer {listed} in an <answer> tag.",
    "boxes": "Answer with the names of the boxes, or none.",
    "closeness": "Answer with a number from 0 to 10.",
}


def trials(stimuli: Iterable[Stimulus], asking: AskingOptions, evidence: Evidence) -> Iterator[Trial]:
    """A trial for each tone and lens; through the second lens, frames of clips and marked boxes alone are shown."""
    prompts = load_all(FOLDER, asking.prompts, _FIELDS)
    for stimulus in stimuli:
        for tone, lens in product(asking.levels["tone"], asking.levels["lens"]):
            if lens == "bare" or stimulus.family in RULES:
                yield _trial(stimulus, asking, prompts[tone], {"tone": tone, "lens": lens})


def _trial(stimulus: Stimulus, asking: AskingOptions, prompt: Prompt, settings: Mapping[str, str]) -> Trial:
    media = tuple(Media.of(medium) for medium in stimulus.media)
    if settings["lens"] == "derived":
        media = asking.derived(stimulus, RULES[stimulus.family])
    text = prompt.fill(question=stimulus.question, form=_form(stimulus))
    return Trial(
        id=f"{stimulus.id}?{','.join(settings.values())}",
        suite=stimulus.suite,
        stage="look",
        stimulus=stimulus.id,
        unit=stimulus.unit,
        family=stimulus.family,
        category=stimulus.category,
        variant=stimulus.variant,
        messages=(Message("system", (Text("You look closely."),)), Message("user", (*media, Text(text)))),
        gold=stimulus.label,
        reader=READER[stimulus.family],
        prompt=prompt.digest,
        settings=settings,
        factors=stimulus.factors,
        expects=_expects(stimulus),
    )


def _form(stimulus: Stimulus) -> str:
    family = READER[stimulus.family]
    options = stimulus.truth.get("options", [])
    if family == "options":
        listed = ", ".join(f"{letter}) {option}" for letter, option in zip("ABC", options, strict=True))
    else:
        listed = " or ".join(options)
    return _FORMS[family].format(listed=listed)


def _expects(stimulus: Stimulus) -> dict[str, Json]:
    """What readers must know, and a word that would be seen wherever it is sent."""
    kept: dict[str, Json] = {"kept": SECRET}
    if stimulus.family == "boxes":
        return {"regions": len(stimulus.truth["regions"]), **kept}
    return {"options": stimulus.truth["options"], **kept} if "options" in stimulus.truth else kept


def _number(text: str, expects: Mapping[str, Json]) -> ParsedAnswer:
    found = re.fullmatch(r"\s*(\d{1,2})\W*", text)
    if found is None or int(found[1]) > 10:
        return ParsedAnswer(None, "no number from 0 to 10")
    return ParsedAnswer(str(int(found[1])))


def _words(text: str, expects: Mapping[str, Json]) -> ParsedAnswer:
    names = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    word = text.strip().lower()
    return ParsedAnswer(str(names.index(word))) if word in names else _number(text, expects)


def _closeness(answer: str, trial: Trial) -> Marks:
    """10 for the gold number, one less for each that the answer is away from it."""
    if trial.gold is None:
        return Marks(None)
    away = abs(int(answer) - int(trial.gold))
    return Marks(away == 0, {"closeness": float(max(0, 10 - away))})


def _by_text(answer: str, trial: Trial) -> Marks:
    """The gold is a letter, this answer the option's text."""
    options = trial.expects["options"]
    return mark_by_gold("ABC"[options.index(answer)], trial)


ANY = Reader(
    name="any-text",
    version="1",
    parse=lambda text, _: ParsedAnswer(text or None, None if text else "nothing said"),
    mark=lambda *_: Marks(None),
)


def _boxes(text, expects):
    """The boxes that a reply names, as "R1,R3"."""
    numbers = sorted({int(number) for number in re.findall(r"\bR(\d{1,2})\b", text)})
    if not numbers and text.strip(" .").lower() == "none":
        return ParsedAnswer("none")
    known = numbers and numbers[0] >= 1 and numbers[-1] <= expects["regions"]
    return (
        ParsedAnswer(",".join(f"R{number}" for number in numbers))
        if known
        else ParsedAnswer(None, "names no boxes, or too many")
    )


BOXES = Reader(name="boxes", version="1", parse=_boxes, complete=nothing_complete)
DIGITS = Reader(name="digits", version="1", parse=_number, mark=_closeness, scores={"closeness": (0.0, 10.0)})

ASKING = AskingPart(
    stages=(Stage(name="look", settings=("tone", "lens"), trials=trials), *LATER),
    readers={
        "options": (OPTION_LETTER, replace(LENIENT_CHOICE, name="tagged-options", mark=_by_text)),
        "tagged": (LENIENT_CHOICE,),
        "boxes": (BOXES,),
        "closeness": (DIGITS, replace(DIGITS, name="words", parse=_words)),
        "any": (ANY,),
    },
    settings={"tone": TONES, "lens": LENSES, "severity": RUBRICS},
    defaults={"tone": ("plain",), "lens": ("bare",), "severity": ("strict",)},
    prompts=FOLDER,
    presets={"once": Preset(source="nobody", sampling=Sampling(temperature=0.0), repeats=1)},
    contrast=("easy", "hard"),
    reply_tokens=5,
)
