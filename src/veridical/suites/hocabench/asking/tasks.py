"""The six tasks: which clips each is about, what is asked, and what is true."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from string import ascii_uppercase

from veridical.answers.time_intervals import interval_text
from veridical.records import Json, Stimulus
from veridical.suite.prompts import letter_options
from veridical.suite.reply import REPLY, SCHEMA
from veridical.suites.hocabench.asking.attribution import RULES
from veridical.suites.hocabench.asking.cut import cut_of
from veridical.suites.hocabench.asking.readers import DESCRIPTION, DOMAIN, EXPLAINED, INTERVAL, PLAUSIBILITY, SEVERAL
from veridical.suites.hocabench.asking.sets import canonical_set
from veridical.suites.hocabench.taxonomy import DOMAINS, SHORT_DOMAINS, SUB_TYPES

WHEN = "In which stretches of time does this clip show something that could not happen in the real world?"
"""The question of the task interval, unless a release asks one of its own."""

TASKS = (PLAUSIBILITY, DOMAIN, DESCRIPTION, EXPLAINED, INTERVAL, SEVERAL)
SEQUENCES, SINGLE = "sequences", "single"
NINE, SHORT = "nine", "short"
SHORT_NAMES: Mapping[str, str] = {
    "property": "shape_size",
    "state": "object_permanence",
    "bio_behavior": "bio_behavior",
    "mechanics": "mechanics",
    "material": "rigidity",
    "mass_volume": "mass_consistency",
    "thermodynamics": "thermodynamics",
    "chemistry": "chemistry",
    "optics": "optics",
}
"""The entry of the paper's short list that stands for each domain: answers are domains by either list."""

Arm = Mapping[str, str]
"""The level of each setting that applies to a trial."""


@dataclass(frozen=True, kw_only=True)
class TaskQuestion:
    """What one trial asks: the fields of its prompt, its true answer, and what its reader must know."""

    fields: Mapping[str, str]
    gold: str | None
    expects: Mapping[str, Json] = field(default_factory=dict)


def applies(stimulus: Stimulus, arm: Arm) -> bool:
    """Whether a task is asked about a clip."""
    task, truth = arm["task"], stimulus.truth
    if task == PLAUSIBILITY:
        return stimulus.variant in ("violating", "plausible", "explained") and stimulus.label is not None
    if task == SEVERAL:
        return stimulus.variant == "panels" and bool(truth.get("sub_types"))
    if task == INTERVAL and arm["grounding"] == SEQUENCES:
        return stimulus.variant == "sequence" and bool(truth.get("intervals"))
    if stimulus.variant != "violating":
        return False
    needed = {DOMAIN: stimulus.category in DOMAINS, DESCRIPTION: truth.get("options")}
    needed |= {EXPLAINED: truth.get("reference"), INTERVAL: truth.get("intervals")}
    return bool(needed[task])


def task_question(stimulus: Stimulus, arm: Arm) -> TaskQuestion:
    """What a task asks about a clip to which it applies."""
    return _ASKED[arm["task"]](stimulus, arm)


def _plausibility(stimulus: Stimulus, arm: Arm) -> TaskQuestion:
    """The part before the event is possible, whatever follows."""
    early = arm.get("until") in ("before", "event")
    return TaskQuestion(fields={"question": stimulus.question}, gold="Yes" if early else stimulus.label)


def _domain(stimulus: Stimulus, arm: Arm) -> TaskQuestion:
    short = arm["domains"] == SHORT
    titles = [SHORT_DOMAINS[SHORT_NAMES[name]] if short else domain.title for name, domain in DOMAINS.items()]
    texts = titles if short else [f"{domain.title}: {domain.definition}" for domain in DOMAINS.values()]
    expects = {"options": titles, "names": list(DOMAINS)}
    return TaskQuestion(fields={"domains": letter_options(texts)}, gold=stimulus.category, expects=expects)


def _description(stimulus: Stimulus, arm: Arm) -> TaskQuestion:  # noqa: ARG001 (no level changes it)
    options: list[str] = stimulus.truth["options"]
    gold = ascii_uppercase[options.index(stimulus.truth["option"])]
    return TaskQuestion(fields={"options": letter_options(options)}, gold=gold, expects={"options": options})


def _explanation(stimulus: Stimulus, arm: Arm) -> TaskQuestion:  # noqa: ARG001 (the truth is for the judge)
    return TaskQuestion(fields={"rule": RULES[arm["attribution_rule"]]}, gold=None)


def _interval(stimulus: Stimulus, arm: Arm) -> TaskQuestion:  # noqa: ARG001 (no level changes it)
    expects = {"duration": round(float(cut_of(stimulus, "end") or 0), 3)}
    gold = interval_text((start, end) for start, end in stimulus.truth["intervals"])
    return TaskQuestion(fields={"question": stimulus.truth.get("asked") or WHEN}, gold=gold, expects=expects)


def _several(stimulus: Stimulus, arm: Arm) -> TaskQuestion:  # noqa: ARG001 (no level changes it)
    texts = [f"{each.title}: {each.definition}" for each in SUB_TYPES.values()]
    gold = canonical_set(stimulus.truth["sub_types"])
    return TaskQuestion(fields={"sub_types": letter_options(texts)}, gold=gold, expects={"names": list(SUB_TYPES)})


def prompt_of(arm: Arm) -> str:
    """The name of the prompt of a task, which says in which form to reply.

    >>> prompt_of({"task": "set", "reply": "free"}), prompt_of({"task": "set", "reply": "schema"})
    ('set', 'set-schema')
    """
    return f"{arm['task']}-{SCHEMA}" if arm.get(REPLY) == SCHEMA else arm["task"]


_ASKED = {
    PLAUSIBILITY: _plausibility,
    DOMAIN: _domain,
    DESCRIPTION: _description,
    EXPLAINED: _explanation,
    INTERVAL: _interval,
    SEVERAL: _several,
}
FIELDS: Mapping[str, tuple[str, ...]] = {
    PLAUSIBILITY: ("question",),
    DOMAIN: ("domains",),
    DESCRIPTION: ("options",),
    EXPLAINED: ("rule",),
    INTERVAL: ("question",),
    SEVERAL: ("sub_types",),
    prompt_of({"task": EXPLAINED, REPLY: SCHEMA}): ("rule",),
    prompt_of({"task": INTERVAL, REPLY: SCHEMA}): ("question",),
    prompt_of({"task": SEVERAL, REPLY: SCHEMA}): ("sub_types",),
    "frames": ("count", "duration"),
    "video": ("duration",),
    "blind": ("duration",),
}
"""The fields of each prompt: one for each task and form of its reply, and one for each way of showing a clip."""
