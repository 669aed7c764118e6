"""What people see of the questions that a model is asked: the same pictures, whole clips, words, and no repetitions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from veridical.base.path_checks import derived_rule
from veridical.media.derive import Rule
from veridical.records import Media, Medium, Stimulus, Text, Trial
from veridical.suite.people_tasks import Caption, FormField
from veridical.verbs.runs.setup import Setup


@dataclass(frozen=True)
class ShownQuestion:
    """A trial as people are asked it: its parts in order, texts and media, then its question, words and form."""

    trial: Trial
    stimulus: Stimulus
    parts: Sequence[str | Medium]
    question: str
    captions: Sequence[Caption]
    form: Sequence[FormField]

    @property
    def media(self) -> list[Medium]:
        return [part for part in self.parts if isinstance(part, Medium)]


def shown_questions(setup: Setup) -> list[ShownQuestion]:
    """The trials of a stage as people are asked them, in the order of the set.

    A clip of which a model gets frames is shown itself; where these are of a part of it alone, they are shown, after
    the words about each. Other pictures are those that the model gets: with marks, or masked. Of trials of a first
    stage that are the same to people, as with other instructions to a model, the first stands for all.
    """
    asking = setup.suite.asking
    stimuli = {stimulus.id: stimulus for stimulus in setup.stimuli.stimuli}
    derived = _derived_media(setup)
    seen: set[str] = set()
    shown = []
    for trial in setup.trials:
        stimulus = stimuli[trial.stimulus]
        each = ShownQuestion(
            trial,
            stimulus,
            tuple(_parts(setup.rules, derived, stimulus, trial)),
            asking.bare_question(stimulus, trial),
            tuple(asking.captions(stimulus, trial)),
            tuple(asking.answer_form(stimulus, trial)),
        )
        alike = repr((trial.stimulus, trial.sources and trial.id, each.parts, each.question, each.captions, each.form))
        if alike not in seen:
            seen.add(alike)
            shown.append(each)
    return shown


def _parts(
    rules: Mapping[str, Rule], derived: Mapping[str, Medium], stimulus: Stimulus, trial: Trial
) -> Iterator[str | Medium]:
    parts = [part for message in trial.messages if message.role == "user" for part in message.parts]
    own = {medium.file: medium for medium in stimulus.media}
    clips: dict[str, Medium] = {}
    for place, part in enumerate(parts):
        if not isinstance(part, Media):
            continue
        rule = _rule_of(rules, part)
        if rule is None:
            yield own[part.file]
        elif "sampling" not in rule.arguments:
            yield derived[part.file]
        elif "cut" in rule.arguments:
            if isinstance(before := parts[place - 1], Text):
                yield before.text
            yield derived[part.file]
        else:
            clips |= {medium.file: medium for medium in stimulus.media if medium.kind == "video"}
    yield from clips.values()


def _rule_of(rules: Mapping[str, Rule], part: Media) -> Rule | None:
    digest = derived_rule(part.file)
    return None if digest is None else next(rule for name, rule in rules.items() if name.startswith(digest))


def _derived_media(setup: Setup) -> dict[str, Medium]:
    """The media that were derived for a stage, by their paths."""
    every = setup.made.derived.values() if setup.made else ()
    return {file: medium for derived in every for file, medium in derived.media.items()}
