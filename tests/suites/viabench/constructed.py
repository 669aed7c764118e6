"""Replies whose marks are known because they were constructed, and the same facts about them in plain Python."""

import json
from dataclasses import dataclass

import veridical
from veridical.suites.viabench.puzzles.puzzle import NOT_SURE, opposite

REPEATS = 3
PUZZLES = {"hands": "anomalies", "muller_lyer": "geometric", "wheels": "motion"}
SETTINGS = {"cot": ["none", "zero-shot"], "sight": ["shown", "blind"]}
IN_WORDS = "If I count the thumb, I see six fingers."
"""A reply without a letter, which only a reader of words gets right."""
_STEPS = "Looking at it part by part, from left to right and from the top down, one place after the other. "


@dataclass(frozen=True)
class Reply:
    """A reply to a repeat of a trial: the option that it chooses, if any, and what is so of its stimulus."""

    stimulus: object
    cot: str
    sight: str
    repeat: int
    option: str | None
    text: str

    @property
    def trial(self):
        return f"{self.stimulus.id}?{self.cot},{self.sight},choice"

    @property
    def right(self):
        return self.option == self.stimulus.label

    @property
    def usual(self):
        return self.stimulus.factors["usual"]


def replies(made):
    """The replies to all trials of a set."""
    for stimulus in made.stimuli:
        for cot in SETTINGS["cot"]:
            for sight in SETTINGS["sight"]:
                for repeat in range(1, REPEATS + 1):
                    option = chosen(stimulus, cot, sight, repeat)
                    yield Reply(stimulus, cot, sight, repeat, option, worded(stimulus, cot, sight, repeat, option))


def chosen(stimulus, cot, sight, repeat):
    """Blind: the first answer. Asked for steps: 5 fingers, bars that are right, and wheels wrong at the second try.

    Else hands are seen in the first two units and recalled in the others, bars are right but for one unit that is left
    open, and wheels always turn.
    """
    unit = int(stimulus.unit.split("/")[1])
    if sight == "blind":
        return stimulus.truth["answers"][0]
    if cot == "zero-shot":
        turned = stimulus.family == "wheels" and repeat == 2
        return "5" if stimulus.family == "hands" else opposite(stimulus.label) if turned else stimulus.label
    if stimulus.family == "hands":
        if unit < 2:
            return None if (unit, stimulus.label, repeat) == (1, "6", 1) else stimulus.label
        return NOT_SURE if (unit, repeat) == (3, 3) else "5"
    if stimulus.family == "muller_lyer":
        return NOT_SURE if unit == 0 else stimulus.label
    return None if (unit, repeat) == (3, 3) else "Yes"


def worded(stimulus, cot, sight, repeat, option):
    """The reply in words: steps where they are asked for, with a hedge at the second try, and fingers as they are."""
    if option is None:
        return IN_WORDS if stimulus.family == "hands" else "There is nothing to be read here."
    lead = ""
    if (cot, sight) == ("zero-shot", "shown"):
        seen = f"I count {stimulus.label} fingers. " if stimulus.family == "hands" else ""
        lead = f"{_STEPS}{'Perhaps not all of it is drawn. ' if repeat == 2 else ''}{seen}"
    return f"{lead}Answer: [{chr(ord('A') + stimulus.truth['options'].index(option))}]"


def run(made, folder, **options):
    """A run of the replies to a set, asked for each repeat."""
    path = folder / "answers.jsonl"
    lines = [{"id": each.trial, "repeat": each.repeat, "text": each.text} for each in replies(made)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return veridical.run(
        made,
        "veridical/replay",
        model_args={"answers": str(path)},
        settings=SETTINGS,
        repeats=REPEATS,
        out=folder / "run",
        show="quiet",
        **options,
    )
