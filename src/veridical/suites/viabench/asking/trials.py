"""The trials of each item: by system turn, with and without its pictures, by letter or in the model's own words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path

from veridical.records import Media, Message, Stimulus, Text, Trial
from veridical.suite.evidence import Evidence
from veridical.suite.people_forms import lettered_form, text_form
from veridical.suite.people_tasks import FormField
from veridical.suite.prompts import Prompt, digest_of, letter_options, load_all
from veridical.suite.stages import AskingOptions
from veridical.suites.viabench.asking.readers import CHOICE, OPEN

FOLDER = Path(__file__).parent.parent / "prompts"
PRIOR = "prior"
SETTINGS = {"cot": ("none", "zero-shot", "manual"), "sight": ("shown", "blind", PRIOR), "answer_form": (CHOICE, OPEN)}
"""The system turn (none; think step by step; five steps by name), the answer's form, and whether pictures are shown.

With the sight "prior" no picture is shown, and what is asked for is the usual answer: once for each unit that has one,
by letter alone.
"""

DEFAULTS = {"cot": ("none",), "sight": ("shown",), "answer_form": (CHOICE,)}
_FIELDS: Mapping[str, tuple[str, ...]] = {
    "choice": ("question", "options"),
    "prior": ("prior", "question", "options"),
    "open": ("question",),
    "cot_zero_shot": (),
    "cot_manual": (),
}


def trials(stimuli: Sequence[Stimulus], asking: AskingOptions, evidence: Evidence) -> Iterator[Trial]:  # noqa: ARG001
    """One trial per item and combination of settings, with the pictures before the text.

    The gold answer is the letter of the true option, or of the usual one where this is asked for; asked in its own
    words, a model has none, and a judge marks it. Items without a usual answer that words can ask for, as those of a
    release, are not asked for it.
    """
    prompts = load_all(FOLDER, asking.prompts, _FIELDS, ("multiple-choice.md", "short-answer.md"))
    levels = {**DEFAULTS, **asking.levels}
    arms = [dict(zip(SETTINGS, arm, strict=True)) for arm in product(*(levels[name] for name in SETTINGS))]
    asked_for: set[str] = set()
    for stimulus in stimuli:
        plain = stimulus.factors.get("name_written") is not True
        expects = plain and stimulus.truth.get("prior") is not None and stimulus.unit not in asked_for
        asked_for |= {stimulus.unit} if expects else set()
        for arm in arms:
            if arm["sight"] != PRIOR or (expects and arm["answer_form"] == CHOICE):
                yield _trial(stimulus, arm, prompts)


def _trial(stimulus: Stimulus, arm: Mapping[str, str], prompts: Mapping[str, Prompt]) -> Trial:
    usual = arm["sight"] == PRIOR
    prompt = prompts[PRIOR if usual else arm["answer_form"]]
    options: list[str] = stimulus.truth["options"]
    offered = {"options": letter_options(options)} if arm["answer_form"] == CHOICE else {}
    offered |= {"prior": stimulus.truth["prior"]} if usual else {}
    label = stimulus.factors["usual"] if usual else stimulus.label
    media = tuple(Media.of(medium) for medium in stimulus.media) if arm["sight"] == "shown" else ()
    messages = [Message("user", (*media, Text(prompt.fill(question=stimulus.question, **offered))))]
    digest = prompt.digest
    if arm["cot"] != "none":
        system = prompts[f"cot_{arm['cot'].replace('-', '_')}"]
        messages = [Message("system", (Text(system.text),)), *messages]
        digest = digest_of(digest, system.digest)
    by_letter = arm["answer_form"] == CHOICE
    return Trial.about(
        stimulus,
        ",".join(arm.values()),
        stage="ask",
        messages=tuple(messages),
        gold=letter(options, label) if by_letter else None,
        reader=arm["answer_form"],
        prompt=digest,
        settings=dict(arm),
        expects={"options": options, "label": label} if by_letter else {"label": label},
    )


def answer_form(stimulus: Stimulus, trial: Trial) -> Sequence[FormField]:
    """One of the options, or a text where the answer is open."""
    by_letter = trial.settings.get("answer_form") == CHOICE
    return lettered_form(stimulus.truth["options"]) if by_letter else text_form()


def bare_question(stimulus: Stimulus, trial: Trial) -> str:
    """The question; where nothing is shown and the usual answer asked for, after the words that ask for it."""
    usual = trial.settings.get("sight") == PRIOR
    return f"{stimulus.truth['prior']}\n\n{stimulus.question}" if usual else stimulus.question


def letter(options: Sequence[str], option: str | None) -> str | None:
    """The letter of an option, "A" for the first; `None` for none.

    >>> letter(["4", "5", "Not Sure"], "5")
    'B'
    """
    return None if option is None else chr(ord("A") + list(options).index(option))
