"""The trials of the first stage: a question about a picture with numbered boxes, to be reasoned about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

from veridical.records import Json, Media, Message, Stimulus, Text, Trial
from veridical.suite.evidence import Evidence
from veridical.suite.people_forms import YES_NO, named_form, text_form
from veridical.suite.people_tasks import FieldOption, FormField
from veridical.suite.prompts import Prompt, digest_of, load_all, names_beside
from veridical.suite.results import ModelFacts
from veridical.suite.stages import AskingOptions, Levels
from veridical.suites.magic.asking.readers import RATIONALE
from veridical.suites.magic.asking.shots import examples, list_labels
from veridical.suites.magic.regions.rule import (
    ADVERSARIAL_MASKED,
    DRAWN_VIEWS,
    PREFIX,
    RELEVANT,
    RELEVANT_MASKED,
    RENUMBERED,
    boxes_of_view,
    drawing_rule,
    relevant_of,
    stored_numbers,
)
from veridical.suites.magic.steps import renumber_graph

FOLDER = Path(__file__).parent.parent / "prompts"
BLIND = "blind"
VIEWS = (*DRAWN_VIEWS, BLIND)
OWN, NONE = "own", "none"

SETTINGS: Levels = {"view": VIEWS, "shots": (OWN, NONE)}
"""What of the picture is shown and how it is marked (`view`), and whether worked examples come before (`shots`)."""
DEFAULTS: Levels = {"view": DRAWN_VIEWS, "shots": (OWN,)}

FIELDS = {"reason": ("question", "boxes"), "blind": ("question",), "shots": ("examples",)}
"""The prompts of this stage, with the fields that each may use."""
OTHERS = names_beside(FIELDS, FOLDER, FOLDER.parent / "rubrics")
"""File names of the prompts and rubrics of other stages."""
ASKED_OF_MODELS = ("reason", "heal", "heal-own")
"""The stages in which a model is put the question; in the others a judge is put a rubric."""


def defaults_for(about: ModelFacts) -> Levels:
    """A model that thinks gets no worked examples, as in the paper's section 5.1.

    >>> defaults_for(ModelFacts(thinking=True)), defaults_for(ModelFacts())
    ({'shots': ('none',)}, {})
    """
    return {"shots": (NONE,)} if about.thinking else {}


def trials(stimuli: Sequence[Stimulus], asking: AskingOptions, evidence: Evidence) -> Iterator[Trial]:  # noqa: ARG001
    """One trial per question, view that differs from the others, and level of `shots`."""
    prompts = load_all(FOLDER, asking.prompts, FIELDS, OTHERS)
    levels = {**SETTINGS, **DEFAULTS, **asking.levels}
    for stimulus in stimuli:
        for view, shots in product(levels["view"], levels["shots"]):
            if applies(stimulus, view):
                yield _trial(stimulus, view, shots, asking, prompts)


def applies(stimulus: Stimulus, view: str) -> bool:
    """Whether a view shows a question otherwise than all boxes do.

    Without adversarial boxes none can be left out or masked, and a single box has no other number.
    """
    if view in (RELEVANT, ADVERSARIAL_MASKED):
        return bool(stimulus.truth["adversarial"])
    if view == RELEVANT_MASKED:
        return bool(stimulus.truth["relevant"])
    return view != RENUMBERED or len(stimulus.truth["boxes"]) > 1


def boxes_shown(count: int) -> str:
    """The sentence that says how many boxes there are, and how they are labeled.

    >>> boxes_shown(1), boxes_shown(4)
    ('One box is drawn into the picture in red: R1.', '4 boxes are drawn into the picture in red: R1, R2, R3 and R4.')
    """
    drawn_in = "One box is" if count == 1 else f"{count} boxes are"
    return f"{drawn_in} drawn into the picture in red: {list_labels(count)}."


def shown_parts(stimulus: Stimulus, view: str, asking: AskingOptions) -> tuple[Media, ...]:
    """The picture of a view with its boxes drawn; nothing where the picture is not shown."""
    return () if view == BLIND else (asking.derived(stimulus, drawing_rule(view))[0],)


def expectations(stimulus: Stimulus, view: str) -> dict[str, Json]:
    """What readers need besides the reply: the rule of the question, and the boxes and things with a view's numbers.

    Where the picture is not shown there are no boxes.
    """
    rule = stimulus.truth["rule"]
    if view == BLIND:
        return {"rule": rule}
    stored = stored_numbers(stimulus, view)
    return {
        "boxes": len(stored),
        "relevant": relevant_of(stimulus, view),
        "rule": rule,
        "graph": renumber_graph(stimulus.truth["graph"], stored),
    }


def _trial(stimulus: Stimulus, view: str, shots: str, asking: AskingOptions, prompts: Mapping[str, Prompt]) -> Trial:
    if view == BLIND:
        own = prompts["blind"]
        text = own.fill(question=stimulus.question)
    else:
        own = prompts["reason"]
        text = own.fill(question=stimulus.question, boxes=boxes_shown(len(boxes_of_view(stimulus, view))))
    before = (Text(prompts["shots"].fill(examples=examples())),) if shots == OWN else ()
    digest = digest_of(own.digest, *(digest_of(prompts["shots"].digest, part.text) for part in before))
    return Trial.about(
        stimulus,
        f"{view},{shots}",
        stage="reason",
        messages=(Message("user", (*before, *shown_parts(stimulus, view, asking), Text(text))),),
        gold=stimulus.label,
        reader=RATIONALE,
        prompt=digest,
        settings={"view": view, "shots": shots},
        expects=expectations(stimulus, view),
    )


def bare_question(stimulus: Stimulus, trial: Trial) -> str:
    """What people are asked: the question; of a judge, the first sentence of its rubric."""
    if trial.stage in ASKED_OF_MODELS:
        return stimulus.question
    texts = [part.text for part in trial.messages[-1].parts if isinstance(part, Text)]
    first, stop, _ = texts[-1].partition(".") if texts else ("", "", "")
    return first + stop


def answer_form(stimulus: Stimulus, trial: Trial) -> Sequence[FormField]:  # noqa: ARG001 (what a suite may look at)
    """The boxes that mattered, which count as those that reasoning mentions, and a short answer, or yes or no."""
    if trial.stage not in ASKED_OF_MODELS:
        return text_form()
    rule = trial.expects.get("rule") or {}
    polar = {str(each).lower() for each in rule.get("accepted", ())} & {*YES_NO}
    (answer,) = named_form(YES_NO) if polar else text_form()
    boxes = [f"{PREFIX}{number}" for number in range(1, trial.expects.get("boxes", 0) + 1)]
    options = [FieldOption(each, each) for each in boxes]
    mattered = FormField(name="boxes", kind="codes", title="Boxes that you needed for it", options=options)
    return (mattered, replace(answer, title="Answer")) if options else (answer,)


def stratum(stimulus: Stimulus) -> tuple[str, str]:
    """What a sample for people is balanced over: the type of the question, and the family."""
    return stimulus.category, stimulus.family
