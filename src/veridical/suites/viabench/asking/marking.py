"""The marking passes: of replies by letter, and of short answers in the model's own words."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from veridical.answers import letter_reader
from veridical.judges import SHORT_ANSWER, Rubric, marking
from veridical.judges.rubric import Equivalence, Shown
from veridical.records import Json, Stimulus
from veridical.suite.prompts import letter_options
from veridical.suite.stages import AskingOptions
from veridical.suites.viabench.asking.readers import CHOICE, OPEN, stated_letter
from veridical.suites.viabench.asking.trials import DEFAULTS, PRIOR, letter


def _by_rule(shown: Shown) -> Mapping[str, Json] | str:
    """By the letter that the letter reader reads, so that judge and reader never differ on one; else by words.

    The words of one option alone count; there is no verdict where those of several fit, and where letters contradict.
    """
    from veridical.judges.rules import short_answer

    true_letter, _, true_text = shown["gold"].partition(". ")
    options = {line[0]: line[3:] for line in shown["options"].splitlines() if line[1:3] == ". "}
    letter, reason = letter_reader(*options.values()).read(shown["reply"])
    if letter is not None:
        return {"correct": letter == true_letter, "reason": f"the reply settles on option {letter}"}
    if stated_letter(shown["reply"]) is not None:
        return str(reason)
    ruling = short_answer(shown["question"], true_text, shown["reply"])
    if ruling.correct:
        for each, text in options.items():
            if each != true_letter and short_answer(shown["question"], text, shown["reply"]).correct:
                return f"the words fit option {true_letter} and option {each}"
    return ruling.reason if ruling.correct is None else {"correct": ruling.correct, "reason": ruling.reason}


MULTIPLE_CHOICE = Rubric(
    name="multiple-choice",
    folder=Path(__file__).parent.parent / "rubrics",
    verdict=Equivalence,
    sees=("question", "options", "gold", "reply"),
    rule=_by_rule,
    help="whether a reply settles on the true option",
)
BY_FORM = {CHOICE: MULTIPLE_CHOICE, OPEN: SHORT_ANSWER}
"""The rubric that marks replies of a form of answer."""

RUBRICS = tuple(BY_FORM.values())


def _facts(form: str, stimulus: Stimulus, row: Mapping[str, Json]) -> Mapping[str, str] | None:
    """What a judge sees of a reply of that form of answer to a picture; `None` leaves out all others."""
    settings = json.loads(row["settings"])
    if settings["answer_form"] != form or settings["sight"] == PRIOR or stimulus.label is None:
        return None
    if form == OPEN:
        return {"question": stimulus.question, "gold": stimulus.label}
    options = stimulus.truth["options"]
    gold = f"{letter(options, stimulus.label)}. {stimulus.label}"
    return {"question": stimulus.question, "options": letter_options(options), "gold": gold}


def _at_most(form: str, stimuli: Sequence[Stimulus], asking: AskingOptions) -> int:
    levels = {**DEFAULTS, **asking.levels}
    sights = sum(sight != PRIOR for sight in levels["sight"])
    return len(stimuli) * len(levels["cot"]) * sights * (form in levels["answer_form"])


GRADE = marking(
    "grade",
    "ask",
    RUBRICS,
    facts={rubric.name: partial(_facts, form) for form, rubric in BY_FORM.items()},
    at_most={rubric.name: partial(_at_most, form) for form, rubric in BY_FORM.items()},
    setting="grading",
    judges=("answered", "unparsed"),
)
