"""HOCA-Bench as people are asked it: the bare question of each task, and the form of its answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from veridical.records import Media, Stimulus, Trial
from veridical.suite.people_forms import ANSWER, lettered_form, lettered_options, named_form, text_form
from veridical.suite.people_tasks import FormField
from veridical.suite.prompts import Prompt, load_all
from veridical.suites.hocabench.asking.attribution import LABELS, RULES
from veridical.suites.hocabench.asking.readers import DESCRIPTION, DOMAIN, EXPLAINED, INTERVAL, PLAUSIBILITY, SEVERAL
from veridical.suites.hocabench.asking.tasks import FIELDS, SHORT, task_question
from veridical.suites.hocabench.asking.trials import FOLDER, OTHERS
from veridical.suites.hocabench.taxonomy import DOMAINS, SUB_TYPES

MARKED = "You mark explanations of clips in which something happens that cannot happen."
"""How the rubric for explanations begins."""
MOST_INTERVALS = 20


def bare_question(stimulus: Stimulus, trial: Trial) -> str:
    """The first paragraph of a task, which has no options; of a judge, how its rubric begins."""
    if trial.stage != "ask":
        return MARKED
    return _first_paragraphs()[trial.settings["task"]].fill(**task_question(stimulus, trial.settings).fields)


@cache
def _first_paragraphs() -> dict[str, Prompt]:
    prompts = load_all(FOLDER, None, FIELDS, OTHERS)
    return {name: replace(prompt, text=prompt.text.partition("\n\n")[0]) for name, prompt in prompts.items()}


def answer_form(stimulus: Stimulus, trial: Trial) -> Sequence[FormField]:
    """The form of a task; times of a clip that is not shown are a text."""
    task = trial.settings.get("task") if trial.stage == "ask" else None
    if task == PLAUSIBILITY:
        return named_form(("Yes", "No"))
    if task == DOMAIN:
        short = trial.settings["domains"] == SHORT
        helps = () if short else [each.definition for each in DOMAINS.values()]
        return lettered_form(trial.expects["options"], helps)
    if task == DESCRIPTION:
        return lettered_form(stimulus.truth["options"])
    if task == EXPLAINED:
        return _explanation(RULES[trial.settings["attribution_rule"]])
    if task == SEVERAL:
        options = lettered_options(
            [each.title for each in SUB_TYPES.values()], [each.definition for each in SUB_TYPES.values()]
        )
        return (FormField(name=ANSWER, kind="codes", options=options),)
    if task == INTERVAL and any(isinstance(part, Media) for message in trial.messages for part in message.parts):
        return (FormField(name=ANSWER, kind="intervals", most=MOST_INTERVALS),)
    return text_form()


def _explanation(rule: str) -> tuple[FormField, ...]:
    texts = {
        "scene": "The things that matter, what they do, and how it ends",
        "anomaly": "What could not happen as it is shown",
        "reasoning": "Which law or regularity is broken, and what would have happened instead",
    }
    scene, anomaly, reasoning = (FormField(name=name, kind="text", title=title) for name, title in texts.items())
    (choice,) = named_form(LABELS.values())
    return scene, anomaly, replace(choice, name="attribution", title=rule), reasoning
